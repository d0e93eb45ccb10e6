"""A sheet prepared for many characters: readers of its fields, and compiled formulas in the order of computation.

In: a game and its blank sheet. Out: a Form. Formulas know a field by its name, and by names behind its name that a row
of a table brings along ("force.size"). Raises AidError for an unknown name in a formula, and for fields that follow
from each other in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from refgen.characters.character import Leaf, RecordShape, leaves, shape_of
from refgen.characters.formula import (
    FieldReader,
    Formatter,
    KnownName,
    SheetFormula,
    Values,
    compile_formula,
    formatter,
)
from refgen.characters.sheet import NUMBER, CharacterSheet, Field, Rule, SheetPart, SheetRow
from refgen.errors import AidError, RefgenError
from refgen.game import GameModel
from refgen.resolver.chains.tracks import AllTracks, Tracks
from refgen.resolver.formula.axis import Axis, AxisSpec, read_axis

COUNT, SUM = "count", "sum"
"""The names by which formulas read a list: the number of its written lines, and the sum of a field of its lines."""


@dataclass(frozen=True, slots=True)
class FieldStep:
    """The computation of a field. ``list_id`` is the list of a field on its lines, "" for a field outside of lists.

    ``totals`` are the keys of the counts and sums of lists that the formula reads, ``entry`` the values of the table
    row that the row of the field stands for.
    """

    field: Field
    formula: SheetFormula
    show: Formatter
    list_id: str
    totals: Sequence[str]
    entry: Values
    part: SheetPart


@dataclass(frozen=True, slots=True)
class TrackStep:
    """The computation of the number of boxes in a row: by a kind of box (``place``) of a track, or by a formula.

    For a track that goes by a level, ``formula`` computes the level; it is None for a track that is the same for all.
    """

    key: str
    label: str
    formula: SheetFormula | None
    tracks: Tracks | None
    place: int


@contextmanager
def located_at(part: SheetPart) -> Iterator[None]:
    """Raise an error without a place again, with the place of a part."""
    try:
        yield
    except RefgenError as error:
        if error.span is not None:
            raise
        raise AidError(error.message, span=part.place, hint=error.hint) from error


def in_order_of_computation(steps: Sequence[FieldStep]) -> Sequence[FieldStep]:
    """The steps, each after all steps whose values its formula needs. Raises AidError for a circle."""
    by_key: dict[str, list[FieldStep]] = {}
    for step in steps:
        by_key.setdefault(step.field.name, []).append(step)
        if step.list_id:
            by_key.setdefault(f"{step.list_id}.{step.field.id}.{SUM}", []).append(step)
    after = {id(step): [other for key in step.formula.keys for other in by_key.get(key, [])] for step in steps}
    ordered: dict[int, FieldStep] = {}
    for step in steps:
        _add_in_order(step, after, ordered, ())
    return list(ordered.values())


def _add_in_order(
    step: FieldStep, after: Mapping[int, Sequence[FieldStep]], ordered: dict[int, FieldStep], above: tuple[int, ...]
) -> None:
    """Add a step after the steps that it depends on. Raises AidError for a circle."""
    if id(step) in ordered:
        return
    if id(step) in above:
        with located_at(step.part):
            raise AidError(f'"{step.field.label}" follows from itself', hint="Break the circle of formulas.")
    for other in after[id(step)]:
        _add_in_order(other, after, ordered, (*above, id(step)))
    ordered[id(step)] = step


def summed_pattern(key: str) -> str:
    """The pattern of the field that a sum adds up: "armies.#.force" for "armies.force.sum"."""
    list_id, _, field_id = key.removesuffix(f".{SUM}").rpartition(".")
    return f"{list_id}.{NUMBER}.{field_id}"


@dataclass(frozen=True, slots=True)
class KeyParts:
    """A key taken apart: its pattern, and for a field of a list the id of the list and the number of the line."""

    pattern: str
    list_id: str = ""
    number: int = 0


class Form:
    """A sheet prepared for many characters."""

    def __init__(self, game: GameModel, sheet: CharacterSheet) -> None:
        self.game = game
        self.sheet = sheet
        self.shape: RecordShape = shape_of(sheet)
        self.readers: Mapping[str, FieldReader] = {leaf.key: FieldReader.of(game, leaf) for leaf in leaves(self.shape)}
        self._most_parts = max((key.count(".") + 1 for key in self.readers), default=0)
        self._parts = [_as_pattern(part) for part in sheet.parts() if part.layout != "block" and _is_first(part)]
        self._global = {name: KnownName(name, dice=dice) for name, dice in self._names()}
        self.steps = in_order_of_computation(list(self._computed_steps()))
        self.tracks = list(self._track_steps())
        self.needed = self._needed_patterns()
        self._key_parts: dict[str, KeyParts] = {}

    def _needed_patterns(self) -> frozenset[str]:
        """The patterns of the fields that some formula reads; only the texts of other fields matter."""
        formulas = [step.formula for step in self.steps] + [track.formula for track in self.tracks if track.formula]
        keys = {key for formula in formulas for key in formula.keys}
        keys |= {summed_pattern(key) for key in keys if key.endswith(f".{SUM}")}
        parts = {reader.part for reader in self.readers.values() if reader.part}
        return frozenset(
            pattern
            for pattern, reader in self.readers.items()
            if pattern.partition(".")[0] in parts or any(name in keys for name, _ in reader.names(pattern))
        )

    def leaf(self, key: str) -> Leaf | None:
        """The leaf of a key, for a field of a list that of its pattern; None for an unknown key."""
        if NUMBER in key:
            return None
        reader = self.readers.get(self.key_parts(key).pattern)
        return reader.leaf if reader else None

    def key_parts(self, key: str) -> KeyParts:
        """A key taken apart, once for all characters."""
        if key not in self._key_parts:
            self._key_parts[key] = self._split(key)
        return self._key_parts[key]

    def _split(self, key: str) -> KeyParts:
        parts = key.split(".")
        for place, part in enumerate(parts if len(parts) <= self._most_parts else ()):
            pattern = ".".join([*parts[:place], NUMBER, *parts[place + 1 :]])
            if part.isdigit() and pattern in self.readers:
                return KeyParts(pattern, ".".join(parts[:place]), int(part))
        return KeyParts(key)

    def _names(self) -> Iterator[tuple[str, bool]]:
        """Every name that all formulas may mention, by its full key, and whether it stands for dice."""
        for part in self._parts:
            list_id = list_id_of(part)
            if part.layout == "tracks":
                yield from ((row.key, False) for row in part.rows)
                continue
            fields = [field for row in pattern_rows(part) for field in row.fields]
            if list_id:
                yield f"{list_id}.{COUNT}", False
                yield from ((f"{list_id}.{field.id}.{SUM}", False) for field in fields)
            else:
                for field in fields:
                    yield from self._names_of(field, field.name)

    def _names_of(self, field: Field, name: str) -> Iterable[tuple[str, bool]]:
        """The names of a field that is called ``name``."""
        reader = self.readers.get(field.name)
        return reader.names(name) if reader else [(name, False)]

    def _known_names(self, part: SheetPart, row: SheetRow, field: Field, axis: Axis | None) -> Mapping[str, KnownName]:
        """The names for the formula of a field: the names of all formulas, and the ids of the fields in its row."""
        known = dict(self._global)
        fields = row.fields if part.layout in ("rows", "lines") else [one for each in part.rows for one in each.fields]
        for other in fields:
            for name, dice in self._names_of(other, other.id) if other is not field else ():
                known[name] = KnownName(other.name + name.removeprefix(other.id), in_row=True, dice=dice)
        if axis is not None:
            known |= {name: KnownName(name, in_row=True, dice=dice) for name, dice in axis.names.items()}
        return known

    def _computed_steps(self) -> Iterator[FieldStep]:
        for part in self._parts:
            with located_at(part):
                axis = _table_rows(self.game, part)
                for row in pattern_rows(part):
                    for field in row.fields:
                        if field.rule is not None and field.rule.formula:
                            yield self._step(part, row, field, field.rule, axis)

    def _step(self, part: SheetPart, row: SheetRow, field: Field, rule: Rule, axis: Axis | None) -> FieldStep:
        known = self._known_names(part, row, field, axis)
        formula = compile_formula(self.game, rule, known, field.label)
        keys = [mentioned.key for mentioned in formula.mentioned if not mentioned.in_row]
        totals = [key for key in keys if key.rpartition(".")[2] in (COUNT, SUM)]
        entry = axis.entries[row.entry].named if axis is not None and row.entry is not None else {}
        return FieldStep(field, formula, formatter(self.game, rule), list_id_of(part), totals, entry, part)

    def _track_steps(self) -> Iterator[TrackStep]:
        all_tracks = AllTracks(self.game.ruleset)
        for part in self._parts:
            for row in part.rows:
                if (boxes := row.boxes) is not None:
                    tracks = all_tracks[boxes.track] if boxes.track else None
                    text = boxes.level or boxes.formula
                    with located_at(part):
                        formula = compile_formula(self.game, Rule(text), self._global, row.label) if text else None
                    yield TrackStep(row.key, row.label, formula, tracks, boxes.place)


def _is_first(part: SheetPart) -> bool:
    """Whether a part is the first of the parts that repeat, or does not repeat."""
    return part.id.partition(".")[2] in ("", "1")


def _as_pattern(part: SheetPart) -> SheetPart:
    """A part that repeats, with a pattern in the names of its fields in place of its number."""
    base, dot, _ = part.id.partition(".")
    if not dot:
        return part
    rows = [
        replace(row, fields=tuple(replace(field, name=f"{base}.{NUMBER}.{field.id}") for field in row.fields))
        for row in part.rows
    ]
    return replace(part, rows=tuple(rows))


def list_id_of(part: SheetPart) -> str:
    """The id of the list that a part is, or of the parts that repeat with it; "" for a single part."""
    base, dot, _ = part.id.partition(".")
    return base if dot or part.pattern is not None else ""


def pattern_rows(part: SheetPart) -> Sequence[SheetRow]:
    """The rows of a part; for a list, the pattern of its lines."""
    return [part.pattern] if part.pattern is not None else part.rows


def _table_rows(game: GameModel, part: SheetPart) -> Axis | None:
    """The rows of the table that the rows of a part stand for."""
    return read_axis(game.ruleset, AxisSpec(id=part.of.partition(".")[2], of=part.of)) if part.of else None
