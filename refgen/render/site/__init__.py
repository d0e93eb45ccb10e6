"""The docs site as HTML.

In: pages of the site. Out: whole HTML documents, which load nothing but the assets beside them.
"""
