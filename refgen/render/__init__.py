"""Stage 7: a play aid becomes HTML, the HTML becomes a PDF, and typed tables become JSON; pages are read back."""
