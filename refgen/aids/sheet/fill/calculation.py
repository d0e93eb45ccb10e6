"""Computed fields that calculate, in viewers that run the scripts of a PDF.

In: the program of a sheet (refgen/characters/program). Out: the scripts of a document, and the order in which viewers
calculate its fields (ISO 32000-1, 12.6.4.16 and 12.7.2). The scripts are those of the form for browsers, and one that
connects them to the viewer, so numbers are as exact as in a browser. A viewer without ECMAScript 2021 does nothing, and
the fields keep their values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.sheet.fill.fields import FieldBox
from refgen.bundle import bundled
from refgen.characters.filling import Filled
from refgen.characters.form import Form
from refgen.characters.sheet import AGAIN, NUMBER, FieldKind

SCRIPTS = (
    *("js/formula/rational.js", "js/formula/evaluate.js", "js/sheet/filling.js", "js/sheet/values.js"),
    "pdf/calculation.js",
)
"""The scripts, in templates, each after the scripts that it depends on."""

ACTION = 'if (typeof refgenSheet !== "undefined") refgenSheet.calculate(this, event, refgenBeyond);'
"""The script that each computed field runs."""

_UNPLACED = "var refgenBeyond = %s;"
NOTHING_UNPLACED = _UNPLACED % "{}"

_LINE = re.compile(r"\.\d+(?=\.[^.]*$)")
"""The number of a line in the name of a field."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """How the computed fields of a sheet are calculated: its ``program`` as JSON, and the field names (``patterns``).

    Each pattern comes after the patterns that it follows from.
    """

    program: str
    patterns: tuple[str, ...]

    @classmethod
    def of(cls, form: Form) -> Calculation:
        """The calculation of a form."""
        from refgen.characters.program import program_of

        patterns = dict.fromkeys(step.field.name for step in form.steps)
        return cls(json.dumps(program_of(form), separators=(",", ":")), tuple(patterns))

    def order(self, boxes: Iterable[FieldBox]) -> Sequence[str]:
        """The computed fields of a sheet, in the order of calculation; points of tracks come last."""
        places = {pattern: place for place, pattern in enumerate(self.patterns)}
        computed = [box.name for box in boxes if box.field.kind is FieldKind.COMPUTED]
        return sorted(computed, key=lambda name: places.get(_pattern(name, places), len(places)))

    def script(self, boxes: Sequence[FieldBox], optional: frozenset[str]) -> bytes:
        """The script of a document with these fields. ``optional`` boxes are those that not every character has.

        The script is plain ASCII, which every viewer reads alike.
        """
        sources = [(bundled("templates") / name).read_text(encoding="utf-8") for name in SCRIPTS]
        rows: dict[str, list[str]] = {}
        for box in boxes:
            if box.name in optional:
                rows.setdefault(box.name.rpartition(".")[0], []).append(box.name)
        fields = {
            "written": [
                box.name for box in boxes if box.field.kind is not FieldKind.COMPUTED and AGAIN not in box.name
            ],
            "first": next(iter(self.order(boxes)), ""),
            "rows": rows,
        }
        made = f"return new Calculation({self.program}, {json.dumps(fields)});"
        text = "\n".join(["var refgenSheet = (function () {", *sources, made, "})();"])
        return text.encode("ascii", "backslashreplace")


def unplaced_script(filled: Filled, keys: Iterable[str]) -> str:
    """The script with the values for which a sheet had no room, by their keys: computed fields depend on them too."""
    values = filled.character.values
    return _UNPLACED % json.dumps({key: str(values[key]) for key in keys if key in values})


def _pattern(name: str, known: Mapping[str, int]) -> str:
    """The pattern of a field: "skills.#.odds" for "skills.3.odds"."""
    return name if name in known else _LINE.sub(f".{NUMBER}", name)
