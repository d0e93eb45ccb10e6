"""Numbers, percentages, scores, modifiers and ranges: the notations without a ladder, a unit or dice.

Each function takes the text of a cell (white space collapsed) and returns its value, or raises NotationError.
A minus may be printed as a hyphen, a minus sign or an en dash. Words are those of a language, by default English.
"""

from __future__ import annotations

import re
from fractions import Fraction
from unicodedata import normalize

from refgen.errors import NotationError
from refgen.languages import ENGLISH, Language, in_signs, join_range_words
from refgen.notation.values import Interval, Modifier, Number, Percent, Score, WeightedNumber

_FIGURES = r"\d{1,999}"
"""The digits of a number: of thousands, Python makes none."""

_DIGITS = rf"(?!0)\d{{1,3}}(?:[,  ]\d{{3}}){{1,99}}(?:\.{_FIGURES})?|{_FIGURES}(?:\.{_FIGURES})?|\.{_FIGURES}"
_NUMBER = re.compile(rf"(?P<bound>[<>]=?|~)?\s*(?P<sign>[-+])?\s*(?P<digits>{_DIGITS})\s*(?P<multiple>[^\W\d_]*)\.?")
_FRACTION = re.compile(
    rf"(?P<sign>[-+])?(?:(?P<whole>{_FIGURES})\s+)?(?P<top>{_DIGITS})\s*[/⁄]\s*(?P<bottom>{_DIGITS})"
)
_VULGAR_FRACTION = re.compile(r"(?<=\d)?\s*(?P<fraction>[¼-¾⅐-⅞])")
_PERCENT = re.compile(rf"(?P<digits>{_DIGITS})\s*%")
_WEIGHTED = re.compile(r"(?P<number>[^()]+)\((?P<chance>[^()]+%)\)")
_SCORE = re.compile(rf"(?P<number>[^()]+?)\s*\((?P<modifier>[-+]{_FIGURES}|0)\)")
_SIGNED = rf"[-+]?\s*{_FIGURES}"
_MODIFIER = re.compile(
    rf"(?P<base>[^\W\d_](?:[^\W\d_]| )*?)?\s*(?P<low>±\s*{_FIGURES}|\+/-\s*{_FIGURES}|{_SIGNED})"
    rf"(?:\s*\.\.\s*(?P<high>{_SIGNED}))?(?:\s*\((?P<condition>[^()]+)\))?"
)

_MINUS = re.compile(r"(?<![\w.%)])[−–](?=\s*[\d.¼-¾⅐-⅞])")
_AT_MOST = re.compile(r"(?<=\d)[−–]\Z")
_END = rf"[-+]?{_FIGURES}"
_LIST = re.compile(rf"{_END}(?:,{_END})*(?:\.\.{_END})?")
_THOUSANDS = re.compile(r"(?<![\d,])[1-9]\d{0,2}(?:,\d{3}){1,99}(?![\d,])")
_ROUND = re.compile(r"00+")
"""The print of the highest result of percentile dice: 91–00 ends at 100."""


def notation_error(text: str, expected: str) -> NotationError:
    """The error for a text that is not in the notation of its column; ``expected`` describes that notation."""
    shown = f'"{text}"' if text else "a blank cell"
    return NotationError(
        f"{shown} is not {expected}", hint="Mend the document, or say in system.toml how to read it (read = { … })."
    )


def _plain_number(digits: str) -> Fraction:
    return Fraction(re.sub(r"[,  \s]", "", digits))


def plain_signs(text: str) -> str:
    """A text with a hyphen for every minus, and with ">=" and "<=" for "≥" and "≤"."""
    return _MINUS.sub("-", text).replace("≤", "<=").replace("≥", ">=")


def _plain_fractions(text: str) -> str:
    """A text with "1/2" for "½" and "1 1/2" for "1½"."""
    return _VULGAR_FRACTION.sub(lambda match: " " + normalize("NFKC", match["fraction"]), text)


def read_number(text: str, language: Language = ENGLISH) -> Number:
    """A number: "-3", "1,000", ">500 mil", "1/4", "1½", "three", "half"."""
    if (known := language.numbers.get(text.casefold())) is not None:
        return Number(known)
    written = plain_signs(text)
    if match := _FRACTION.fullmatch(re.sub(r"\A([-+]?) ", r"\1", _plain_fractions(written))):
        bottom = _plain_number(match["bottom"])
        if bottom:
            value = int(match["whole"] or 0) + _plain_number(match["top"]) / bottom
            return Number(-value if match["sign"] == "-" else value)
    match = _NUMBER.fullmatch(written)
    if match is None or (match["multiple"] and match["multiple"] not in language.multiples):
        raise notation_error(text, "a number")
    value = _plain_number(match["digits"]) * language.multiples.get(match["multiple"], 1)
    return Number(-value if match["sign"] == "-" else value, match["bound"] or "")


def read_percent(text: str) -> Percent:
    """A percentage with its printed precision: "0.6%", "100%"."""
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise notation_error(text, "a percentage")
    _, _, decimals = match["digits"].partition(".")
    return Percent(_plain_number(match["digits"]) / 100, len(decimals))


def read_weighted(text: str, language: Language = ENGLISH) -> WeightedNumber:
    """A number and its chance: "+4 (1%)"."""
    match = _WEIGHTED.fullmatch(text)
    if match is None:
        raise notation_error(text, 'a number with its chance, such as "+1 (19%)"')
    return WeightedNumber(read_number(match["number"].strip(), language).value, read_percent(match["chance"].strip()))


def read_score(text: str, language: Language = ENGLISH) -> Score:
    """A number and the modifier it gives: "16 (+3)"."""
    match = _SCORE.fullmatch(plain_signs(text))
    if match is None:
        raise notation_error(text, 'a number with its modifier, such as "16 (+3)"')
    return Score(read_number(match["number"], language).value, Fraction(match["modifier"]))


def read_interval(text: str, language: Language = ENGLISH) -> Interval:
    """A range: "7-18", "91–00", "-4 to +4", "5 or 6", "5", "17+", "6-", "≤6", "6 or less", "1,2,3", "7..", "< -7".

    Its words are those of the language: "ab 5" and "от 5" are "5+". Thousands may have commas beside a sign: "1,000+".
    00, of percentile dice, is 100 at the end of a range or alone, and 0 at the beginning of a range.
    Raises NotationError for a list with a gap, and for a range that runs backwards.
    """
    compact = _without_commas(in_signs(_AT_MOST.sub("-", plain_signs(text)), language).replace(" ", ""))
    if match := re.fullmatch(rf"(?P<low>{_END})?(?:\.\.)(?P<high>{_END})?", compact):
        return _interval_between(text, *(int(end) if end else None for end in match.groups()))
    if match := re.fullmatch(rf"(?P<low>{_END})[-–](?P<high>{_END})", compact):
        return _interval_between(text, int(match["low"]), _last_number(match["high"]))
    if match := re.fullmatch(rf"(?P<end>{_END})(?P<open>[-+])", compact):
        end = int(match["end"])
        return Interval(end, None) if match["open"] == "+" else Interval(None, end)
    if match := re.fullmatch(rf"(?P<bound>[<>])(?P<equal>=?)(?P<end>{_END})", compact):
        end = int(match["end"])
        if match["bound"] == "<":
            return Interval(None, end if match["equal"] else end - 1)
        return Interval(end if match["equal"] else end + 1, None)
    if (listed := _list_range(compact)) is None:
        raise notation_error(text, "a range of whole numbers")
    return listed


def _list_range(text: str) -> Interval | None:
    """The range of a list without a gap ("5", "1,2,3", or "1,2..3" with ".." for a word), or of "1,000" alone."""
    numbers = {_last_number(number) for number in re.split(r",|\.\.", text)} if _LIST.fullmatch(text) else {0}
    low, high = min(numbers), max(numbers)
    if _LIST.fullmatch(text) and high - low + 1 == len(numbers):
        return Interval(low, high)
    if _THOUSANDS.fullmatch(text):
        return Interval(number := int(text.replace(",", "")), number)
    return None


def _without_commas(text: str) -> str:
    """A range with plain numbers for "1,000" and "1,250"; a list ("100,101") stays as it is."""
    is_list = ".." not in text and _LIST.fullmatch(text)
    return text if is_list else _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)


def _last_number(end: str) -> int:
    """The number at the end of a range: 00 is 100."""
    return 10 ** len(end) if _ROUND.fullmatch(end) else int(end)


def _interval_between(text: str, low: int | None, high: int | None) -> Interval:
    if low is not None and high is not None and low > high:
        if low < 0:  # "-1 to -5" goes away from zero
            return Interval(high, low)
        raise notation_error(text, f"a range: {low} is more than {high}")
    return Interval(low, high)


def read_modifier(text: str, language: Language = ENGLISH) -> Modifier:
    """A change: "+1", "±1 (Phl.or.)", "-1 to -3", "Scope-1", "+/-2".

    A number without a sign has no condition ("10 (A)" is a rating), and no change of -0 has a name ("Gun Combat-0").
    """
    match = _MODIFIER.fullmatch(join_range_words(text.replace("−", "-").replace("–", "-"), language))
    if match is None:
        raise notation_error(text, "a modifier")
    base, condition = (match["base"] or "").strip(), match["condition"] or ""
    low_text = "".join(match["low"].split())
    if (condition and low_text.isdecimal()) or (base and not low_text.strip("-±/0") and not match["high"]):
        raise notation_error(text, "a modifier")
    if low_text.startswith(("±", "+/-")):
        size = Fraction(low_text.lstrip("±+/-"))
        return Modifier(-size, size, base, condition)
    low, high = Fraction(low_text), Fraction("".join((match["high"] or low_text).split()))
    return Modifier(min(low, high), max(low, high), base, condition)
