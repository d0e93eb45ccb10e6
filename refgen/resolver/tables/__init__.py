"""Computed tables: the kinds of ``[derived.*]`` in system.toml."""
