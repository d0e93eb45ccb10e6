"""The commands, which stand on the public names of refgen and on its views as text; ``refgen.cli`` binds the commands.

A command imports the stages when it runs, so that ``--help`` answers at once.
"""
