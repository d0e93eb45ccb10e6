"""The values of the fields of a character's sheet, and the sheet with these values.

In: a Form and a Character. Out: FilledValues: the text of each field that is not blank, computed values exact and
rounded by the rule of their field; a computed field is blank if a value that it needs is missing. In: a blank
CharacterSheet and FilledValues. Out: the CharacterSheet with values, whose lists have as many lines as the character
needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from refgen.characters.character import Character, WrittenValue
from refgen.characters.form import COUNT, FieldStep, Form, KeyParts, TrackStep, summed_pattern
from refgen.characters.formula import FieldReader, Values, format_number, number_value
from refgen.characters.make_sheet import POINTS
from refgen.characters.sheet import NUMBER, TICKED, CharacterSheet, Field, FieldKind, SheetPart, SheetRow
from refgen.errors import AidError, RefgenError, ResolverError
from refgen.notation.values import Interval
from refgen.resolver.dice.arithmetic import Rational, simplify
from refgen.resolver.formula.scope import NamedValue
from refgen.rules.model import Cell


@dataclass(slots=True)
class FilledValues:
    """The values on the sheet of a character, by the names of its fields: ``texts``, and ``exact`` numbers.

    ``boxes`` is the number of boxes that each row of a track has for this character, by the key of the row; ``lines``
    is the number of the last written line of each list. ``faults`` say which values have no answer, and why.
    """

    character: Character
    texts: dict[str, str] = field(default_factory=dict)
    exact: dict[str, Fraction] = field(default_factory=dict)
    boxes: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    faults: list[RefgenError] = field(default_factory=list)


def fill(form: Form, character: Character) -> FilledValues:
    """Fill the sheet of a character."""
    filling = _SheetFiller(form, character)
    filling.write()
    for step in form.steps:
        filling.compute(step)
    for track in form.tracks:
        filling.mark(track)
    filling.filled.lines = {list_id: max(rows) for list_id, rows in filling.rows.items()}
    return filling.filled


class _SheetFiller:
    """Fills a sheet: ``values`` are by the keys of fields, ``rows`` by list, line number and pattern of the key."""

    def __init__(self, form: Form, character: Character) -> None:
        self.form = form
        self.filled = FilledValues(character)
        self.values: dict[str, NamedValue] = {}
        self.rows: dict[str, dict[int, dict[str, NamedValue]]] = {}

    def write(self) -> None:
        """Write the values of the character. A choice among fields has the value of a field, and is written last."""
        later: list[tuple[str, KeyParts, FieldReader, WrittenValue]] = []
        for key, written in self.filled.character.values.items():
            parts = self.form.key_parts(key)
            reader = self.form.readers.get(parts.pattern)
            if reader is None:
                self._fault(f'there is no field "{key}"')
            elif reader.part:
                later.append((key, parts, reader, written))
            else:
                self._write(key, parts, reader, written)
        for entry in later:
            self._write(*entry)

    def _write(self, key: str, parts: KeyParts, reader: FieldReader, written: WrittenValue) -> None:
        self._show(key, reader, written)
        known = self.rows.setdefault(parts.list_id, {}).setdefault(parts.number, {}) if parts.list_id else self.values
        if parts.pattern in self.form.needed:
            for ending, named in reader.values(written, self.values).items():
                known[parts.pattern + ending] = named

    def _show(self, key: str, reader: FieldReader, written: WrittenValue) -> None:
        leaf, texts = reader.leaf, self.filled.texts
        if isinstance(written, str):
            texts[key] = written
        elif leaf.boxes:
            for box in range(1, int(written) + 1):
                texts[f"{key}.{box}"] = TICKED
        elif leaf.field.kind is FieldKind.BOX:
            texts[key] = TICKED
        else:
            self.filled.exact[key] = Fraction(written)
            texts[key] = self.form.game.words.figure(_number_text(written, signed=leaf.field.signed))

    def compute(self, step: FieldStep) -> None:
        """Compute a field; a field of a list on each written line."""
        for key in step.totals:
            if key not in self.values:
                self.values[key] = number_value(self._total(key))
        if not step.list_id:
            row = {**step.entry, **self.values} if step.entry else self.values
            self._put_value(step, step.field.name, step.field.label, row, self.values)
            return
        for line, values in sorted(self.rows.get(step.list_id, {}).items()):
            name, label = (text.replace(NUMBER, str(line)) for text in (step.field.name, step.field.label))
            self._put_value(step, name, label, values, values)

    def _total(self, key: str) -> Rational:
        list_id, _, asked = key.rpartition(".")
        if asked == COUNT:
            return len(self.rows.get(list_id, {}))
        pattern = summed_pattern(key)
        found = (row.get(pattern) for row in self.rows.get(pattern.partition(f".{NUMBER}.")[0], {}).values())
        numbers = [Fraction(named.number) for named in found if named is not None and named.number is not None]
        return simplify(sum(numbers, Fraction(0)))

    def _put_value(self, step: FieldStep, name: str, label: str, row: Values, known: dict[str, NamedValue]) -> None:
        """Compute a field, write its text, and give its value to later formulas."""
        try:
            answer = step.formula.work_out(self.values, row)
        except ResolverError as error:
            self._fault(f'"{label}" has no answer: {error.message}')
            return
        if answer is None:
            return
        self.filled.texts[name] = text = step.show(answer)
        if isinstance(answer.value, str):
            known[step.field.name] = NamedValue(Cell(text), None)
        else:
            self.filled.exact[name] = Fraction(answer.value)
            known[step.field.name] = number_value(answer.value, answer.bound)

    def mark(self, step: TrackStep) -> None:
        """Write the number of boxes of a row of a track, and the points that mark the boxes."""
        try:
            answer = step.formula.work_out(self.values, {}) if step.formula else None
            level = answer.value if answer and isinstance(answer.value, int) else None
            if step.formula is None or level is not None:
                self._mark(step, level)
        except ResolverError as error:
            self._fault(f"{step.label}: {error.message}")

    def _mark(self, step: TrackStep, level: int | None) -> None:
        if step.tracks is None:
            count = level or 0
        else:
            track = step.tracks.base if level is None else step.tracks.numbered(level)
            box = track.boxes[step.place - 1]
            count = box.count
            if box.points is not None:
                self.filled.texts[f"{step.key}.{POINTS}"] = points_text(box.points)
        self.filled.boxes[step.key] = count
        ticked = self.filled.character.values.get(step.key, 0)
        if isinstance(ticked, int) and ticked > count:
            self._fault(f"{step.label} has {count} boxes, and {ticked} are ticked")

    def _fault(self, message: str) -> None:
        character = self.filled.character
        self.filled.faults.append(AidError(f"{character.name}: {message}", span=character.place))


def _number_text(written: int | Fraction, *, signed: bool) -> str:
    """A typed number, with a real minus."""
    if isinstance(written, int):
        return format_number(str(written), signed=signed)
    return f"{'−' if written < 0 else '+' if signed else ''}{abs(written)}"


def points_text(points: Interval) -> str:
    """The points that mark a box: "1–2", "9+"."""
    low, high = points.low, points.high
    if high is None:
        return f"{low}+"
    return f"{low}" if low == high else f"{low}–{high}"


def filled_sheet(sheet: CharacterSheet, filled: FilledValues) -> CharacterSheet:
    """The blank sheet with the values of a character in its fields."""
    pages = [replace(page, parts=tuple(_filled_part(part, filled) for part in page.parts)) for page in sheet.pages]
    return replace(sheet, pages=tuple(pages), character=filled.character.name)


def _filled_part(part: SheetPart, filled: FilledValues) -> SheetPart:
    if part.pattern is not None:
        part = part.with_lines(max(len(part.rows), filled.lines.get(part.id, 0)))
    return replace(part, rows=tuple(filled_row(row, filled) for row in part.rows))


def filled_row(row: SheetRow, filled: FilledValues) -> SheetRow:
    """A row with the values of its fields."""
    count = filled.boxes.get(row.key) if row.boxes is not None else None
    return replace(row, fields=tuple(_filled_field(field, filled, count) for field in row.fields))


def _filled_field(field: Field, filled: FilledValues, boxes: int | None) -> Field:
    """A field with its value; of the boxes of a track, those are absent that this character does not have."""
    value, exact = filled.texts.get(field.name, ""), filled.exact.get(field.name)
    if boxes is None or field.kind is not FieldKind.BOX:
        return replace(field, value=value, exact=exact)
    return replace(field, value=value, optional=False, absent=int(field.id) > boxes)
