"""The program of a sheet as JSON data: fields, the shape of files, and the steps by which values are computed.

In: a Form. Out: data for templates/js/sheet, in which no rule of the game has to be looked up: each word that may be
chosen comes with the values that formulas read, each step with an expression and a format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from refgen.blocks.typesetting import typeset
from refgen.characters.character import Leaf, ListShape, RecordShape, Shape
from refgen.characters.expression import UNKNOWN, Expressions, JsonObject, NameChoices, named_data
from refgen.characters.filling import points_text
from refgen.characters.form import SUM, FieldStep, Form, TrackStep, summed_pattern
from refgen.characters.formula import FieldReader, SheetFormula, Values
from refgen.characters.sheet import Domain, Rule, slug
from refgen.errors import ResolverError
from refgen.notation.formula_tree import NameReference
from refgen.notation.levels import Ladder
from refgen.resolver.chains.track import Box
from refgen.resolver.formula.axis import level_of_number
from refgen.resolver.lookup import ladder_of

BEYOND = 20
"""The number of levels beyond each end of a ladder that have names; farther levels are left to refgen."""


def program_of(form: Form) -> JsonObject:
    """The program of a sheet."""
    making = _ProgramWriter(form)
    steps = [making.step(step) for step in form.steps]
    tracks = [making.track(track) for track in form.tracks]
    fields = {pattern: making.field(reader) for pattern, reader in form.readers.items()}
    return {
        "game": form.game.id,
        "title": form.sheet.title,
        "name": form.sheet.name_key,
        "shape": _shape_data(form.shape),
        "fields": fields,
        "domains": making.domains,
        "ladders": making.ladders,
        "steps": steps,
        "tracks": tracks,
    }


@dataclass
class _ProgramWriter:
    """Writes a program: data that several fields share is written once, in ``domains`` and ``ladders``."""

    form: Form
    domains: list[JsonObject] = field(default_factory=list)
    ladders: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _places: dict[Domain, int] = field(default_factory=dict)

    def field(self, reader: FieldReader) -> JsonObject:
        """The kind, label and choices of a field."""
        leaf, domain = reader.leaf, reader.leaf.field.domain
        data: JsonObject = {"kind": "boxes" if leaf.boxes else leaf.field.kind.value, "label": leaf.title}
        if leaf.boxes:
            data["boxes"] = leaf.boxes
        elif reader.part:
            data["keys"] = {word: f"{reader.part}.{slug(word)}" for word in leaf.field.choices}
        elif domain is not None:
            data["domain"] = self._domain(domain, reader)
        elif leaf.field.choices:
            data["words"] = list(leaf.field.choices)
        return data

    def _domain(self, domain: Domain, reader: FieldReader) -> int:
        """The index of a domain: its words, and the values that formulas read of each word, by the endings of names."""
        if domain not in self._places:
            self._places[domain] = len(self.domains)
            endings = [ending for ending in reader.endings if ending in self._needed_endings.get(domain, ())]
            values = {
                ending: {
                    word: named_data(named[ending], printed=(domain, ending) in self._printed_endings)
                    for word, named in reader.by_word.items()
                    if ending in named
                }
                for ending in endings
            }
            self.domains.append({"words": list(reader.leaf.field.choices), "values": values})
        return self._places[domain]

    @cached_property
    def _formulas(self) -> Sequence[SheetFormula]:
        tracks = (track.formula for track in self.form.tracks)
        return [*(step.formula for step in self.form.steps), *filter(None, tracks)]

    @cached_property
    def _choices(self) -> Mapping[str, tuple[FieldReader, NameChoices]]:
        """The reader and the possible values of each name whose value is chosen, by the key of the name."""
        return {
            name: (reader, NameChoices(pattern, ending, reader.by_word))
            for pattern, reader in self.form.readers.items()
            if reader.by_word
            for name, ending in ((pattern + ending, ending) for ending in reader.endings)
        }

    @cached_property
    def _needed_endings(self) -> Mapping[Domain, set[str]]:
        """The endings of names that formulas read of each domain, or that choices among fields read."""
        asked: dict[Domain, set[str]] = {}
        parts = {reader.part for reader in self.form.readers.values() if reader.part}
        keys = {key for formula in self._formulas for key in formula.keys}
        keys |= {summed_pattern(key) for key in keys if key.endswith(f".{SUM}")}
        keys |= {name for name in self._choices if name.partition(".")[0] in parts}
        for key in keys & self._choices.keys():
            reader, choices = self._choices[key]
            if reader.leaf.field.domain is not None:
                asked.setdefault(reader.leaf.field.domain, set()).add(choices.ending)
        return asked

    @cached_property
    def _printed_endings(self) -> set[tuple[Domain, str]]:
        """The endings of names whose values are shown as printed."""
        found = set()
        for step in self.form.steps:
            for key in step.formula.keys if _is_text(step) else ():
                reader, choices = self._choices.get(key, (None, None))
                if reader and choices and reader.leaf.field.domain:
                    found.add((reader.leaf.field.domain, choices.ending))
        return found

    def step(self, step: FieldStep) -> JsonObject:
        """A computed field: the names in its formula, the expression, and the format of the result."""
        entry = {
            key: named_data(step.entry[key], printed=_is_text(step)) for key in step.formula.keys if key in step.entry
        }
        return {
            "key": step.field.name,
            "list": step.list_id,
            "wants": _needed_values(step.formula),
            **({"totals": list(step.totals)} if step.totals else {}),
            **({"entry": entry} if entry else {}),
            **(self._text(step) if _is_text(step) else self._expressions(step.formula, step.entry).whole()),
            **(self._number_format(step.field.rule) if step.field.rule else {}),
            **_printed_places(step),
        }

    def _expressions(self, formula: SheetFormula, entry: Values | None = None) -> Expressions:
        """The expressions of a formula, whose names have chosen values, or the values of a table row (``entry``)."""
        choices = {name: NameChoices("", "", {"": {"": named}}) for name, named in (entry or {}).items()}
        keys = {mentioned.name: mentioned.key for mentioned in formula.mentioned}
        choices |= {name: self._choices[key][1] for name, key in keys.items() if key in self._choices}
        return Expressions(formula, choices)

    def _text(self, step: FieldStep) -> JsonObject:
        """The expression of a single name that is shown as printed: a choice, a value of a table row, or a fact."""
        parsed = step.formula.parsed
        if not isinstance(parsed, NameReference):
            return {"is": UNKNOWN}
        given = step.formula.formulas.names.given(parsed.name)
        if parsed.name not in step.formula.formulas.names.named and given is not None:
            return {"is": {"do": "fact", "is": named_data(given, printed=True)}}
        return {"is": {"do": "name", "name": parsed.name}}

    def _number_format(self, rule: Rule) -> JsonObject:
        """The format of a number."""
        data: JsonObject = {
            "show": rule.show,
            "places": rule.places,
            "rounding": rule.rounding.value,
            "unit": rule.unit,
        }
        if rule.show == "level":
            data["ladder"] = rule.ladder
            self.ladders.setdefault(rule.ladder, _level_names(self.form.game.ladders[rule.ladder]))
        return data

    def track(self, step: TrackStep) -> JsonObject:
        """A row of boxes: their number and the points that mark them, for all characters or by a level."""
        data: JsonObject = {"key": step.key, "label": step.label}
        if step.formula is not None:
            data |= {"wants": _needed_values(step.formula), **self._expressions(step.formula).whole()}
        if step.tracks is not None and step.formula is None:
            data["boxes"] = _boxes_data(step.tracks.base.boxes[step.place - 1])
        elif step.tracks is not None:
            data["by-level"] = dict(_boxes_by_level(step))
        return data


def _printed_places(step: FieldStep) -> JsonObject:
    """The decimals with which the document prints a percentage: by its value, or the name of what brings them along."""
    printed = step.formula.printed
    if step.field.rule is None or step.field.rule.show != "percent" or not printed:
        return {}
    if isinstance(printed, str):
        return {"printed-of": printed}
    return {"printed": {str(number): places for number, places in printed.items()}}


def _is_text(step: FieldStep) -> bool:
    return step.field.rule is not None and step.field.rule.show == "text"


def _needed_values(formula: SheetFormula) -> JsonObject:
    return {each.name: [each.key, each.in_row, each.optional] for each in formula.mentioned}


def _level_names(ladder: Ladder) -> Mapping[str, str]:
    numbers = range(ladder.lowest - BEYOND, ladder.highest + BEYOND + 1)
    return {str(number): typeset(level_of_number(ladder, number).name) for number in numbers}


def _boxes_data(box: Box) -> list[int | str]:
    return [box.count, "" if box.points is None else points_text(box.points)]


def _boxes_by_level(step: TrackStep) -> Iterator[tuple[str, list[int | str]]]:
    """The number of boxes and the points of each level, without levels that have no track."""
    if step.tracks is None:
        return
    for level in ladder_of(step.tracks.ruleset, step.tracks.by.ladder).levels:
        try:
            yield str(level.value), _boxes_data(step.tracks.numbered(level.value).boxes[step.place - 1])
        except ResolverError:
            continue


def _shape_data(shape: Shape) -> JsonObject:
    """The shape of files as nested objects, with the key of each leaf."""
    match shape:
        case Leaf():
            return {"leaf": shape.key}
        case RecordShape():
            entries = {name: _shape_data(entry) for name, entry in shape.entries.items()}
            return {"record": entries, **({"line": True} if shape.line else {})}
        case ListShape():
            return {"list": _shape_data(shape.entry), **({} if shape.most is None else {"most": shape.most})}
