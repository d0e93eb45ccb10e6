"""Sheets on paper: estimated as they are set, and set to the foot of the page."""
