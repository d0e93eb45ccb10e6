"""The one Jinja2 environment: autoescape on, undefined names are errors, templates come from refgen alone.

In: nothing. Out: the environment, with what all templates may use. Elements of a page that are set alike share a class:
WeasyPrint works out the styles of an element with a ``style`` of its own, and of all in it, anew; those of a class it
works out once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from refgen.blocks.block import Block
from refgen.files import bundled
from refgen.game.game import SystemInfo
from refgen.layout.lengths import FIELD_GAP
from refgen.render.assets import on_dark


def inline(declarations: str, classes: str = "") -> Markup:
    """The attributes of an element with these declarations and classes, for a page that shares none."""
    named = Markup(' class="{}"').format(classes) if classes else Markup()
    return named + Markup(' style="{}"').format(declarations)


@dataclass(frozen=True, slots=True)
class SharedStyles:
    """The same as classes; ``names`` has the class of all declarations so far."""

    names: dict[str, str] = field(default_factory=dict)

    def __call__(self, declarations: str, classes: str = "") -> Markup:
        """The attributes of an element."""
        name = self.names.setdefault(declarations, f"set-{len(self.names)}")
        return Markup(' class="{}"').format(f"{classes} {name}".strip())


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
