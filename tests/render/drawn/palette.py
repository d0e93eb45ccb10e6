"""The colours that paper is printed in, as the style sheet says.

In: the name of a theme. Out: its tokens as red, green and blue from 0 to 255.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from refgen.layout.templates import assets

Colour = tuple[int, int, int]

INK_SAVING = "theme-ink-saving"
"""The class of a page in that theme."""

_TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{6}|var\(--[\w-]+\));")


def is_ink_saving(root: Any) -> bool:
    """Whether a page, read by lxml, is in the theme that saves ink."""
    return INK_SAVING in (root.get("class") or "").split()


@cache
def palette(*, ink_saving: bool) -> Mapping[str, Colour]:
    """The tokens of a theme in print."""
    css = _style_sheet()
    tokens = dict(_TOKEN.findall(_block(css, ":root")))
    if ink_saving:
        tokens |= dict(_TOKEN.findall(_block(css, f".{INK_SAVING}")))
    return {name: _colour(value, tokens) for name, value in tokens.items()}


def _style_sheet() -> str:
    return assets()["assets/css/tokens.css"].decode()


def _block(css: str, selector: str) -> str:
    """What the first rule for a selector declares; the first is that for print."""
    start = css.index(f"\n{selector} {{")
    return css[start : css.index("}", start)]


def _colour(value: str, tokens: Mapping[str, str]) -> Colour:
    if value.startswith("var("):
        return _colour(tokens[value[6:-1]], tokens)
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)
