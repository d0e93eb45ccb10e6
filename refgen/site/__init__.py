"""The docs site: what each of its pages says, without markup.

In: games with their check reports, and the files made for them. Out: pages, each with its address, in the order in
which they are written: a home page, and for each game an overview, its tables, its checks and its glossary.
"""
