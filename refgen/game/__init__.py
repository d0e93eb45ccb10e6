"""Stage 6: a game as one object: its tables, facts, ladders and actions, and what the checks found."""
