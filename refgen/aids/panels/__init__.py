"""Panels of blocks, as GM screens and session sheets have: arranged on pages, laid out, written and read back."""
