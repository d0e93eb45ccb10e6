"""Stat blocks in paragraphs or lists, as tables: "Goblin 4 HP, 8 STR, spear (d6)", "Ogre: HD 4, AC 13, #AT 1".

In: a Document. Out: a Proposal for each section, or list, whose stat blocks stand one after another and have one
pattern: a name, values with a label each, and perhaps further words. A Proposal is kept only if its table, found as the
loader finds it, has exactly the cells of the stat blocks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from typing import Literal

from refgen.errors import RefgenError
from refgen.marks import DASHES
from refgen.proposals.draft import Proposal
from refgen.proposals.prose import escape_braces
from refgen.readers.document import Document, Section
from refgen.readers.grids import FoundTable
from refgen.rules.guess import ColumnGuess, guess_column, slug, unused_name
from refgen.rules.pattern import fold_text, value_pattern
from refgen.rules.schema import ColumnSpec, TableSpec
from refgen.rules.table_finder import find_table
from refgen.rules.toml import find_unprintable
from refgen.source import Passage, plain_text
from refgen.words import Words

FEWEST_BLOCKS, FEWEST_NAMED = 3, 2
FEWEST_STATS = 3
"""Fewer blocks, blocks with a mark behind the name, or values that all blocks have, are no pattern."""

MOST_SENTENCES = 4
LONGEST_NAME, MOST_WORDS = 40, 5
"""A name is no longer, in letters and in words."""

STEM = 3
"""So many letters do two forms of a word share: "1 броня", "2 брони"."""

_DICE = re.compile(r"\d*\D\d+(?:[-+]\d+)?")
_VALUE = rf"[-+{DASHES}±]?\d+(?:[.,/+{DASHES}-]\d+)*\+?%?(?!\w)|\d*[dDwWtTkKzZкК]\d+(?:[-+{DASHES}]\d+)?(?!\w)"
_LABEL = r"#?[^\W\d_][^\W\d_.'/&-]*(?: [^\W\d_]+)?"
_CAPITALS = r"#?(?!\w*[a-zа-яё])[^\W\d_]{1,4}(?!\w)"
"""A label in capitals, which may follow without a comma: "STR 8 DEX 12"."""

_VALUE_FIRST = re.compile(rf"(?P<value>{_VALUE}) ?(?P<label>{_LABEL})")
_LABEL_FIRST = re.compile(rf"(?P<label>{_LABEL}):? (?P<value>{_VALUE})")
_NAMED = (
    re.compile(rf"(?P<name>.*?[^\W\d_)])(?P<after>:|\.|,| [-{DASHES}])? (?P<value>{_VALUE}) ?(?P<label>{_LABEL})"),
    re.compile(rf"(?P<name>.*?[^\W\d_)])(?P<after>:|\.|,| [-{DASHES}]) (?P<label>{_LABEL}):? (?P<value>{_VALUE})"),
    re.compile(rf"(?P<name>.*?[^\W\d_)])(?P<after>) (?P<label>{_CAPITALS}):? (?P<value>{_VALUE})"),
)
"""The first value of a block, with the name of the block before it."""

_LAST = (
    re.compile(rf"(?P<value>{_VALUE}) ?(?P<label>{_LABEL})(?P<mark>\.(?: |\Z))"),
    re.compile(rf"(?P<label>{_LABEL}):? (?P<value>{_VALUE})(?P<mark>\.(?: |\Z))"),
    re.compile(rf"(?P<label>{_CAPITALS}):? (?P<value>{_VALUE})(?P<mark> )"),
)
"""The last value of a block: a full stop ends it, or further words follow a value that only blanks part from others."""

_BETWEEN = re.compile(rf"[,;] (?![^()]{{0,200}}\))|(?<=\d) (?={_CAPITALS}:? (?:{_VALUE}))")
"""A comma outside brackets, or the blank before a label in capitals, parts two values.

A bracket ends within 200 characters: without an end the search would go through the rest of the text at each comma.
"""

_Layout = Literal["paragraphs", "list"]


@dataclass(frozen=True, slots=True)
class StatValue:
    """A value of a stat block with its label; ``shape`` is both as printed, with {} in place of the value."""

    label: str
    value: str
    shape: str

    @classmethod
    def of(cls, match: re.Match[str], printed: str) -> StatValue:
        """The value and the label that a match found in the printed words, which start at its label or value."""
        start = match.start("value") - min(match.start("value"), match.start("label"))
        end = start + len(match["value"])
        return cls(match["label"], match["value"], f"{printed[:start]}{{}}{printed[end:]}")


@dataclass(frozen=True, slots=True)
class StatBlock:
    """A stat block: its text, the name and the mark after the name, and the values.

    ``between`` has the mark behind each value ("" at the end of the text), and ``rests`` the words behind the mark.
    """

    text: Passage
    name: str
    after: str
    values: Sequence[StatValue]
    between: Sequence[str]
    rests: Sequence[str]

    @property
    def more(self) -> str:
        """The words behind the values."""
        return self.rests[-1]

    def until(self, kept: Container[str]) -> StatBlock:
        """The block without the values at its end whose labels are not ``kept``: they are words behind the values."""
        count = max(number for number, value in enumerate(self.values, start=1) if value.label in kept)
        return replace(self, values=self.values[:count], between=self.between[:count], rests=self.rests[:count])

    def labelled(self, label: str) -> StatValue | None:
        """The value with a label; None where the block has none."""
        return next((value for value in self.values if value.label == label), None)


def find_stat_blocks(document: Document, ids: set[str], words: Words) -> Sequence[Proposal]:
    """The tables of stat blocks, in the order of the document. Their new ids are added to ``ids``."""
    return [proposal for section in document.sections for proposal in _proposals(document, section, ids, words)]


def _add_titles(spec: TableSpec, words: Words) -> TableSpec:
    """The table with titles in some words where the document has none: of the table, the names, and the rest."""
    said = {name: title for name in ("name", "more") if (title := words(name)) != name.capitalize()}
    columns = [column.model_copy(update={"title": column.title or said.get(column.id, "")}) for column in spec.columns]
    return spec.model_copy(update={"title": spec.title or words("stat-blocks"), "columns": columns})


def is_stat_block(text: Passage) -> bool:
    """Whether a text is a stat block: a name and labelled values."""
    return _block(text) is not None


def _proposals(document: Document, section: Section, ids: set[str], words: Words) -> Iterator[Proposal]:
    for layout, number, texts in _texts(document, section):
        blocks = _run(texts, layout)
        pattern = StatPattern.of(blocks) if blocks and not find_unprintable(section.title) else None
        if pattern is None:
            continue
        guesses = pattern.guesses
        spec = _add_titles(pattern.spec(section, layout, number, guesses), words)
        found = _find_table(document, spec)
        if found is not None and [[cell.text for cell in row] for row in found.rows] == pattern.rows:
            table_id = unused_name(slug(spec.title, "stat-blocks"), ids)
            ids.add(table_id)
            yield Proposal(table_id, spec, found, guesses)


def _texts(document: Document, section: Section) -> Iterator[tuple[_Layout, int | None, Sequence[Passage]]]:
    """The paragraphs and each list of a section; of a list, its number among the lists under the same heading."""
    namesakes = document.titled(section.title)
    if len(namesakes) == 1:
        yield "paragraphs", None, section.paragraphs
    lists = [block for other in namesakes for block in other.lists] if section.lists else []
    for number, block in enumerate(lists, start=1):
        if any(block is own for own in section.lists):
            yield "list", number, block.items


def _run(texts: Sequence[Passage], layout: _Layout) -> Sequence[StatBlock]:
    """The stat blocks among some texts, if they stand one after another; of a list, if all its items are blocks."""
    blocks = [_block(text) for text in texts]
    runs = [list(run) for is_block, run in groupby(blocks, key=lambda block: block is not None) if is_block]
    if len(runs) != 1 or (layout == "list" and len(runs[0]) < len(texts)):
        return []
    found = [block for block in runs[0] if block is not None]
    return found if len(found) >= (FEWEST_NAMED if all(block.after for block in found) else FEWEST_BLOCKS) else []


def _block(text: Passage) -> StatBlock | None:
    """The stat block of a text: a name and values, as far as they go; None without enough values."""
    printed = fold_text(plain_text(text.text))
    marks = list(_BETWEEN.finditer(printed))
    starts, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(printed)]
    pieces = [printed[start:end] for start, end in zip(starts, ends, strict=True)]
    named = next((match for pattern in _NAMED if (match := pattern.fullmatch(pieces[0]))), None)
    if named is None:
        return None
    name, after = named["name"], named["after"] or ""
    values = [StatValue.of(named, pieces[0][len(name) + len(after) + 1 :])]
    between, rests = [], []
    for piece, start, mark in zip(pieces[1:], starts[1:], marks, strict=True):
        between.append(mark[0])
        rests.append(printed[start:])
        if mark[0] != marks[0][0]:
            break
        if match := _VALUE_FIRST.fullmatch(piece) or _LABEL_FIRST.fullmatch(piece):
            values.append(StatValue.of(match, piece))
            continue
        if match := next((match for pattern in _LAST if (match := pattern.match(piece))), None):
            values.append(StatValue.of(match, match[0].removesuffix(match["mark"])))
            between.append(match["mark"])
            rests.append(printed[start + match.end() :])
        break
    if len(rests) < len(values):
        between.append("")
        rests.append("")
    is_name = len(name) <= LONGEST_NAME and len(name.split()) <= MOST_WORDS
    return StatBlock(text, name, after, values, between, rests) if is_name and len(values) >= FEWEST_STATS else None


@dataclass(frozen=True, slots=True)
class StatPattern:
    """The pattern of some stat blocks: their labels in order, each with the forms of its word, and who has which.

    ``always`` are the labels that every block has. ``after`` follows the name, ``between`` parts two values, and
    ``last`` stands behind the last value: before further words, if any block has some.
    """

    blocks: Sequence[StatBlock]
    labels: Sequence[Sequence[str]]
    always: frozenset[str]
    after: str
    between: str
    last: str

    @classmethod
    def of(cls, blocks: Sequence[StatBlock]) -> StatPattern | None:
        """The pattern of all blocks; None if they have several."""
        counts = Counter(label for block in blocks for label in {value.label for value in block.values})
        always = frozenset(label for label, count in counts.items() if count == len(blocks))
        if len(always) < FEWEST_STATS or 2 * sum(label != label.lower() for label in always) < len(always):
            return None
        dice = {value.label for block in blocks for value in block.values if _DICE.fullmatch(value.value)}
        kept = always | {label for label, count in counts.items() if count > 1 and label not in dice}
        blocks = [block.until(kept) for block in blocks]
        after = {block.after for block in blocks}
        between = {mark for block in blocks for mark in block.between[:-1]}
        has_more = any(block.more for block in blocks)
        last = {block.between[-1] for block in blocks if block.more or not has_more}
        if has_more and any(block.between[-1] for block in blocks if not block.more):
            return None  # a full stop, which words follow in other blocks
        orders = {tuple(value.label for value in block.values if value.label in always) for block in blocks}
        shapes = {(value.label, value.shape) for block in blocks for value in block.values}
        is_one = len(orders) == len(after) == len(between) == len(last) == 1
        if not is_one or len(shapes) > len({label for label, _ in shapes}):
            return None
        labels = _in_order(blocks, orders.pop())
        return cls(blocks, _with_forms(blocks, labels, always), always, after.pop(), between.pop(), last.pop())

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the columns: the name, the labels, and the words behind, where a block has some."""
        ids = ["name"]
        for forms in self.labels:
            ids.append(unused_name(slug(forms[0], "value"), [*ids, "more"]))
        return [*ids, *(["more"] if any(block.more for block in self.blocks) else [])]

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """The cells of each block."""
        rows = []
        for block in self.blocks:
            values = [
                next((value.value for form in forms if (value := block.labelled(form))), "") for forms in self.labels
            ]
            rows.append([block.name, *values, *([block.more] if self.ids[-1] == "more" else [])])
        return rows

    @property
    def guesses(self) -> Sequence[ColumnGuess]:
        """The guess at the notation of each column."""
        return [guess_column(column) for column in zip(*self.rows, strict=True)]

    def spec(self, section: Section, layout: _Layout, number: int | None, guesses: Sequence[ColumnGuess]) -> TableSpec:
        """The table of the blocks, as system.toml describes it."""
        titles = ["", *(forms[0] for forms in self.labels), ""]
        columns = [
            ColumnSpec(id=name, title=title, type=guess.notation)
            for name, title, guess in zip(self.ids, titles, guesses, strict=False)
        ]
        place = {"first": self.blocks[0].name, "last": self.blocks[-1].name} if layout == "paragraphs" else {}
        title = plain_text(section.title)
        return TableSpec(title=title, section=title, columns=columns, row=self.sentences, nth=number, **place)

    @property
    def sentences(self) -> list[str]:
        """A sentence for the rows; several where a label has several forms."""
        chosen = list(product(*self.labels))[:MOST_SENTENCES]
        return [self._sentence(forms) for forms in chosen]

    def _sentence(self, forms: Sequence[str]) -> str:
        shapes = {value.label: value.shape for block in self.blocks for value in block.values}
        text, is_first = f"{{name}}{self.after} ", True
        for name, form in zip(self.ids[1:], forms, strict=False):
            before, _, behind = shapes[form].partition("{}")
            value = f"{escape_braces(before)}{{{name}}}{escape_braces(behind)}"
            if form in self.always:
                text += value if is_first else f"{self.between}{value}"
                is_first = False
            else:
                text += f"[{value}{self.between}]" if is_first else f"[{self.between}{value}]"
        if self.ids[-1] != "more":
            return f"{text}{self.last}"
        more = f"{self.last}{{more}}"
        return text + (more if all(block.more for block in self.blocks) else f"[{more}]")


def _in_order(blocks: Sequence[StatBlock], always: Sequence[str]) -> Sequence[str]:
    """All labels: those that a block may lack stand after the label that they follow in the first block with them."""
    labels = list(always)
    for block in blocks:
        before = ""
        for value in block.values:
            if value.label not in labels:
                labels.insert(labels.index(before) + 1 if before else 0, value.label)
            before = value.label
    return labels


def _with_forms(blocks: Sequence[StatBlock], labels: Sequence[str], always: frozenset[str]) -> Sequence[Sequence[str]]:
    """The labels, those together that are forms of one word: begin alike, and stand in no block together."""
    found: list[list[str]] = []
    for label in labels:
        alike = next((forms for forms in found if _are_forms(blocks, forms[0], label, always)), None)
        if alike is None:
            found.append([label])
        else:
            alike.append(label)
    return found


def _are_forms(blocks: Sequence[StatBlock], one: str, two: str, always: frozenset[str]) -> bool:
    is_alike = one[:STEM].casefold() == two[:STEM].casefold() and min(len(one), len(two)) > STEM
    is_together = any(block.labelled(one) and block.labelled(two) for block in blocks)
    return is_alike and not is_together and always.isdisjoint((one, two))


def _find_table(document: Document, spec: TableSpec) -> FoundTable | None:
    """The table as the loader finds it; None where the loader would refuse."""
    types = {column.id: column.type for column in spec.columns}
    try:
        place = document.sections[0].text.span
        return find_table(document, spec, place, lambda name: value_pattern(types[name], {}))
    except RefgenError:
        return None
