"""Reference booklets on paper: which rows stand on which page, how wide their columns are, and the number of each page.

In: a booklet. Out: its pages, arranged and laid out (``fit_booklet`` in job.py).
"""
