"""Checks of the documents of a game, whatever their numbers are.

In: a ruleset. Out: remarks, questions and warnings, each at its place, of

- defects of the document that system.toml names and reads around;
- text that the format drops or mends in silence, outside the tables that are used (inside, it is an error);
- numbers such as "1,250", which are 1250 or 1.25 according to the language, where nothing tells which;
- words of system.toml that pages must not show: the words of a proposed file, names in braces;
- words of refgen that the language of the output lacks;
- links that pages leave out, and ids that two places have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import shorten
from urllib.parse import urlsplit

from refgen.checks.comparison import CheckSubject, comparison_id, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.notation.printed_cell import WITH_DECIMALS
from refgen.notation.printed_numbers import NotationStyle, undecided_positions
from refgen.readers.document import Inline
from refgen.resolver.lookup import column_id
from refgen.rules.model import Ruleset
from refgen.rules.places import KeyPath
from refgen.rules.schema import RulesSpec
from refgen.rules.sentence import read_in_place
from refgen.rules.toml import Strict
from refgen.source import plain_text
from refgen.span import Span
from refgen.words import Phrase


def check_defects(ruleset: Ruleset) -> list[Finding]:
    """The defects that ``[defects.*]`` describes, where the document has them, and rows of uneven length."""
    found = []
    for defect in ruleset.defects:
        title = ruleset.spec.tables[defect.table].title if defect.table else ""
        subject = CheckSubject(f"defects/{defect.id}", defect.text, defect.span, defect.table, title)
        remark = _remark(ruleset, subject, FindingKind.SOURCE, defect.title, defect.repair)
        found.append(replace(remark, severity=Severity.QUESTION) if defect.is_doubtful else remark)
    return found


def _remark(ruleset: Ruleset, subject: CheckSubject, kind: FindingKind, rule: str, computed: str = "") -> Finding:
    return Finding.about(subject, kind, Severity.REMARK, system=ruleset.id, rule=rule, computed=computed)


SHOWN = 60
"""The most characters that are shown of a text that is left out."""

BLANK = "signs"
"""The name of a text without letters and digits, in the id of its finding."""


def check_left_out(ruleset: Ruleset) -> Iterator[Finding]:
    """The faults of the documents, in their order: questions, but for what is left out as no rules."""
    texts = {source.name: source.text for source in ruleset.documents}
    count: Counter[str] = Counter()
    for fault in ruleset.faults:
        words = shorten(texts[fault.span.file][fault.span.start : fault.span.end], SHOWN, placeholder=" …")
        name = f"faults/{column_id(words) or BLANK}"
        count[name] += 1
        subject = CheckSubject(f"{name}/{count[name]}" if count[name] > 1 else name, words, fault.span)
        remark = _remark(ruleset, subject, FindingKind.FAULT, f"{fault.message}. {fault.hint}")
        yield replace(remark, severity=Severity.QUESTION) if fault.is_doubtful else remark


def check_undecided(ruleset: Ruleset) -> Iterator[Finding]:
    """Warnings on columns, then on facts, whose numbers may be either; none where a setting says which."""
    if ruleset.style.numbers:
        return
    for table in ruleset.printed_tables:
        names = row_names(table)
        for at, spec in enumerate(ruleset.spec.tables[table.id].columns):
            title = table.columns[at].title
            if spec.type in WITH_DECIMALS:
                texts = (read_in_place(spec.read, row[at].text) for row in table.rows)
                numbers = [
                    CheckSubject("", text, span, table.id, table.title, name, title)
                    for name, row, text in zip(names, table.rows, texts, strict=True)
                    if (span := row[at].span) is not None
                ]
                yield from _undecided_finding(ruleset.id, numbers)
    for fact in ruleset.facts.values():
        spec_of_fact = ruleset.spec.facts[fact.id]
        if spec_of_fact.type in WITH_DECIMALS:
            text = read_in_place(spec_of_fact.read, fact.text)
            yield from _undecided_finding(ruleset.id, [CheckSubject("", text, fact.span, "", "", fact.id, fact.title)])


def _undecided_finding(system: str, numbers: Sequence[CheckSubject]) -> Iterator[Finding]:
    """A finding at the first number of a column that may be either; there is none where a number tells which."""
    either = undecided_positions([number.printed for number in numbers])
    if not either:
        return
    first = numbers[either[0]]
    which = Phrase("check-undecided-of", number=len(either))
    alone = Phrase("check-undecided")
    yield Finding.about(
        replace(first, id=comparison_id("numbers", first.table, first.row, first.column if first.table else "")),
        FindingKind.UNDECIDED,
        Severity.WARNING,
        system=system,
        rule=which if len(either) > 1 else alone,
        computed=NotationStyle("1,5").usual(first.printed).replace(",", ""),
    )


ABOUT = "One sentence about the game."
"""The sentence about the game in a proposed system.toml, to be replaced by its author."""

_OF_GAME = ("title", "about", "source")
_OF_ENTRIES = ("title", "note", "unit")
_NAME = re.compile(r"\{[a-z0-9]+(?:[.-][a-z0-9]+)*\}")


def check_placeholders(ruleset: Ruleset) -> Iterator[Finding]:
    """Warnings on words that pages would show as they stand, in the order of the schema."""
    for path, text in _shown_texts(ruleset.spec):
        name = _NAME.search(text)
        if name or text == ABOUT:
            rule = Phrase("check-write-about")
            if name:
                rule = Phrase("check-no-braces")
            place, shown = ruleset.files.at(*path), name[0] if name else text
            subject = CheckSubject(f"placeholders/{'.'.join(map(str, path))}", shown, place)
            yield Finding.about(subject, FindingKind.PLACEHOLDER, Severity.WARNING, system=ruleset.id, rule=rule)


def check_words(ruleset: Ruleset) -> Iterator[Finding]:
    """A remark on the texts of refgen that stand in English, because their language lacks the texts."""
    words = ruleset.words
    if missing := words.missing:
        shown = (
            f"{len(missing)} texts of refgen stand in English: {shorten(', '.join(missing), SHOWN, placeholder=' …')}"
        )
        subject = CheckSubject("words", words.language, ruleset.files.at("output", "language"))
        yield _remark(ruleset, subject, FindingKind.PLACEHOLDER, f"{shown}; `words` of [output] may say them")


def _shown_texts(spec: RulesSpec) -> Iterator[tuple[KeyPath, str]]:
    """The words of a game and of its entries (tables, facts, rolls, …) that pages show, each with its path."""
    for key in _OF_GAME:
        yield (key,), getattr(spec, key)
    for section in type(spec).model_fields:
        entries = getattr(spec, section)
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            if isinstance(entry, Strict):
                yield from (((section, name, key), getattr(entry, key, "")) for key in _OF_ENTRIES)


SCHEMES = ("http", "https", "mailto")
"""The schemes of addresses that links may lead to, besides places in the documents."""


def check_links(ruleset: Ruleset) -> Iterator[Finding]:
    """Remarks on links that pages leave out, in the order of the documents; then on ids that two places have."""
    texts = {source.name: source.text for source in ruleset.documents}
    for number, mark in enumerate(ruleset.inline, start=1):
        if mark.kind is Inline.LINK and not may_be_followed(mark.address):
            words = plain_text(texts[mark.span.file][mark.span.start : mark.span.end])
            rule = Phrase("check-link", schemes=", ".join(SCHEMES))
            yield _remark(ruleset, CheckSubject(f"links/{number}", words, mark.span), FindingKind.LINK, rule)
    yield from _doubled_ids(ruleset)


def _doubled_ids(ruleset: Ruleset) -> Iterator[Finding]:
    """Remarks on ids that a second section or table has: links lead to the first."""
    first: dict[tuple[str, str], Span] = {}
    for number, (name, span) in enumerate(_ids(ruleset), start=1):
        if first.setdefault((span.file, name), span) != span:
            subject = CheckSubject(f"ids/{number}", Phrase("check-id", name=name), span)
            rule = Phrase("check-doubled-id", place=first[span.file, name])
            yield _remark(ruleset, subject, FindingKind.LINK, rule)


def _ids(ruleset: Ruleset) -> Iterator[tuple[str, Span]]:
    """The ids of sections and tables, each with its place."""
    for section in ruleset.sections:
        places = [(section.id, section.text[:1].span), *((grid.id, grid.span) for grid in section.grids)]
        yield from ((name, span) for name, span in places if name)


def may_be_followed(address: str) -> bool:
    """Whether a page may link to an address."""
    try:
        scheme = urlsplit(address.strip()).scheme.lower()
    except ValueError:
        return False
    return scheme in SCHEMES or (not scheme and not address.strip().startswith("//"))
