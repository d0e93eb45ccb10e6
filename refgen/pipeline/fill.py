"""The sheets of characters, as files.

In: the Form of a game, and an iterator of characters. Out: a PDF for each character, or one PDF for all. Files are
written into a temporary folder beside the output and moved when all are done: a run that fails changes no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from refgen.aids.sheet_filling import MadeSheet, SheetMaker
from refgen.catalog import counted
from refgen.characters.character import Character
from refgen.characters.form import Form
from refgen.characters.validation import CheckedCharacter
from refgen.errors import PublishError, each_error, os_errors_as
from refgen.gc_tuning import tune_gc
from refgen.layout.page_format import PageFormat
from refgen.look.look import in_look
from refgen.pipeline.operating_system import own_folder
from refgen.pipeline.result import CHARACTERS, LOCAL, BuildResult, Event, Progress

FIRST_SHEETS = 1000
"""The number of sheets that are made before other processes start: starting them takes as long."""

CHUNK = 250
"""The number of sheets that a process makes at a time."""


def make_sheets(
    maker: SheetMaker, characters: Iterable[CheckedCharacter], jobs: int | None, where: str = LOCAL
) -> Iterator[MadeSheet]:
    """The sheets of all characters, ``where`` an executor is.

    Raises ExecutorError for an executor that is not there.
    """
    waiting = iter(characters)
    if where == LOCAL:
        yield from map(maker.make, waiting if jobs == 1 else islice(waiting, FIRST_SHEETS))
    chunks = iter(lambda: list(islice(waiting, CHUNK)), [])
    first = next(chunks, None)
    if first is None:
        return
    from refgen.pipeline.executors.loop import executor, in_order  # few sheets need no other process

    # These processes lay nothing out: warmed up for layouts they would need much more memory.
    with executor(where, jobs, tune_gc) as steps:
        for made in in_order(steps, partial(_make_chunk, maker.packed()), chain([first], chunks)):
            yield from made


def _make_chunk(packed: bytes, chunk: Sequence[CheckedCharacter]) -> list[MadeSheet]:
    maker = SheetMaker.unpacked(packed)
    with in_look(maker.template.look):
        return list(map(maker.make, chunk))


PREFIX = ".refgen-fill-"
"""How the names of folders begin in which files are written."""

TOLD_EVERY = 500

_Good = tuple[Character, MadeSheet]


@dataclass(frozen=True, slots=True)
class FillOptions:
    """How sheets are filled: for print or ``editable``, each in a file in ``output`` or all in the file ``merge``.

    ``strict``: any error, and no file is written. ``jobs``: by how many
    processes of the ``executor``; None: all that it has. ``calculates``: computed fields of editable files do so.
    """

    output: Path
    page_format: PageFormat
    editable: bool = True
    merge: Path | None = None
    strict: bool = False
    jobs: int | None = 1
    executor: str = LOCAL
    calculates: bool = False


def fill_sheets(
    form: Form, characters: Iterable[CheckedCharacter], options: FillOptions, progress: Progress
) -> BuildResult:
    """Fill the sheets of all characters without an error. Raises RefgenError for what concerns all."""
    with in_look(replace(form.game.look, theme=str(options.page_format.theme))):
        return _fill(form, characters, options, progress)


def _fill(form: Form, characters: Iterable[CheckedCharacter], options: FillOptions, progress: Progress) -> BuildResult:
    merge, editable = options.merge, options.editable
    maker = SheetMaker.of(
        form, options.page_format, editable=editable, merged=merge is not None, calculates=options.calculates
    )
    folder = merge.parent if merge else options.output / maker.template.system.id / CHARACTERS
    made = make_sheets(maker, characters, options.jobs, options.executor)
    result = BuildResult(errors=[*maker.template.faults])
    with _staging_folder(folder, merge or options.output) as rough:
        good = _good_sheets(made, result, progress)
        if merge:
            names = _write_merged(maker, good, rough / merge.name)
        else:
            names = _write_separate(good, rough, options.page_format)
        if not (options.strict and result.errors):
            result.files = [str((rough / name).replace(folder / name)) for name in names]
    return result


def _good_sheets(every: Iterable[MadeSheet], result: BuildResult, progress: Progress) -> Iterator[_Good]:
    """The sheets that were made; the errors of all others go into the result."""
    count = 0
    for made in every:
        result.errors += made.errors
        result.notes += made.notes
        if made.character is None or not (made.drawing or made.pages or made.data):
            result.failed.append(f"the sheet {_whose(made)}")
            continue
        yield made.character, made
        count += 1
        if not count % TOLD_EVERY:
            _tell(progress, count)
    if count % TOLD_EVERY:
        _tell(progress, count)


def _tell(progress: Progress, count: int) -> None:
    progress(Event("done", counted(count, "character"), "fill", done=count, total=count))


def _whose(made: MadeSheet) -> str:
    """Whose sheet it is: of a character, or of a file that nobody can be read from, with the place or the reason."""
    if made.character:
        return f"of {made.character.name}"
    errors = [each for error in made.errors for each in each_error(error)]
    places = (f"at {error.span}" for error in errors if error.span)
    return next(places, f"({'; '.join(error.message for error in errors)})")


def _write_merged(maker: SheetMaker, sheets: Iterator[_Good], path: Path) -> Iterable[str]:
    """Write all sheets into a file, if there are any. Returns its name."""
    with path.open("wb") as file:
        book = maker.book(file)
        for character, made in sheets:
            book.add(character, made.drawing, made.pages)
        if not book.outline.entries:
            return []
        book.finish(f"{maker.template.system.title}: {path.stem}")
    return [path.name]


def _write_separate(sheets: Iterator[_Good], folder: Path, page_format: PageFormat) -> Iterable[str]:
    """Write a file for each sheet. Returns their names."""
    names: dict[str, None] = {}
    for character, made in sheets:
        name = f"{character.file_name}-{page_format.name(PageFormat())}.pdf"
        (folder / name).write_bytes(made.data)
        names[name] = None
    return names


@contextmanager
def _staging_folder(folder: Path, place: Path) -> Iterator[Path]:
    """A folder for files that are to be put into another."""
    with os_errors_as(PublishError, f"write {place}", "Choose another place with -o or --merge."):
        folder.mkdir(parents=True, exist_ok=True)
        with own_folder(folder, PREFIX) as rough:
            yield rough
