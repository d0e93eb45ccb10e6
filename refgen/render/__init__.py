"""Stage 9: a play aid becomes HTML, the HTML becomes a PDF, and both are read again and compared with the aid."""
