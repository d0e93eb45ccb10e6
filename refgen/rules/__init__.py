"""Stage 3: the grids of a rule document and its system.toml become a Ruleset: typed, named, traced."""
