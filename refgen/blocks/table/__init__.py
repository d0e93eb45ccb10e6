"""Tables as blocks: the keys of an author, the cells that are shown, and the heights of rows."""
