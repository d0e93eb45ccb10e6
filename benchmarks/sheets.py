"""Filling two-page sheets with 60 fields (goals: 1,000 a second; 4 times Typst, 300 times WeasyPrint).

Typst gets the values of all characters, worked out, and one document with a loop over them. It sets the whole sheet by
itself: the same parts in the same columns, each field on its line, the charts and notes; that is what one would write
who has only Typst. Then it sets values over the blank pages that refgen made, each in its field and smaller where it is
too long, which no one could do without them. Neither tags fields with what they are.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import refgen
from benchmarks.measure import BIN
from benchmarks.measure import run as measure
from refgen.aids.sheet.character_book import CharacterBook
from refgen.aids.sheet.drawing import Placing
from refgen.aids.sheet.template import SheetTemplate, lay_out_sheet
from refgen.blocks.table_block import TableBlock
from refgen.characters.filling import FilledValues, fill
from refgen.characters.sheet import FieldKind, SheetPart
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat

GAME = "atari-isev"
TIMES = 3
SOME = 300
MANY = 100_000

_LIMIT = ("--limit", f"file-bytes={10**9}")
"""A spreadsheet of so many rows is larger than files are by default."""


def run(times: int = TIMES, some: int = SOME, many: int = MANY) -> Iterator[str]:
    """All in one process, in turns, in processor time; then a spreadsheet as a whole process, with its memory."""
    game = refgen.load(bundled_folder("content") / GAME)
    template = SheetTemplate.of(SystemInfo.of(game), game.sheet(), PageFormat())
    counts = [len(game.fill(character).texts) for character in game.characters.values()]
    yield f"{len(template.pages.pages)} pages, {len(template.boxes)} fields, {min(counts)} to {max(counts)} filled"
    ways = _Ways(game, template, [fill(game.form, each) for each in _characters(game, some)])
    ways.stamped(1), ways.editable(1)  # what is made once for all characters
    data = {"pages": _pages(template), "party": [_values(ways.place(each)) for each in ways.filled]}
    measured: dict[str, tuple[Callable[[int], bytes], int]] = {
        "flattened into one PDF": (ways.stamped, 3 * some),
        "the same of values that are known": (ways.stamped_values, some),
        "editable, a file each": (ways.editable, some),
        "Typst, the whole sheet": (lambda _: _typst(_TYPST, data, template), some),
        "Typst, over blank pages of refgen's": (lambda _: _typst(_TYPST_STAMPED, data, template), some),
        "WeasyPrint, each": (ways.laid_out, 3),
    }
    rates = dict.fromkeys(measured, 0.0)
    for _ in range(times):
        for name, (make, count) in measured.items():
            rates[name] = max(rates[name], _rate(make, count))
    ours, known, *_ = rates.values()
    for name, rate in rates.items():
        ratio = (
            f"; flattened is {ours / rate:.1f} x, of known values {known / rate:.1f} x"
            if rate not in (ours, known)
            else ""
        )
        yield f"{name:<36} {rate:8.1f} a second a core{ratio}"
    more, first = len(ways.stamped(1001)) - len(ways.stamped(1)), len(ways.stamped(1))
    yield f"in one PDF: the first {first / 1e3:.0f} kB, each more {more / 1e6:.2f} kB"
    yield f"a file with fields: {len(ways.editable(1)) / 1e3:.0f} kB"
    yield _spreadsheet(game, many)


@dataclass(frozen=True)
class _Ways:
    """The ways to make so many sheets; of SOME characters it is known what stands on theirs."""

    game: refgen.Game
    template: SheetTemplate
    filled: Sequence[FilledValues]

    def place(self, filled: FilledValues) -> Placing:
        """A character on the sheet."""
        return self.template.placer.place(filled)

    def placings(self, count: int) -> Iterator[Placing]:
        """Characters on their sheets."""
        return (self.place(fill(self.game.form, each)) for each in _characters(self.game, count))

    def stamped(self, count: int) -> bytes:
        """Flattened into one PDF."""
        return self._book(self.placings(count))

    def stamped_values(self, count: int) -> bytes:
        """The same of what is worked out already, as Typst is given it."""
        return self._book(map(self.place, self.filled[:count]))

    def _book(self, placings: Iterable[Placing]) -> bytes:
        file = io.BytesIO()
        book = CharacterBook(file, self.template)
        for placing in placings:
            book.add(placing.filled.character, self.template.draw(placing))
        book.finish("Party")
        return file.getvalue()

    def editable(self, count: int) -> bytes:
        """A PDF each, with fields."""
        for placing in self.placings(count):
            drawing = self.template.draw(placing, self.template.form)
            data = self.template.form.write(placing.filled.character.name, drawing.values, "")
        return data

    def laid_out(self, count: int) -> bytes:
        """A layout each."""
        return [lay_out_sheet(self.template, placing).data for placing in self.placings(count)][-1]


def _characters(game: refgen.Game, count: int) -> Iterator[refgen.Character]:
    """Characters of whom no two are the same: neither we nor Typst are to set a whole sheet from memory."""
    free = {own.name for own in game.sheet().fields() if own.kind in (FieldKind.TEXT, FieldKind.AREA)}
    for number, character in enumerate(islice(cycle(game.characters.values()), count), start=1):
        varied = {
            key: f"{value[:-4]} {number}"
            for key, value in character.values.items()
            if key in free and isinstance(value, str)
        }
        name = f"{character.name} {number}"
        yield refgen.Character(name, {**character.values, **varied, "character.name": name})


def _rate(make: Callable[[int], bytes], count: int) -> float:
    start = time.process_time()
    make(count)
    return count / (time.process_time() - start)


def _spreadsheet(game: refgen.Game, many: int) -> str:
    """Many characters in a CSV file, flattened into one PDF by the command."""
    with tempfile.TemporaryDirectory() as folder:
        rows, party = Path(folder) / "party.csv", Path(folder) / "party.pdf"
        keys = sorted({key for character in game.characters.values() for key in character.values})
        with rows.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(keys)
            writer.writerows([each.values.get(key, "") for key in keys] for each in _characters(game, many))
        command: list[str | Path] = [
            BIN / "refgen",
            "sheet",
            GAME,
            "--bundled",
            str(rows),
            "--flatten",
            "--merge",
            str(party),
            "-q",
            *_LIMIT,
        ]
        found = measure(command, memory=True)
        rate, size = many / found.seconds, party.stat().st_size / many / 1000
    return f"{many:,} rows of CSV: {rate:.0f} a second by the clock, {found.megabytes:.0f} MB, {size:.2f} kB each"


def _typst(document: str, data: object, template: SheetTemplate) -> bytes:
    """A document with a loop over the data."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "blank.pdf").write_bytes(template.print_base.data)
        (Path(folder) / "party.json").write_text(json.dumps(data))
        (Path(folder) / "party.typ").write_text(document)
        compiled: Any = typst.compile(str(Path(folder) / "party.typ"), font_paths=[_fonts()])
        return bytes(compiled)


def _fonts() -> str:
    import font_source_sans_pro

    return str(Path(font_source_sans_pro.__file__).parent / "files")


def _values(placing: Placing) -> dict[str, str]:
    """What stands in the fields of a character; boxes that are there and not ticked are blank."""
    boxes = {box.name: "" for row in placing.rows for box in row}
    return {**boxes, **placing.filled.texts}


def _pages(template: SheetTemplate) -> list[dict[str, object]]:
    """What is the same for all characters: pages of columns of parts, and where each field is."""
    top = {place: page.height for place, page in enumerate(template.print_base.pages)}
    fields = [
        {
            "name": box.name,
            "page": box.page,
            "x": box.left + (0 if box.is_box else box.padding),
            "y": top[box.page] - box.bottom - box.height,
            "width": box.width - (0 if box.is_box else 2 * box.padding),
            "height": box.height,
            "size": box.size,
            "kind": box.field.kind,
        }
        for box in template.boxes
    ]
    return [
        {
            "columns": [
                {
                    "x": column.left,
                    "y": column.top,
                    "width": column.width,
                    "parts": [_part(placed.part, placed.area) for placed in column.parts],
                }
                for column in page.columns
            ],
            "fields": [field for field in fields if field["page"] == page.number],
        }
        for page in template.pages.pages
    ]


def _part(part: SheetPart, area: float) -> dict[str, object]:
    table = part.block if isinstance(part.block, TableBlock) else None
    return {
        "title": part.title,
        "heads": part.heads,
        "note": part.note or (table.note if table else ""),
        "rows": [[row.label, row.note, [[own.name, own.kind] for own in row.fields]] for row in part.rows],
        "area": area,
        "across": len(table.columns) if table else 0,
        "cells": [[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)]
        if table
        else [],
    }


_TYPST = """
#set page(width: 595.276pt, height: 841.89pt, margin: 0pt)
#set text(font: "Source Sans Pro", size: 9pt, fill: rgb("#1f2328"))
#let data = json("party.json")
#let accent = rgb("#0f6466")
#let tint = rgb("#f6f3ee")
#let fitted(value, wide) = context {
  let needed = measure(value).width
  if needed > wide { text(size: calc.max(6pt, 9pt * (wide / needed)), value) } else { value }
}
#let field(character, name, kind) = {
  let value = character.at(name, default: none)
  if kind == "box" {
    if value != none { box(width: 8pt, height: 8pt, stroke: 0.7pt, if value != "" { sym.times }) }
  } else {
    box(width: 100%, height: 13pt, fill: if kind == "computed" { tint }, stroke: (bottom: 0.5pt + gray),
      layout(room => fitted(if value == none { "" } else { value }, room.width)))
  }
}
#let line(character, label, note, fields) = {
  let boxes = fields.filter(own => own.at(1) == "box")
  let others = fields.filter(own => own.at(1) != "box")
  grid(
    columns: (if label != "" { 6em } else { 0pt },) + others.map(_ => 1fr) + (if boxes.len() > 0 { 3fr } else { 0pt },),
    column-gutter: 3pt, inset: (y: 1pt),
    strong(label), ..others.map(own => field(character, ..own)), boxes.map(own => field(character, ..own)).join(h(2pt)))
}
#let part(character, it) = block(width: 100%, {
  text(font: "Source Serif Pro", size: 11pt, fill: accent, weight: "semibold", it.title)
  std.line(length: 100%, stroke: 0.8pt + accent)
  if it.heads.len() > 0 { text(size: 7.5pt, fill: gray, it.heads.join(h(1fr))) }
  if it.area > 0 {
    block(width: 100%, height: it.area * 1pt, stroke: 0.5pt + gray, inset: 2pt,
      character.at(it.rows.at(0).at(2).at(0).at(0), default: ""))
  } else {
    for row in it.rows { line(character, ..row) }
  }
  if it.across > 0 {
    table(columns: it.across, stroke: (bottom: 0.3pt + gray), fill: (_, y) => if calc.odd(y) { tint }, inset: 2.5pt,
      ..it.cells.flatten())
  }
  if it.note != "" { text(size: 7.5pt, fill: gray, it.note) }
})
#for character in data.party {
  for (number, page) in data.pages.enumerate() {
    place(top + left, dx: 25pt, dy: 25pt, text(size: 17pt, weight: "semibold")[Character sheet])
    for column in page.columns {
      place(top + left, dx: 25pt + column.x * 1pt, dy: 55pt + column.y * 1pt,
        box(width: column.width * 1pt, column.parts.map(it => part(character, it)).join()))
    }
    pagebreak(weak: true)
  }
}
"""

_TYPST_STAMPED = """
#set page(width: 595.276pt, height: 841.89pt, margin: 0pt)
#set text(font: "Source Sans Pro", fill: rgb("#1f2328"))
#let data = json("party.json")
#let in-line(field, value) = context {
  let wide = measure(text(size: field.size * 1pt, value)).width / 1pt
  let least = calc.max(6, calc.floor(field.width / calc.max(wide, 1) * field.size * 10) / 10)
  text(size: calc.min(field.size, least) * 1pt, value)
}
#let in-area(field, value) = context {
  let size = field.size
  let set-in(size) = box(width: field.width * 1pt, text(size: size * 1pt, value))
  while size > 6 and measure(set-in(size)).height > field.height * 1pt { size -= 0.5 }
  set-in(size)
}
#let marked(field, value) = box(width: field.width * 1pt, height: field.height * 1pt, stroke: 0.7pt,
  if value != "" { align(center + horizon, sym.times) })
#for character in data.party {
  for (number, page) in data.pages.enumerate() {
    place(top + left, image("blank.pdf", page: number + 1, width: 595.276pt))
    for field in page.fields {
      let value = character.at(field.name, default: none)
      if value != none {
        place(top + left, dx: field.x * 1pt, dy: field.y * 1pt,
          if field.kind == "box" { marked(field, value) } else if field.kind == "area" { in-area(field, value) }
          else { in-line(field, value) })
      }
    }
    pagebreak(weak: true)
  }
}
"""
