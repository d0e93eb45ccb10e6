"""Dice worked out, exact: a Distribution is the value of a formula without names."""
