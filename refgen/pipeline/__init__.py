"""Stage 11: which aids are to be made, made in parallel, and published whole or not at all."""
