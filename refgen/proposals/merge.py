"""A new proposal for a file that its author has changed: a three-way merge of TOML.

In: the last proposal, the file of the author, and the new proposal. Out: the merged file. The words of the author stay;
new entries come in; where both changed the same, the author's words stay in force, and the proposal stands under them
as comments between marks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import pairwise

from refgen.errors import RulesError
from refgen.proposals.toml_units import CLOSE_MARK, OPEN_MARK, TomlUnit, UnitKey, UnitKind, read_units
from refgen.rules.toml import parse_toml
from refgen.source import SourceFile

SIMILAR = 0.6
"""How much of an element of an array must be the same to be that element under another name."""


@dataclass(frozen=True, slots=True)
class MergedFile:
    """The text of a merged file, and the names of the entries under which a proposal stands marked."""

    text: str
    conflicts: tuple[str, ...] = ()


def merge(base: str, mine: str, theirs: str) -> MergedFile:
    """The file ``mine`` with what changed from the proposal ``base`` to the proposal ``theirs``.

    The result is valid TOML when all three are. Words of the author that were in ``base`` and are gone stay gone.
    """
    if mine == base:
        return _read_merged(theirs)
    if theirs in (base, mine):
        return _read_merged(mine)
    all_changes = _Merge()
    text = all_changes.text_of(base, mine, theirs)
    if not _is_toml(text) and all(map(_is_toml, (base, mine, theirs))):
        text = _with_changes_that_fit(all_changes.asked, base, mine, theirs)
    return _read_merged(text)


def _read_merged(text: str) -> MergedFile:
    return MergedFile(text, tuple(_names_of_marked(read_units(text).children, "")))


def _names_of_marked(units: Sequence[TomlUnit], owner: str) -> Iterator[str]:
    for unit in units:
        name = f"{owner} {unit.name}".strip()
        if unit.marks:
            yield name
        yield from _names_of_marked(unit.children, name)


def _with_changes_that_fit(changes: Sequence[tuple[UnitKey, ...]], base: str, mine: str, theirs: str) -> str:
    """The merged text with each change that leaves the file valid; other changes are marked."""
    fitting: set[tuple[UnitKey, ...]] = set()
    text = _Merge(fitting).text_of(base, mine, theirs)
    for change in dict.fromkeys(changes):
        tried = _Merge(fitting | {change}).text_of(base, mine, theirs)
        if _is_toml(tried):
            fitting.add(change)
            text = tried
    return text


def _is_toml(text: str) -> bool:
    try:
        parse_toml(SourceFile("", text))
    except RulesError:
        return False
    return True


@dataclass(slots=True)
class _Merge:
    """A merge that takes some changes of the proposal (None: all), each known by the keys that lead to its unit."""

    accepted: Collection[tuple[UnitKey, ...]] | None = None
    asked: list[tuple[UnitKey, ...]] = field(default_factory=list)

    def text_of(self, base: str, mine: str, theirs: str) -> str:
        """The merged text."""
        return self._table(read_units(base), read_units(mine), read_units(theirs), ()).render()

    def _takes_unit(self, place: tuple[UnitKey, ...]) -> bool:
        self.asked.append(place)
        return self.accepted is None or place in self.accepted

    def _table(self, base: TomlUnit | None, mine: TomlUnit, theirs: TomlUnit, place: tuple[UnitKey, ...]) -> TomlUnit:
        """A table of which both have an own version: its heading, its statements and the tables within it."""
        known = base or TomlUnit(UnitKind.TABLE)
        head = self._leaf(known.text, mine, theirs.text, place)
        return replace(
            head,
            statements=self._units(known.statements, mine.statements, theirs.statements, place),
            tables=self._units(known.tables, mine.tables, theirs.tables, place),
        )

    def _units(
        self, base: Sequence[TomlUnit], mine: Sequence[TomlUnit], theirs: Sequence[TomlUnit], place: tuple[UnitKey, ...]
    ) -> tuple[TomlUnit, ...]:
        """The units that stay, come in, or are merged; in the author's order where the author changed the order."""
        before = {unit.key: unit for unit in base}
        mine, theirs = (_named_as_in(base, units) for units in (mine, theirs))
        proposed = {unit.key: unit for unit in theirs}
        merged = {}
        for unit in mine:
            known, new = before.get(unit.key), proposed.get(unit.key)
            if new is not None:
                merged[unit.key] = self._unit(known, unit, new, (*place, unit.key))
            elif known is None or known.content != unit.content or not self._takes_unit((*place, unit.key)):
                merged[unit.key] = unit if known is None else unit.without_marks()
        present = {unit.key for unit in mine}
        for unit in theirs:
            if unit.key not in present and unit.key not in before:
                merged[unit.key] = unit if self._takes_unit((*place, unit.key)) else _only_marked(unit)
        return tuple(_in_order(merged, base, mine, theirs))

    def _unit(self, base: TomlUnit | None, mine: TomlUnit, theirs: TomlUnit, place: tuple[UnitKey, ...]) -> TomlUnit:
        """A unit that the author and the proposal both have."""
        if base is not None and theirs.content == base.content:
            return mine
        if theirs.content == mine.content:
            return mine.without_marks()
        if base is not None and mine.content == base.content and self._takes_unit(place):
            return replace(theirs, key=mine.key, gap=mine.gap)
        if mine.kind is theirs.kind is UnitKind.TABLE:
            return self._table(base if base and base.kind is UnitKind.TABLE else None, mine, theirs, place)
        if mine.kind is theirs.kind:
            return self._leaf(base.content if base else "", mine, theirs.content, place)
        return replace(mine.without_marks(), marks=_mark_proposal(theirs.content))

    def _leaf(self, base: str, mine: TomlUnit, theirs: str, place: tuple[UnitKey, ...]) -> TomlUnit:
        """A unit with lines that are merged, or marked where the author and the proposal changed the same lines."""
        if theirs == base:
            return mine
        if theirs == mine.text:
            return replace(mine, marks="")
        merged = merged_lines(base, mine.text, theirs)
        if merged is not None and _is_toml(merged) and self._takes_unit((*place, ("lines",))):
            return replace(mine, text=merged, marks="")
        return replace(mine, marks=_mark_proposal(theirs))


def _mark_proposal(text: str) -> str:
    """A proposal as comments between marks."""
    return OPEN_MARK + "".join(f"# {line}\n" for line in text.removesuffix("\n").split("\n")) + CLOSE_MARK


def _only_marked(unit: TomlUnit) -> TomlUnit:
    """A new unit that is proposed, and not in force, because the file would not be valid with it."""
    return TomlUnit(UnitKind.COMMENT, key=unit.key, text=_mark_proposal(unit.content))


def _in_order(
    merged: Mapping[UnitKey, TomlUnit], base: Sequence[TomlUnit], mine: Sequence[TomlUnit], theirs: Sequence[TomlUnit]
) -> Sequence[TomlUnit]:
    """The merged units in the order of the proposal, or in that of the author where the author changed the order."""
    before = [unit.key for unit in base]
    own = [unit.key for unit in mine if unit.key in before]
    is_reordered = own != [key for key in before if key in own]
    first, second = (mine, theirs) if is_reordered else (theirs, mine)
    units = [merged[unit.key] for unit in first if unit.key in merged]
    placed = {unit.key for unit in units}
    for number, unit in enumerate(second):
        if unit.key in merged and unit.key not in placed:
            units.insert(_place_of_new(units, second, number), merged[unit.key])
    return _space_units(units, {*pairwise(unit.key for unit in mine), *pairwise(unit.key for unit in theirs)})


def _space_units(units: Sequence[TomlUnit], neighbours: Collection[tuple[UnitKey, UnitKey]]) -> Sequence[TomlUnit]:
    """The units, with a blank line above tables, and under comments, that have a new neighbour."""
    parted = list(units[:1])
    for above, unit in pairwise(units):
        kinds = (UnitKind.STATEMENT, UnitKind.STATEMENT)
        is_new = (above.key, unit.key) not in neighbours and (above.kind, unit.kind) != kinds
        parted.append(replace(unit, gap=unit.gap or "\n") if is_new else unit)
    return parted


def _place_of_new(units: Sequence[TomlUnit], file: Sequence[TomlUnit], number: int) -> int:
    """The place of a new unit: after the nearest unit before it in its file that is there, else before the next.

    A comment that stands alone is no neighbour, because the same words may stand elsewhere; and elements of an array
    stay in their order.
    """
    unit = file[number]
    places = {other.key: place for place, other in enumerate(units) if other.kind is not UnitKind.COMMENT}
    before = [places[other.key] + 1 for other in reversed(file[:number]) if other.key in places]
    after = (places[other.key] for other in file[number + 1 :] if other.key in places)
    elements = [other for other in file[:number] if unit.is_array and other.path == unit.path]
    earlier = [places[other.key] + 1 for other in elements if other.key in places]
    return max([before[0] if before else next(after, len(units) if number else 0), *earlier])


def _named_as_in(base: Sequence[TomlUnit], units: Sequence[TomlUnit]) -> Sequence[TomlUnit]:
    """The units, in which elements of arrays that got another name have the keys that they have in the base."""
    known, keys = {unit.key for unit in base}, {unit.key for unit in units}
    free = [unit for unit in base if unit.is_array and unit.key not in keys]
    named = []
    for unit in units:
        likely = [other for other in free if unit.key not in known and unit.is_array and other.path == unit.path]
        best = max(likely, key=lambda other: _likeness(other, unit), default=None)
        if best is not None and _likeness(best, unit) >= SIMILAR:
            free.remove(best)
            unit = replace(unit, key=best.key)
        named.append(unit)
    return named


def _likeness(one: TomlUnit, other: TomlUnit) -> float:
    return SequenceMatcher(None, one.content.split("\n"), other.content.split("\n"), autojunk=False).ratio()


def merged_lines(base: str, mine: str, theirs: str) -> str | None:
    """The lines of a text with the changes of both sides; None where both changed the same lines."""
    lines = base.splitlines(keepends=True)
    own, new = (_changes(lines, text.splitlines(keepends=True)) for text in (mine, theirs))
    new = [change for change in new if change not in own]
    if any(_touch(one, other) for one in own for other in new):
        return None
    for start, end, changed in sorted([*own, *new], reverse=True):
        lines[start:end] = changed
    return "".join(lines)


def _changes(base: Sequence[str], text: Sequence[str]) -> Sequence[tuple[int, int, list[str]]]:
    """The runs of lines of the base that a text replaces: first line, end, and the new lines."""
    matcher = SequenceMatcher(None, base, text, autojunk=False)
    return [
        (start, end, list(text[low:high])) for tag, start, end, low, high in matcher.get_opcodes() if tag != "equal"
    ]


def _touch(one: tuple[int, int, list[str]], other: tuple[int, int, list[str]]) -> bool:
    """Whether two changes have lines in common, or both add lines at one place."""
    is_same_place = one[0] == one[1] == other[0] == other[1]
    return is_same_place or (one[0] < other[1] and other[0] < one[1])
