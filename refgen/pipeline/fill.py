"""The sheets of characters, as files.

In: a game's blank sheet, and characters, one after the other. Out: a PDF for each, or one for all. Every file is
written beside its place first, and put there when all are done: a run that fails leaves what was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from refgen.aids.filling import SheetMaker
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


def fill_sheets(form: Form, characters: Iterable[Checked], options: FillOptions, progress: Progress) -> BuildResult:
    """Fill the sheets of all characters without an error. Raises RefgenError for what concerns all."""
    merge, editable = options.merge, options.editable
    maker = SheetMaker.of(
        form, options.page_format, editable=editable, merged=merge is not None, calculates=options.calculates
    )
    folder = merge.parent if merge else options.output / maker.template.system.id / CHARACTERS
    result, files = BuildResult(), list[str]()
    with _staged(folder, merge or options.output) as rough, ExitStack() as opened:
        book = maker.book(opened.enter_context((rough / merge.name).open("wb"))) if merge else None
        count = 0
        for made in make_sheets(maker, characters, options.jobs, options.executor):
            result.errors += made.errors
            result.notes += made.notes
            if made.character is None or not (made.drawing or made.pages or made.data):
                result.failed.append(f"the sheet of {made.character.name if made.character else 'a character'}")
                continue
            if book:
                book.add(made.character, made.drawing, made.pages)
            else:
                files.append(f"{made.character.file_name}-{options.page_format.name(PageFormat())}.pdf")
                (rough / files[-1]).write_bytes(made.data)
            count += 1
            if not count % TOLD_EVERY:
                progress(_progress(count))
        progress(_progress(count))
        if book and merge and count:
            book.finish(f"{maker.template.system.title}: {merge.stem}")
            files.append(merge.name)
        opened.close()
        if not (options.strict and result.errors):
            result.files = [str((rough / name).replace(folder / name)) for name in dict.fromkeys(files)]
    return result


def _progress(count: int) -> Event:
    return Event("done", f"{count} characters", "fill", done=count, total=count)


@contextmanager
def _staged(folder: Path, place: Path) -> Iterator[Path]:
    """A folder for files that are to be put into another. Those that killed processes left beside it are removed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for _ in left_folders(folder, PREFIX):
            pass
        with own_folder(folder, PREFIX) as rough:
            yield rough
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PublishError(
            f"cannot write {place}: {reason}", hint="Choose another place with -o or --merge."
        ) from error
