"""Blocks: the pieces that panels, cards and sheets are made of."""
