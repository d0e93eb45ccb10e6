"""A project: the folder whose ``content`` holds the games; or the games that are bundled with refgen.

In: a folder, or nothing. Out: a Project. A project is marked by a file ``refgen.toml``, which may be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from refgen.bundle import bundled as content_of_refgen
from refgen.errors import RulesError
from refgen.files import inside
from refgen.game.catalog import Catalog, Lazy
from refgen.game.game import GameModel, load_game
from refgen.pipeline.digests import game_inputs
from refgen.pipeline.result import MARKER, nearest
from refgen.pipeline.settings import ScreenSettings, SiteSettings
from refgen.rules.schema import DocumentSettings
from refgen.rules.spec_files import SYSTEM_NAME
from refgen.rules.toml import Strict, load_toml
from refgen.site.address import SiteAddress
from refgen.source import SourceFile


class ProjectSpec(Strict):
    """A whole refgen.toml: where the games are, how documents are written, how screens are made, where the site is."""

    content: str = "content"
    document: DocumentSettings = DocumentSettings()
    screen: ScreenSettings = ScreenSettings()
    site: SiteSettings = SiteSettings()


def _keep(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ProjectFolders:
    """The folders of a project's games by name, and the documents that are to be read in place of their own.

    ``screens`` are those that belong to no game, by name; ``settings`` say how screens are made, ``site`` where the
    site is published, ``written`` how documents are written whose game does not say. ``games`` are loaded when they are
    first asked for; ``read`` has the digests of all files of each that was, as they were then. ``lent`` games are
    bundled ones: nothing is made of them but what names them. ``forget`` lets go of a game that is done with, and says
    whether it was there.
    """

    folders: Mapping[str, Path]
    documents: Mapping[str, Path]
    screens: Mapping[str, Path]
    settings: ScreenSettings
    site: SiteAddress
    games: Mapping[str, GameModel]
    lent: bool = False
    written: DocumentSettings = field(default_factory=DocumentSettings)
    read: dict[str, dict[str, str]] = field(default_factory=dict)
    forget: Callable[[str], bool] = _keep

    @classmethod
    def of(
        cls,
        folders: Mapping[str, Path],
        documents: Mapping[str, Path] | None = None,
        screens: Mapping[str, Path] | None = None,
        settings: ScreenSettings | None = None,
        site: SiteAddress | None = None,
        written: DocumentSettings | None = None,
        *,
        lent: bool = False,
    ) -> ProjectFolders:
        """A project of these games."""
        said = settings or ScreenSettings(), site or SiteAddress()
        made = cls(folders, documents or {}, screens or {}, *said, {}, lent, written or DocumentSettings())
        return replace(made, games=Catalog("game", Lazy(folders, made._load)))

    @property
    def outline(self) -> object:
        """All that the project is made of but what stands in the files of its games and screens."""
        return self.folders, self.documents, self.screens, self.settings, self.site, self.written

    def _load(self, name: str) -> GameModel:
        self.note(name)
        return load_game(self.folders[name], self.documents.get(name), self.written)

    def note(self, name: str) -> None:
        """Note the files of a game before it is read."""
        self.read[name] = self.inputs(name)

    def inputs(self, name: str) -> dict[str, str]:
        """The digests of all files of a game, as they are now."""
        return game_inputs(name, self.folders[name], self.documents.get(name))


def folder_project(folder: Path, document: Path | None = None) -> ProjectFolders | None:
    """A project of the one game that a folder is; None for a folder that is none."""
    path = folder.resolve()
    if not (path / SYSTEM_NAME).is_file():
        return None
    root = nearest(path)
    written = _spec(root)[0].document if root else None
    return ProjectFolders.of({path.name: path}, {path.name: document} if document else {}, written=written)


def find_project(
    folder: Path | None, documents: Sequence[str] = (), *, bundled: bool = False, named: bool = False
) -> ProjectFolders:
    """The project in ``folder``; else the nearest one upward from here. With ``bundled``, the bundled games instead.

    Where there is no project, bundled games may be ``named`` all the same. ``documents`` are texts "GAME=FILE". Raises
    RulesError where there is no project, for a folder without games, and for an unknown name.
    """
    root = None if bundled else folder if folder is not None else nearest(Path.cwd())
    if root is None:
        if not bundled and not named:
            raise _no_project()
        folders = _folders(content_of_refgen("content"))
        return ProjectFolders.of(folders, dict(_document(text, folders) for text in documents), lent=not bundled)
    spec, site = _spec(root)
    content = _content(root, spec)
    folders = _folders(content)
    lent = not folders and bool(spec.screen.files)
    if lent:
        folders = _folders(content_of_refgen("content"))  # a project of screens alone takes from the bundled games
    if not folders:
        hint = f"A game is a folder with a {SYSTEM_NAME} and its rule document."
        raise RulesError(f"{content} holds no game", hint=hint)
    screens = named_screens([inside(root, name) for name in spec.screen.files], folders)
    named_documents = dict(_document(text, folders) for text in documents)
    return ProjectFolders.of(folders, named_documents, screens, spec.screen, site, spec.document, lent=lent)


def document_settings(root: Path) -> DocumentSettings:
    """How the refgen.toml in a folder says that documents are written."""
    return _spec(root)[0].document


def _no_project() -> RulesError:
    games = ", ".join(_folders(content_of_refgen("content")))
    return RulesError(
        f"there is no project here: no {MARKER} in this folder or above it",
        hint=f"Name a bundled game ({games}), or take them all with --bundled (in Python: bundled=True). "
        f"An empty {MARKER} beside the folders of your games begins a project.",
    )


def _folders(content: Path) -> Mapping[str, Path]:
    folders = {path.parent.name: path.parent for path in sorted(content.glob(f"*/{SYSTEM_NAME}"))}
    for name in folders:
        inside(content, name)
    return folders


def named_screens(files: Sequence[Path], games: Iterable[str]) -> Mapping[str, Path]:
    """Files that describe screens, by the names that their output has. Raises RulesError for one that is taken."""
    taken = set(games)
    screens: dict[str, Path] = {}
    for path in files:
        if path.stem in taken or not path.stem:
            raise RulesError(f'{path}: the name "{path.stem}" is taken', hint="Rename the file.")
        taken.add(path.stem)
        screens[path.stem] = path
    return screens


def _spec(root: Path) -> tuple[ProjectSpec, SiteAddress]:
    marker = root / MARKER
    if not marker.is_file():
        return ProjectSpec(), SiteAddress()
    source = SourceFile.read(marker.resolve(), MARKER)
    spec = load_toml(source, ProjectSpec)
    return spec, spec.site.published(source)


def _content(root: Path, spec: ProjectSpec) -> Path:
    content = (root / spec.content).resolve()
    if not content.is_relative_to(root.resolve()):
        raise RulesError(f'content = "{spec.content}" leads out of the project', hint="Name a folder inside it.")
    return content if content.is_dir() else root


def _document(text: str, games: Mapping[str, Path]) -> tuple[str, Path]:
    name, equals, file = text.partition("=")
    if not equals or not file:
        raise RulesError(f'--document "{text}" is not GAME=FILE', hint="For example harmonies=draft.xml.")
    return Catalog("game", games).id_of(name), Path(file)
