"""Numbers of a document are changed one at a time, and `refgen check` must tell of it.

In: the five games, our documents and the originals. Out: for each change what the check made of it, and the figures in
docs/checks.md. ``python -m tests.checks.mutation --help`` runs it.
"""
