"""The request of a build, and the digests of the files that a build is made of.

In: kinds of aids, papers, files, an output folder. Out: a BuildRequest, in which all of these are checked values.
In: the folders of a project. Out: GameInputs, by which a build knows whether it must make a part again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refgen.aids.kinds import KINDS
from refgen.errors import RulesError
from refgen.pipeline.digests import digest, file_digest
from refgen.pipeline.output_files import DATA, SITE, Files
from refgen.pipeline.project import ProjectFolders, ScreenSettings
from refgen.pipeline.result import LOCAL
from refgen.pipeline.store import Store
from refgen.site.address import SiteAddress

PRODUCTS = (*KINDS, SITE, DATA)
"""What a build makes: what ``refgen build --only`` takes."""


Inputs = Mapping[str, str]
"""The digests of some files, by their paths."""


def of_rules(inputs: Inputs) -> dict[str, str]:
    """Of the files of games, those that rules, checks and pages rest on: all but those that describe aids alone."""
    specs = {kind.spec_name for kind in KINDS.values() if not kind.has_characters}
    return {path: digest for path, digest in inputs.items() if path.partition("/")[2] not in specs}


@dataclass(slots=True)
class GameInputs:
    """The digests of the files of games, as they were when the build first asked for the files."""

    project: ProjectFolders
    _known: dict[str, Inputs] = field(default_factory=dict)

    def of(self, name: str) -> Inputs:
        """The digests of all files of a game, by their paths."""
        if name not in self._known:
            self._known[name] = self.project.inputs(name)
        return self._known[name]

    def of_all(self, names: Iterable[str]) -> dict[str, str]:
        """The digests of all files of some games, by their paths."""
        return {path: digest for name in names for path, digest in self.of(name).items()}

    def digest(self, name: str) -> str:
        """A single digest of all files of a game."""
        return _digest(self.of(name))

    def rules(self, name: str) -> str:
        """A single digest of the files that the rules of a game rest on, and of the settings of its documents."""
        document = f"{self.project.documents.get(name, '')} {self.project.written.model_dump_json()}"
        output = self.project.output.model_dump_json()
        return digest([name, document, output, _digest(of_rules(self.of(name)))])

    def are_unchanged(self, names: Iterable[str]) -> bool:
        """Whether no file of these games, all of which were read, has changed since the build began."""
        return all(self._is_unchanged(name, self.project.read.get(name)) for name in names)

    def _is_unchanged(self, name: str, read: Inputs | None) -> bool:
        known = self.of(name)
        return read is not None and of_rules(read) == of_rules(known) and known == self.project.inputs(name)


def _digest(inputs: Inputs) -> str:
    return digest(part for item in inputs.items() for part in item)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that an aid is made of besides its game, and the digest of its bytes."""

    path: str
    digest: str

    @classmethod
    def at(cls, path: Path | str) -> InputFile:
        """The file as it is now."""
        return cls(str(path), file_digest(Path(path)))

    @property
    def is_unchanged(self) -> bool:
        """Whether the file is still as it was."""
        return self == InputFile.at(self.path)


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """The parts of games to build, the output folder, and the number of steps at a time.

    ``products`` are some of PRODUCTS; ``options`` say how the aids of each kind are made, by the paper that a game asks
    for ("" for none) and by the kind's name, and ``inputs`` which files aids of some kinds are made of besides their
    game. ``screens`` are files of screens that belong to no game, by name. ``store`` has what earlier builds made,
    ``published`` is where the site will be. A build that ``compares`` publishes nothing, and tells how the output
    differs.

    ``made`` is called with files long before all is published: with pages as they are estimated before a layout, then
    with all files of each aid that is laid out; pages with the paths ``first`` come before all else. The exception of
    the future ``stop`` ends the build.
    """

    games: Sequence[str]
    products: frozenset[str]
    options: Mapping[str, Mapping[str, Any]]
    output: Path
    inputs: Mapping[str, Sequence[InputFile]] = field(default_factory=dict)
    jobs: int | None = None
    executor: str = LOCAL
    screens: Mapping[str, Path] = field(default_factory=dict)
    published: SiteAddress = field(default_factory=SiteAddress)
    store: Store | None = None
    compares: bool = False
    made: Callable[[Files], object] | None = None
    first: Collection[str] = ()
    stop: Future[None] | None = None

    @property
    def lays_out(self) -> bool:
        """Whether anything but pages and data is made."""
        return not self.products <= {SITE, DATA}

    def show(self, files: Files) -> None:
        """Show files to whoever wants to see them before all is published."""
        if self.made and files:
            self.made(files)

    def check_stop(self) -> None:
        """Raise what is to end the build."""
        if self.stop is not None and self.stop.done():
            self.stop.result()


def usual_options(papers: Sequence[str], **chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the aids of each kind are made on ``papers`` (none: the usual ones), as ``chosen`` for some kinds.

    ``papers`` chosen for a kind take the place of the general papers.
    """
    return {
        name: kind.options(**{**chosen.get(name, {}), "papers": chosen.get(name, {}).get("papers") or papers})
        for name, kind in KINDS.items()
    }


def options_on(
    paper: str, papers: Sequence[str], chosen: Mapping[str, Mapping[str, Any]], screens: ScreenSettings
) -> Mapping[str, Any]:
    """How aids are made of a game that asks for a ``paper``, on the ``papers`` of this build if there are any.

    ``chosen`` are options by the name of a kind; those of screens go before the project's settings of ``screens``.
    Raises RulesError for an option or a value that a kind does not know.
    """
    wanted = tuple(papers or [paper] * bool(paper))
    are_own = "papers" in screens.model_fields_set and not papers
    screen = screens.options(**{"papers": () if are_own else wanted, **chosen.get("screen", {})})
    try:
        return usual_options(wanted, **{**chosen, "screen": screen})
    except (TypeError, ValueError) as error:
        raise RulesError(f"a wrong option: {error}", hint="refgen.BuildSettings lists the options.") from error
