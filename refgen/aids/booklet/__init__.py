"""Reference booklets: all tables of a game on numbered pages with contents, made without a file of settings."""
