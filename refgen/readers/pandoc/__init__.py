"""Documents that pandoc parses: docx, odt, MediaWiki, reStructuredText, Org and LaTeX."""
