"""Character sheets on paper: which part stands in which column, how many lines its lists have, how large the type is.

In: a sheet and its format. Out: its pages, arranged and laid out (``fit_sheet`` in planner.py).
"""
