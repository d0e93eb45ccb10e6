"""Numbers, percentages, scores, modifiers and ranges: the notations without a ladder, a unit or dice.

Each function takes the text of a cell (white space collapsed) and returns its value, or raises NotationError.
Marks of print are those of refgen/marks.py: any dash is a minus. Words are those of a language, by default English.
"""

from __future__ import annotations

import re
from fractions import Fraction

from refgen.errors import NotationError
from refgen.languages import ENGLISH, Language, in_signs, join_range_words
from refgen.marks import POWER_OF_TEN, TO_FIGURES, VULGAR, plain_fractions, plain_marks
from refgen.notation.values import Interval, Modifier, Number, NumberList, Percent, Score, WeightedNumber

_FIGURES = r"\d{1,999}"
"""The digits of a number: of thousands, Python makes none."""

_DIGITS = rf"(?!0)\d{{1,3}}(?:[, ]\d{{3}}){{1,99}}(?:\.{_FIGURES})?|{_FIGURES}(?:\.{_FIGURES})?|\.{_FIGURES}"
_NUMBER = re.compile(rf"(?P<bound>[<>]=?|~)?\s*(?P<sign>[-+])?\s*(?P<digits>{_DIGITS})\s*(?P<multiple>[^\W\d_]*)\.?")
_FRACTION = re.compile(
    rf"(?P<sign>[-+])?(?:(?P<whole>{_FIGURES})\s+)?(?P<top>{_DIGITS})\s*[/⁄]\s*(?P<bottom>{_DIGITS})"
)
_POWER = re.compile(
    rf"(?P<sign>[-+])?\s*(?:(?P<factor>{_DIGITS})\s*[x×]\s*)?"
    rf"(?:{POWER_OF_TEN}|10\^(?P<exponent>[-+]?\d{{1,2}}))"
)
_PERCENT = re.compile(rf"(?P<digits>{_DIGITS})\s*%")
_WEIGHTED = re.compile(r"(?P<number>[^()]+)\((?P<chance>[^()]+%)\)")
_SCORE = re.compile(rf"(?P<number>[^()]+?)\s*\((?P<modifier>[-+]{_FIGURES}|0)\)")
_SIGNED = rf"[-+]?\s*{_FIGURES}"
_MODIFIER = re.compile(
    rf"(?P<base>[^\W\d_](?:[^\W\d_]| )*?)?\s*(?P<low>±\s*{_FIGURES}|\+/-\s*{_FIGURES}|{_SIGNED})"
    rf"(?:\s*\.\.\s*(?P<high>{_SIGNED}))?(?:\s*\((?P<condition>[^()]+)\))?"
)

_END = rf"[-+]?{_FIGURES}"
_ITEM = rf"{_END}(?:(?:-|\.\.){_END})?"
_RANGE = re.compile(rf"(?P<low>{_END})(?:-|\.\.)(?P<high>{_END})")
_LIST = re.compile(rf"{_ITEM}(?:[,&/]{_ITEM})*")
_HALF = re.compile(f"[{VULGAR}]")
_MAY_BE_HALF = re.compile(f"[&/{VULGAR}]")
_THOUSANDS = re.compile(r"(?<![\d,])[1-9]\d{0,2}(?:,\d{3}){1,99}(?![\d,])")
_GROUPS = re.compile(r"(?<!\d)[1-9]\d{0,2}(?: \d{3}){1,99}(?!\d)")
_FULL_STOP = re.compile(r"(?<=\d)\.(?=\s*(?:[-〜~]|\Z))")
_WAVE = re.compile(r"\s*〜\s*|(?<=\d)\s*~\s*(?=[-+]?\d)|(?<=\d)\s*\.{3}\s*(?=[-+]?\d)")
_BESIDE_SIGNS = re.compile(r"(?<![\d]) +| +(?!\d)")
MOST_LISTED = 1_000
"""The most numbers of a list with gaps: nobody rolls on a table with more rows."""
_ROUND = re.compile(r"00+")
"""The print of the highest result of percentile dice: 91–00 ends at 100."""


def notation_error(text: str, expected: str) -> NotationError:
    """The error for a text that is not in the notation of its column; ``expected`` describes that notation."""
    shown = f'"{text}"' if text else "a blank cell"
    return NotationError(
        f"{shown} is not {expected}", hint="Mend the document, or say in system.toml how to read it (read = { … })."
    )


def _plain_number(digits: str) -> Fraction:
    return Fraction(re.sub(r"[,\s]", "", digits))


def read_number(text: str, language: Language = ENGLISH) -> Number:
    """A number: "-3", "1,000", "1'500", ">500 mil", "1/4", "1½", "¹⁄₂", "10²", "three", "half"."""
    if (known := language.numbers.get(text.casefold())) is not None:
        return Number(known)
    written = plain_marks(text)
    if match := _POWER.fullmatch(written):
        return Number(_power_of_ten(match))
    if match := _FRACTION.fullmatch(re.sub(r"\A([-+]?) ", r"\1", plain_fractions(written))):
        bottom = _plain_number(match["bottom"])
        if bottom:
            value = int(match["whole"] or 0) + _plain_number(match["top"]) / bottom
            return Number(-value if match["sign"] == "-" else value)
    match = _NUMBER.fullmatch(written)
    if match is None or (match["multiple"] and match["multiple"] not in language.multiples):
        raise notation_error(text, "a number")
    value = _plain_number(match["digits"]) * language.multiples.get(match["multiple"], 1)
    return Number(-value if match["sign"] == "-" else value, match["bound"] or "")


def _power_of_ten(match: re.Match[str]) -> Fraction:
    exponent = match["exponent"] or match[0].rpartition("10")[2].translate(TO_FIGURES)
    size = _plain_number(match["factor"] or "1") * Fraction(10) ** int(exponent)
    return -size if match["sign"] == "-" else size


def read_percent(text: str) -> Percent:
    """A percentage with its printed precision: "0.6%", "100%"."""
    match = _PERCENT.fullmatch(plain_marks(text))
    if match is None:
        raise notation_error(text, "a percentage")
    _, _, decimals = match["digits"].partition(".")
    return Percent(_plain_number(match["digits"]) / 100, len(decimals))


def read_weighted(text: str, language: Language = ENGLISH) -> WeightedNumber:
    """A number and its chance: "+4 (1%)"."""
    match = _WEIGHTED.fullmatch(plain_marks(text))
    if match is None:
        raise notation_error(text, 'a number with its chance, such as "+1 (19%)"')
    return WeightedNumber(read_number(match["number"].strip(), language).value, read_percent(match["chance"].strip()))


def read_score(text: str, language: Language = ENGLISH) -> Score:
    """A number and the modifier it gives: "16 (+3)"."""
    match = _SCORE.fullmatch(plain_marks(text))
    if match is None:
        raise notation_error(text, 'a number with its modifier, such as "16 (+3)"')
    return Score(read_number(match["number"], language).value, Fraction(match["modifier"]))


def read_interval(text: str, language: Language = ENGLISH) -> Interval:
    """A range, as read_range reads ranges.

    Raises NotationError for a list with a gap, and for "1/2", which may be a half.
    """
    found = read_range(text, language)
    if isinstance(found, NumberList) or _MAY_BE_HALF.search(plain_marks(text)):
        raise notation_error(text, "a range of whole numbers")
    return found


def read_range(text: str, language: Language = ENGLISH) -> Interval | NumberList:
    """A range, or a list: "7-18", "91–00", "2〜3", "-4 to +4", "5 or 6", "5", "17+", "6-", "≤6", "1,2,3", "5/6", "7..".

    Its words are those of the language: "ab 5" and "от 5" are "5+". Any dash, a wave or dots stand between the ends, a
    comma, "&" or "/" between the numbers of a list, and a full stop behind all. Thousands may have commas, beside a
    sign ("1,000+"), blanks or apostrophes. 00, of percentile dice, is 100 at the end of a range or alone, and 0 at the
    beginning of a range. Raises NotationError for a range that runs backwards.
    """
    compact = _compact(text, language)
    if match := re.fullmatch(rf"(?P<low>{_END})?(?:\.\.)(?P<high>{_END})?", compact):
        return _interval_between(text, _number_or_none(match["low"]), _number_or_none(match["high"], is_last=True))
    if match := re.fullmatch(rf"(?P<low>{_END})-(?P<high>{_END})", compact):
        return _interval_between(text, int(match["low"]), _last_number(match["high"]))
    if match := re.fullmatch(rf"(?P<end>{_END})(?P<open>[-+])", compact):
        end = int(match["end"])
        return Interval(end, None) if match["open"] == "+" else Interval(None, end)
    if match := re.fullmatch(rf"(?P<bound>[<>])(?P<equal>=?)(?P<end>{_END})", compact):
        end = int(match["end"])
        if match["bound"] == "<":
            return Interval(None, end if match["equal"] else end - 1)
        return Interval(end if match["equal"] else end + 1, None)
    if (listed := _list_range(text, compact)) is None:
        raise notation_error(text, "a range of whole numbers")
    return listed


def _compact(text: str, language: Language) -> str:
    """A range in signs alone, without blanks: "1 000 to 2 000" is "1000..2000". A blank between two numbers stays."""
    plain = plain_marks(text)
    if _HALF.fullmatch(plain):  # what Word makes of "1/2"
        plain = plain_fractions(plain).strip()
    plain = _GROUPS.sub(lambda number: number[0].replace(" ", ""), plain)
    plain = _WAVE.sub("..", _FULL_STOP.sub("", plain))
    return _without_commas(_BESIDE_SIGNS.sub("", in_signs(plain, language)))


def _list_range(text: str, compact: str) -> Interval | NumberList | None:
    """The numbers of a list: "5", "1,2,3", "1-3,5" or "5/6"; or of "1,000" alone. None for a text that is no list."""
    if not _LIST.fullmatch(compact):
        return None
    ends = [_ends_of_item(text, item) for item in re.split("[,&/]", compact)]
    if sum(high - low + 1 for low, high in ends) > MOST_LISTED:
        raise notation_error(text, f"a list of at most {MOST_LISTED} numbers")
    numbers = {number for low, high in ends for number in range(low, high + 1)}
    low, high = min(numbers), max(numbers)
    if high - low + 1 == len(numbers):
        return Interval(low, high)
    if _THOUSANDS.fullmatch(compact):
        return Interval(number := int(compact.replace(",", "")), number)
    return NumberList(tuple(sorted(numbers)))


def _ends_of_item(text: str, item: str) -> tuple[int, int]:
    """The ends of a number or a range in a list."""
    match = _RANGE.fullmatch(item)
    low, high = (int(match["low"]), _last_number(match["high"])) if match else [_last_number(item)] * 2
    if low > high:
        raise notation_error(text, f"a list: {low} is more than {high}")
    return low, high


def _without_commas(text: str) -> str:
    """A range with plain numbers for "1,000" and "1,250"; a list ("100,101") stays as it is."""
    is_list = ".." not in text and _LIST.fullmatch(text) and "-" not in text
    return text if is_list else _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)


def _number_or_none(end: str | None, *, is_last: bool = False) -> int | None:
    return None if not end else _last_number(end) if is_last else int(end)


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
    match = _MODIFIER.fullmatch(join_range_words(plain_marks(text), language))
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
