"""The colours of pages: the tokens of templates/css/tokens.css, and colours that are worked out from others.

In: the name of a token; or a colour as #rrggbb. Out: its colour on paper or in the dark theme; the accent of a system
on dark ground; the operands of a PDF operator. Relative luminance and contrast are those of WCAG 2.2; no library that
refgen depends on has them (tinycss2 reads colours, but does not convert from sRGB).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache

from refgen.bundle import bundled

MIN_CONTRAST = 5.4
"""The contrast of an accent with everything that it may stand on is this or more."""

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
    """White or ink, whichever is read more easily on a ground."""
    return max((token_colour("paper"), token_colour("ink")), key=lambda front: contrast(front, ground))


@cache
def on_dark(accent: str) -> str:
    """The accent on dark ground: its hue and saturation, as much lighter as contrast wants it, and no more."""
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
