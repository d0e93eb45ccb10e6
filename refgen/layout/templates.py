"""The folder of templates: the Jinja2 environment, the assets that pages refer to, and the colours of tokens.css.

In: nothing. Out: the one Jinja2 environment (autoescape on, undefined names are errors), and each asset (style sheet,
script, font, drawing) by its path in the output folder.

In: the name of a token; or a colour as #rrggbb. Out: its colour on paper or in the dark theme; the accent of a system
on dark ground; the operands of a PDF operator. Relative luminance and contrast are those of WCAG 2.2; no library that
refgen depends on has them (tinycss2 reads colours, but does not convert from sRGB).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from refgen.files import bundled
from refgen.game import SystemInfo
from refgen.layout.lengths import FIELD_GAP, lengths_css
from refgen.layout.metrics import fonts
from refgen.layout.page_format import PAPER_SIZES

DRAWN_IN = "#ffffff"
"""The colour in which the files of drawings are drawn; each asset of a drawing has another in its place."""


@cache
def environment() -> Environment:
    """The environment of every page. Content of games comes in as values only, never as templates."""
    made = Environment(
        loader=FileSystemLoader(bundled("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["accents"] = accents
    made.globals |= {"FIELD_GAP": FIELD_GAP, "token_colour": token_colour, "content_of": content_of, "styled": inline}
    return made


def aid_html(template: str, system: SystemInfo, **values: object) -> str:
    """The HTML of an aid, in a folder of the output beside the folder of the assets."""
    page = environment().get_template(template)
    return page.render(system=system, words=system.words, root="../", **values)


def content_of(block: Any) -> Any:
    """The macro that sets the content of a block (refgen.blocks), which names its kind or its template."""
    template = environment().get_template(block.template or f"blocks/{block.kind}.html")
    return template.module.content  # type: ignore[attr-defined]


def inline(declarations: str, classes: str = "") -> Markup:
    """The attributes of an element with CSS declarations and classes, on a page whose elements share no styles."""
    named = Markup(' class="{}"').format(classes) if classes else Markup()
    return named + Markup(' style="{}"').format(declarations)


@dataclass(frozen=True, slots=True)
class SharedStyles:
    """The attributes of elements with CSS declarations, which become classes that elements share.

    WeasyPrint works out the styles of an element with a ``style`` attribute, and of all elements in it, anew; it works
    out the styles of a class once. ``names`` has the class of each text of declarations so far.
    """

    names: dict[str, str] = field(default_factory=dict)

    def __call__(self, declarations: str, classes: str = "") -> Markup:
        """The attributes of an element with CSS declarations and classes."""
        name = self.names.setdefault(declarations, f"set-{len(self.names)}")
        return Markup(' class="{}"').format(f"{classes} {name}".strip())


def accents(accent: str) -> str:
    """The declarations that give an element the accent of a system, for light ground and for dark (css/tokens.css)."""
    return f"--accent-light: {accent}; --accent-dark: {on_dark(accent)}"


@cache
def assets() -> Mapping[str, bytes]:
    """The bytes of every asset by its path in the output. Raises RenderError for a missing font."""
    sheets = sorted(bundled("templates").glob("*/*.css"), key=lambda path: path.name)
    found = {f"assets/css/{path.name}": path.read_bytes() for path in sheets}
    for path in sorted(bundled("templates").glob("js/**/*.js")):
        found[f"assets/{path.relative_to(bundled('templates')).as_posix()}"] = path.read_bytes()
    for folder in ("icons", "patterns"):
        for path in sorted(bundled("templates").glob(f"{folder}/*.svg")):
            found |= _drawing(f"assets/{folder}/{path.stem}", path.read_text(encoding="utf-8"))
    found["assets/css/lengths.css"] = lengths_css(PAPER_SIZES.items()).encode()
    return found | {f"assets/fonts/{name}": font for name, font in fonts().items()}


def _drawing(name: str, svg: str) -> Mapping[str, bytes]:
    """A drawing in white for coloured grounds, in ink for white ones, and pale: style sheets cannot colour pictures."""
    colours = {"": token_colour("paper"), "-ink": token_colour("ink"), "-pale": PALE}
    return {f"{name}{suffix}.svg": svg.replace(DRAWN_IN, shade).encode() for suffix, shade in colours.items()}


MIN_CONTRAST = 5.4
"""The least contrast of an accent with each ground on which it may stand."""

PALE = "#e5dacf"
"""The colour of large drawings on paper, which no token has: each tint of tokens.css stands for a chance."""

MIN_READABLE = 4.5
"""The least contrast of text with its ground (WCAG 2.2, 1.4.3)."""

_LIGHTNESS_STEPS = 255

_TOKEN = re.compile(r"--([a-z0-9-]+): (#[0-9a-f]{6});")
_DARK_TOKEN = re.compile(r"--([a-z0-9-]+): light-dark\(#[0-9a-f]{6}, (#[0-9a-f]{6})\);")


def token_colour(token: str) -> str:
    """The colour of a token such as "ink" on paper, as #rrggbb. Raises KeyError for an unknown token."""
    return _tokens(_TOKEN)[token]


def dark_token_colour(token: str) -> str:
    """The colour of a token in the dark theme of screens, as #rrggbb. Raises KeyError for an unknown token."""
    return _tokens(_DARK_TOKEN)[token]


@cache
def _tokens(pattern: re.Pattern[str]) -> Mapping[str, str]:
    return dict(pattern.findall((bundled("templates") / "css" / "tokens.css").read_text(encoding="utf-8")))


def pdf_colour(value: str) -> bytes:
    """A colour as the operands of the PDF operator rg: red, green and blue from 0 to 1 (ISO 32000-1, 8.6.8)."""
    return b"%.6f %.6f %.6f" % _shares(value)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(value: str) -> float:
    """How bright a colour is, from 0 to 1 (WCAG 2.2, "relative luminance")."""
    red, green, blue = (_linear(share) for share in _shares(value))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def text_on(ground: str) -> str:
    """The colour of text on a ground: white or ink, whichever has the greater contrast."""
    return max((token_colour("paper"), token_colour("ink")), key=lambda front: contrast(front, ground))


@cache
def on_dark(accent: str) -> str:
    """The accent on dark ground: the same hue and saturation, lighter until its contrast is MIN_CONTRAST."""
    hue, lightness, saturation = rgb_to_hls(*_shares(accent))
    start = round(lightness * _LIGHTNESS_STEPS)
    steps = (_hex(hls_to_rgb(hue, step / _LIGHTNESS_STEPS, saturation)) for step in range(start, _LIGHTNESS_STEPS))
    return next((step for step in (accent, *steps) if _stands_out(step)), _hex((1.0, 1.0, 1.0)))


def _stands_out(accent: str) -> bool:
    return all(contrast(accent, dark_token_colour(ground)) >= MIN_CONTRAST for ground in ("paper", "tint"))


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _shares(value: str) -> tuple[float, float, float]:
    """Red, green and blue, each from 0 to 1."""
    red, green, blue = (int(value[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _hex(shares: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(share * 255):02x}" for share in shares)
