"""A project: the folder whose ``content`` holds the systems, bundled with refgen or a user's own.

In: a folder, or nothing. Out: a Project. A project is marked by a file ``refgen.toml``, which may be empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from refgen.bundle import bundled
from refgen.errors import RulesError
from refgen.pipeline.screens import ScreenSettings
from refgen.rules.load import SPEC_NAME
from refgen.rules.toml import Strict, load_toml
from refgen.source import SourceFile, inside
from refgen.suggestion import did_you_mean

MARKER = "refgen.toml"


class ProjectSpec(Strict):
    """A whole refgen.toml: the folder of the systems, and how screens are made."""

    content: str = "content"
    screen: ScreenSettings = ScreenSettings()


@dataclass(frozen=True, slots=True)
class Project:
    """The systems of a project by name, and the documents that are to be read in place of their own.

    ``screens`` are those that belong to no system, by name; ``settings`` say how screens are made.
    """

    systems: Mapping[str, Path]
    documents: Mapping[str, Path]
    screens: Mapping[str, Path] = field(default_factory=dict)
    settings: ScreenSettings = field(default_factory=ScreenSettings)

    def select(self, names: Sequence[str]) -> list[str]:
        """The named systems, or all. Raises RulesError for an unknown one, with the nearest names."""
        for name in names:
            _check_known(name, self.systems)
        return list(dict.fromkeys(names)) if names else list(self.systems)


def find_project(folder: Path | None, documents: Sequence[str] = ()) -> Project:
    """The project in ``folder``; else the nearest one upward from here; else the bundled content.

    ``documents`` are texts "SYSTEM=FILE". Raises RulesError for a folder without systems or an unknown name.
    """
    root = folder if folder is not None else _nearest(Path.cwd())
    spec = ProjectSpec() if root is None else _spec(root)
    content = bundled("content") if root is None else _content(root, spec)
    systems = _systems(content)
    if not systems and root is not None and spec.screen.files:
        systems = _systems(bundled("content"))  # a project of screens alone takes from the bundled systems
    if not systems:
        raise RulesError(
            f"{content} holds no system", hint=f"A system is a folder with a {SPEC_NAME} and its rule document."
        )
    screens = named_screens([inside(root, name) for name in spec.screen.files] if root else [], systems)
    return Project(systems, dict(_document(text, systems) for text in documents), screens, spec.screen)


def _systems(content: Path) -> Mapping[str, Path]:
    systems = {path.parent.name: path.parent for path in sorted(content.glob(f"*/{SPEC_NAME}"))}
    for name in systems:
        inside(content, name)
    return systems


def named_screens(files: Sequence[Path], systems: Iterable[str]) -> Mapping[str, Path]:
    """Files that describe screens, by the names that their output has. Raises RulesError for one that is taken."""
    taken = set(systems)
    screens: dict[str, Path] = {}
    for path in files:
        if path.stem in taken or not path.stem:
            raise RulesError(f'{path}: the name "{path.stem}" is taken', hint="Rename the file.")
        taken.add(path.stem)
        screens[path.stem] = path
    return screens


def _nearest(start: Path) -> Path | None:
    return next((folder for folder in (start, *start.parents) if (folder / MARKER).is_file()), None)


def _spec(root: Path) -> ProjectSpec:
    marker = root / MARKER
    return load_toml(SourceFile.read(marker, MARKER), ProjectSpec) if marker.is_file() else ProjectSpec()


def _content(root: Path, spec: ProjectSpec) -> Path:
    content = (root / spec.content).resolve()
    if not content.is_relative_to(root.resolve()):
        raise RulesError(f'content = "{spec.content}" leads out of the project', hint="Name a folder inside it.")
    return content if content.is_dir() else root


def _document(text: str, systems: Iterable[str]) -> tuple[str, Path]:
    name, equals, file = text.partition("=")
    if not equals or not file:
        raise RulesError(f'--document "{text}" is not SYSTEM=FILE', hint="For example harmonies=draft.xml.")
    _check_known(name, systems)
    return name, Path(file)


def _check_known(name: str, systems: Iterable[str]) -> None:
    known = list(systems)
    if name not in known:
        raise RulesError(f'there is no system "{name}"', hint=did_you_mean(name, known))
