"""Kinds of play aids: the protocol through which builds, the site, serve and commands know every kind alike.

In: nothing; these are a protocol, values, and the loop that fits the pages of an aid. Out: an AidKind makes an aid of a
game, and jobs of the aid; an AidJob makes files, in any process, from pages that fit.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from refgen.errors import RefgenError, RenderError
from refgen.game import GameModel, SystemInfo
from refgen.layout.engine import LaidOutPage, PartBoxes
from refgen.layout.layout_cache import KeptPages, LayoutCache, parts_of
from refgen.layout.page_format import USUAL_PAPERS, PageFormat, Paper
from refgen.layout.pieces import Mismatch
from refgen.look.look import Look, look_in_use
from refgen.rules.toml import Strict


@dataclass(frozen=True, slots=True)
class FileNames:
    """The names of the files of a ``kind`` of aid: ``stem``, the paper, and choices unlike the ``usual`` format."""

    kind: str
    stem: str
    usual: PageFormat = field(default_factory=PageFormat)

    def of(self, page_format: PageFormat) -> str:
        """The name of an aid's files in a format, without suffix: "gm-screen-a4-portrait"."""
        return f"{self.stem}-{page_format.name(self.usual)}"


@dataclass(frozen=True, slots=True)
class AidSources:
    """All that an aid of a game may be made of.

    ``folder`` holds the files of the game. The aid may show parts of other ``games``, by their ids. ``inputs`` are
    files of the user, such as characters; most kinds of aids take none.
    """

    folder: Path
    game: GameModel
    games: Mapping[str, GameModel] = field(default_factory=dict)
    inputs: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class NamesInProse:
    """The names of attributes and skills that the prose of documents lists."""

    attributes: Sequence[str] = ()
    skills: Sequence[str] = ()


NO_NAMES = NamesInProse()


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """The results of a job: the bytes of files and of previews by their paths in the output.

    ``errors`` say which parts could not be made, ``mismatches`` where the files differ from the aid.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()


@dataclass(frozen=True, slots=True)
class AidJob(ABC):
    """An aid of a system to be made in some formats (none for aids without paper): one step of a build.

    Jobs are values: they travel between processes, and a build caches their results by their contents.
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
    def look(self) -> Look:
        """The look in which the pages of the aid are set."""
        return replace(self.system.look, theme=next((str(page_format.theme) for page_format in self.formats), ""))

    @property
    def name(self) -> str:
        """The path of the aid in the output, without format and suffix."""
        return f"{self.system.id}/{self.names.stem}"

    @property
    def title(self) -> str:
        """The name of the job, unique in a build."""
        formats = ", ".join(page_format.name(self.names.usual) for page_format in self.formats)
        return f"{self.name} ({formats or 'form'})"

    @property
    def weight(self) -> int:
        """An estimate of how long the job takes, compared with other jobs: proportional to the size of its aid."""
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
        """Make and read back all files, reusing ``kept`` pages. Raises RefgenError if no file can be made."""

    def draft(self, *, printed: bool = False) -> MadeFiles:  # noqa: ARG002
        """The HTML pages by estimated heights, before any layout, read back. Raises RefgenError if nothing fits.

        ``printed`` pages are for a browser to print, on a machine without Pango, also where only PDFs are made else.
        """
        return MadeFiles()


MAX_LAYOUTS = 4
"""The most layouts of an aid until all its pages fit."""


class NumberedPage(Protocol):
    """A page of an aid as it is planned: hashable by all that is printed on it."""

    @property
    def number(self) -> int:
        """The number of the page among all pages of the aid, counted from 0."""


PageT = TypeVar("PageT", bound=NumberedPage)


class PagePlanner(Protocol[PageT]):
    """Plans the pages of an aid by estimated heights, and again where a layout shows that an estimate was too low."""

    def sheets(self) -> Sequence[Sequence[PageT]]:
        """The pages on each sheet of paper. Raises RenderError if the aid does not fit by estimated heights."""

    def learn(self, too_full: Sequence[PageT], measured: Mapping[int, PartBoxes]) -> None:
        """Plan for less content on the pages that were found too full; ``measured`` are boxes by page number."""

    def error(self, name: str, fullest: PageT) -> RenderError:
        """The error for the aid called ``name``, of which a page was too full in every layout."""


@dataclass(frozen=True)
class FittedPages(Generic[PageT]):
    """Pages of an aid that all fit, and the sheets of paper on which the pages are laid out."""

    pages: Sequence[PageT]
    laid_out: Sequence[LaidOutPage]
    _cache: LayoutCache[PageT] = field(repr=False, compare=False)
    _contents: Sequence[Mapping[int, PageT]] = field(repr=False, compare=False)

    @property
    def measured(self) -> Sequence[Mapping[int, PartBoxes]]:
        """The boxes of the pages on each sheet, by page number."""
        return [sheet.parts for sheet in self.laid_out]

    @cached_property
    def pdf(self) -> bytes:
        """All sheets as one PDF."""
        return self._cache.write(self._contents)


def fit_pages(planner: PagePlanner[PageT], cache: LayoutCache[PageT]) -> FittedPages[PageT]:
    """Lay out planned pages, and plan overfull pages again, until all fit. Raises RenderError if some never do."""
    for _ in range(MAX_LAYOUTS):
        contents = [{page.number: page for page in sheet} for sheet in planner.sheets()]
        laid_out = cache.pages(contents)
        measured = parts_of(laid_out)
        pages = [page for sheet in contents for page in sheet.values()]
        too_full = [page for page in pages if measured[page.number].overflows]
        if not too_full:
            return FittedPages(pages, laid_out, cache, contents)
        planner.learn(too_full, measured)
    error = planner.error(cache.name, max(too_full, key=lambda page: measured[page.number].overflow))
    if look_in_use().templates:
        hint = "What templates/ adds takes more room than the page has: set it smaller."
        raise RenderError(error.message, hint=hint)
    raise error


AidT = TypeVar("AidT")
OptionsT = TypeVar("OptionsT")


class AidKind(ABC, Generic[AidT, OptionsT]):
    """A kind of aid: how a game describes the aid, how the aid is made, and the words of builds and the site.

    ``spec`` is the model of the file ``spec_name`` in which a game describes its aid; both are empty for a kind without
    a file. An aid without the file is made by a ``proposed_spec``, or as its kind does without one. ``title`` names the
    aid in the file. ``page`` is "page" or "panel", as previews of the aid are counted, and ``whole`` has the ids of the
    words about the files without a paper size, by suffix. If the kind ``has_characters``, its file says how characters
    are written, so that checks and pages of the site depend on it too.
    """

    names: ClassVar[FileNames]
    spec_name: ClassVar[str] = ""
    spec: ClassVar[type[Strict] | None] = None
    title: ClassVar[str]
    page: ClassVar[str] = "page"
    whole: ClassVar[Mapping[str, str]] = {}
    has_characters: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name of the kind in ``refgen build --only``."""
        return self.names.kind

    @property
    def key(self) -> str:
        """The name of the kind in ``[aids]`` of system.toml, and of its file without the suffix."""
        return self.spec_name.removesuffix(".toml") or self.name

    def is_left_out(self, game: GameModel) -> bool:
        """Whether a game says that it has no aid of this kind."""
        return not getattr(game.ruleset.spec.aids, self.key)

    def proposed_spec(self, game: GameModel, names: NamesInProse = NO_NAMES) -> Strict | None:  # noqa: ARG002
        """The contents of the file for a game without the file; None where the game has nothing for such an aid.

        ``names`` are names that no table has, and that the prose of the documents gives.
        """
        return None

    def why_missing(self, game: GameModel) -> str:  # noqa: ARG002
        """Why a game that does not describe such an aid has none, as it reads on after "no deck:"; "" for no reason."""
        return ""

    def has_spec(self, folder: Path) -> bool:
        """Whether the game in a folder has the file that describes an aid of this kind."""
        return bool(self.spec_name) and (folder / self.spec_name).exists()

    @abstractmethod
    def make(self, sources: AidSources) -> AidT | None:
        """The aid of a game, None if the game has nothing to show. Raises RefgenError if the aid cannot be made."""

    def faults(self, aid: AidT) -> Sequence[RefgenError]:  # noqa: ARG002  # most aids are made whole or not at all
        """The errors that explain why parts of an aid are missing."""
        return ()

    @abstractmethod
    def options(self, *args: Any, **chosen: Any) -> OptionsT:
        """The options of a build: the ``papers`` (none: the usual papers), and the options of this kind."""

    def load_layout(self) -> None:
        """Load the module of this kind's jobs with its layout libraries, before processes are forked."""
        import_module(f"{type(self).__module__.rpartition('.')[0]}.job")

    @abstractmethod
    def jobs(self, game: GameModel, aid: AidT, options: OptionsT) -> Iterator[AidJob]:
        """The jobs that make the files of an aid."""


def preview_path(name: str, number: int) -> str:
    """The path of a preview; ``name`` is the path of the aid without suffix, ``number`` counts from 1."""
    return f"{name}-{number}.png"


def preview_files(name: str, pdf: bytes, count: int = sys.maxsize) -> Mapping[str, bytes]:
    """Previews of the first ``count`` pages of a PDF, by path."""
    from refgen.layout.preview import previews  # filled sheets have none

    return {preview_path(name, number): picture for number, picture in enumerate(previews(pdf, count), start=1)}


def upright_formats(papers: Sequence[str]) -> list[PageFormat]:
    """Upright pages on some papers, or on the usual ones where none are chosen."""
    return [PageFormat(Paper(paper)) for paper in papers or USUAL_PAPERS]
