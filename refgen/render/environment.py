"""The one Jinja2 environment: autoescape on, undefined names are errors, templates come from refgen alone.

In: nothing. Out: the environment, with what all templates may use.
"""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from refgen.aids.chart import model as chart
from refgen.bundle import bundled
from refgen.render.colour import on_dark
from refgen.render.lengths import FIELD_GAP
from refgen.render.shared_styles import inline


@cache
def environment() -> Environment:
    """The environment that every page is rendered in. Content reaches it as values only, never as templates."""
    made = Environment(
        loader=FileSystemLoader(bundled("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["accents"] = accents
    made.globals |= {"CHART_EM": chart.EM, "CHART_TEXT": chart.TEXT, "FIELD_GAP": FIELD_GAP, "styled": inline}
    return made


def accents(accent: str) -> str:
    """The declarations that give an element the accent of a system, for light ground and for dark (css/tokens.css)."""
    return f"--accent-light: {accent}; --accent-dark: {on_dark(accent)}"
