"""Formulas worked out: arithmetic over the cells and facts of a ruleset, and chances of dice."""
