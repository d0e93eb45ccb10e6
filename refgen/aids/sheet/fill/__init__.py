"""Sheets of characters, by the thousand: a sheet is laid out once, and what each character has is set onto it.

In: a blank sheet that was laid out, and what stands in its fields. Out: PDFs, flattened or with fields, one each or one
for all. ``stencil`` lays out; ``flat`` and ``form`` set characters onto it; the others are their steps.
"""
