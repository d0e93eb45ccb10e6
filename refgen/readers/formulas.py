"""Formulas of TeX as plain text: powers raised, fractions with a slash, signs for commands.

In: the text between two dollars. Out: the formula as people type it in a line. A command that has no sign stays.
"""

from __future__ import annotations

import re

from refgen.readers.word_settings import lower_words, raise_words

_SIGNS = {
    "times": "×",
    "cdot": "·",
    "div": "÷",
    "pm": "±",
    "ge": "≥",
    "geq": "≥",
    "le": "≤",
    "leq": "≤",
    "ne": "≠",
    "neq": "≠",
    "to": "→",
    "rightarrow": "→",
    "infty": "∞",
    "sim": "~",
    "approx": "≈",
    "mp": "∓",
    "ldots": "…",
    "dots": "…",
    "left": "",
    "right": "",
    "quad": " ",
    "%": "%",
    "$": "$",
    ",": " ",
    ";": " ",
    "!": "",
}
_COMMAND = re.compile(r"\\(?P<name>[a-zA-Z]+|[%$,;!])")
_SET_IN = re.compile(r"\\(?:text|mathrm|mathit|mathbf|textbf|textit|operatorname)\s*\{(?P<words>[^{}]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{(?P<above>[^{}]*)\}|(?P<one>\w))\s*(?:\{(?P<below>[^{}]*)\}|(?P<two>\w))")
_POWER = re.compile(r"(?P<sign>[\^_])(?:\{(?P<words>[^{}]*)\}|(?P<letter>[^\s{}\\]))")
_DEEPEST = 5


def plain_formula(formula: str) -> str:
    r"""A formula of TeX as plain text: ``10^2 \times \frac{1}{6}`` is 10² × 1/6."""
    for _ in range(_DEEPEST):
        formula = _SET_IN.sub(lambda found: found["words"], formula)
        formula = _FRACTION.sub(lambda found: "/".join(_parts(found)), formula)
        formula = _POWER.sub(_set_power, formula)
    formula = _COMMAND.sub(lambda found: _SIGNS.get(found["name"], found[0]), formula)
    return " ".join(formula.replace("{", "").replace("}", "").split())


def _parts(fraction: re.Match[str]) -> tuple[str, str]:
    return fraction["above"] or fraction["one"] or "", fraction["below"] or fraction["two"] or ""


def _set_power(found: re.Match[str]) -> str:
    words = found["words"] if found["words"] is not None else found["letter"]
    return raise_words(words) if found["sign"] == "^" else lower_words(words)
