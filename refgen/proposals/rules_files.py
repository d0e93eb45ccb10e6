"""The first system.toml and proof.toml of a game.

In: a Document. Out: ProposedRules, the head and the entries of both files; and verified rules, which load together with
the unchanged document: each entry that does not load is commented out, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from textwrap import shorten

from refgen.checks.documents import ABOUT
from refgen.errors import RefgenError, RulesError, each_error
from refgen.export.model import toml_string
from refgen.game import GameModel, SystemSpec
from refgen.languages import decimal_mark, guess_language
from refgen.limits import limits
from refgen.look.colours import token_colour
from refgen.notation.printed_cell import WITH_DECIMALS
from refgen.notation.printed_numbers import shown_by, undecided_positions
from refgen.proposals.chances import mechanic_entries
from refgen.proposals.draft import Entry, GameDraft, Proposal, toml_comment
from refgen.proposals.facts import fact_entries
from refgen.proposals.mechanics import find_mechanics
from refgen.proposals.printed_odds import odds_entries
from refgen.proposals.prose import sentences_of
from refgen.proposals.random_tables import random_tables, roll_entries, with_dice_as_heads
from refgen.proposals.stat_blocks import find_stat_blocks
from refgen.proposals.tables import find_tables, table_entries
from refgen.proposals.traits import TraitLists, find_traits
from refgen.readers.document import BINARY, Document, Format
from refgen.readers.markdown_words import FRONT_MATTER
from refgen.rules.load import rules_in
from refgen.rules.schema import IN_PROOF, DocumentSettings
from refgen.rules.spec_files import PROOF_NAME, SYSTEM_NAME, SpecFiles
from refgen.rules.toml import find_unprintable
from refgen.source import plain_text
from refgen.words import words_for

ACCENT = token_colour("accent-light")
SECTIONS = ("tables", "ladders", "facts", "rolls", "formulas", "tracks", "chains", "actions", "derived", "explorers")
"""The sections of a proposed system.toml, in their order."""

_ENDED = re.compile(r"[.!?][\"'”’)\]]*\Z")
"""The end of a whole sentence."""

_LETTERS_ABOUT = range(20, 160)
"""How long the sentence about a game may be."""

_TITLE_LINE = re.compile(r"^title:[ \t]+(?P<title>\S.*?)[ \t]*$", re.MULTILINE)
_TITLE_LETTERS = 60
"""A longer first line of a text is a sentence."""

_NOT_ABOUT = re.compile(r"https?:|licen[sc]|copyright|©|[(\[{]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ProposedRules:
    """The ``head`` of a system.toml, and the entries of a system.toml and of a proof.toml.

    ``traits`` are the attributes and skills that the document lists.
    """

    head: str
    entries: Sequence[Entry]
    traits: TraitLists

    @property
    def system(self) -> str:
        """The text of system.toml."""
        return "\n".join([self.head, *(entry.text() for entry in _in_order(self.entries))])

    @property
    def proof(self) -> str:
        """The text of proof.toml, "" where there is nothing to prove."""
        return "\n".join(_proof_texts(self.entries))


def propose_rules(document: Document, names: Sequence[str] = (), *, title: str = "") -> ProposedRules:
    """The rules of a game, read from ``document``, whose files system.toml calls by ``names``."""
    ids: set[str] = set()
    language = guess_language(" ".join(passage.text for section in document.sections for passage in section.paragraphs))
    style = DocumentSettings(language=language).style
    tables, blocks = find_tables(document, ids, style), find_stat_blocks(document, ids, words_for(language))
    taken = {table.found.span for table in blocks}
    tables = [*(table for table in tables if table.found.span not in taken), *blocks]
    draft = GameDraft(document, language, tables, ids)
    draft.tables = with_dice_as_heads(draft)
    files = names or [PurePath(document.source.name).name]
    head = "\n".join(_head_lines(draft, files, title or title_of(document)))
    return ProposedRules(head, list(_entries(draft)), find_traits(draft))


def _entries(draft: GameDraft) -> Iterator[Entry]:
    """The entries of both files."""
    yield from chain.from_iterable(map(table_entries, draft.tables))
    mechanics, rolled = find_mechanics(draft), list(random_tables(draft))
    yield from mechanic_entries(draft, mechanics)
    yield from fact_entries(draft, mechanics, rolled)
    yield from roll_entries(draft, rolled)
    yield from odds_entries(draft)
    if taken := list(draft.usable_tables()):
        counts = [f"{table.id} = {len(table.found.rows)}" for table in taken]
        yield Entry("[row_counts]", counts, ["How many rows each table has, so that a lost row is found."])


def _section(entry: Entry) -> str:
    return entry.heading.strip("[]").partition(".")[0]


def _in_order(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries of system.toml, section by section; without any table, a section that says so."""
    if not any(entry.certain and _section(entry) == "tables" for entry in entries):
        yield Entry("[tables]", [], ["No table of the document can be taken as it is: describe tables here."])
    for section in SECTIONS:
        yield from (entry for entry in entries if _section(entry) == section)


def _proof_texts(entries: Sequence[Entry]) -> Iterator[str]:
    """The texts of the entries of proof.toml, under a line that says what the file is for."""
    proofs = [entry for entry in entries if _section(entry) in IN_PROOF]
    if proofs:
        yield "# What the rules prove, and what proves them: see docs/proofs.md.\n"
        yield from (entry.text() for entry in proofs)


def title_of(document: Document) -> str:
    """The title of a document: that of its front matter, its first line or heading, or the name of its file."""
    headings = (
        plain_text(section.title).rstrip(":") for section in document.sections if not find_unprintable(section.title)
    )
    title = (
        _title_in_front_matter(document)
        or _first_line(document)
        or ("" if _has_many_titles(document) else next(filter(None, headings), ""))
    )
    return shorten(title, limits().title_letters, placeholder=" …") or PurePath(document.source.name).stem


def _title_in_front_matter(document: Document) -> str:
    """The title that the front matter of a Markdown document says; "" where it says none that can be shown."""
    front = FRONT_MATTER.match(document.text.text) if document.format is Format.MARKDOWN else None
    found = _TITLE_LINE.search(front[0]) if front else None
    title = plain_text(found["title"].strip("\"'")) if found else ""
    return "" if find_unprintable(title) else title


def _has_many_titles(document: Document) -> bool:
    """Whether the headings of a word processor's file are those of chapters: there are several of the first level."""
    levels = [section.level for section in document.sections if section.level]
    return document.format in BINARY and levels.count(min(levels, default=1)) > 1


def _first_line(document: Document) -> str:
    """The line above all headings of a text without markup, as a title; "" where it is a sentence."""
    if document.format not in {Format.PLAINTEXT, Format.FLATTENED, *BINARY} or document.sections[0].level:
        return ""
    line = plain_text(next(filter(str.strip, document.text.text.splitlines()), ""))
    is_title = len(line) <= _TITLE_LETTERS and line[-1:].isalnum() and not find_unprintable(line)
    return (line.title() if line.isupper() else line) if is_title else ""


def _head_lines(draft: GameDraft, names: Sequence[str], title: str) -> Iterator[str]:
    yield f"title = {toml_string(title)}"
    yield f"about = {toml_string(_first_sentence(draft.document))}  # one sentence for the site"
    yield from _document_lines(draft, names)
    yield f'accent = "{ACCENT}"  # the colour of its play aids'
    yield f"source = {toml_string(title)}  # at the foot of each page: who wrote it, when, under which licence"
    yield ""


def _first_sentence(document: Document) -> str:
    """The first sentence of a document that is no licence and no credit; without one, a sentence to be replaced."""
    for section in document.sections:
        for paragraph in section.paragraphs[:3]:
            for sentence in sentences_of(plain_text(paragraph.text).replace("\n", " ")):
                if _may_be_about(sentence):
                    return sentence
    return ABOUT


def _may_be_about(sentence: str) -> bool:
    """Whether a sentence is whole, of a usual length, and no licence or credit."""
    is_whole = _ENDED.search(sentence) is not None and not sentence[0].islower()
    is_other = _NOT_ABOUT.search(sentence) is not None or bool(find_unprintable(sentence))
    return is_whole and len(sentence) in _LETTERS_ABOUT and not is_other


def _document_lines(draft: GameDraft, names: Sequence[str]) -> Iterator[str]:
    """The names of the documents and how they write numbers, where the language or the tables tell."""
    settings = dict(_settings(draft))
    shown = ", ".join(f'{key} = "{value}"' for key, value in settings.items())
    if len(names) > 1:
        yield "documents = ["
        yield from (f"  {toml_string(name)}," for name in names)
        yield "]"
    if settings:
        file = "" if len(names) > 1 else f"file = {toml_string(names[0])}, "
        yield f"document = {{ {file}{shown} }}"
    elif len(names) == 1:
        yield f"document = {toml_string(names[0])}"
    if not settings and any(undecided_positions(column) for column in columns_with_decimals(draft.tables)):
        yield toml_comment('Is 1,250 more than a thousand? Then add numbers = "1.5" to document; else numbers = "1,5".')


def _settings(draft: GameDraft) -> Iterator[tuple[str, str]]:
    """The language, and the mark before decimals where the tables show another than that of the language."""
    if draft.language:
        yield "language", draft.language
    columns = list(columns_with_decimals(draft.tables))
    marks = {mark for column in columns if (mark := shown_by(column))}
    usual = decimal_mark(draft.language) if draft.language else ""
    is_needed = usual or marks == {"1,5"} or any(undecided_positions(column) for column in columns)
    if len(marks) == 1 and marks != {usual} and is_needed:
        yield "numbers", marks.pop()


def columns_with_decimals(tables: Sequence[Proposal]) -> Iterator[Sequence[str]]:
    """The printed texts of each column whose notation may have decimals."""
    for proposal in tables:
        for at, column in enumerate(proposal.spec.columns):
            if column.type in WITH_DECIMALS:
                yield proposal.texts(at)


def verified_rules(rules: ProposedRules, document: Document, folder: Path) -> tuple[ProposedRules, GameModel]:
    """The rules that load with the ``document``, and their game; both files are written into ``folder``.

    Raises RefgenError for an error that belongs to no entry.
    """
    while True:
        write_rules(rules, folder)
        game, errors = _try_game(document, folder)
        if game is not None and not errors:
            return rules, game
        rules = _without_failing(rules, errors)


def write_rules(rules: ProposedRules, folder: Path) -> None:
    """Write system.toml and proof.toml."""
    (folder / SYSTEM_NAME).write_text(rules.system, encoding="utf-8")
    if rules.proof:
        (folder / PROOF_NAME).write_text(rules.proof, encoding="utf-8")


def _try_game(document: Document, folder: Path) -> tuple[GameModel | None, Sequence[RefgenError]]:
    """The game in a folder, None if its files do not fit; and the errors of all its parts."""
    try:
        files = SpecFiles.read(folder)
        ruleset = rules_in(document, folder.name, files.load(SystemSpec), files, partial=True)
    except RefgenError as error:
        return None, each_error(error)
    game = GameModel(ruleset, folder)
    if ruleset.errors:
        return game, ruleset.errors
    return game, [*game.check().errors, *_errors_of(game.actions), *_errors_of(game.explorers)]


def _errors_of(parts: Mapping[str, object]) -> Iterator[RefgenError]:
    for name in parts:
        try:
            parts[name]
        except RefgenError as error:
            yield error


def _without_failing(rules: ProposedRules, errors: Sequence[RefgenError]) -> ProposedRules:
    """The rules with the entries of the errors commented out. Raises the errors if no entry has one."""
    failing: dict[int, str] = {}
    for error in errors:
        for at in _entries_at(rules, error):
            failing.setdefault(at, str(error) if rules.entries[at].place else error.message)
    for section in ("facts", "tables"):  # a sentence of a fact, or a table, finds something else in the document
        if not failing and errors:
            under_suspicion = (at for at, one in enumerate(rules.entries) if one.certain and _section(one) == section)
            failing = dict.fromkeys(under_suspicion, errors[0].message)
    if not failing:
        raise errors[0] if errors else RulesError("the proposed rules do not load")
    entries = list(rules.entries)
    for at, fault in failing.items():
        evidence = [*entries[at].evidence, f"It cannot be worked out: {fault}."]
        entries[at] = replace(entries[at], certain=False, evidence=evidence)
    return replace(rules, entries=list(map(partial(_with_counts_of, {*map(_table_id, entries)}), entries)))


def _entries_at(rules: ProposedRules, error: RefgenError) -> Sequence[int]:
    """The positions of the certain entries with an error: in their lines, or in the table that they describe."""
    if error.span is None:
        return ()
    certain = [(at, entry) for at, entry in enumerate(rules.entries) if entry.certain]
    text = {SYSTEM_NAME: rules.system, PROOF_NAME: rules.proof}.get(error.span.file.rpartition("/")[2])
    if text is None:
        return [at for at, entry in certain if entry.place and entry.place.holds(error.span)]
    heads = [line for line in text.splitlines()[: error.span.line] if line.startswith("[")]
    return [at for at, entry in certain if heads and entry.heading == heads[-1]][:1]


def _table_id(entry: Entry) -> str:
    """The id of the table that a certain entry describes; "" for any other entry."""
    section, _, name = entry.heading.strip("[]").partition(".")
    return name if entry.certain and section == "tables" else ""


def _with_counts_of(tables: Collection[str], entry: Entry) -> Entry:
    """The entry of the numbers of rows without the lines of tables that are left out; any other entry as it is."""
    if _section(entry) != "row_counts":
        return entry
    return replace(entry, lines=[line for line in entry.lines if line.partition(" = ")[0] in tables])
