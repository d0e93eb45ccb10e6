"""Characters: read from files, checked against their sheet, and filled in."""
