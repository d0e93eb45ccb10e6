"""Stage 10: what refgen knows, for people and programs: text, JSON with its schemas, CSV, Markdown, HTML fragments."""
