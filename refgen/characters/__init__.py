"""Stage 8: characters: what files say of them, whether it fits the sheet, and what follows from it."""
