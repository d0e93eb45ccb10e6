"""Colours that are worked out: the accent of a system on dark ground.

In: a colour as #rrggbb. Out: another such. Relative luminance and contrast are those of WCAG 2.2; nothing we depend
on has them (tinycss2 reads colours, but does not convert from sRGB).
"""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache

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
