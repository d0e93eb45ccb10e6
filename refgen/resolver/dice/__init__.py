"""Dice worked out, exact: a Roll is what a formula without names comes to."""
