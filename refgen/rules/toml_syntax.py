"""Mistakes in text that is no TOML, in the words of people who write TOML seldom.

In: the text, where tomllib stopped, and its message. Out: a SyntaxFault: a message, the place of the mistake, and what
to write in place of the mistake.
"""

from __future__ import annotations

import re
import unicodedata
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

_STOPPED = re.compile(r"(?P<said>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_QUOTES = "“”„‟«»‹›‘’‚‛′″`´"
_DASHES = "−–—"
_KEY = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)"""
_STATEMENT = re.compile(rf"^[ \t]*(?P<key>{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)[ \t]*=|^[ \t]*\[\[?(?P<head>[^\]\n]*)", re.M)
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)|\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}.*?'{3}|(?P<long>\"{3}|'{3})"""
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?P<text>"|(?<!\w)')|(?P<open>[\[{])|(?P<close>[\]}])""",
    re.DOTALL,
)
_BARE = re.compile(r"[^\s,\]}#](?:[^,\]}#\n]*[^\s,\]}#])?")
_BOOLEANS = {**dict.fromkeys(("true", "yes", "on"), "true"), **dict.fromkeys(("false", "no", "off"), "false")}
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_CLOSING = {"[": "]", "{": "}"}


class SyntaxFault(NamedTuple):
    """A mistake in TOML: what is wrong, from where to where in the text, and a hint."""

    message: str
    start: int
    end: int
    hint: str


class _Stop(NamedTuple):
    """Where tomllib stopped in a text (``at``), and what it said; ``line_start`` is the start of that line."""

    text: str
    at: int
    said: str
    line_start: int

    @property
    def line(self) -> str:
        """The line, without its comment, if no text of the line is left open."""
        return self.text[self.line_start : self._line_end]

    @property
    def rest(self) -> str:
        """The line from the place where tomllib stopped."""
        return self.text[self.at : self._line_end].rstrip()

    @property
    def _line_end(self) -> int:
        end = self.text.find("\n", self.line_start)
        return len(self.text) if end < 0 else end

    @property
    def statement(self) -> re.Match[str] | None:
        """The key or heading that stands last before the place."""
        found = None
        for found in _STATEMENT.finditer(self.text, 0, self.at):  # noqa: B007
            pass
        return found

    def here(self, message: str, hint: str, length: int = 0) -> SyntaxFault:
        """A fault at the place."""
        return SyntaxFault(message, self.at, self.at + length, hint)


def syntax_fault(text: str, error: str) -> SyntaxFault:
    """The mistake for which tomllib refuses a text with the message ``error``."""
    stop = _stop(text, error)
    tried = (explain(stop) for said, explain in _EXPLAINED if re.match(said, stop.said))
    return next(filter(None, tried), stop.here(stop.said.lower(), "See toml.io."))


def _stop(text: str, error: str) -> _Stop:
    found = _STOPPED.fullmatch(error)
    said = found["said"] if found else error
    if not (found and found["line"]):
        return _Stop(text, len(text.rstrip()), said, text.rstrip().rfind("\n") + 1)
    start = sum(len(line) + 1 for line in text.split("\n")[: int(found["line"]) - 1])
    return _Stop(text, start + int(found["column"]) - 1, said, start)


def _odd_sign(stop: _Stop) -> SyntaxFault | None:
    """A curly quote, a dash or a blank of print, or a character that nobody sees."""
    sign = stop.text[stop.at : stop.at + 1]
    if sign and sign in _QUOTES:
        return stop.here(f"{sign} is no quote of TOML", 'Write straight quotes: "like this".', 1)
    if sign and sign in _DASHES:
        return stop.here(f"{sign} is no minus of TOML", "Write a hyphen: -1.", 1)
    if sign and not sign.isspace() and unicodedata.category(sign) in ("Cf", "Cc"):
        return stop.here(f"a character that nobody sees (U+{ord(sign):04X})", "Take it out.", 1)
    if sign and sign not in " \t\n\r" and sign.isspace():
        return stop.here(f"a blank that TOML does not know (U+{ord(sign):04X})", "Write a usual blank.", 1)
    return None


def _missing_quote(stop: _Stop) -> SyntaxFault | None:
    """A line with an odd number of quotes."""
    opened = next((match for match in _TOKEN.finditer(stop.line) if match["text"]), None)
    if opened is None:
        return None
    curly = next((sign for sign in stop.line[opened.end() :] if sign in _QUOTES), "")
    message = f"this text is not closed: {curly} is no quote of TOML" if curly else f"a quote is missing ({opened[0]})"
    hint = f"Write {opened[0]} before and behind the text; a {opened[0]} within the text is written \\{opened[0]}."
    start = stop.line_start + opened.start()
    return SyntaxFault(message, start, stop.line_start + len(stop.line.rstrip()), hint)


def _open_text(stop: _Stop) -> SyntaxFault | None:
    """A text that is not closed before the end of the document, or before the end of its line."""
    opened = next((match for match in _TOKEN.finditer(stop.text) if match["text"] or match["long"]), None)
    if opened is None:
        return None
    message = f"a quote is missing: this text is not closed with {opened[0]}"
    return SyntaxFault(message, *opened.span(), f"Write {opened[0]} at its end.")


def _open_bracket(stop: _Stop) -> SyntaxFault | None:
    """A list or a table in braces without its end, or without a comma."""
    opened: list[re.Match[str]] = []
    for token in _TOKEN.finditer(stop.text, 0, stop.at):
        if token["open"]:
            opened.append(token)
        elif token["close"] and opened:
            opened.pop()
    if not opened:
        return None
    closing = _CLOSING[opened[-1][0]]
    before = stop.text[: stop.at].rstrip(" \t")
    if stop.rest and not before.endswith("\n"):
        return stop.here(f"here a comma is missing, or a {closing}", "Part entries by commas.", len(stop.rest))
    what = "list" if closing == "]" else "table"
    hint = f"Write {closing} at its end." + (" A table in { } stands on one line." if what == "table" else "")
    return SyntaxFault(f"this {what} is not closed with {closing}", *opened[-1].span(), hint)


def _no_entry(stop: _Stop) -> SyntaxFault | None:
    """A table in braces that goes on in the next line, or ends with a comma."""
    before = stop.text[: stop.at].rstrip()
    if not before.endswith((",", "{")):
        return None
    if stop.rest.startswith("}"):
        return stop.here("a comma stands before }", "Take it out.", 1)
    return (
        None
        if stop.rest
        else stop.here(
            "a table in { } goes on in the next line", "Write it on one line, or its keys under a [heading]."
        )
    )


def _no_value(stop: _Stop) -> SyntaxFault:
    """A value that is none: a word without quotes, or nothing."""
    found = _BARE.match(stop.text, stop.at)
    word = found[0] if found else ""
    if not word:
        key = stop.statement
        name = f'"{key["key"]}"' if key and key["key"] else "this"
        return stop.here(f"{name} has no value", 'Write a text in quotes, a number, true or false: key = "value".')
    if word.lower() in _BOOLEANS:
        return stop.here(f"{word} is no value of TOML", f"Write {_BOOLEANS[word.lower()]}.", len(word))
    if word.lower() in ("none", "null", "nil"):
        return stop.here(f"{word} is no value of TOML", 'Leave the key out, or write "".', len(word))
    if word.startswith("("):
        return stop.here("a list stands in [ ]", "Write [ and ] in place of ( and ).", 1)
    if word.startswith("="):
        return stop.here("there is one = too many", "Write key = value.", 1)
    if re.fullmatch(r"[+-]?\.\d+", word):
        return stop.here(f"{word} is no number of TOML", f"Write {word.replace('.', '0.', 1)}.", len(word))
    return stop.here(f"this text has no quotes: {word}", f"Write {_quoted(word)}.", len(word))


def _more_behind(stop: _Stop) -> SyntaxFault:
    """A value, with more behind it on its line."""
    value = re.search(r"=[ \t]*(?P<value>[^#\n]*[^#\s])", stop.line)
    written = value["value"] if value and value.start("value") + stop.line_start < stop.at else ""
    if not written or written[0] in "[{\"'":
        return _more_behind_text(stop)
    number = re.sub(r"^([+-]?)0+(?=\d)", r"\1", written.replace(",", "."))
    is_number = re.fullmatch(r"[+-]?\d+(\.\d*)?", number)
    hint = f"Write {number}{'0' * number.endswith('.')}, or as a text {_quoted(written)}." if is_number else ""
    hint = hint or f"Write {_quoted(written)}."
    start = stop.line_start + (value.start("value") if value else 0)
    return SyntaxFault(f"{written} is no number: a text stands in quotes", start, start + len(written), hint)


def _more_behind_text(stop: _Stop) -> SyntaxFault:
    if '"' in stop.rest:
        hint = 'A quote within a text is written \\", or the whole text stands in single quotes: \'like "this"\'.'
        return stop.here("quotes stand within a text, or a comma is missing", hint, len(stop.rest))
    hint = "Take it into the quotes, or write # before a remark; what comes next begins a line of its own."
    what = "heading" if stop.line.lstrip().startswith("[") else "value"
    return stop.here(f"this stands behind the {what}: {stop.rest}", hint, len(stop.rest))


def _no_key(stop: _Stop) -> SyntaxFault:
    """A line that is no key with a value."""
    start, line = stop.line_start, stop.line
    if stop.rest.startswith(":"):
        return stop.here("behind a key stands = and not :", "Write key = value.", 1)
    if line.lstrip().startswith("="):
        return stop.here("there is no key before =", "Write key = value.", 1)
    hint = "Write key = value, a [heading], or # before a remark; texts of several lines stand in triple quotes."
    return SyntaxFault("this line is no key with a value", start, start + len(line.rstrip()), hint)


def _odd_key(stop: _Stop) -> SyntaxFault | None:
    """A key with blanks, or with letters of other languages, without quotes."""
    line = stop.line.strip()
    name = line.partition("=")[0].strip(" \t[]")
    is_key = "=" in line or (line.startswith("[") and line.endswith("]"))
    quoted = ".".join(part if _PLAIN.fullmatch(part) else f'"{part}"' for part in name.split("."))
    if not is_key or quoted == name or not re.fullmatch(r"[^\W_][^\"'#:{}\[\]]*\w", name):
        return None
    message = f"the key {name} needs quotes: it has other signs than letters from a to z, figures, - and _"
    start = stop.line_start + stop.line.index(name)
    return SyntaxFault(message, start, start + len(name), f"Write {quoted}.")


def _open_heading(stop: _Stop) -> SyntaxFault:
    closing = "]]" if stop.line.lstrip().startswith("[[") else "]"
    return stop.here(f"this heading is not closed with {closing}", f"Write {closing} at its end.", len(stop.rest))


def _second_value(stop: _Stop) -> SyntaxFault:
    """A key or a heading that has a value already."""
    found = stop.statement
    if found is None:
        return stop.here("a key has two values", "Take one of them out.")
    name = found["key"] or found["head"]
    hint = f"Take one of the two out.{_first_place(stop.text, found)}"
    return SyntaxFault(f'"{name}" stands twice', found.start() + _blanks(found), found.end(), hint)


def _second_heading(stop: _Stop) -> SyntaxFault:
    """A table with two headings, or one that is written out elsewhere already."""
    path: Sequence[str] = literal_eval(stop.said[stop.said.index("(") : stop.said.rindex(")") + 1])
    name, found = ".".join(path), stop.statement
    start, end = (found.start() + _blanks(found), stop.at + 1) if found else (stop.at, stop.at)
    first = _first_place(stop.text, found) if found and found["head"] is not None else ""
    if stop.said.startswith("Cannot declare") and first:
        hint = f"Write all keys of the table under one heading, or give this table another name.{first}"
        return SyntaxFault(f"[{name}] stands twice", start, end, hint)
    hint = "Write all of it in one place: in { } or [ ], or under a heading."
    return SyntaxFault(f'"{name}" is written out above, and goes on here', start, end, hint)


def _first_place(text: str, second: re.Match[str]) -> str:
    """A sentence about the line in which the same key of the same table, or the same heading, stands first."""
    asked = "head" if second["head"] is not None else "key"
    name = _compact(second[asked])
    earlier: Iterator[re.Match[str]] = _STATEMENT.finditer(text, 0, second.start())
    found: re.Match[str] | None = None
    for match in earlier:
        if asked == "key" and match["head"] is not None:
            found = None  # another table begins
        elif _compact(match[asked] or "") == name:
            found = found or match
    return f" The first stands in line {text.count(chr(10), 0, found.start() + _blanks(found)) + 1}." if found else ""


def _compact(name: str) -> str:
    return re.sub(r"[ \t]+", "", name)


def _blanks(statement: re.Match[str]) -> int:
    return len(statement[0]) - len(statement[0].lstrip())


def _second_inline(stop: _Stop) -> SyntaxFault:
    return stop.here(f"{stop.said.rpartition(' ')[2]} stands twice in this table", "Take one of the two out.")


def _escape(stop: _Stop) -> SyntaxFault:
    hint = r"Write \\ for a \, or the text in single quotes: 'C:\rules'."
    return stop.here(r"a \ that begins no escape", hint)


def _illegal(stop: _Stop) -> SyntaxFault | None:
    sign = stop.text[stop.at : stop.at + 1]
    return _missing_quote(stop) if sign in ("", "\n", "\r") else _odd_sign(stop)


def _quoted(text: str) -> str:
    return "'" + text + "'" if '"' in text or "\\" in text else f'"{text}"'


_Explain = Callable[[_Stop], SyntaxFault | None]

_EXPLAINED: Sequence[tuple[str, _Explain]] = (
    ("Illegal character|Found invalid character", _illegal),
    ("Unterminated string|Expected [\"']['\"]+", _open_text),
    ("Unescaped|Invalid hex|Escaped", _escape),
    ("Cannot declare|Cannot mutate|Cannot redefine", _second_heading),
    ("Cannot overwrite", _second_value),
    ("Duplicate", _second_inline),
    ("", _odd_sign),
    ("", _missing_quote),
    ("Unclosed", _open_bracket),
    ("Invalid initial", _no_entry),
    ("Expected '|Invalid statement|Invalid initial", _odd_key),
    ("Expected '\\]", _open_heading),
    ("Invalid value", _no_value),
    ("Expected newline", _more_behind),
    ("Expected '='|Invalid statement|Invalid initial", _no_key),
)
"""By the beginnings of tomllib's messages, what may be wrong; the first that finds something tells it."""
