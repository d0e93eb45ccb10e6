"""Word processors' files: the zip archive, the parts of docx and odt, and the document that their blocks make."""
