"""Stage 6: a whole game at once: its rules, its computed tables and what the checks find."""
