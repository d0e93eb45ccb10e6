"""The site read back: each kind of page against its HTML.

In: pages as they were to be shown, and the HTML of each. Out: mismatches.
"""
