"""Panels of blocks on paper: which block stands in which column, how large the type is, and what must be read there.

In: panels and their format. Out: their pages, arranged and laid out (``fit_panels`` in job.py).
"""
