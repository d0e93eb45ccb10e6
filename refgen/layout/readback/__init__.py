"""The read-back: HTML and PDFs are read again and compared with the pieces that must stand on their pages.

In: the pieces of each part of an aid or of the site, HTML, PDFs, and the places of the parts. Out: mismatches. Without
mismatches, every piece stands in its place, whole and in order, and no other text stands on any page.
"""
