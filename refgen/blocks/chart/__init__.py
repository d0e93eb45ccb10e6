"""Charts: figures of a table drawn as bars or lines."""
