"""Stage 5: what is printed is compared with what follows from the rules; what differs is a Finding."""
