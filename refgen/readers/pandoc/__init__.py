"""Documents that pandoc reads: its process, its syntax tree, the places of its words, and what it loses."""
