"""Units of length. Lengths are in points, except that WeasyPrint measures in CSS pixels, and people in millimetres."""

MILLIMETRE = 72 / 25.4
"""Points in a millimetre."""

PIXEL = 72 / 96
"""Points in a CSS pixel."""
