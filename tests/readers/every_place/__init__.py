"""Documents of all formats, with a word of its own in every place that the readers know."""
