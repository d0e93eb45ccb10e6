"""Numbers, quantities, percentages, modifiers and ranges: the notations without a ladder or dice.

Each function takes the text of a cell (white space collapsed) and returns its value, or raises NotationError.
"""

from __future__ import annotations

import re
from fractions import Fraction

from refgen.errors import NotationError
from refgen.notation.values import Interval, Modifier, Number, Percent, WeightedNumber

_MULTIPLES = {
    "": 1,
    "k": 10**3,
    "thousand": 10**3,
    "mil": 10**6,
    "million": 10**6,
    "bil": 10**9,
    "billion": 10**9,
}
_WORDS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_DIGITS = r"\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(rf"(?P<bound>[<>]=?|~)?\s*(?P<sign>[-+−])?\s*(?P<digits>{_DIGITS})\s*(?P<multiple>[a-z]*)\.?")
_FRACTION = re.compile(rf"(?P<sign>[-+−])?(?P<top>{_DIGITS})\s*/\s*(?P<bottom>{_DIGITS})")
_PERCENT = re.compile(rf"(?P<digits>{_DIGITS})\s*%")
_WEIGHTED = re.compile(r"(?P<number>[^()]+)\((?P<chance>[^()]+%)\)")
_SIGNED = r"[-+−]?\s*\d+"
_MODIFIER = re.compile(
    rf"(?P<base>[A-Za-z][A-Za-z ]*?)?\s*(?P<low>±\s*\d+|\+/-\s*\d+|{_SIGNED})"
    rf"(?:\s*(?:to|\.\.)\s*(?P<high>{_SIGNED}))?(?:\s*\((?P<condition>[^()]+)\))?"
)


_BETWEEN = re.compile(r"(?<=\d) +(?:to|and|or) +(?=[-+]?\d+$)")


def _refused(text: str, expected: str) -> NotationError:
    shown = f'"{text}"' if text else "a blank cell"
    return NotationError(
        f"{shown} is not {expected}",
        hint="Mend the document, or say in system.toml how to read it (read = { … }).",
    )


def _plain(digits: str) -> Fraction:
    return Fraction(re.sub(r"[,  \s]", "", digits))


def read_number(text: str) -> Number:
    """A number: "-3", "1,000", ">500 mil", "1/4", "three"."""
    if text.lower() in _WORDS:
        return Number(Fraction(_WORDS[text.lower()]))
    if match := _FRACTION.fullmatch(text):
        bottom = _plain(match["bottom"])
        if bottom:
            value = _plain(match["top"]) / bottom
            return Number(-value if match["sign"] in ("-", "−") else value)
    match = _NUMBER.fullmatch(text)
    if match is None or match["multiple"] not in _MULTIPLES:
        raise _refused(text, "a number")
    value = _plain(match["digits"]) * _MULTIPLES[match["multiple"]]
    return Number(-value if match["sign"] in ("-", "−") else value, match["bound"] or "")


def read_percent(text: str) -> Percent:
    """A percentage with its printed precision: "0.6%", "100%"."""
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise _refused(text, "a percentage")
    _, _, decimals = match["digits"].partition(".")
    return Percent(_plain(match["digits"]) / 100, len(decimals))


def read_weighted(text: str) -> WeightedNumber:
    """A number and its chance: "+4 (1%)"."""
    match = _WEIGHTED.fullmatch(text)
    if match is None:
        raise _refused(text, 'a number with its chance, such as "+1 (19%)"')
    return WeightedNumber(read_number(match["number"].strip()).value, read_percent(match["chance"].strip()))


def read_interval(text: str) -> Interval:
    """A range: "7-18", "-4 to +4", "5 or 6", "5", "17+", "+6,+5", "1,2,3", "7..", "..-7", "< -7".

    Raises NotationError for a list with a gap, and for a range that runs backwards.
    """
    compact = _BETWEEN.sub("..", text.replace("−", "-")).replace(" ", "")
    if match := re.fullmatch(r"(?P<low>[-+]?\d+)?(?:\.\.)(?P<high>[-+]?\d+)?", compact):
        return _between(text, *(int(end) if end else None for end in match.groups()))
    if match := re.fullmatch(r"(?P<low>[-+]?\d+)[-–](?P<high>[-+]?\d+)", compact):
        return _between(text, int(match["low"]), int(match["high"]))
    if match := re.fullmatch(r"(?P<low>[-+]?\d+)\+", compact):
        return Interval(int(match["low"]), None)
    if match := re.fullmatch(r"(?P<bound>[<>])(?P<equal>=?)(?P<end>[-+]?\d+)", compact):
        end = int(match["end"])
        if match["bound"] == "<":
            return Interval(None, end if match["equal"] else end - 1)
        return Interval(end if match["equal"] else end + 1, None)
    if re.fullmatch(r"[-+]?\d+(?:,[-+]?\d+)*", compact):
        numbers = {int(number) for number in compact.split(",")}
        low, high = min(numbers), max(numbers)
        if high - low + 1 == len(numbers):
            return Interval(low, high)
    raise _refused(text, "a range of whole numbers")


def _between(text: str, low: int | None, high: int | None) -> Interval:
    if low is not None and high is not None and low > high:
        raise _refused(text, f"a range: {low} is more than {high}")
    return Interval(low, high)


def read_modifier(text: str) -> Modifier:
    """A change: "+1", "±1 (Phl.or.)", "-1 to -3", "Scope-1", "+/-2"."""
    match = _MODIFIER.fullmatch(text)
    if match is None:
        raise _refused(text, "a modifier")
    base, condition = (match["base"] or "").strip(), match["condition"] or ""
    low_text = match["low"].replace(" ", "")
    if low_text.startswith(("±", "+/-")):
        size = Fraction(low_text.lstrip("±+/-"))
        return Modifier(-size, size, base, condition)
    low = Fraction(low_text.replace("−", "-"))
    high = Fraction((match["high"] or low_text).replace(" ", "").replace("−", "-"))
    return Modifier(min(low, high), max(low, high), base, condition)
