"""Blocks: the tables, charts, steps and texts that panels, cards, sheets, booklets and site pages are made of."""
