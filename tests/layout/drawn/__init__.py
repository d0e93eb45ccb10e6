"""What is drawn on pages and in PDFs against the exact figures of an aid: charts, bars, tints, and ladders.

The texts among what is drawn, and whether they fit, every build reads back itself (``refgen.layout.readback``).
"""
