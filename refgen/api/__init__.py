"""Stage 12: what ``import refgen`` hands out; docs/python.md shows each name."""
