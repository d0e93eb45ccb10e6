"""Sheets that compute their values: a form for browsers, and scripts for the computed fields of a PDF.

In: a blank sheet and its program (characters/program.py). Out: a SheetForm, independent of paper: the parts side by
side on a wide screen, the widths of their fields, and the HTML. In: the Form of a sheet. Out: a Calculation: the
scripts by which viewers of a PDF calculate its computed fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from pikepdf import Array, Dictionary, Name, String

from refgen.aids.sheet.fields import FieldBox
from refgen.aids.sheet.parts import TEXT_LEAST, rows_of
from refgen.characters.form import Form
from refgen.characters.sheet import AGAIN, NUMBER, CharacterSheet, FieldKind, SheetPart
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.templates import aid_html

FORM_SCRIPTS = (
    *("words", "formula/rational", "formula/evaluate", "sheet/filling", "sheet/values", "sheet/toml"),
    *("sheet/character", "sheet/store", "sheet/fields", "sheet/page"),
)
"""The scripts of a form, in templates/js, each after the scripts that it depends on."""

COLUMN, HEAD, LINE, LOOSER = 36.0, 4.4, 2.5, 1.3
"""In em on a desktop: the width of one of two columns, the height of a part's title with its margins, the height of a
line to fill in, and the factor by which tables are looser than on paper.
"""

SIZE = 16.0
"""The type size in points in which tables are measured: large enough that their notes keep their proportion."""

AREA_LINES = 3.2
"""The height of an area to write in, in lines."""

ROOM = {FieldKind.CHOICE: 1.0, FieldKind.NUMBER: 0.9, FieldKind.COMPUTED: 0.8}
"""The width that a field of a form needs besides its words, in em."""

SHARE = 12.0
"""The flexible share (fr) of a field for words; the share of other fields is their width in em."""

GAP = 0.5
"""Ems between two fields."""

STACKED_BELOW = (22, 35, 48)
"""Widths in em below which a line becomes a block of fields; the style sheets know only these widths."""

MOST_BESIDE = 2
"""The number of fields that stand side by side even on the smallest phone."""


@dataclass(frozen=True, slots=True)
class FormPart:
    """A part of a form: ``columns`` are the least widths and the shares of the fields of a line, in CSS.

    Lines become blocks where the part is narrower than ``stacked`` em; 0 for never.
    """

    part: SheetPart
    columns: tuple[tuple[str, str], ...] = ()
    stacked: int = 0


@dataclass(frozen=True, slots=True)
class SheetForm:
    """A form: bands of columns of parts, and its ``program`` as JSON that is safe inside a page."""

    sheet: CharacterSheet
    bands: tuple[tuple[tuple[FormPart, ...], ...], ...]
    program: str
    scripts: tuple[str, ...] = FORM_SCRIPTS


def make_form(sheet: CharacterSheet, program: object) -> SheetForm:
    """The form of a sheet."""
    bands = tuple(band for page in sheet.pages for band in _bands(page.parts))
    return SheetForm(sheet, bands, _embedded_json(program))


def _embedded_json(program: object) -> str:
    """Data as JSON, with the characters escaped that would end a script element or are special in XML."""
    text = json.dumps(program, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def _bands(parts: Sequence[SheetPart]) -> Iterator[tuple[tuple[FormPart, ...], ...]]:
    """The parts of a page in bands: full-width parts alone, the parts between them in two columns."""
    narrow: list[SheetPart] = []
    for part in parts:
        if part.wide:
            if narrow:
                yield _columns(narrow)
                narrow = []
            yield ((_form_part(part),),)
        else:
            narrow.append(part)
    if narrow:
        yield _columns(narrow)


def _columns(parts: Sequence[SheetPart]) -> tuple[tuple[FormPart, ...], ...]:
    """Two columns of about the same height, in reading order; one column for a single part."""
    ends = [*accumulate(_part_height(part) for part in parts)]
    first = min(range(1, len(parts) + 1), key=lambda count: max(ends[count - 1], ends[-1] - ends[count - 1]))
    columns = (parts[:first], parts[first:])
    return tuple(tuple(map(_form_part, column)) for column in columns if column)


def _part_height(part: SheetPart) -> float:
    """The approximate height of a part in em on a desktop, with the button `Add a line` as a line."""
    if part.block is not None:
        return HEAD + LOOSER * part.block.measure().height(COLUMN * SIZE, SIZE) / SIZE
    lines = AREA_LINES if part.layout == "area" else len(part.rows) + part.has_heads + part.stretches
    return HEAD + LINE * lines


def _form_part(part: SheetPart) -> FormPart:
    if part.layout not in ("lines", "rows"):
        return FormPart(part)
    rows = rows_of(part)
    least = [
        TEXT_LEAST if width is None else width + ROOM.get(field.kind, 0.0)
        for width, field in zip(rows.fields, part.rows[0].fields, strict=True)
    ]
    shares = [SHARE if width is None else width for width in rows.fields]
    columns = tuple((f"{length:g}em", f"{share:g}fr") for length, share in zip(least, shares, strict=True))
    needed = sum(least) + max(rows.labels, default=0.0) + len(least) * GAP
    return FormPart(part, columns, _stacking_width(needed, len(least)))


def _stacking_width(needed: float, fields: int) -> int:
    """The width in em below which a line becomes a block of fields; 0 for never."""
    if fields <= MOST_BESIDE:
        return 0
    return min((width for width in STACKED_BELOW if width >= needed), default=STACKED_BELOW[-1])


TEXTS = ("sheet-", "formula-")
"""How the ids of the texts begin that the scripts show."""

PDF_SCRIPTS = (
    *("js/words.js", "js/formula/rational.js", "js/formula/evaluate.js", "js/sheet/filling.js", "js/sheet/values.js"),
    "pdf/calculation.js",
)
"""The scripts, in templates, each after the scripts that it depends on."""

ACTION = 'if (typeof refgenSheet !== "undefined") refgenSheet.calculate(this, event, refgenBeyond);'
"""The script that each computed field runs."""

_UNPLACED_SCRIPT = "var refgenBeyond = %s;"
_UNPLACED, _SCRIPT = "1", "2"
"""The names of the two scripts of a document, which viewers run in the order of their names; the first has the values
for which a sheet has no room.
"""

_LINE = re.compile(r"\.\d+(?=\.[^.]*$)")
"""The number of a line in the name of a field."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """The calculation of computed fields: the ``program`` of the sheet as JSON, and the ``patterns`` of field names.

    A pattern comes after the patterns of the fields that its formula needs. ``words`` is the data of words.js, as JSON.
    """

    program: str
    patterns: tuple[str, ...]
    words: str

    @classmethod
    def of(cls, form: Form) -> Calculation:
        """The calculation of a form."""
        from refgen.characters.program import program_of

        patterns = dict.fromkeys(step.field.name for step in form.steps)
        words = json.dumps(form.game.words.for_scripts(*TEXTS), separators=(",", ":"))
        return cls(json.dumps(program_of(form), separators=(",", ":")), tuple(patterns), words)

    def order(self, boxes: Iterable[FieldBox]) -> Sequence[str]:
        """The computed fields of a sheet, in the order of calculation; points of tracks come last."""
        places = {pattern: place for place, pattern in enumerate(self.patterns)}
        computed = [box.name for box in boxes if box.field.kind is FieldKind.COMPUTED]
        return sorted(computed, key=lambda name: places.get(_pattern(name, places), len(places)))

    def script(self, boxes: Sequence[FieldBox], optional: frozenset[str]) -> bytes:
        """The script of a document with these fields, in ASCII; not every character has the ``optional`` boxes."""
        sources = [(bundled_folder("templates") / name).read_text(encoding="utf-8") for name in PDF_SCRIPTS]
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
        made = f"Words.load({self.words}); return new Calculation({self.program}, {json.dumps(fields)});"
        text = "\n".join(["var refgenSheet = (function () {", *sources, made, "})();"])
        return text.encode("ascii", "backslashreplace")

    def add_to(self, pdf: Any, fields: Mapping[str, Any], boxes: Sequence[FieldBox], optional: frozenset[str]) -> None:
        """Add the scripts to a pikepdf PDF, and to its computed ``fields`` the actions that run the scripts."""

        def action(script: Any) -> Any:
            return pdf.make_indirect(Dictionary(S=Name.JavaScript, JS=script))

        scripts = {_UNPLACED: String(_UNPLACED_SCRIPT % "{}"), _SCRIPT: pdf.make_stream(self.script(boxes, optional))}
        actions = [(String(name), action(script)) for name, script in scripts.items()]
        pdf.Root.Names.JavaScript = Dictionary(Names=Array([part for pair in actions for part in pair]))
        calculate = pdf.make_indirect(Dictionary(C=action(String(ACTION))))
        order = [fields[name] for name in self.order(boxes)]
        for field in order:
            field.AA = calculate
        pdf.Root.AcroForm.CO = Array(order)

    @staticmethod
    def unplaced_script(values: Mapping[str, str]) -> str:
        """The script with the values for which a sheet has no room: computed fields depend on these values too."""
        return _UNPLACED_SCRIPT % json.dumps(values)


def _pattern(name: str, known: Mapping[str, int]) -> str:
    """The pattern of a field: "skills.#.odds" for "skills.3.odds"."""
    return name if name in known else _LINE.sub(f".{NUMBER}", name)


def form_html(system: SystemInfo, form: SheetForm) -> str:
    """A character sheet to be filled in with a browser, whatever the paper."""
    return aid_html("sheet/form.html", system, form=form, script_words=system.words.for_scripts(*TEXTS, "theme-"))
