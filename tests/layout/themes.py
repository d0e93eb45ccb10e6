"""The colours of the themes as a browser comes to them, from css/tokens.css; and contrasts, worked out step by step."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import tinycss2

from refgen.files import bundled_folder
from refgen.layout.templates import accents

CSS = bundled_folder("templates") / "css"

MEDIA: Mapping[str, Collection[str]] = {
    "light": ("screen",),
    "dark": ("screen",),
    "print": ("print",),
    "ink-saving, print": ("print",),
    "ink-saving, light": ("screen",),
    "ink-saving, dark": ("screen",),
}
"""Each theme, and the media that it is for; of colours for both light and dark, a dark theme takes the second."""


def theme(name: str, accent: str | None = None) -> dict[str, str]:
    """The custom properties of an html element with that accent, without their dashes; each resolved to the end."""
    classes = {":root", ".accented"} | ({".theme-ink-saving"} if name.startswith("ink-saving") else set())
    values: dict[str, str] = {}
    for selectors, declared in _rules(tinycss2.parse_stylesheet(_tokens(), True, True), MEDIA[name]):
        # All these selectors weigh the same, so that the last one counts.
        if classes & set(selectors):
            values |= declared
    if accent:
        values |= _declared(tinycss2.parse_blocks_contents(accents(accent)))
    chosen = "dark" if name.endswith("dark") else "light"
    return {name: _resolved(value, values, chosen) for name, value in values.items()}


def _tokens() -> str:
    return (CSS / "tokens.css").read_text(encoding="utf-8")


def _rules(rules: Any, holds: Collection[str]) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The rules that count where these media queries hold: the selectors of each, and its custom properties."""
    for rule in rules:
        if rule.type == "at-rule" and rule.at_keyword == "media":
            query = tinycss2.serialize(rule.prelude).strip()
            assert query in ("screen", "print"), query
            if query in holds:
                yield from _rules(tinycss2.parse_blocks_contents(rule.content, True, True), holds)
        elif rule.type == "at-rule" and rule.at_keyword == "supports":
            yield from _rules(tinycss2.parse_blocks_contents(rule.content, True, True), holds)
        elif rule.type == "qualified-rule":
            selectors = [part.strip() for part in tinycss2.serialize(rule.prelude).split(",")]
            yield selectors, _declared(tinycss2.parse_blocks_contents(rule.content, True, True))


def _declared(contents: Any) -> dict[str, str]:
    return {
        declaration.name[2:]: tinycss2.serialize(declaration.value).strip()
        for declaration in contents
        if declaration.type == "declaration" and declaration.name.startswith("--")
    }


def _resolved(value: str, values: Mapping[str, str], chosen: str) -> str:
    while match := re.fullmatch(r"var\(--(?P<name>[\w-]+)\)|light-dark\((?P<light>[^,]+), (?P<dark>.+)\)", value):
        value = values[match["name"]] if match["name"] else match[chosen]
    return value


def luminance(colour: str) -> float:
    """Relative luminance, from WCAG 2.2."""
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def grey(colour: str) -> str:
    """A colour as a printer without colours sets it (luma of ITU-R BT.601)."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + f"{round(0.299 * red + 0.587 * green + 0.114 * blue):02x}" * 3


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2.2."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
