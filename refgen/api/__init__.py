"""Stage 11: what ``import refgen`` hands out; docs/python.md shows each name."""
