"""The drawings of charts, bars, tints and ladders, read back from HTML and PDFs and compared with exact figures.

Every build reads back the texts of the drawings, and whether the texts fit (``refgen.layout.readback``).
"""
