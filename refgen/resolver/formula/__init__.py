"""Formulas worked out: arithmetic over what a ruleset states, and chances of dice."""
