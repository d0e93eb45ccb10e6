"""Stage 6: the model of a game: tables, facts, ladders, actions and the report of the checks."""
