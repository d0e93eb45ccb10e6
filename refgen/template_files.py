"""The folders ``templates`` of a project and of its games: what authors add to the templates of refgen, as bytes.

In: the folders of a project and of a game. Out: TemplateFiles: templates, style sheets and pictures, each by its path
in the folder. Nothing is parsed here; refgen.layout.extending knows what the files may do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from refgen.errors import RefgenError, SourceError
from refgen.files import bundled_folder, path_inside, read_bytes
from refgen.source import SourceFile

FOLDER = "templates"
"""The name of the folder beside refgen.toml, and of the folder beside a system.toml."""

PUBLISHED = (".css", ".svg", ".png", ".jpg", ".jpeg")
"""The suffixes of the files that pages may load."""


@dataclass(frozen=True, slots=True)
class TemplateFiles:
    """The files of the folders ``templates`` of a game, by their paths; a file of the game hides one of the project.

    ``shown`` has the name of each file in errors, ``output`` is the folder of the output for what pages may load.
    ``faults`` are the errors of files that cannot be taken.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    faults: tuple[RefgenError, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files)

    def source(self, name: str) -> SourceFile:
        """The text of a file. Raises SourceError where it is no text."""
        return SourceFile.decoded(self.files[name], self.shown[name])

    @property
    def published_names(self) -> Sequence[str]:
        """The files that pages may load."""
        return [name for name in self.files if name.endswith(PUBLISHED)]

    @property
    def published(self) -> Mapping[str, bytes]:
        """The files that pages may load, by their paths in the output."""
        return {f"{self.output}/{name}": self.files[name] for name in self.published_names}


NO_FILES = TemplateFiles()


def template_files(project: Path | None, game: Path | None) -> TemplateFiles:
    """The files that stand beside the templates of refgen for a game of a project, or for pages of no single game."""
    return _read(template_folders(project, game), f"{game.name if game else 'assets'}/{FOLDER}")


def template_folders(project: Path | None, game: Path | None) -> Mapping[str, Path]:
    """The folders by their names in errors, that of the project first; the folder of refgen itself is none."""
    places = {FOLDER: project / FOLDER} if project else {}
    places |= {f"{game.name}/{FOLDER}": game / FOLDER} if game else {}
    return {name: place for name, place in places.items() if place.is_dir() and place.resolve() != _OURS}


_OURS = bundled_folder(FOLDER).resolve()


def template_paths(project: Path | None) -> Sequence[Path]:
    """The files of a project that its templates rest on."""
    folders = template_folders(project, None).values()
    return [folder / name for folder in folders for name in _names(folder)]


def _read(places: Mapping[str, Path], output: str) -> TemplateFiles:
    files: dict[str, bytes] = {}
    shown: dict[str, str] = {}
    faults: list[RefgenError] = []
    for place, folder in places.items():
        for name in _names(folder):
            shown[name] = f"{place}/{name}"
            try:
                files[name] = _bytes(folder, name, shown[name])
            except SourceError as error:
                faults.append(error)
    return TemplateFiles(files, shown, output, tuple(faults))


def _names(folder: Path) -> Iterator[str]:
    """The paths of the files in a folder, without hidden files and those that editors leave."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and not name.endswith("~"):
                yield (Path(root) / name).relative_to(folder).as_posix()


def _bytes(folder: Path, name: str, shown: str) -> bytes:
    if not name.endswith((".html", *PUBLISHED)):
        hint = "It takes .html, .css and pictures (.svg, .png, .jpg). Fonts are named in look.toml."
        raise SourceError(f"refgen has no use for {shown}", hint=hint)
    return read_bytes(path_inside(folder.parent, f"{FOLDER}/{name}"), shown)
