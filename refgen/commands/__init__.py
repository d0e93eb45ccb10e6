"""Stage 13: one short module a command, on the public names and the text views only; ``refgen.cli`` binds them.

A command imports the stages when it runs, so that ``--help`` answers at once.
"""
