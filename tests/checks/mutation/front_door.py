"""What `refgen check GAME --document GAME=FILE` does, in this process, with a text in that file.

In: a bundled game and a text. Out: the Game of that text, and the report of `Project.check`, which makes the play aids
and the characters of the game as well. Nothing is kept from one text to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import refgen
from refgen.checks.finding import CheckReport
from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.game import GameModel, SystemSpec
from refgen.rules.spec_files import SYSTEM_NAME, Edition, SpecFiles, editions
from refgen.source import SourceFile
from tests.checks.mutation.limit import TooSlowError, cpu_limit

ROOT = Path(__file__).parents[3]
ORIGINALS = next((found for up in ROOT.parents if (found := up / "shared" / "sources").is_dir()), ROOT / "absent")
OURS, ORIGINAL = "ours", "original"
MAX_SECONDS = 30
"""CPU seconds that a check of a changed document may take; the slowest unchanged one needs 0.5."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check of a text came to: its report and the game, if that can be read; or ``crash``, a traceback."""

    source: SourceFile
    game: GameModel | None = None
    report: CheckReport | None = None
    crash: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """A document of a game, whose text may be changed."""

    game: str
    edition: str
    path: Path

    @property
    def text(self) -> str:
        """Its unchanged text."""
        return source(self.path).text

    def __str__(self) -> str:
        return f"{self.game}.{self.edition}"

    def check(self, text: str | None = None) -> Outcome:
        """The outcome of the check on a text in place of the document's."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / self.path.name
            path.write_text(self.text if text is None else text, encoding="utf-8", newline="")
            return self._check(path)

    def _check(self, path: Path) -> Outcome:
        """The outcome of the check on a file in place of the document's."""
        read = SourceFile.read(path)
        project = refgen.project(bundled_folder("content"), [f"{self.game}={path}"])
        try:
            with cpu_limit(MAX_SECONDS):
                report = project.check(self.game)
                return Outcome(read, _readable(project, self.game), report)
        except TooSlowError:
            return Outcome(read, crash=f"takes more than {MAX_SECONDS} seconds")
        except Exception as error:
            return Outcome(read, crash=repr(error))


def _readable(project: refgen.Project, game: str) -> GameModel | None:
    """A game without what cannot be read of it; None when nothing can be."""
    try:
        return project.partial[game]
    except RefgenError:
        return None


@cache
def source(path: Path) -> SourceFile:
    """A document as the command line reads it."""
    return SourceFile.read(path)


@cache
def system(game: str) -> tuple[Path, SystemSpec, SpecFiles, Sequence[Edition]]:
    """The folder of a bundled game, what people write of it, and its editions."""
    folder = bundled_folder("content") / game
    files = SpecFiles.read(folder)
    spec = files.load(SystemSpec)
    return folder, spec, files, editions(folder, spec, files)


def documents() -> Mapping[str, Edited]:
    """Our documents of the bundled games, and the originals where they are."""
    found = []
    for folder in sorted(path.parent for path in bundled_folder("content").glob(f"*/{SYSTEM_NAME}")):
        _, spec, _, _ = system(folder.name)
        found.append(Edited(folder.name, OURS, folder / spec.document.file))
        found += [Edited(folder.name, ORIGINAL, path) for path in sorted((ORIGINALS / folder.name).glob("*"))]
    return {str(one): one for one in found}
