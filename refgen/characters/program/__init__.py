"""A sheet as a program for browsers: what its fields take and what follows from them, as plain JSON data.

In: a Form. Out: data that templates/js/sheet works with, in which no rule of the game has to be looked up.
"""
