"""GM screens: the file that authors write, and the panels made from it."""
