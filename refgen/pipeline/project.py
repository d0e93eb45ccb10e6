"""The folders and settings of a project (a folder with a ``refgen.toml``), or of the games bundled with refgen.

In: a folder, or nothing. Out: ProjectFolders: where the games, documents and screens lie, and what refgen.toml says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError

from refgen.catalog import Catalog
from refgen.errors import RulesError, SourceError
from refgen.files import bundled_folder as content_of_refgen
from refgen.files import path_inside
from refgen.game import GameModel
from refgen.languages import language_of
from refgen.layout.page_format import Imposition, Orientation, Paper, Theme
from refgen.look.find import find_look, look_paths
from refgen.look.look import Look
from refgen.pipeline.digests import ABSENT, file_digest, game_inputs
from refgen.pipeline.result import MARKER, nearest_project
from refgen.rules.output import OutputSettings
from refgen.rules.places import locate
from refgen.rules.schema import DocumentSettings
from refgen.rules.spec_files import SYSTEM_NAME, document_language
from refgen.rules.toml import Strict, load_toml, wrong_value
from refgen.source import SourceFile

if TYPE_CHECKING:
    from refgen.site.address import SiteAddress

ScreenPaper = Literal[Paper.A4, Paper.LETTER, Paper.A5]


class ScreenSettings(Strict):
    """The ``[screen]`` of refgen.toml. ``files`` are screens of the project's own, by their path in it."""

    papers: list[ScreenPaper] = Field([Paper.A4, Paper.LETTER], min_length=1)
    orientation: Orientation = Orientation.LANDSCAPE
    imposition: Imposition = Imposition.PAGES
    theme: Theme = Theme.COLOUR
    players: bool = True
    files: list[str] = []

    def options(self, **chosen: Any) -> dict[str, Any]:
        """The options of screens: these settings, but for ``chosen`` values; None and () leave a setting as it is.

        Raises RulesError for a value that a setting cannot have.
        """
        given = {name: value for name, value in chosen.items() if value not in (None, ())}
        try:
            settings = ScreenSettings.model_validate({**self.model_dump(), **given})
        except ValidationError as error:
            faults = "; ".join(f"{fault['loc'][0]}: {wrong_value(fault)}" for fault in error.errors())
            raise RulesError(f"screens cannot be made so: {faults}") from error
        return settings.model_dump(exclude={"files"})


_NAME = r"[^/.\s?#\\:][^/\s?#\\:]*"
_PATH = rf"{_NAME}(/{_NAME})*"
OldAddress = Annotated[str, Field(pattern=rf"^{_PATH}\.html(#[^\s#]+)?$")]
NewAddress = Annotated[str, Field(pattern=rf"^{_PATH}(#[^\s#]+)?$")]


def _checked_base_url(url: str) -> str:
    from refgen.site.address import checked_base_url  # most commands make no site

    return checked_base_url(url)


class SiteSettings(Strict):
    """The ``[site]`` of refgen.toml: where the site is published, and where its old addresses lead."""

    base_url: Annotated[str, AfterValidator(_checked_base_url)] = ""
    redirects: dict[OldAddress, NewAddress] = {}


class ProjectSpec(Strict):
    """A whole refgen.toml: where games are, how documents and aids are written, how screens and the site are made."""

    content: str = "content"
    document: DocumentSettings = DocumentSettings()
    output: OutputSettings = OutputSettings()
    screen: ScreenSettings = ScreenSettings()
    site: SiteSettings = SiteSettings()


@dataclass(frozen=True, slots=True)
class ProjectFolders:
    """Where the games of a project lie, by name, and the settings of the project.

    ``documents`` are read in place of a game's own. ``screens`` are the files of screens that belong to no game, by
    name; ``settings`` say how screens are made, ``site`` where the site is published (both from the file ``source``),
    ``written`` how documents are written whose game does not say, and ``output`` how aids are. ``root`` is the folder
    of the project, ``look`` the digests of its look.toml and of the files that it names, by their paths. ``lent`` games
    are bundled games: a build makes only the named ones.

    ``games`` are loaded when they are first asked for, by whoever owns the project; ``read`` has the digests of all
    files of each loaded game, as they were then. ``forget`` lets go of a game that is done with.
    """

    folders: Mapping[str, Path]
    documents: Mapping[str, Path] = field(default_factory=dict)
    screens: Mapping[str, Path] = field(default_factory=dict)
    settings: ScreenSettings = field(default_factory=ScreenSettings)
    site: SiteSettings = field(default_factory=SiteSettings)
    source: SourceFile | None = field(default=None, repr=False, compare=False)
    written: DocumentSettings = field(default_factory=DocumentSettings)
    output: OutputSettings = field(default_factory=OutputSettings)
    lent: bool = False
    root: Path | None = None
    look: Mapping[str, str] = field(default_factory=dict)
    games: Mapping[str, GameModel] = field(default_factory=dict, compare=False)
    read: dict[str, dict[str, str]] = field(default_factory=dict, compare=False)
    forget: Callable[[str], object] = field(default=lambda _: None, compare=False)

    def site_address(self, base_url: str | None) -> SiteAddress:
        """The public address of the site; ``base_url``, if given, replaces the address of refgen.toml.

        Raises RulesError for a ``base_url`` that is no address.
        """
        from refgen.site.address import SiteAddress

        return SiteAddress(self.site.base_url, self.site.redirects, self.source).at(base_url)

    def inputs(self, name: str) -> dict[str, str]:
        """The digests of all files of a game, as they are now."""
        inputs = game_inputs(name, self.folders[name], self.documents.get(name))
        return inputs | {f"{name}/{path}": digest for path, digest in self.look.items() if digest != ABSENT}

    def look_of(self, name: str) -> Look:
        """The look of a game as it is now. Raises RefgenError for a look at fault."""
        return find_look(self.root, self.folders[name])


def folder_project(folder: Path, document: Path | None = None) -> ProjectFolders | None:
    """A project of the one game that a folder is; None for a folder that is none."""
    path = folder.resolve()
    if not (path / SYSTEM_NAME).is_file():
        return None
    root = nearest_project(path)
    spec = _spec(root)[0] if root else ProjectSpec()
    documents = {path.name: document} if document else {}
    said = ProjectFolders({path.name: path}, documents, written=spec.document, output=spec.output)
    return replace(said, root=root, look=_look(root))


def find_project(
    folder: Path | None, documents: Sequence[str] = (), *, bundled: bool = False, named: bool = False
) -> ProjectFolders:
    """The project in ``folder`` (default: the nearest project upward from here), or the ``bundled`` games.

    Where there is no project, bundled games may be ``named`` all the same. ``documents`` are texts "GAME=FILE". Raises
    RulesError where there is no project, for a folder without games, and for an unknown name.
    """
    root = None if bundled else folder if folder is not None else nearest_project(Path.cwd())
    if root is not None:
        return _project_in(root, documents)
    folders = _folders(content_of_refgen("content"))
    if not bundled and not named:
        raise RulesError(
            f"there is no project here: no {MARKER} in this folder or above it",
            hint=f"`refgen init FILE` begins one from your rules, as does an empty {MARKER} beside the folders of your "
            f"games. Or name a bundled game ({', '.join(folders)}), or take them all with --bundled (in Python: "
            "bundled=True).",
        )
    return ProjectFolders(folders, dict(_document(text, folders) for text in documents), lent=not bundled)


def _project_in(root: Path, documents: Sequence[str]) -> ProjectFolders:
    spec, source = _spec(root)
    content = _content(root, spec, source)
    folders = _folders(content)
    lent = not folders and bool(spec.screen.files)
    if lent:
        folders = _folders(content_of_refgen("content"))  # a project of screens alone takes from the bundled games
    if not folders:
        hint = f"`refgen init FILE` begins a game: a folder with a {SYSTEM_NAME} and its rule document."
        raise RulesError(f"{content} holds no game", hint=hint)
    return ProjectFolders(
        folders,
        dict(_document(text, folders) for text in documents),
        named_screens([path_inside(root, name) for name in spec.screen.files], folders),
        spec.screen,
        spec.site,
        source,
        spec.document,
        spec.output,
        lent,
        root,
        _look(root),
    )


def _look(root: Path | None) -> Mapping[str, str]:
    """The digests of the files of the look of a project, by their paths."""
    return {str(path): file_digest(path) for path in look_paths(root)}


def dice_letters(root: Path) -> Sequence[str]:
    """The letters for dice besides d that hold in all of a project, as on its page of any dice.

    They are those of refgen.toml, and of the language of the project's output, or else of all its games.
    Raises RulesError for a refgen.toml or a system.toml that is none.
    """
    spec, source = _spec(root)
    games = _folders(_content(root, spec, source, is_new=True)).values()
    known = (spec.output.language, spec.document.language)
    languages = {known[0] or document_language(folder) or known[1] for folder in games} or {known[0]}
    of_pages = language_of(languages.pop()).dice_letters if len(languages) == 1 else ()
    return tuple(dict.fromkeys((*spec.document.style.letters, *of_pages)))


def _folders(content: Path) -> Mapping[str, Path]:
    folders = {path.parent.name: path.parent for path in sorted(content.glob(f"*/{SYSTEM_NAME}"))}
    for name in folders:
        path_inside(content, name)
    return folders


def named_screens(files: Iterable[Path], games: Iterable[str]) -> Mapping[str, Path]:
    """Files that describe screens, by the names that their output has. Raises RulesError for one that is taken."""
    taken = set(games)
    screens: dict[str, Path] = {}
    for path in files:
        if path.stem in taken or not path.stem:
            raise RulesError(f'{path}: the name "{path.stem}" is taken', hint="Rename the file.")
        taken.add(path.stem)
        screens[path.stem] = path
    return screens


def _spec(root: Path) -> tuple[ProjectSpec, SourceFile | None]:
    """The settings of a project and their file; without a file, all settings are the usual ones."""
    marker = root / MARKER
    if not marker.is_file():
        return ProjectSpec(), None
    source = SourceFile.read(marker.resolve(), MARKER)
    return load_toml(source, ProjectSpec), source


def content_folder(root: Path) -> Path:
    """The folder of the games of a project, which need not be there yet."""
    return _content(root, *_spec(root), is_new=True)


def _content(root: Path, spec: ProjectSpec, source: SourceFile | None, *, is_new: bool = False) -> Path:
    """The folder that refgen.toml names; where it names none, the project may hold the folders of games itself.

    The folder of a new project need not be there yet.
    """
    span = locate(source, ("content",)) if source else None
    try:
        content = path_inside(root, spec.content)
    except SourceError as error:
        raise RulesError(error.message, span=span, hint="Name a folder of the project.") from error
    is_named = "content" in spec.model_fields_set
    if content.is_dir() or (is_new and (is_named or not _folders(root))):
        return content
    if is_named:
        raise RulesError(f'there is no folder "{spec.content}"', span=span)
    return root


def _document(text: str, games: Mapping[str, Path]) -> tuple[str, Path]:
    name, equals, file = text.partition("=")
    if not equals or not file:
        raise RulesError(f'--document "{text}" is not GAME=FILE', hint="For example harmonies=draft.xml.")
    return Catalog("game", games).id_of(name), Path(file)
