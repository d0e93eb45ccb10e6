"""The grids of a rule document and its system.toml become a Ruleset: typed, named, each value with its place."""
