"""Stage 13: one short module a command, on the public names and the text views only; ``refgen.cli`` binds them.

Commands import what they need when they run: help answers at once.
"""
