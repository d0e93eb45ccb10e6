"""Dice expressions worked out, exact: a Roll is the distribution of an expression."""
