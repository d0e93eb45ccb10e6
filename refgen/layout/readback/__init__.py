"""Outputs against the model: what was rendered is read again and compared with the aid that it shows.

In: an aid, its HTML, the bytes of its PDF and where its parts were laid out; or the pages of the site. Out: the
mismatches. An empty list means that every cell stands where it belongs, whole, in order, and nothing else does.
"""
