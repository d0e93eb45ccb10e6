"""The units of a TOML file: statements and tables, each with the comments above.

In: text. Out: a tree of TomlUnits, which renders as the same text. An element of an array of tables ("[[panels]]") has
the tables within the element ("[[panels.blocks]]"); a table that is commented out has the key of the table in force. A
marked proposal belongs to the unit above.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

OPEN_MARK, CLOSE_MARK = "# >>> refgen proposes now:\n", "# <<<\n"
"""The lines around a proposal that stands, as comments, under the words of the author."""

_PART = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_PATH = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*(?:[ \t]*\Z)?")
_COMMENT_LINE = re.compile(r"[ \t]*#[^\n]*(?:\n|\Z)")
_HEADING = rf"[ \t]*(?P<open>\[\[?)[ \t]*(?P<path>{_PATH})[ \t]*\]\]?[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)"
_HEADING_LINE = re.compile(_HEADING)
_HEADING_COMMENTED_OUT = re.compile(rf"^#[ \t]?{_HEADING}", re.MULTILINE)
_KEY = re.compile(rf"[ \t]*(?P<path>{_PATH})[ \t]*=")
_NAME_OF_ELEMENT = re.compile(r"^(?:#[ \t]?)?(?:title|id|name|table|fact)[ \t]*=[ \t]*(.*)", re.MULTILINE)
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'|"
    r"#[^\n]*|(?P<bracket>[\[\]{}])|(?P<end>\n)|[^\"'#\[\]{}\n]+|.",
    re.DOTALL,
)

UnitKey = tuple[str, ...]
"""The kind and the path of a unit, and what tells the unit apart from others of that path."""


class UnitKind(Enum):
    """A statement ("title = …"), a table, a table that is commented out, or a comment that stands alone."""

    STATEMENT = "statement"
    TABLE = "table"
    TABLE_COMMENTED_OUT = "table commented out"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class TomlUnit:
    """A unit of a file: the blank lines above (``gap``), its comments and lines (``text``), and what is within it.

    The text of a table is its heading; ``statements`` come before ``tables``. ``marks`` is a marked proposal under the
    text, "" for none.
    """

    kind: UnitKind
    path: tuple[str, ...] = ()
    is_array: bool = False
    key: UnitKey = ()
    gap: str = ""
    text: str = ""
    marks: str = ""
    statements: tuple[TomlUnit, ...] = ()
    tables: tuple[TomlUnit, ...] = ()

    @property
    def children(self) -> tuple[TomlUnit, ...]:
        """The units within the unit, in the order of the file."""
        return self.statements + self.tables

    def render(self) -> str:
        """The unit as it stands in the file."""
        return self.gap + self.text + self.marks + "".join(child.render() for child in self.children)

    @property
    def content(self) -> str:
        """The unit without the blank lines above it, and without marks."""
        return self.text + "".join(child.gap + child.content for child in self.children)

    @property
    def name(self) -> str:
        """The unit in a list: "[facts.dice]", "title"."""
        path = ".".join(self.path)
        if self.kind in (UnitKind.TABLE, UnitKind.TABLE_COMMENTED_OUT):
            return f"[[{path}]]" if self.is_array else f"[{path}]"
        return path or self.text.strip()

    def without_marks(self) -> TomlUnit:
        """The unit, and all within it, without marks."""
        statements, tables = (
            tuple([child.without_marks() for child in part]) for part in (self.statements, self.tables)
        )
        return replace(self, marks="", statements=statements, tables=tables)


def read_units(text: str) -> TomlUnit:
    """A file as a table without a heading; the last of its units may hold no more than the blank lines at the end."""
    ended = text if text.endswith("\n") or not text else text + "\n"
    units = deque(_with_marks(_units_in_a_row(ended)))
    statements = _statements(units)
    return TomlUnit(UnitKind.TABLE, statements=statements, tables=_number_keys(_tables(units, ())))


def _units_in_a_row(text: str) -> Iterator[TomlUnit]:
    """Each heading, each statement and each block of comments, one after the other; marks are comments so far."""
    place = 0
    while place < len(text):
        start = _end(_BLANK_LINES, text, place)
        unit = _unit_at(text, start)
        yield replace(unit, gap=text[place:start])
        place = start + len(unit.text)


def _unit_at(text: str, start: int) -> TomlUnit:
    body = start
    if text.startswith(OPEN_MARK, start) and (close := text.find(CLOSE_MARK, start)) >= 0:
        return TomlUnit(UnitKind.COMMENT, text=text[start : close + len(CLOSE_MARK)])
    while (line := _COMMENT_LINE.match(text, body)) and not text.startswith(OPEN_MARK, body):
        body = line.end()
    comments = text[start:body]
    if heading := _HEADING_COMMENTED_OUT.search(comments):
        return _table(UnitKind.TABLE_COMMENTED_OUT, heading, comments)
    if body == len(text) or _end(_BLANK_LINES, text, body) > body or text.startswith(OPEN_MARK, body):
        return TomlUnit(UnitKind.COMMENT, key=("comment", comments), text=comments)
    if heading := _HEADING_LINE.match(text, body):
        return _table(UnitKind.TABLE, heading, text[start : heading.end()])
    key = _KEY.match(text, body)
    path = _path(key["path"]) if key else ()
    return TomlUnit(UnitKind.STATEMENT, path, key=("key", *path), text=text[start : _end_of_statement(text, body)])


def _table(kind: UnitKind, heading: re.Match[str], text: str) -> TomlUnit:
    unit = TomlUnit(kind, _path(heading["path"]), heading["open"] == "[[", text=text)
    return replace(unit, key=_key_of(unit))


def _path(written: str) -> tuple[str, ...]:
    return tuple(part[1:-1] if part[0] in "\"'" else part for part in re.findall(_PART, written))


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _end_of_statement(text: str, start: int) -> int:
    """The end of the line on which all brackets and quotes are closed."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if bracket := token["bracket"]:
            depth += 1 if bracket in "[{" else -1
        elif token["end"] and depth <= 0:
            return token.end()
    return len(text)


def _with_marks(units: Iterator[TomlUnit]) -> Iterator[TomlUnit]:
    """The units, each with the marks that stand under it."""
    last: TomlUnit | None = None
    for unit in units:
        if last is not None and not unit.key and unit.kind is UnitKind.COMMENT:
            last = replace(last, marks=last.marks + unit.gap + unit.text)
            continue
        if last is not None:
            yield last
        last = unit
    if last is not None:
        yield last


def _statements(units: deque[TomlUnit]) -> tuple[TomlUnit, ...]:
    """The statements up to the next heading, and the comments between them; taken away from the units."""
    count = 0
    for number, unit in enumerate(units, 1):
        if unit.kind is UnitKind.TABLE:
            break
        count = number if unit.kind is UnitKind.STATEMENT else count
    return _number_keys([units.popleft() for _ in range(count)])


def _tables(units: deque[TomlUnit], owner: tuple[str, ...]) -> Iterator[TomlUnit]:
    """The tables within an owner, with the comments before them; () for the whole file. Taken away from the units."""
    while units:
        following = next((unit for unit in units if unit.path), None)
        is_within = following and len(following.path) > len(owner) and following.path[: len(owner)] == owner
        if owner and not is_within:
            return
        unit = units.popleft()
        if unit.kind is UnitKind.TABLE:
            statements = _statements(units)
            tables = _number_keys(_tables(units, unit.path)) if unit.is_array else ()
            unit = replace(unit, statements=statements, tables=tables)
            unit = replace(unit, key=_key_of(unit))
        yield unit


def _key_of(table: TomlUnit) -> UnitKey:
    """The path of a table, and the words that tell an element of an array from the others."""
    texts = [table.text, *(statement.text for statement in table.statements)]
    names = (_NAME_OF_ELEMENT.search(text) for text in texts if table.is_array)
    return ("table", *table.path, next((name[1].strip() for name in names if name), ""))


def _number_keys(units: Iterator[TomlUnit] | Sequence[TomlUnit]) -> tuple[TomlUnit, ...]:
    """Units with keys of which none is twice."""
    seen: Counter[UnitKey] = Counter()
    found = []
    for unit in units:
        seen[unit.key] += 1
        found.append(unit if seen[unit.key] == 1 else replace(unit, key=(*unit.key, f"#{seen[unit.key]}")))
    return tuple(found)
