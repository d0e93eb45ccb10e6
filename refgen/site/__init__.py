"""The docs site: its pages as values, their HTML, and the HTML read back.

In: games with their check reports, and the files made for the games. Out: pages, each with its address: a home page, a
comparison and a page of dice; and for each game an overview, rules, tables, odds, characters, glossary and checks.
"""
