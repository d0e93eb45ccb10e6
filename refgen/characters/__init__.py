"""Characters: their sheets as data, the files that hold characters, and the values computed for their sheets."""
