"""Characters that nobody sees, and letters that look like letters of another script.

In: a name, and the script of the names beside it. Out: the odd characters of the name by their positions, each with
the character that is meant there; the name as people see it, by which two names that look alike are equal.

Which letters look alike is from confusables.txt of Unicode Technical Standard 39, of which this module has the letters
that usual typefaces draw alike. Letters in other shapes (bold, wide, joined) are known by their compatibility mappings.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

LATIN = "LATIN"

_LOOKS = {
    "CYRILLIC": dict(zip("аеорсухіјѕһԁԛԝӏАВЕКМНОРСТХІЈЅҮԚԜԌ", "aeopcyxijshdqwlABEKMHOPCTXIJSYQWG", strict=True)),
    "GREEK": dict(zip("οανρικυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavpikuxABEZHIKMNOPTYX", strict=True)),
    "ARMENIAN": dict(zip("օսհՕՍ", "ouhOU", strict=True)),
}
"""For each script, the Latin letters that letters of the script look like."""

_LATIN_LOOKS = {letter: latin for looks in _LOOKS.values() for letter, latin in looks.items()}
_FOLDED_LOOKS = {letter.lower(): latin.lower() for letter, latin in _LATIN_LOOKS.items()} | {"ɡ": "g", "ɑ": "a"}
_OWN_LETTERS = {script: {latin: letter for letter, latin in looks.items()} for script, looks in _LOOKS.items()}

_WORD = re.compile(r"[^\W\d_]+")
_SHAPES = ("<font>", "<wide>", "<narrow>")
"""The compatibility mappings of letters and digits that mean a plain one, in another shape."""
_SHAPE = "SHAPE"
"""The name that stands for the script of letters in another shape."""
_JOINED = "<compat>"
"""The compatibility mapping of ligatures, which are letters of their script."""

SOFT_HYPHEN = "\u00ad"

_UNSEEN = re.compile(  # what Unicode says may be ignored, but for soft hyphens and Mongolian; and controls
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_JOINERS = re.compile("[\u200b-\u200d\ufe00-\ufe0f\U000e0020-\U000e007f]")
_VARIANT = "\ufe0f"
_OF_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]")


def code_points(characters: Iterable[str]) -> str:
    """The code points of characters, each once, with their names: "U+200B ZERO WIDTH SPACE"."""
    names = {f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip(): None for character in characters}
    return ", ".join(names)


def with_code_points(name: str, odd: Iterable[int]) -> str:
    """A name with the code points of the characters at some positions: "Ro⟨U+200B⟩pe"."""
    positions = {*odd}
    return "".join(f"⟨U+{ord(letter):04X}⟩" if at in positions else letter for at, letter in enumerate(name))


def show_name(name: str) -> str:
    """A name with the code points of its odd characters, as far as they are odd whatever names stand beside it."""
    unseen = unseen_characters(name, is_right_to_left=reads_right_to_left([name]))
    return with_code_points(name, {**unseen, **foreign_letters(name, main_script([name]))})


def mended(name: str, odd: Mapping[int, str]) -> str:
    """A name with the characters that are meant in place of odd characters."""
    return "".join(odd.get(at, letter) for at, letter in enumerate(name))


@lru_cache(maxsize=10_000)
def as_seen(name: str) -> str:
    """A name as it looks, whatever its case: in Latin letters where these look alike, without what nobody sees."""
    seen = _UNSEEN.sub("", name).replace(SOFT_HYPHEN, "")
    letters = unicodedata.normalize("NFD", "".join(map(_plain_shape, seen)).casefold())
    return unicodedata.normalize("NFC", "".join(_FOLDED_LOOKS.get(letter, letter) for letter in letters))


def difference(one: str, other: str) -> str:
    """The characters that only one of two names has, by their code points; "" for names that look unlike."""
    if as_seen(one) != as_seen(other):
        return ""
    odd = (letter for letter in one + other if (letter in one) != (letter in other))
    return code_points(letter for letter in odd if not letter.isascii())


def unseen_characters(name: str, *, is_right_to_left: bool = False) -> Mapping[int, str]:
    """The characters of a name that nobody sees, but for those that its script or signs need; each means "".

    ``is_right_to_left``: names beside it may be written from right to left, which takes marks of direction.
    """
    unseen = (found.start() for found in _UNSEEN.finditer(name))
    return {at: "" for at in unseen if not _is_needed(name, at, is_right_to_left)}


def _is_needed(name: str, at: int, is_right_to_left: bool) -> bool:
    """Whether a character joins or varies a letter of Persian, Hindi or Thai, or a sign; or turns the direction."""
    if _OF_DIRECTION.match(name[at]):
        return is_right_to_left
    before = next((letter for letter in reversed(name[:at]) if not _UNSEEN.match(letter)), "")
    is_keycap = name[at] == _VARIANT and before in "0123456789#*"
    return _JOINERS.match(name[at]) is not None and (is_keycap or not (before.isascii() or script_of(before)))


def reads_right_to_left(names: Iterable[str]) -> bool:
    """Whether any letter of some names is written from right to left."""
    letters = (letter for name in names for letter in name if letter.isalpha())
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in letters)


def foreign_letters(name: str, script: str = LATIN) -> Mapping[int, str]:
    """The letters of words in several scripts that look like letters of one script, which are meant.

    The one script is ``script``, or else that of most letters of the word. A word that cannot be written in the one
    script, such as "KoЯn", is meant as it is.
    """
    return {at: meant for word in _words(name) if len(word.scripts) > 1 for at, meant in word.foreign(script)}


def foreign_words(name: str, script: str, at_home: Collection[str] = ()) -> Mapping[int, str]:
    """The letters of whole words of another script that may be written in ``script``, each with its letter there.

    Words of the scripts that are ``at_home`` are meant as they are, and so are small Greek letters.
    """
    odd = (word for word in _words(name) if len(word.scripts) == 1 and not word.is_sign)
    return {at: meant for word in odd if word.scripts.keys().isdisjoint(at_home) for at, meant in word.foreign(script)}


def scripts_at_home(names: Iterable[str]) -> Collection[str]:
    """The Latin script, and all scripts of which some names have words that could not be Latin words."""
    words = (word for name in names for word in _words(name) if len(word.scripts) == 1)
    return {LATIN, *(script for word in words if not all(word.in_script(LATIN)) for script in word.scripts)}


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a name, and its position there."""

    text: str
    start: int

    @property
    def scripts(self) -> Counter[str]:
        """How many letters of the word each script has."""
        return Counter(filter(None, map(script_of, self.text)))

    @property
    def is_sign(self) -> bool:
        """Whether the word is a small Greek letter, or in letters of another shape: signs that any script may have."""
        is_greek = "GREEK" in self.scripts and len(self.text) == 1 and self.text.islower()
        return is_greek or _SHAPE in self.scripts

    def in_script(self, script: str) -> Sequence[str]:
        """The letters of a script that the letters of the word look like, "" for those that look like none."""
        return [_in_script(letter, script) for letter in self.text]

    def foreign(self, script: str) -> Iterator[tuple[int, str]]:
        """The position of each letter that is not of ``script``, and the letter of ``script`` it stands for."""
        most = [one for one, count in self.scripts.items() if 2 * count > self.scripts.total()]
        for letters in map(self.in_script, (script, *most)):
            if all(letters):
                pairs = enumerate(zip(self.text, letters, strict=True), self.start)
                yield from ((at, meant) for at, (letter, meant) in pairs if meant != letter)
                return


def _words(name: str) -> Iterator[_Word]:
    return (_Word(found[0], found.start()) for found in _WORD.finditer(name))


def main_script(names: Iterable[str]) -> str:
    """The script of most letters in some names; Latin where two scripts have as many, or none has any."""
    counted = Counter(filter(None, (script_of(letter) for name in names for letter in name)))
    return max(counted, key=lambda script: (counted[script], script == LATIN), default=LATIN)


@lru_cache(maxsize=10_000)
def script_of(letter: str) -> str:
    """The script of a letter, "SHAPE" of a bold or wide one; "" for scripts without letters that look Latin."""
    if _mapping(letter) in _SHAPES:
        return _SHAPE if _plain_shape(letter).isascii() else ""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script if letter.isalpha() and script in (LATIN, *_LOOKS) else ""


def _mapping(letter: str) -> str:
    """The kind of the compatibility mapping of a character, such as "<font>"; else another text."""
    return unicodedata.decomposition(letter).partition(" ")[0] if letter else ""


def _plain_shape(letter: str) -> str:
    """The letters or digits that one in another shape means: "fi" for the ligature of both."""
    plain = unicodedata.normalize("NFKC", letter) if _mapping(letter) in (*_SHAPES, _JOINED) else letter
    return plain if plain.isalnum() else letter


def _in_script(letter: str, script: str) -> str:
    """The letter of a script that a letter looks like, with its accents; "" if there is none."""
    if script_of(letter) in ("", script):
        return letter
    latin = (_LATIN_LOOKS.get(part, part) for part in unicodedata.normalize("NFD", _plain_shape(letter)))
    own = _OWN_LETTERS.get(script, {})
    meant = unicodedata.normalize("NFC", "".join(own.get(part, part) for part in latin))
    return meant if all(script_of(part) == script for part in meant) else ""
