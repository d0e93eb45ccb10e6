"""Games, reports and rolls for people and programs: text, JSON with its schemas, CSV, Markdown, HTML fragments."""
