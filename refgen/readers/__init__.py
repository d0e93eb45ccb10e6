"""The text of a rule document becomes sections, grids of raw cells and lists, each with its span."""
