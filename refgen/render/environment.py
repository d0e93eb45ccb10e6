"""The one Jinja2 environment: autoescape on, undefined names are errors, templates come from refgen alone.

In: nothing. Out: the environment, with what all templates may use.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from refgen.blocks.block import Block
from refgen.bundle import bundled
from refgen.game.system_info import SystemInfo
from refgen.layout.lengths import FIELD_GAP
from refgen.render.colour import on_dark
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
    made.globals |= {"FIELD_GAP": FIELD_GAP, "content_of": content_of, "styled": inline}
    return made


def aid_html(template: str, system: SystemInfo, **values: object) -> str:
    """A page of an aid, in a folder of the output beside that of the assets."""
    return environment().get_template(template).render(system=system, root="../", **values)


def content_of(block: Block) -> Any:
    """The macro that sets the content of a block."""
    template = environment().get_template(block.template or f"blocks/{block.kind}.html")
    return template.module.content  # type: ignore[attr-defined]


def accents(accent: str) -> str:
    """The declarations that give an element the accent of a system, for light ground and for dark (css/tokens.css)."""
    return f"--accent-light: {accent}; --accent-dark: {on_dark(accent)}"
