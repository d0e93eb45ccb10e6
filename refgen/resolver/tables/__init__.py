"""Computed tables: a module for each kind of ``[derived.*]`` in system.toml."""
