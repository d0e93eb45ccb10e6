"""GM screens on paper: which format, which blocks in which column, and how large the type is."""
