"""Charts: figures of a table as bars or lines, for where looking beats reading."""
