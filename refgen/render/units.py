"""Units of length: everything is reckoned in points but what CSS and people give otherwise."""

MILLIMETRE = 72 / 25.4
"""Points in a millimetre."""

PIXEL = 72 / 96
"""Points in a CSS pixel."""
