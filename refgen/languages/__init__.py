"""How languages write numbers, ranges and dice, and by which words a text shows its language."""
