"""The sheets of characters, one after the other, made by several processes where there are many.

In: characters as they are read, with their errors. Out: what was made of each, in their order, however many processes
took part: the file that all come into is the same to the byte.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice
from zlib import compress, decompress

from refgen.characters.character import Character
from refgen.characters.filling import Filled, fill
from refgen.characters.form import Form
from refgen.characters.table import Checked
from refgen.errors import RefgenError, RenderError
from refgen.game.game import Game
from refgen.gc_tuning import collect_seldom
from refgen.pipeline.executors.choose import LOCAL, executor
from refgen.pipeline.executors.flow import in_order
from refgen.pipeline.executors.step_executor import FORKS, StepExecutor
from refgen.pipeline.scratch import scratch
from refgen.render.fill.book import Book
from refgen.render.fill.flat import Drawn
from refgen.render.fill.full import go_on, lay_out_sheet
from refgen.render.fill.placing import Placing
from refgen.render.fill.stencil import Stencil

ALONE = 1000
"""So many characters are made before others are asked to help: it takes as long to get them ready."""

CHUNK = 250
"""Characters that another process makes at a time."""


class Kind(Enum):
    """What is made of a character: what is to be drawn or placed on the pages of one PDF, or a PDF of its own."""

    DRAWN = "drawn"
    PLACED = "placed"
    FLAT = "flat"
    EDITABLE = "editable"


@dataclass(slots=True)
class Made:
    """What was made of a character; nothing where there is none, or it has ``errors``.

    ``data`` is a whole PDF. ``pages`` are those behind what is ``drawn`` or placed, or all of a sheet that was laid out
    in full. ``filled`` is kept for rosters.
    """

    character: Character | None
    errors: list[RefgenError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    drawn: Sequence[Drawn] = ()
    placing: Placing | None = None
    pages: Sequence[bytes] = ()
    data: bytes = b""
    filled: Filled | None = None
    is_there: bool = False


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the sheets of characters. ``keeps``: what stands on them is kept."""

    form: Form
    stencil: Stencil
    kind: Kind
    keeps: bool = False

    def packed(self) -> bytes:
        """What another machine makes the same of."""
        rules = replace(self.form.game.ruleset, kept={})  # what was worked out is worked out again
        parts = (rules, self.form.sheet, replace(self.stencil), self.kind, self.keeps)
        return compress(pickle.dumps(parts), level=1)

    def make(self, checked: Checked) -> Made:
        """The sheet of one character."""
        character, errors = checked
        made = Made(character, [*errors])
        if character is None or errors:
            return made
        filled = fill(self.form, character)
        made.errors += filled.faults
        made.filled = filled if self.keeps else None
        placing = self.stencil.placer.place(filled)
        try:
            self._make(made, character, placing)
        except RenderError as error:
            made.errors.append(error)
        else:
            made.is_there = True
        return made

    def _make(self, made: Made, character: Character, placing: Placing) -> None:
        if placing.strange or placing.goes_on:
            made.pages = list(self._laid_out(made, character, placing))
        title = f"{self.stencil.system.title}: {character.name}"
        file = BytesIO()
        match self.kind:
            case Kind.EDITABLE if not placing.strange:
                self.stencil.fillable.fill(file, title, placing, made.pages)
            case Kind.DRAWN | Kind.PLACED if placing.strange:
                pass
            case Kind.DRAWN:
                made.drawn = self.stencil.overlays.draw(placing)
            case Kind.PLACED:
                made.placing = placing
            case _:
                book = Book(file, self.stencil)
                if placing.strange:
                    book.add_laid_out(character.name, made.pages)
                else:
                    book.add(placing, made.pages)
                book.finish(title)
        made.data = file.getvalue()

    def _laid_out(self, made: Made, character: Character, placing: Placing) -> Iterator[bytes]:
        """The sheet where it cannot be stamped, and the pages that go on."""
        missing: frozenset[str] = frozenset()
        if placing.strange:
            sheet = lay_out_sheet(self.stencil, placing)
            missing = sheet.missing
            fields = ", ".join(dict.fromkeys(each.box.field.label for each in placing.strange))
            made.notes.append(f"{character.name}: laid out in full, without fields, for the letters of {fields}")
            yield sheet.data
        if placing.goes_on:
            more = go_on(self.stencil, placing)
            missing |= more.missing
            made.notes.append(f"{character.name}: goes on on another page")
            yield more.data
        made.errors += _missing(character, placing.filled, missing)


def _missing(character: Character, filled: Filled, missing: frozenset[str]) -> Iterator[RenderError]:
    """The errors of fields with letters that no font of this machine has."""
    for name, text in filled.texts.items():
        if letters := sorted(missing & {*text}):
            shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters)
            message = f"{character.name}: no font on this machine has {shown}, in {name}"
            hint = "Install one, such as the package fonts-noto-core of Debian."
            yield RenderError(message, span=character.place, hint=hint)


_makers: list[Maker] = []
"""Where forked processes find the maker, with all that it has worked out."""


def make_sheets(maker: Maker, characters: Iterable[Checked], jobs: int | None, where: str = LOCAL) -> Iterator[Made]:
    """The sheets of all characters, ``where`` an executor is. Fields of many in one PDF are made by this process alone.

    Raises ExecutorError for an executor that is not there.
    """
    waiting = iter(characters)
    if maker.kind is Kind.PLACED:
        yield from map(maker.make, waiting)
    elif where != LOCAL:
        yield from _in_chunks(executor(where, jobs), partial(_make_from, maker.packed()), waiting)
    else:
        helped = jobs != 1 and FORKS
        yield from map(maker.make, islice(waiting, ALONE) if helped else waiting)
        _makers.append(maker)
        try:
            yield from _in_chunks(_processes(jobs or os.cpu_count() or 1), _make_chunk, waiting)
        finally:
            _makers.pop()


def _in_chunks(
    executor_: AbstractContextManager[StepExecutor],
    make: Callable[[Sequence[Checked]], list[Made]],
    waiting: Iterator[Checked],
) -> Iterator[Made]:
    first = list(islice(waiting, CHUNK))
    if first:
        with executor_ as steps:
            for chunk in in_order(steps, make, _chunks(first, waiting)):
                yield from chunk


@contextmanager
def _processes(jobs: int) -> Iterator[StepExecutor]:
    """Processes that stamp, and so need not be warm for layouts: that would take more memory than all else."""
    from refgen.pipeline.executors.processes import Processes

    with scratch() as folder, closing(Processes(jobs, collect_seldom, folder)) as found:
        yield found


def _chunks(chunk: Sequence[Checked], waiting: Iterator[Checked]) -> Iterator[Sequence[Checked]]:
    while chunk:
        yield chunk
        chunk = list(islice(waiting, CHUNK))


def _make_chunk(chunk: Sequence[Checked]) -> list[Made]:
    return [_makers[-1].make(checked) for checked in chunk]


def _make_from(packed: bytes, chunk: Sequence[Checked]) -> list[Made]:
    maker = _unpacked(packed)
    return [maker.make(checked) for checked in chunk]


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Maker:
    rules, sheet, stencil, kind, keeps = pickle.loads(decompress(packed))  # noqa: S301 - a build of ours made it
    return Maker(Form(Game(rules), sheet), stencil, kind, keeps)
