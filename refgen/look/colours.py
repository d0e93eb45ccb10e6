"""The colours of tokens.css, and what follows from colours: contrast, accents on dark ground, the steps of heat.

In: the name of a token; or colours as #rrggbb. Out: the colour of a token on paper or in the dark theme; contrasts and
relative luminance (WCAG 2.2); colours between two colours, which are mixed in OKLab, so that equal steps look equal (B.
Ottosson, 2020); the operands of a PDF operator. No library that refgen depends on has these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache
from itertools import chain, pairwise

from refgen.files import bundled_folder

MIN_CONTRAST = 5.4
"""The least contrast of an accent of refgen's own with each ground on which it may stand."""

MIN_READABLE = 4.5
"""The least contrast of text with its ground (WCAG 2.2, 1.4.3)."""

HEAT_STEPS = 8
"""The number of the last step of heat: enough to see, few enough to tell apart in grey print."""

_LIGHTNESS_STEPS = 255

_TOKEN = re.compile(r"--([a-z0-9-]+): (#[0-9a-f]{6});")
_DARK_TOKEN = re.compile(r"--([a-z0-9-]+): light-dark\(#[0-9a-f]{6}, (#[0-9a-f]{6})\);")

Triple = tuple[float, float, float]


def token_colour(token: str) -> str:
    """The colour of a token such as "ink" on paper, as #rrggbb. Raises KeyError for an unknown token."""
    return _tokens(_TOKEN)[token]


def dark_token_colour(token: str) -> str:
    """The colour of a token in the dark theme of screens, as #rrggbb. Raises KeyError for an unknown token."""
    return _tokens(_DARK_TOKEN)[token]


@cache
def _tokens(pattern: re.Pattern[str]) -> Mapping[str, str]:
    return dict(pattern.findall((bundled_folder("templates") / "css" / "tokens.css").read_text(encoding="utf-8")))


def pdf_colour(value: str) -> bytes:
    """A colour as the operands of the PDF operator rg: red, green and blue from 0 to 1 (ISO 32000-1, 8.6.8)."""
    return b"%.6f %.6f %.6f" % _shares(value)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def printed_contrast(first: str, second: str) -> float:
    """The contrast of two colours, or that of their greys where it is less."""
    return min(contrast(first, second), contrast(grey(first), grey(second)))


def luminance(value: str) -> float:
    """How bright a colour is, from 0 to 1 (WCAG 2.2, "relative luminance")."""
    red, green, blue = map(_linear_light, _shares(value))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def grey(value: str) -> str:
    """A colour as a printer without colours sets it (luma of ITU-R BT.601)."""
    red, green, blue = _shares(value)
    return _hex_digits((0.299 * red + 0.587 * green + 0.114 * blue,) * 3)


def text_on(ground: str, *fronts: str) -> str:
    """The colour of text on a ground: of ``fronts`` (white and ink) the one with the greatest contrast."""
    return max(fronts or (token_colour("paper"), token_colour("ink")), key=lambda front: contrast(front, ground))


@cache
def on_dark(accent: str, *grounds: str) -> str:
    """The accent on dark ``grounds`` (those of the dark theme): the same hue, lighter until it has MIN_CONTRAST."""
    dark = grounds or (dark_token_colour("paper"), dark_token_colour("tint"))
    hue, lightness, saturation = rgb_to_hls(*_shares(accent))
    start = round(lightness * _LIGHTNESS_STEPS)
    steps = (
        _hex_digits(hls_to_rgb(hue, step / _LIGHTNESS_STEPS, saturation)) for step in range(start, _LIGHTNESS_STEPS)
    )
    found = (step for step in (accent, *steps) if all(contrast(step, ground) >= MIN_CONTRAST for ground in dark))
    return next(found, _hex_digits((1.0, 1.0, 1.0)))


def readable_colour(colour: str, grounds: Iterable[str]) -> str:
    """The nearest lightness of a colour that can be read on all of some grounds, in grey print as well.

    Where none can, the lightness that can be read best.
    """
    on = tuple(grounds)
    lightness, green_red, blue_yellow = _oklab(colour)
    steps = sorted((step / 100 for step in range(101)), key=lambda step: abs(step - lightness))
    shares = [min(step / lightness, 1.0) if lightness else 0.0 for step in steps]  # darker colours are less vivid
    found = (_of_oklab((s, green_red * share, blue_yellow * share)) for s, share in zip(steps, shares, strict=True))
    least: dict[str, float] = {}
    for step in chain((colour,), found):
        least[step] = min(printed_contrast(step, ground) for ground in on)
        if least[step] >= MIN_READABLE:
            return step
    return max(least, key=least.__getitem__)


def mix_colours(first: str, second: str, share: float) -> str:
    """The colour between two colours, with a share of the second from 0 to 1."""
    ends = zip(_oklab(first), _oklab(second), strict=True)
    lightness, green_red, blue_yellow = (start + share * (end - start) for start, end in ends)
    return _of_oklab((lightness, green_red, blue_yellow))


def heat_ramp(colours: Sequence[str]) -> list[str]:
    """The steps of heat from the first of some colours through all others to the last, evenly in lightness."""
    marks = [_oklab(colour)[0] for colour in colours]
    start, end = marks[0], marks[-1]
    return [_at_lightness(colours, marks, start + step / HEAT_STEPS * (end - start)) for step in range(HEAT_STEPS + 1)]


def _at_lightness(colours: Sequence[str], marks: Sequence[float], lightness: float) -> str:
    """The colour of a ramp that has a lightness; the lightness of the ramp rises or falls all the way."""
    for place, (low, high) in enumerate(pairwise(marks)):
        if min(low, high) <= lightness <= max(low, high) and low != high:
            return mix_colours(colours[place], colours[place + 1], (lightness - low) / (high - low))
    return colours[-1]


def is_steady(colours: Sequence[str]) -> bool:
    """Whether some colours become darker all the way, or lighter all the way."""
    marks = [_oklab(colour)[0] for colour in colours]
    return marks in (sorted(marks), sorted(marks, reverse=True)) and len(set(marks)) == len(marks)


def _oklab(value: str) -> Triple:
    red, green, blue = map(_linear_light, _shares(value))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _of_oklab(colour: Triple) -> str:
    """The nearest colour of sRGB."""
    lightness, green_red, blue_yellow = colour
    long = (lightness + 0.3963377774 * green_red + 0.2158037573 * blue_yellow) ** 3
    middle = (lightness - 0.1055613458 * green_red - 0.0638541728 * blue_yellow) ** 3
    short = (lightness - 0.0894841775 * green_red - 1.2914855480 * blue_yellow) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    return _hex_digits((_gamma(red), _gamma(green), _gamma(blue)))


def _linear_light(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _gamma(share: float) -> float:
    share = min(max(share, 0.0), 1.0)
    return 12.92 * share if share <= 0.0031308 else float(1.055 * share ** (1 / 2.4) - 0.055)


def _shares(value: str) -> Triple:
    """Red, green and blue, each from 0 to 1."""
    red, green, blue = (int(value[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _hex_digits(shares: Sequence[float]) -> str:
    return "#" + "".join(f"{round(share * 255):02x}" for share in shares)
