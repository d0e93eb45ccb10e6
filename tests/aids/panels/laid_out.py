"""What WeasyPrint makes of single blocks of a GM screen: the truth that estimates are held against."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from refgen.blocks.block import Block
from refgen.blocks.kinds import BlockSpec, make_block
from refgen.files import bundled_folder
from refgen.layout.lengths import CHART, HEAD, NOTE, PIXEL
from refgen.layout.templates import environment
from tests.conftest import game
from tests.layout.laid_out import boxes_of, pages_of

Trial = tuple[Block, float, float]
"""A block, the width of its column and its type size, both in points."""

_LENGTHS = ("width", "height", "place", "margin", "edge", "header", "footer", "column-left", "column-width", "gap")

_PAGE = """<!doctype html><html lang="en" style="--accent-light: #123456">
<head><meta charset="utf-8"/><title>Blocks</title>
<link rel="stylesheet" href="../assets/css/tokens.css"/><link rel="stylesheet" href="../assets/css/screen.css"/>
<style>
.panel { position: absolute; top: 0; left: 0; height: auto; {{ lengths }} }
.panel .columns { position: static }
.panel .columns .column { position: static; width: auto; height: auto }
{% for width, size, note, head, chart in settings %}
.set-{{ loop.index0 }} { width: {{ width }}pt; --size: {{ size }}pt; --note: {{ note }}pt;
  --head-size: {{ head }}pt; --chart-size: {{ chart }}pt }
{% endfor %}</style></head>
<body>{% from "blocks/block.html" import block as show %}
{% for block, setting in trials %}
<section class="panel set-{{ setting }}">
<div class="columns">
<div class="column">
<div><div class="stack"><div class="held">{{ show(block) }}</div></div></div>
</div></div></section>
{% endfor %}</body></html>"""
"""Blocks that are set alike share a class, and with it their styles."""


@dataclass(frozen=True, slots=True)
class Found:
    """How high a block is, how far right anything in it reaches from its left edge, and the widths of its columns.

    All in points.
    """

    height: float
    reach: float
    columns: tuple[float, ...]


def lay_out(trials: Sequence[Trial]) -> list[Found]:
    """Lay blocks out, each in a column of its own, all over each other on one page."""
    lengths = "; ".join(f"--{name}: 0mm" for name in _LENGTHS)
    numbers = {
        setting: number for number, setting in enumerate(dict.fromkeys((width, size) for _, width, size in trials))
    }
    settings = [(width, size, *(style.size(size) for style in (NOTE, HEAD, CHART))) for width, size in numbers]
    shown = [(block, numbers[width, size]) for block, width, size in trials]
    pages = pages_of(environment().from_string(_PAGE).render(trials=shown, settings=settings, lengths=lengths))
    found = [_found(box) for box in boxes_of(pages) if _is_block(box)]
    assert len(found) == len(trials)
    return found


@cache
def screen_blocks(system: str) -> tuple[Block, ...]:
    """Every block of the screen of a system that takes from that system alone."""
    screen = tomllib.loads((bundled_folder("content") / system / "screen.toml").read_text(encoding="utf-8"))
    specs = [block for panel in screen["panels"] for block in panel.get("blocks", [])]
    known = [{name: value for name, value in spec.items() if name in BlockSpec.model_fields} for spec in specs]
    return tuple(make_block(game(system), BlockSpec.model_validate(spec)) for spec in known)


def _is_block(box: Any) -> bool:
    return box.element_tag == "section" and (box.element.get("class") or "").startswith("block ")


def _found(block: Any) -> Found:
    inner = [
        box for box in block.descendants(placeholders=True) if isinstance(getattr(box, "width", None), float | int)
    ]
    reach = max(box.position_x + box.margin_left + box.border_width() for box in inner)
    widths = (width * PIXEL for box in inner for width in getattr(box, "column_widths", ()))
    return Found(block.height * PIXEL, (reach - block.position_x) * PIXEL, tuple(widths))
