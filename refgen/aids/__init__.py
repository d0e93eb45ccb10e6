"""Stage 7: what a play aid shows, as data. No markup, no files: a GM screen, a sheet, a deck, a site page."""
