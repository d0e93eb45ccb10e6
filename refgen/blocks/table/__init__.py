"""Tables as blocks: what an author asks for, the cells that are shown, and how high their rows are."""
