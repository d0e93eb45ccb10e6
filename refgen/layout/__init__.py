"""Layout: sizes of text and tables; HTML becomes pages with known places, pages become PDFs, and both are read back."""
