"""GM screens: the panels that screen.toml describes."""
