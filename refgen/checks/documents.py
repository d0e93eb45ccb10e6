"""Oddities of the documents of a game, whatever their numbers are: noted, not hidden.

In: a ruleset. Out: notes and findings, each at its place, of: defects that system.toml reads around; what the format
of a document drops or mends in silence outside the tables that are used (inside, it is an error); numbers such as
"1,250", which are 1250 or 1.25 according to the language, where nothing tells which; words of system.toml that nobody
wants to see on a page (what a proposed file asks to replace, names in braces); links that nobody should follow, and
ids that two places have; prints that are read as something else than they say ("< -7" as -7 or less).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from urllib.parse import urlsplit

from refgen.checks.comparison import CheckSubject, comparison_id, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import NotationError
from refgen.notation.printed_cell import WITH_DECIMALS, in_usual_style, is_blank, read_value
from refgen.notation.printed_numbers import NotationStyle, undecided
from refgen.notation.values import Interval, LabelledDice, Text, Value
from refgen.readers.document import Inline
from refgen.rules.fact_spec import FactSpec
from refgen.rules.model import Ruleset
from refgen.rules.schema import ColumnSpec, RulesSpec
from refgen.rules.sentence import read_in_place
from refgen.rules.toml import KeyPath
from refgen.source import plain
from refgen.span import Span


def check_defects(ruleset: Ruleset) -> list[Finding]:
    """The defects that ``[defects.*]`` describes, where the document has them."""
    found = []
    for defect in ruleset.defects:
        title = ruleset.spec.tables[defect.table].title if defect.table else ""
        subject = CheckSubject(f"defects/{defect.id}", defect.text, defect.span, defect.table, title)
        found.append(_note(ruleset, subject, FindingKind.SOURCE, defect.title, defect.repair))
    return found


def _note(ruleset: Ruleset, subject: CheckSubject, kind: FindingKind, rule: str, computed: str = "") -> Finding:
    return Finding.about(subject, kind, Severity.NOTE, system=ruleset.id, rule=rule, computed=computed)


SHOWN = 60
"""So many characters of what is left out are shown."""


def check_left_out(ruleset: Ruleset) -> Iterator[Finding]:
    """The faults of the documents, in their order."""
    texts = {source.name: source.text for source in ruleset.documents}
    for number, fault in enumerate(ruleset.faults, start=1):
        words = shorten(texts[fault.span.file][fault.span.start : fault.span.end], SHOWN, placeholder=" …")
        subject = CheckSubject(f"faults/{number}", words, fault.span)
        yield _note(ruleset, subject, FindingKind.FAULT, f"{fault.message}. {fault.hint}")


@dataclass(frozen=True, slots=True)
class _MarkedPrint:
    """A number with a mark that may stand before decimals or between thousands: its text, its place, its row."""

    text: str
    span: Span
    row: str


def check_undecided(ruleset: Ruleset) -> Iterator[Finding]:
    """The columns, then the facts; none where the game or its project says how numbers are written."""
    if ruleset.style.numbers:
        return
    for table in ruleset.printed_tables:
        names = row_names(table)
        for at, spec in enumerate(ruleset.spec.tables[table.id].columns):
            cells = [
                _MarkedPrint(read_in_place(spec.read, row[at].text), span, name)
                for name, row in zip(names, table.rows, strict=True)
                if (span := row[at].span) is not None
            ]
            if spec.type in WITH_DECIMALS:
                yield from _found(ruleset.id, cells, (table.id, table.title, table.columns[at].title))
    for fact in ruleset.facts.values():
        spec_of_fact = ruleset.spec.facts[fact.id]
        if spec_of_fact.type in WITH_DECIMALS:
            printed = _MarkedPrint(read_in_place(spec_of_fact.read, fact.text), fact.span, fact.id)
            yield from _found(ruleset.id, [printed], ("", "", fact.title))


def _found(system: str, cells: Sequence[_MarkedPrint], names: tuple[str, str, str]) -> Iterator[Finding]:
    """A finding at the first of some numbers that may be either."""
    either = undecided([cell.text for cell in cells])
    if not either:
        return
    table, title, column = names
    first = cells[either[0]]
    others = f", of which {len(either)} may be either," if len(either) > 1 else ""
    name = comparison_id("numbers", table, first.row, column if table else "")
    yield Finding.about(
        CheckSubject(name, first.text, first.span, table, title, first.row, column),
        FindingKind.UNDECIDED,
        Severity.WARNING,
        system=system,
        rule=f'no number of its column{others} tells which; say numbers = "1.5" or "1,5" in [document]',
        computed=NotationStyle("1,5").usual(first.text).replace(",", ""),
    )


ABOUT = "One sentence about the game."
"""What a proposed system.toml says of its game."""

_OF_GAME = ("title", "about", "source")
_OF_ENTRIES = ("title", "note", "unit")
_NAME = re.compile(r"\{[a-z0-9]+(?:[.-][a-z0-9]+)*\}")


def check_placeholders(ruleset: Ruleset) -> Iterator[Finding]:
    """The words that are shown as they stand, and should not be, in the order of the schema."""
    for path, text in _shown(ruleset.spec):
        name = _NAME.search(text)
        if name or text == ABOUT:
            rule = "write what the game is: pages show this as it stands"
            if name:
                rule = "these words have no names in braces: pages show them as they stand"
            place, shown = ruleset.files.at(*path), name[0] if name else text
            subject = CheckSubject(f"placeholders/{'.'.join(map(str, path))}", shown, place)
            yield Finding.about(subject, FindingKind.PLACEHOLDER, Severity.WARNING, system=ruleset.id, rule=rule)


def _shown(spec: RulesSpec) -> Iterator[tuple[KeyPath, str]]:
    """The words of a game and of its entries (tables, facts, rolls, …) that pages show, each with its path."""
    for key in _OF_GAME:
        yield (key,), getattr(spec, key)
    for section in type(spec).model_fields:
        entries = getattr(spec, section)
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            yield from (((section, name, key), getattr(entry, key, "")) for key in _OF_ENTRIES)


SCHEMES = ("http", "https", "mailto")
"""Where links of a document may lead, beside the documents themselves."""


def check_links(ruleset: Ruleset) -> Iterator[Finding]:
    """The links that lead where they must not, in the order of the documents."""
    texts = {source.name: source.text for source in ruleset.documents}
    for number, mark in enumerate(ruleset.inline, start=1):
        if mark.kind is Inline.LINK and not may_be_followed(mark.address):
            words = plain(texts[mark.span.file][mark.span.start : mark.span.end])
            rule = f"this link is left out: links lead to {', '.join(SCHEMES)} or into the documents"
            yield _note(ruleset, CheckSubject(f"links/{number}", words, mark.span), FindingKind.LINK, rule)
    yield from _doubled_ids(ruleset)


def _doubled_ids(ruleset: Ruleset) -> Iterator[Finding]:
    """The ids that a document gives to a second section or table: its links lead to the first."""
    first: dict[tuple[str, str], Span] = {}
    for number, (name, span) in enumerate(_ids(ruleset), start=1):
        if first.setdefault((span.file, name), span) != span:
            subject = CheckSubject(f"ids/{number}", f'the id "{name}"', span)
            rule = f"links to it lead to {first[span.file, name]}, which has it as well"
            yield _note(ruleset, subject, FindingKind.LINK, rule)


def _ids(ruleset: Ruleset) -> Iterator[tuple[str, Span]]:
    """The ids of sections and tables, each with its place."""
    for section in ruleset.sections:
        places = [(section.id, section.text[:1].span), *((grid.id, grid.span) for grid in section.grids)]
        yield from ((name, span) for name, span in places if name)


def may_be_followed(address: str) -> bool:
    """Whether an address leads to a place that a page may link to."""
    try:
        scheme = urlsplit(address.strip()).scheme.lower()
    except ValueError:
        return False
    return scheme in SCHEMES or (not scheme and not address.strip().startswith("//"))


READ_AS = "not what the print says by itself"


def check_readings_of(ruleset: Ruleset) -> Iterator[Finding]:
    """The cells of tables, then the facts, whose print is read as something else than it says."""
    for table in ruleset.printed_tables:
        spec = ruleset.spec.tables[table.id]
        for index, column in ((at, column) for at, column in enumerate(spec.columns) if column.read):
            for name, row in zip(row_names(table), table.rows, strict=True):
                cell, title = row[index], table.columns[index].title
                found = _ReadPrint(cell.text, cell.value, cell.span or table.span)
                yield from _changed(ruleset, column, found, (table.id, table.title, name, title))
    for fact in ruleset.facts.values():
        spec_of_fact = ruleset.spec.facts[fact.id]
        found = _ReadPrint(fact.text, fact.value, fact.span)
        yield from _changed(ruleset, spec_of_fact, found, ("facts", "", fact.id, fact.title))


@dataclass(frozen=True, slots=True)
class _ReadPrint:
    """A printed text, its place, and the value that the text was read as."""

    text: str
    value: Value | None
    span: Span | None


def _changed(
    ruleset: Ruleset, spec: ColumnSpec | FactSpec, found: _ReadPrint, names: tuple[str, str, str, str]
) -> Iterator[Finding]:
    read = read_in_place(spec.read, found.text)
    literal = _literal(ruleset, spec, found.text) if read != found.text else None
    if literal is None or literal == found.value or isinstance(literal, Text | LabelledDice) or found.span is None:
        return
    table, title, row, column = names
    name = comparison_id("readings", *((row,) if table == "facts" else (table, row, column)))
    subject = CheckSubject(name, found.text, found.span, table, title, row, column)
    yield _note(ruleset, subject, FindingKind.READING, READ_AS, _words(found.value, read))


def _literal(ruleset: Ruleset, spec: ColumnSpec | FactSpec, text: str) -> Value | None:
    """The value of a printed text by itself; None for a blank text, or one in no notation of its column."""
    try:
        written = in_usual_style(spec.type, text, ruleset.style)
        ladder = ruleset.ladders.get(spec.ladder or "")
        return None if is_blank(spec.type, text) else read_value(spec.type, written, ladder)
    except NotationError:
        return None


def _words(value: Value | None, read: str) -> str:
    match value:
        case Interval(low=int() as low, high=None):
            return f"{low} or more"
        case Interval(low=None, high=int() as high):
            return f"{high} or less"
        case _:
            return read
