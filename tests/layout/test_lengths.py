"""Lengths that Python and the style sheets share are written once, and the style sheets use them where Python does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest
import tinycss2

from refgen.files import bundled_folder
from refgen.layout.lengths import SMALL_PRINT, TextStyle, lengths_css
from refgen.layout.page_format import PAPER_SIZES
from refgen.layout.templates import assets

CSS = lengths_css(PAPER_SIZES.items())

NAMES = dict(re.findall(r"--([a-z-]+): ([^;]+);", CSS.partition("}")[0]))
"""The lengths by their names, as the style sheets have them."""

TEXTS = [path for path in sorted(bundled_folder("templates").rglob("*.*")) if path.suffix != ".ttf"]
WRITTEN = [path.read_text(encoding="utf-8") for path in TEXTS]
"""All templates and style sheets as they are written."""


@cache
def declarations(sheet: str) -> Mapping[tuple[str, str], str]:
    """What each selector of a style sheet says of each property, on paper."""
    text = assets()[f"assets/css/{sheet}.css"].decode()
    return dict(_declarations(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)))


def _declarations(nodes: list[tinycss2.ast.Node]) -> Iterator[tuple[tuple[str, str], str]]:
    for node in nodes:
        if (
            node.type == "at-rule"
            and node.at_keyword == "media"
            and tinycss2.serialize(node.prelude).strip() == "print"
        ):
            yield from _declarations(tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True))
        if node.type == "qualified-rule":
            inner = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
            for selector in tinycss2.serialize(node.prelude).split(","):
                for declaration in inner:
                    if declaration.type == "declaration":
                        yield (selector.strip(), declaration.name), tinycss2.serialize(declaration.value).strip()


@pytest.mark.parametrize(
    ("selector", "name", "expected"),
    [
        ("html", "line-height", "var(--line-height)"),
        ("html", "font-variant-numeric", "lining-nums tabular-nums"),
        ("h2", "line-height", "var(--title-line-height)"),
        (".block > h2", "font-size", "var(--title-font-size)"),
        (".block > h2", "margin-bottom", "var(--title-margin)"),
        (".note", "font-size", "var(--note-font-size)"),
        (".note", "line-height", "var(--note-line-height)"),
        (".note", "margin-top", "var(--note-margin)"),
        ("td", "padding", "var(--cell-padding-block) var(--cell-padding-inline)"),
        ("thead th", "font-size", "var(--head-font-size)"),
        ("thead th", "line-height", "var(--head-line-height)"),
        ("thead th", "border-bottom", "var(--head-border) solid var(--ink)"),
        ("tbody th", "white-space", "nowrap"),
        ("tbody tr", "border-bottom", "var(--row-border) solid var(--rule)"),
        ("td.heat", "border-left", "var(--heat-border) solid var(--paper)"),
        ("th.bars", "width", "var(--bars)"),
        ("td.gutter", "border-left", "var(--group-gutter) solid var(--paper)"),
        (".end", "white-space", "nowrap"),
        ("td.center", "white-space", "nowrap"),
        (".sign", "font-size", "var(--sign-font-size)"),
        ("td .sign", "width", "0"),
        (".steps", "padding-left", "var(--step-indent)"),
        (".steps li", "margin-bottom", "var(--step-margin)"),
        (".facts dt", "padding", "var(--cell-padding-block) var(--cell-padding-inline)"),
        (".facts dd", "border-bottom", "var(--row-border) solid var(--rule)"),
        (".facts dd", "white-space", "nowrap"),
        (".facts", "border-top", "var(--head-border) solid var(--ink)"),
        (".chart", "max-width", "calc(var(--drawn) * var(--chart-enlarged))"),
    ],
)
def test_blocks_are_set_with_the_lengths_that_they_are_measured_with(selector: str, name: str, expected: str) -> None:
    assert declarations("tokens")[selector, name] == expected


@pytest.mark.parametrize(
    ("selector", "name", "expected"),
    [
        # Charts shrink until their text is small.
        (".panel .chart", "min-width", "calc(var(--drawn) * var(--chart-size) / var(--chart-text))"),
        (".columns", "top", "calc(var(--margin) + var(--header))"),
        (".columns", "bottom", "calc(var(--margin) + var(--footer))"),
        (".with-edge", "--from", "calc(var(--margin) + var(--edge))"),
    ],
)
def test_panels_have_the_area_that_they_are_arranged_for(selector: str, name: str, expected: str) -> None:
    assert declarations("screen")[selector, name] == expected


def test_every_shared_length_is_used() -> None:
    assert set(NAMES) - used() == set()


def test_every_length_that_a_style_sheet_uses_is_there() -> None:
    """WeasyPrint would say nothing."""
    declared = {name for text in [*WRITTEN, CSS] for name in re.findall(r"--([\w-]+):", text)}
    assert used() - declared == set()


def used() -> set[str]:
    return {name for text in WRITTEN for name in re.findall(r"var\(--([\w-]+)\)", text)}


def test_no_shared_length_is_written_a_second_time() -> None:
    lengths = {value for name, value in NAMES.items() if name != "chart-text"}
    found = {
        place
        for place, value in declarations("tokens").items()
        if lengths & set(re.findall(r"(?<![\w.-])[\d.]+(?:mm|em|pt|%)?(?![\w.])", value))
    }
    assert found == set()


def test_small_text_shrinks_no_further() -> None:
    style = TextStyle(0.8, line_height=1.2, smallest=SMALL_PRINT)
    assert [style.size(block) for block in (20, 10, 9, 5)] == [16, 8, 7.5, 7.5]
