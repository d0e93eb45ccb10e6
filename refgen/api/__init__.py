"""The public names of ``import refgen``; docs/python.md shows each of them."""
