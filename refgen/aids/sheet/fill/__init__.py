"""Sheets of characters, by the thousand: a sheet is laid out once, and each character's values are set onto it.

In: a blank sheet that was laid out, and the values of its fields. Out: PDFs, flattened or with fields, one for each
character or one for all. ``template`` lays out and sets characters onto the sheet; the other modules are its steps.
"""
