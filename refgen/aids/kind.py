"""What a kind of play aid is: the protocol by which builds, the site, serve and commands know every kind alike.

In: nothing; these are a protocol and values. Out: an AidKind makes an aid of a game, and jobs of the aid; an AidJob
makes files, in any process.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from refgen.errors import RefgenError
from refgen.game.game import Game
from refgen.game.system_info import SystemInfo
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import USUAL_PAPERS, PageFormat, Paper
from refgen.render.readback.mismatch import Mismatch
from refgen.rules.toml import Strict


@dataclass(frozen=True, slots=True)
class FileNames:
    """What the files of a ``kind`` of aid are called: ``stem``, and the format where it is not the ``usual`` one."""

    kind: str
    stem: str
    usual: PageFormat = field(default_factory=PageFormat)

    def of(self, page_format: PageFormat) -> str:
        """The name of an aid's files in a format, without suffix: "gm-screen-a4-portrait"."""
        return f"{self.stem}-{page_format.name(self.usual)}"


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """What a job made: the bytes of files and of previews by their paths in the output.

    ``errors`` say what could not be made, ``mismatches`` what the files say otherwise than the aid.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()


@dataclass(frozen=True, slots=True)
class AidJob(ABC):
    """An aid of a system, to be made in some formats (none for what goes by no paper): one step of a build.

    Jobs are values: they travel between processes, and a build keeps what came of a job by what the job holds.
    """

    names: FileNames
    system: SystemInfo
    aid: Any
    formats: Sequence[PageFormat]

    @property
    def kind(self) -> str:
        """The name of the kind of aid."""
        return self.names.kind

    @property
    def name(self) -> str:
        """What the job makes, as a path in the output without format and suffix."""
        return f"{self.system.id}/{self.names.stem}"

    @property
    def title(self) -> str:
        """The name of the job, unique in a build."""
        formats = ", ".join(page_format.name(self.names.usual) for page_format in self.formats)
        return f"{self.name} ({formats or 'form'})"

    @property
    def weight(self) -> int:
        """How long the job takes, compared with others: about as long as its aid is."""
        return len(repr(self.aid)) * len(self.formats)

    @property
    def html_paths(self) -> frozenset[str]:
        """The paths of the HTML pages that the job makes."""
        return frozenset()

    def path(self, page_format: PageFormat) -> str:
        """The path of the aid's files in a format, without suffix."""
        return f"{self.system.id}/{self.names.of(page_format)}"

    @abstractmethod
    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """Make and read back all files, of which some pages may be ``kept``. Raises RefgenError when there are none."""

    def draft(self) -> MadeFiles:
        """The HTML pages as they are estimated, before anything is laid out. Raises RefgenError when nothing fits."""
        return MadeFiles()


AidT = TypeVar("AidT")
OptionsT = TypeVar("OptionsT")


class AidKind(ABC, Generic[AidT, OptionsT]):
    """A kind of aid: how a game describes it, how it is made, and what builds and the site say of it.

    ``spec`` is the model of the file ``spec_name`` in which a game describes its aid; a kind without such a file has
    neither. Of a kind that has such a file and does not need it (``needs_spec``), every game has an aid. On the site
    the aid has a ``title`` and the line ``about``; its previews show pages that are called ``page``, and ``whole``
    names the files that go by no paper, by their suffix. Of a kind that ``has_characters``, the file says how
    characters are written, so that checks and pages of the site rest on it too.
    """

    names: ClassVar[FileNames]
    spec_name: ClassVar[str] = ""
    spec: ClassVar[type[Strict] | None] = None
    needs_spec: ClassVar[bool] = True
    title: ClassVar[str]
    about: ClassVar[str]
    page: ClassVar[str] = "page"
    whole: ClassVar[Mapping[str, str]] = {}
    has_characters: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What ``refgen build --only`` calls the kind."""
        return self.names.kind

    def is_described(self, folder: Path) -> bool:
        """Whether the game in a folder has such an aid: where the kind needs a file, the file is there."""
        return not (self.spec_name and self.needs_spec) or self.has_spec(folder)

    def has_spec(self, folder: Path) -> bool:
        """Whether the game in a folder describes such an aid in a file."""
        return bool(self.spec_name) and (folder / self.spec_name).exists()

    @abstractmethod
    def make(self, folder: Path, game: Game, games: Mapping[str, Game], inputs: Sequence[Path] = ()) -> AidT | None:
        """The aid that ``folder`` describes for a game; it may take from other ``games``, by their ids.

        ``inputs`` are files of whoever asks for the aid, such as characters; most kinds take none.

        None where the game has nothing to show. Raises RefgenError when the aid cannot be made.
        """

    def faults(self, aid: AidT) -> Sequence[RefgenError]:  # noqa: ARG002  # most aids are made whole or not at all
        """Why some of an aid is missing."""
        return ()

    @abstractmethod
    def options(self, *args: Any, **chosen: Any) -> OptionsT:
        """How the aids of a build are made: on ``papers`` (none: the usual ones), and as chosen for this kind."""

    def load_layout(self) -> None:
        """Load the module of this kind's jobs, and with it all that lays them out, before processes are forked."""
        import_module(f"{type(self).__module__.rpartition('.')[0]}.job")

    @abstractmethod
    def jobs(self, game: Game, aid: AidT, options: OptionsT) -> Iterator[AidJob]:
        """What is to be made of an aid."""


def preview_path(name: str, number: int) -> str:
    """The path of a preview, by the path of what it shows without suffix; ``number`` counts from 1."""
    return f"{name}-{number}.png"


def numbered_previews(name: str, pictures: Iterable[bytes]) -> dict[str, bytes]:
    """Previews by their paths, in the order of their pages."""
    return {preview_path(name, number): picture for number, picture in enumerate(pictures, start=1)}


def upright_formats(papers: Sequence[str]) -> list[PageFormat]:
    """Upright pages on some papers, or on the usual ones where none are chosen."""
    return [PageFormat(Paper(paper)) for paper in papers or USUAL_PAPERS]
