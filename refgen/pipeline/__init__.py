"""Builds: the files of play aids and of the site are made in parallel, and published whole or not at all."""
