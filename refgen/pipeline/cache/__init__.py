"""What was made before, kept for the next build: found again by the hash of all that it was made of."""
