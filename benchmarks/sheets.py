"""Filling two-page sheets with 60 fields (goals: 1,000 a second; 4 times Typst, 300 times WeasyPrint)."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import refgen
from benchmarks.measure import BIN
from benchmarks.measure import run as measure
from refgen.aids.sheet.model import FieldKind
from refgen.aids.system_info import SystemInfo
from refgen.characters.filling import Filled, fill
from refgen.render.fill.book import Book
from refgen.render.fill.full import lay_out
from refgen.render.fill.placing import Placing
from refgen.render.fill.stencil import Stencil
from refgen.render.page_format import PageFormat

GAME = "atari-isev"
TIMES = 3
SOME = 300
MANY = 100_000


def run() -> Iterator[str]:
    """All in one process, in turns, in processor time; then a spreadsheet as a whole process, with its memory."""
    game = refgen.load(GAME)
    stencil = Stencil.of(SystemInfo.of(game), game.sheet(), PageFormat())
    counts = [len(game.fill(character).texts) for character in game.characters.values()]
    yield f"{len(stencil.pages.pages)} pages, {len(stencil.boxes)} fields, {min(counts)} to {max(counts)} filled"
    ways = _Ways(game, stencil)
    ways.stamped(1), ways.editable(1)  # what is made once for all characters
    own, over_ours = _typst_ways(ways)
    measured = {
        "flattened into one PDF": (ways.stamped, 1000),
        "editable, a file each": (ways.editable, SOME),
        "Typst, a sheet of its own": own,
        "Typst, over blank pages made by refgen": over_ours,
        "WeasyPrint, each": (ways.laid_out, 3),
    }
    rates = {name: max(_rate(make, count) for _ in range(TIMES)) for name, (make, count) in measured.items()}
    ours, *_ = rates.values()
    for name, rate in rates.items():
        ratio = "" if rate == ours else f"; flattened is {ours / rate:.1f} x"
        yield f"{name:<36} {rate:8.1f} a second a core{ratio}"
    more, first = len(ways.stamped(1001)) - len(ways.stamped(1)), len(ways.stamped(1))
    yield f"in one PDF: the first {first / 1e3:.0f} kB, each more {more / 1e6:.2f} kB"
    yield f"a file with fields: {len(ways.editable(1)) / 1e3:.0f} kB"
    yield _spreadsheet(game)


@dataclass(frozen=True)
class _Ways:
    """The ways to make so many sheets."""

    game: refgen.Game
    stencil: Stencil

    def placings(self, count: int) -> Iterator[Placing]:
        """Characters on their sheets."""
        return (self.stencil.placer.place(fill(self.game.form, each)) for each in _characters(self.game, count))

    def stamped(self, count: int) -> bytes:
        """Flattened into one PDF."""
        file = io.BytesIO()
        book = Book(file, self.stencil)
        for placing in self.placings(count):
            book.add(placing)
        book.finish("Party")
        return file.getvalue()

    def editable(self, count: int) -> bytes:
        """A PDF each, with fields."""
        for placing in self.placings(count):
            file = io.BytesIO()
            self.stencil.fillable.fill(file, placing.filled.character.name, placing)
        return file.getvalue()

    def laid_out(self, count: int) -> bytes:
        """A layout each."""
        return [lay_out(self.stencil, placing).data for placing in self.placings(count)][-1]


def _typst_ways(ways: _Ways) -> Iterator[tuple[Callable[[int], bytes], int]]:
    """A loop over the data, which is made before: in a sheet that Typst lays out, and over our blank pages."""
    party, stencil = list(ways.placings(SOME)), ways.stencil
    parts, places = [_parts(stencil, each.filled) for each in party], [_places(stencil, each) for each in party]
    yield lambda _: _typst(_TYPST, parts, stencil), SOME
    yield lambda _: _typst(_TYPST_STAMPED, places, stencil), SOME


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


def _spreadsheet(game: refgen.Game) -> str:
    """Many characters in a CSV file, flattened into one PDF by the command."""
    with tempfile.TemporaryDirectory() as folder:
        rows, party = Path(folder) / "party.csv", Path(folder) / "party.pdf"
        keys = sorted({key for character in game.characters.values() for key in character.values})
        with rows.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(keys)
            writer.writerows([each.values.get(key, "") for key in keys] for each in _characters(game, MANY))
        command: list[str | Path] = [BIN / "refgen", "sheet", GAME, str(rows), "--flatten", "--merge", str(party), "-q"]
        found = measure(command, memory=True)
        rate, size = MANY / found.seconds, party.stat().st_size / MANY / 1000
    return f"{MANY:,} rows of CSV: {rate:.0f} a second by the clock, {found.megabytes:.0f} MB, {size:.2f} kB each"


def _typst(template: str, party: Sequence[object], stencil: Stencil) -> bytes:
    """A document with a loop over the data."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "blank.pdf").write_bytes(stencil.flat.data)
        (Path(folder) / "party.json").write_text(json.dumps(party))
        (Path(folder) / "party.typ").write_text(template)
        compiled: Any = typst.compile(str(Path(folder) / "party.typ"), font_paths=[_fonts()])
        return bytes(compiled)


def _fonts() -> str:
    import font_source_sans_pro

    return str(Path(font_source_sans_pro.__file__).parent / "files")


def _places(stencil: Stencil, placing: Placing) -> list[list[list[object]]]:
    """On each page, each text with its place, its width and its size in points."""
    pages: list[list[list[object]]] = [[] for _ in stencil.flat.pages]
    for each in placing.written:
        box = each.box
        top = stencil.flat.pages[box.page].height - box.bottom - box.height
        pages[box.page].append([box.left + box.padding, top, box.width - 2 * box.padding, each.size, each.text])
    return pages


def _parts(stencil: Stencil, filled: Filled) -> list[list[object]]:
    """On each page, each part with its title and its lines: a label and the values of its fields."""
    return [
        [
            [part.title, [[row.label, [filled.texts.get(own.name, "") for own in row.fields]] for row in part.rows]]
            for part in page.parts
            if part.rows
        ]
        for page in stencil.sheet.pages
    ]


_TYPST = """
#set page(paper: "a4", margin: 9mm)
#set text(font: "Source Sans Pro", size: 9pt)
#let party = json("party.json")
#for character in party {
  for page in character {
    columns(2, for (title, rows) in page {
      heading(title)
      for (label, values) in rows {
        grid(columns: (6em,) + values.map(_ => 1fr), column-gutter: 3pt,
          strong(label), ..values.map(value => box(width: 100%, height: 1.2em, stroke: (bottom: 0.5pt), value)))
      }
    })
    pagebreak(weak: true)
  }
}
"""

_TYPST_STAMPED = """
#set page(width: 595.276pt, height: 841.89pt, margin: 0pt)
#set text(font: "Source Sans Pro", fill: rgb("#1f2328"))
#let party = json("party.json")
#for character in party {
  for (number, page) in character.enumerate() {
    place(top + left, image("blank.pdf", page: number + 1, width: 595.276pt))
    for (x, y, width, size, value) in page {
      place(top + left, dx: x * 1pt, dy: y * 1pt, box(width: width * 1pt, text(size: size * 1pt, value)))
    }
    pagebreak(weak: true)
  }
}
"""
