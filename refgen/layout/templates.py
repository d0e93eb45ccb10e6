"""The folder of templates: the Jinja2 environment, the assets that pages refer to, and the colours of the style sheets.

In: nothing. Out: the one Jinja2 environment (autoescape on, undefined names are errors), and each asset (style sheet,
script, font, drawing) by its path in the output folder.

In: a colour as #rrggbb. Out: the accent of a system on dark ground. Relative luminance and contrast are those of WCAG
2.2; no library that refgen depends on has them (tinycss2 reads colours, but does not convert from sRGB).
"""

from __future__ import annotations

from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from refgen.files import bundled
from refgen.game.game import SystemInfo
from refgen.layout.lengths import FIELD_GAP, lengths_css
from refgen.layout.metrics import fonts
from refgen.layout.page_format import PAPER_SIZES

MIN_CONTRAST = 5.4
"""The contrast of an accent with everything that it may stand on is this or more."""

INK, PAPER = "#1f2328", "#ffffff"
"""As css/tokens.css has them."""

PALE = "#e5dacf"
"""Of large drawings on paper: unlike each tint of css/tokens.css, which says a chance."""

MIN_READABLE = 4.5
"""The least contrast of text with its ground (WCAG 2.2, 1.4.3)."""

DARK_GROUNDS = ("#17191c", "#24211e")
"""Paper and tint of the dark theme, as css/tokens.css has them."""

_LIGHTNESS_STEPS = 255


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1 (WCAG 2.2, "relative luminance")."""
    red, green, blue = (_linear(share) for share in _shares(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def text_on(ground: str) -> str:
    """White or ink, whichever is read more easily on a ground."""
    return max((PAPER, INK), key=lambda colour: contrast(colour, ground))


@cache
def on_dark(accent: str) -> str:
    """The accent on dark ground: its hue and saturation, as much lighter as contrast wants it, and no more."""
    hue, lightness, saturation = rgb_to_hls(*_shares(accent))
    start = round(lightness * _LIGHTNESS_STEPS)
    steps = (_hex(hls_to_rgb(hue, step / _LIGHTNESS_STEPS, saturation)) for step in range(start, _LIGHTNESS_STEPS))
    return next((colour for colour in (accent, *steps) if _stands_out(colour)), "#ffffff")


def _stands_out(colour: str) -> bool:
    return all(contrast(colour, ground) >= MIN_CONTRAST for ground in DARK_GROUNDS)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _shares(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, each from 0 to 1."""
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _hex(shares: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(share * 255):02x}" for share in shares)


@cache
def assets() -> Mapping[str, bytes]:
    """Every asset: its path in the output, and its bytes. Raises RenderError for a missing font."""
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
    colours = {"": PAPER, "-ink": INK, "-pale": PALE}
    return {f"{name}{suffix}.svg": svg.replace(PAPER, colour).encode() for suffix, colour in colours.items()}


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


def content_of(block: Any) -> Any:
    """The macro that sets the content of a block (refgen.blocks), which names its kind or its template."""
    template = environment().get_template(block.template or f"blocks/{block.kind}.html")
    return template.module.content  # type: ignore[attr-defined]


def accents(accent: str) -> str:
    """The declarations that give an element the accent of a system, for light ground and for dark (css/tokens.css)."""
    return f"--accent-light: {accent}; --accent-dark: {on_dark(accent)}"
