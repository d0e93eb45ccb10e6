"""The one Jinja2 environment: autoescape on, undefined names are errors, templates come from refgen alone."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from refgen.bundle import bundled


@cache
def environment() -> Environment:
    """The environment that every page is rendered in. Content reaches it as values only, never as templates."""
    return Environment(
        loader=FileSystemLoader(bundled("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
