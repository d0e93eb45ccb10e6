"""The sheets of characters, as files.

In: a game's blank sheet, and characters, one after the other. Out: a PDF for each, or one for all. Every file is
written beside its place first, and put there when all are done: a run that fails leaves what was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from refgen.aids.filling import Book, FillMode, Made, Maker, Stencil
from refgen.characters.character import Character
from refgen.characters.form import Form
from refgen.characters.table import Checked
from refgen.errors import PublishError
from refgen.pipeline.executors.choose import LOCAL
from refgen.pipeline.made_sheets import make_sheets
from refgen.pipeline.own_folder import left_folders, own_folder
from refgen.pipeline.progress import Event, Progress
from refgen.pipeline.result import CHARACTERS, BuildResult
from refgen.render.page_format import PageFormat

PREFIX = ".refgen-fill-"
"""How the names of folders begin in which files are written."""

TOLD_EVERY = 500


@dataclass(frozen=True, slots=True)
class FillOptions:
    """How sheets are filled: flattened or ``editable``, each in a file in ``output`` or all in the file ``merge``.

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

    @property
    def mode(self) -> FillMode:
        """What is made of each character."""
        if self.merge is None:
            return FillMode.EDITABLE if self.editable else FillMode.FLAT
        return FillMode.PLACED if self.editable else FillMode.DRAWN


def fill_sheets(form: Form, characters: Iterable[Checked], options: FillOptions, progress: Progress) -> BuildResult:
    """Fill the sheets of all characters without an error. Raises RefgenError for what concerns all."""
    maker = Maker.of(form, options.page_format, options.mode, calculates=options.calculates)
    stencil = maker.stencil
    result = BuildResult()
    with _staged(options) as staging:
        writer: _Writer = _Merged(stencil, options, staging) if options.merge else _Separate(stencil, options, staging)
        count = 0
        for made in make_sheets(maker, characters, options.jobs, options.executor):
            result.errors += made.errors
            result.notes += made.notes
            if made.character is None or not made.is_there:
                result.failed.append(f"the sheet of {made.character.name if made.character else 'a character'}")
                continue
            writer.add(made.character, made)
            count += 1
            if not count % TOLD_EVERY:
                progress(_progress(count))
        progress(_progress(count))
        writer.finish()
        if count and not (options.strict and result.errors):
            result.files = staging.publish()
    return result


def _progress(count: int) -> Event:
    return Event("done", f"{count} characters", "fill", done=count, total=count)


class _Writer(Protocol):
    """Writes what was made of characters."""

    def add(self, character: Character, made: Made) -> None:
        """Add a character."""

    def finish(self) -> None:
        """Write what comes last."""


class _Merged:
    """All characters in one file."""

    def __init__(self, stencil: Stencil, options: FillOptions, staging: _Staging) -> None:
        merge = options.merge or Path()
        self.title = f"{stencil.system.title}: {merge.stem}"
        self.file = staging.open(merge)
        self.book = Book(self.file, stencil, editable=options.editable)

    def add(self, character: Character, made: Made) -> None:
        """Add a character: stamped, or laid out in full."""
        if made.drawn:
            self.book.add_drawn(character.name, made.drawn, made.pages)
        elif made.placing is not None:
            self.book.add(made.placing, made.pages)
        else:
            self.book.add_laid_out(character.name, made.pages)

    def finish(self) -> None:
        """Write what comes last."""
        self.book.finish(self.title)
        self.file.close()


class _Separate:
    """A file for each character."""

    def __init__(self, stencil: Stencil, options: FillOptions, staging: _Staging) -> None:
        self.staging = staging
        self.folder = options.output / stencil.system.id / CHARACTERS
        self.ending = f"-{options.page_format.name(PageFormat())}.pdf"

    def add(self, character: Character, made: Made) -> None:
        """Write the file of a character."""
        self._write(character.file_name, made.data)

    def finish(self) -> None:
        """Nothing comes last."""

    def _write(self, name: str, data: bytes) -> None:
        with self.staging.open(self.folder / f"{name}{self.ending}") as file:
            file.write(data)


class _Staging:
    """Files that are written beside their places."""

    def __init__(self, folders: ExitStack) -> None:
        self.places: dict[Path, Path] = {}
        self._folders = folders
        self._staged: dict[Path, Path] = {}

    def open(self, place: Path) -> BinaryIO:
        """A new file, to be put at a place in the end."""
        rough = self._folder(place.parent) / place.name
        self.places[place] = rough
        return rough.open("wb")

    def _folder(self, parent: Path) -> Path:
        """A folder of this process; those that killed ones left beside it are removed."""
        if parent not in self._staged:
            parent.mkdir(parents=True, exist_ok=True)
            for _ in left_folders(parent, PREFIX):
                pass
            self._staged[parent] = self._folders.enter_context(own_folder(parent, PREFIX))
        return self._staged[parent]

    def publish(self) -> list[str]:
        """Put all files where they belong. Returns their paths."""
        for place, rough in self.places.items():
            rough.replace(place)
        return [str(place) for place in self.places]


@contextmanager
def _staged(options: FillOptions) -> Iterator[_Staging]:
    try:
        with ExitStack() as folders:
            yield _Staging(folders)
    except OSError as error:
        where = options.merge or options.output
        reason = (error.strerror or str(error)).lower()
        raise PublishError(
            f"cannot write {where}: {reason}", hint="Choose another place with -o or --merge."
        ) from error
