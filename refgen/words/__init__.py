"""The words that refgen prints on aids, sheets, pages and in browsers, in the language of a game's output.

In: the tag of a language, how numbers are written, and texts of the game's own. Out: Words, which give the text of an
id with its values in place, and write computed figures. A file of this folder has the texts of a language by their ids:

    panel-of = "panel {number} of {total}"
    findings = { one = "{count} finding", other = "{count} findings" }

A text with a ``count`` has a form for each plural category of its language (CLDR, as Babel names the categories).
English texts stand in for ids that a language lacks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from refgen.catalog import did_you_mean
from refgen.languages import Numbers, base, decimal_mark, locale

Text = str | Mapping[str, str]
"""A text with its placeholders in braces, or its forms by plural category."""

OwnText = tuple[str, str | tuple[tuple[str, str], ...]]
"""The id of a text of the language, and the text in its place or the forms, as a value that can be hashed."""

_FOLDER = Path(__file__).parent
KNOWN = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))
"""The tags of the languages that have a file."""

COMPUTED = "◊"
"""The mark of a computed block in every language; the sentence about rounding, once a page, begins with the mark."""

OF_ALL_SCRIPTS = ("percent", "list", "yes")
"""The ids of texts that scripts of all pages have."""

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of CLDR; each language has some of these, and "other"."""

COUNT = "count"
"""The placeholder of the number by which the plural form of a text is chosen."""

_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")
_FIGURE = re.compile(r"(\d+(?:,\d{3}(?!\d))*)(?:\.(\d+))?(%?)")
"""A figure as it is computed: thousands between commas, decimals after a point, the percent sign."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language; ``own`` texts stand in place of the texts of the language.

    ``numbers`` is how one and a half is written; by default, as in the language.
    """

    language: str = "en"
    numbers: Numbers = ""
    own: tuple[OwnText, ...] = ()

    def __call__(self, name: str, /, **values: object) -> str:
        """The text of an id, with its values in place. Raises KeyError for an unknown id, or a value that lacks."""
        text = _texts(self.language, self.own)[name]
        if not isinstance(text, str):
            text = text[_plural_category(self.language, values[COUNT])]
        return _PLACEHOLDER.sub(lambda match: str(values[match[1]]), text)

    @property
    def decimal(self) -> str:
        """The decimal sign."""
        return "," if (self.numbers or decimal_mark(self.language)) == "1,5" else "."

    @property
    def group(self) -> str:
        """The sign between thousands: that of the language, unless it is the decimal sign."""
        return self("thousands") if self.decimal != self("thousands") else "." if self.decimal == "," else ","

    def figure(self, figure: str) -> str:
        """A computed figure, such as "12.5%" or "-1,250.5", with the signs and spaces of the language."""
        decimal, group, percent = signs = _signs(self)
        if signs == (".", ",", "{number}%"):  # as it is computed
            return figure

        def written(found: re.Match[str]) -> str:
            number = found[1].replace(",", group) + (decimal + found[2] if found[2] else "")
            return percent.replace("{number}", number) if found[3] else number

        return _FIGURE.sub(written, figure)

    def joined(self, parts: Iterable[str]) -> str:
        """A list in words: "a, b and c"."""
        *first, last = parts
        return self("list", first=", ".join(first), last=last) if first else last

    def said(self, text: str) -> str:
        """A Phrase in this language; another text as it is."""
        if not isinstance(text, Phrase):
            return text
        return self(
            text.name,
            **{name: self.said(value) if isinstance(value, str) else value for name, value in text.values.items()},
        )

    def for_scripts(self, *beginnings: str) -> Mapping[str, Any]:
        """The data of templates/js/words.js, with the texts whose ids begin in some ways."""
        named = _texts(self.language, self.own)
        texts = {name: text for name, text in named.items() if name.startswith(beginnings) or name in OF_ALL_SCRIPTS}
        return {"language": self.language, "decimal": self.decimal, "group": self.group, "texts": texts}

    def rounded(self, name: str, rule: str) -> str:
        """The text ``name`` about figures that are rounded by a rule: "Rounded half-up."."""
        return self(name, rule=self(f"rounded-{rule}"))

    @property
    def missing(self) -> Sequence[str]:
        """The ids of texts that stand in English, because neither the language nor the game has them."""
        known = {*file_texts(base(self.language)), *dict(self.own)}
        return [name for name in file_texts("en") if name not in known]


@lru_cache(maxsize=16)
def _signs(words: Words) -> tuple[str, str, str]:
    """The decimal sign, the sign between thousands, and the text of a percentage."""
    return words.decimal, words.group, words("percent", number="{number}")


ENGLISH = Words()
"""The words of a game of which nobody says a language."""


class Phrase(str):
    """An English text that keeps its id and its values, so that Words can say the text in their language.

    It is a plain text for messages, comparisons and files of data, which are in English.
    """

    name: str
    values: Mapping[str, object]

    def __new__(cls, name: str, /, **values: object) -> Phrase:
        """The text of an id, with its values in place, which may be phrases. Raises KeyError as Words do."""
        made = super().__new__(cls, ENGLISH(name, **values))
        made.name, made.values = name, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process, the phrase of the same id and values."""
        return _phrase, (self.name, dict(self.values))

    def with_values(self, change: Callable[[object], object]) -> Phrase:
        """The phrase with other values."""
        return Phrase(self.name, **{name: change(value) for name, value in self.values.items()})


def _phrase(name: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(name, **values)


def chain_texts(name: str, texts: Iterable[str]) -> str:
    """Texts joined one after another by the text of an id, as "{first} or {second}"; "" for no text."""
    first, *others = [*texts] or [""]
    for second in others:
        first = Phrase(name, first=first, second=second)
    return first


def words_for(document: str) -> Words:
    """The words of the language of a document; English where refgen has none, or nobody says the language ("")."""
    return Words(document) if base(document) in KNOWN else ENGLISH


@lru_cache(maxsize=16)
def file_texts(language: str) -> Mapping[str, Text]:
    """The texts of the file of a language by id; none for a language without a file."""
    if language not in KNOWN:
        return {}
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def _texts(tag: str, own: tuple[OwnText, ...]) -> Mapping[str, Text]:
    """All texts of a language by id; English texts and forms stand in for those that the language lacks."""
    language = base(tag)
    forms = {name: text if isinstance(text, str) else dict(text) for name, text in own}
    found = {**file_texts("en"), **file_texts(language), **forms}
    return {name: text if isinstance(text, str) else _with_all_forms(language, text) for name, text in found.items()}


def _with_all_forms(language: str, forms: Mapping[str, str]) -> Mapping[str, str]:
    return dict.fromkeys(categories(language), forms["other"]) | dict(forms)


def categories(language: str) -> Sequence[str]:
    """The plural categories of a language; "other" is always one."""
    return ("one", "other") if language == "en" else (*sorted(locale(language).plural_form.rules), "other")


def _plural_category(tag: str, count: object) -> str:
    """The category of a whole number."""
    if not isinstance(count, int):
        raise TypeError(f"a text is counted by {count!r}")
    if base(tag) == "en":  # Babel takes a tenth of a second
        return "one" if count == 1 else "other"
    return str(locale(tag).plural_form(count))


def placeholders(text: Text) -> frozenset[str]:
    """The names in braces of a text."""
    return frozenset(name for form in _forms(text) for name in _PLACEHOLDER.findall(form))


def _forms(text: Text) -> Iterable[str]:
    return (text,) if isinstance(text, str) else text.values()


def known_id(name: str) -> str:
    """An id that refgen has a text of. Raises ValueError for another id."""
    texts = file_texts("en")
    if name not in texts:
        raise ValueError(f"refgen prints no such text. {did_you_mean(name, texts)}")
    return name


def check_own_text(name: str, text: Text) -> None:
    """Raise ValueError for a game's own text with placeholders or plural forms that the replaced text does not have."""
    replaced = file_texts("en")[name]
    known = placeholders(replaced)
    for wrong in sorted({*re.findall(r"\{([^{}]*)\}", " ".join(_forms(text)))} - known):
        there = ", ".join(f"{{{each}}}" for each in sorted(known)) or "none"
        raise ValueError(f'"{name}": there is no {{{wrong}}} in this text; there is {there}')
    forms = CATEGORIES if not isinstance(replaced, str) else ()
    if not isinstance(text, str) and not {"other"} <= text.keys() <= {*forms}:
        raise ValueError(f'"{name}": write {"forms for " + ", ".join(forms) if forms else "one text"}')
