"""GM screens on paper: which block stands in which column, and how large the type is.

In: a screen and its format. Out: its pages, arranged and laid out. ``fit`` does it all; the others are its steps.
"""
