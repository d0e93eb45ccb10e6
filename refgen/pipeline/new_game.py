"""A new game of a project, proposed from its documents; or the same game again, from changed documents.

In: the GameSources, and the folder of the project. Out: a NewGame: the files of the game, each with what happens to it.
Nothing is written until ``write``. The schemas that the files name for editors are written with the files.

A file that refgen proposed before is merged three ways: from the last proposal, which is kept in ``.proposed`` beside
it, from the file as the author left it, and from the new proposal. A file that the author deleted stays deleted.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import Literal

from refgen.aids.kind import NamesInProse
from refgen.aids.kinds import KINDS
from refgen.blocks.letters import letter_faults, letters_without_font
from refgen.catalog import Catalog
from refgen.errors import PublishError, RefgenError, RulesError, os_errors_as
from refgen.export.toml_text import spec_toml
from refgen.files import bundled_folder, path_inside
from refgen.game import GameModel, load_game
from refgen.look.find import find_look
from refgen.look.installed import FOLDER as FONTS
from refgen.look.installed import InstalledFont, installed_font
from refgen.look.look import LOOK_NAME, in_look
from refgen.pipeline.game_files import SCHEMAS_FOLDER
from refgen.pipeline.operating_system import WRITING_PREFIX, left_folders, own_folder, scratch, write_whole
from refgen.pipeline.project import content_folder
from refgen.pipeline.publish import write_all
from refgen.pipeline.result import MARKER
from refgen.pipeline.schemas import SCHEMA_NAMES, schema_bytes
from refgen.proposals.draft import Entry, toml_comment
from refgen.proposals.merge import merge
from refgen.proposals.rules_files import ProposedRules, propose_rules, verified_rules
from refgen.proposals.sources import GameSources
from refgen.rules.guess import slug, unused_name
from refgen.rules.spec_files import PROOF_NAME, SYSTEM_NAME
from refgen.source import SourceFile

PROPOSED = ".proposed"
"""The folder, in that of a game, of all files as they were last proposed."""

EXAMPLES = "examples"
"""The folder, in that of the bundled games, of small complete games to begin with."""

PROJECT = """\
# A project of refgen. `refgen build` makes its play aids and site in build/; `refgen serve` shows them while you write.
# How screens are made and where the site is published stands here: `refgen schema project` has the keys.
"""

AID_HEAD = """\
# {aid}: as it is made without this file. Delete the file to leave the choice to refgen.
"""

_GENERIC = re.compile(
    r"\([^()]*\)|\b(?:system reference document|srd|(?:core )?rules?|rulebook|regelwerk|regeln|v\.?\d[\d.]*)\b",
    re.IGNORECASE,
)
"""The words of titles that many games share, and that their ids leave out."""

State = Literal["new", "unchanged", "changed", "kept", "conflict", "deleted"]
"""What happens to a file: ``kept``: the author changed it, and nothing new is proposed; ``deleted``: by the author."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file of a new game by its path in the project, what happens to it, and how many entries are in conflict."""

    path: str
    state: State
    conflicts: int = 0


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game proposed from documents: its id, title and project, the bytes of the files to write, and all changes.

    ``folder`` is the folder of the game in the project. ``tables`` and ``actions`` count the entries of the rules;
    ``uncertain`` are the entries that stand commented out, ``differing`` the checks from which some numbers differ,
    each with the last of its evidence; ``left_out`` are the files that hold no rules, each with the reason, and
    ``unset`` the errors of tables with letters that no font has, which no aid shows; ``unset_letters`` are all these.
    """

    id: str
    title: str
    root: Path
    folder: str
    files: Mapping[str, bytes] = field(repr=False)
    changes: Sequence[FileChange]
    tables: int
    actions: int
    uncertain: Sequence[str]
    differing: Sequence[str]
    left_out: Sequence[tuple[str, str]]
    unset: Sequence[RefgenError] = ()
    unset_letters: str = ""

    @property
    def machine_font(self) -> InstalledFont | None:
        """A font of this machine for the letters that no font has; None where the project has a look.toml."""
        if not self.unset_letters or any((self.root / name).exists() for name in (LOOK_NAME, FONTS)):
            return None
        return installed_font(self.unset_letters)

    def write_font(self, font: InstalledFont) -> None:
        """Write a font of this machine into the project, and a look.toml that names it. Raises PublishError."""
        with os_errors_as(PublishError, f"make {self.root / FONTS}"):
            (self.root / FONTS).mkdir(parents=True)
        for name, data in font.project_files().items():
            write_whole(path_inside(self.root, name), data)

    def write(self) -> None:
        """Write the files, each whole, and the folder of a new game at once, as the last.

        In a folder that is there the proposals of this time come last: until all other files are written, those of last
        time are merged again. Raises RefgenError for a file that leads out of the project.
        """
        home = path_inside(self.root, self.folder)
        for _ in left_folders(home.parent, WRITING_PREFIX):  # of killed processes
            pass
        new = () if home.exists() else [name for name in self.files if Path(name).is_relative_to(self.folder)]
        for name in sorted(self.files.keys() - {*new}, key=lambda name: (PROPOSED in Path(name).parts, name)):
            path = path_inside(self.root, name)
            with os_errors_as(PublishError, f"make {path.parent}"):
                path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, self.files[name])
        if new:
            _make_folder(home, {str(Path(name).relative_to(self.folder)): self.files[name] for name in new})


def _make_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder with all its files in one move, once the disk has all of them. Raises PublishError."""
    with os_errors_as(PublishError, f"make {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with own_folder(path.parent, WRITING_PREFIX) as stage:
            write_all(stage / path.name, files, files)
            (stage / path.name).rename(path)


def new_game(sources: GameSources, root: Path, *, name: str = "", title: str = "") -> NewGame:
    """The game of some documents in the project at ``root``; ``name`` is its id, by default made of its title.

    Raises RefgenError for documents that no game can be made of, for a name that is no id, and for the folder of the
    bundled games.
    """
    root, content = _project_folders(root)
    title = title or sources.title
    taken = [path.name for path in content.iterdir()] if content.is_dir() else []
    game_id = (
        name or _id_before(content, sources) or unused_name(slug(_GENERIC.sub(" ", title), slug(title, "game")), taken)
    )
    if slug(game_id, "") != game_id:
        raise RulesError(f'"{game_id}" is no name of a game', hint=f'Write it like "{slug(game_id, "my-game")}".')
    with in_look(find_look(root, content / game_id)):
        rules, made, unset, letters = _proposed(sources, game_id, title)
    merger = _Merger(root, (content / game_id).relative_to(root).as_posix())
    for source in sources.documents:
        merger.take_document(source.name, source.path)
    for file, text in made.items():
        merger.take(file, text)
    sections = [entry.heading.strip("[]").partition(".")[0] for entry in rules.entries if entry.certain]
    return NewGame(
        game_id,
        title,
        root,
        merger.folder,
        merger.files,
        merger.changes,
        sections.count("tables"),
        sections.count("actions"),
        [_entry_name(one) for one in rules.entries if not one.certain],
        [_entry_name(one) for one in rules.entries if one.is_likely],
        sources.left_out,
        unset,
        letters,
    )


def _entry_name(entry: Entry) -> str:
    """The heading of an entry, and the last of its evidence."""
    return f"{entry.heading}  {''.join(entry.evidence[-1:])}".rstrip()


def examples() -> Mapping[str, Path]:
    """The folders of the small complete games that come with refgen, by name."""
    return {
        path.parent.name: path.parent for path in sorted(bundled_folder("content").glob(f"{EXAMPLES}/*/{SYSTEM_NAME}"))
    }


def example_game(name: str, root: Path) -> NewGame:
    """A small complete game, copied into the project at ``root``; without a name the first of the ``examples``.

    Raises UnknownNameError, and RulesError where the project has a game of that name.
    """
    games = Catalog("example", examples())
    game_id = games.id_of(name) if name else next(iter(games))
    root, content = _project_folders(root)
    if (content / game_id).exists():
        raise RulesError(f"{content / game_id} is there already", hint="Name another folder with -o.")
    merger = _Merger(root, (content / game_id).relative_to(root).as_posix())
    for path in sorted(filter(Path.is_file, games[game_id].rglob("*"))):
        name = f"{merger.folder}/{path.relative_to(games[game_id]).as_posix()}"
        is_toml = path.parent == games[game_id] and path.suffix == ".toml"
        text = merger.with_schema(name, path.read_text(encoding="utf-8")).encode() if is_toml else path.read_bytes()
        merger.write(name, text, "new")
    spec = load_game(games[game_id]).ruleset.spec
    counts = len(spec.tables), len(spec.actions)
    return NewGame(game_id, spec.title, root, merger.folder, merger.files, merger.changes, *counts, (), (), ())


def _project_folders(root: Path) -> tuple[Path, Path]:
    """The folder of a project without links in it, and the folder of its games."""
    root = root.resolve()
    content = content_folder(root)
    if content.is_relative_to(bundled_folder("content").resolve()):
        raise RulesError("the bundled games are not yours to write", hint="Name a folder of your own with -o.")
    return root, content


def _id_before(content: Path, sources: GameSources) -> str:
    """The game in whose folder the documents lie, or that was proposed from documents of their names; "" if none."""
    first = sources.documents[0].path.resolve()
    if first.is_relative_to(content) and first.parent != content:
        return first.relative_to(content).parts[0]
    for folder in sorted(content.glob(f"*/{PROPOSED}")):
        if all((folder / name).exists() for name in sources.names):
            return folder.parent.name
    return ""


def _proposed(
    sources: GameSources, game_id: str, title: str
) -> tuple[ProposedRules, Mapping[str, str], Sequence[RefgenError], str]:
    """The rules that are proposed, tried in a folder of their own, and the texts of all files of the game.

    With them the errors of tables with letters that no font has, and all these letters.
    """
    with os_errors_as(PublishError, f"write {gettempdir()}", "Set TMPDIR to another folder."), scratch() as temporary:
        folder = temporary / game_id
        folder.mkdir()
        proposed = propose_rules(sources.document, sources.names, title=title)
        rules, game = verified_rules(proposed, sources.document, folder)
        files = {SYSTEM_NAME: rules.system, PROOF_NAME: rules.proof, **_aid_files(rules, game)}
        return rules, files, [*letter_faults(game)], letters_without_font(game)


def _aid_files(rules: ProposedRules, game: GameModel) -> Mapping[str, str]:
    """The text of the file of each aid that the game has something for, by the name of the file."""
    lists = rules.traits.attributes, rules.traits.skills
    names = NamesInProse(*([trait.name for trait in found.traits] if found else [] for found in lists))
    evidence = "".join(f"{toml_comment(found.evidence)}\n" for found in lists if found)
    files = {}
    for kind in KINDS.values():
        spec = kind.proposed_spec(game, names)
        if spec is not None:
            of_traits = evidence if kind.has_characters else ""
            files[kind.spec_name] = f"{AID_HEAD.format(aid=kind.title)}{of_traits}\n{spec_toml(spec)}"
    return files


@dataclass
class _Merger:
    """The files to write, by their paths in the project, and what happens to each."""

    root: Path
    folder: str
    files: dict[str, bytes] = field(default_factory=dict)
    changes: list[FileChange] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not (self.root / MARKER).exists():
            self.write(MARKER, self.with_schema(MARKER, PROJECT).encode(), "new")

    def with_schema(self, path: str, text: str) -> str:
        """The text of a file, below a line that names its schema for editors; the schema is among the files to write.

        The line names a path from the file, for an address would need a network, and a path in refgen's own folder
        would hold for one machine.
        """
        schema = SCHEMA_NAMES.get(Path(path).name)
        if not text or schema is None:
            return text
        place = f"{SCHEMAS_FOLDER}/{schema}.json"
        self.files[place] = schema_bytes(schema)
        return f"#:schema {posixpath.relpath(place, posixpath.dirname(path))}\n{text}"

    def write(self, path: str, data: bytes, state: State, conflicts: int = 0) -> None:
        """Write a file of the project."""
        self.files[path] = data
        self.changes.append(FileChange(path, state, conflicts))

    def take(self, name: str, text: str) -> None:
        """Take a proposed file of the game, merged with what the author made of the last proposal."""
        path, proposed = f"{self.folder}/{name}", f"{self.folder}/{PROPOSED}/{name}"
        text = self.with_schema(path, text)
        before, mine = self._read(proposed), self._read(path)
        if not text and mine is None:
            return
        self.files[proposed] = text.encode()
        if mine is None:
            if before is None:
                self.write(path, text.encode(), "new")
            else:
                self.changes.append(FileChange(path, "deleted"))
            return
        old = SourceFile.decoded(mine, path).text
        line_end = "\r\n" if "\r\n" in old else "\n"
        merged = merge((before or b"").decode(), old.replace("\r\n", "\n"), text)
        made = merged.text.replace("\n", line_end)
        if merged.conflicts:
            self.write(path, made.encode(), "conflict", len(merged.conflicts))
        elif made == old:
            self.changes.append(FileChange(path, "unchanged" if merged.text == text else "kept"))
        else:
            self.write(path, made.encode(), "changed")

    def take_document(self, name: str, source: Path) -> None:
        """Take a document as it is, unless it lies there already, or the author changed the copy of the game."""
        path, proposed = f"{self.folder}/{name}", f"{self.folder}/{PROPOSED}/{name}"
        data, before, mine = source.read_bytes(), self._read(proposed), self._read(path)
        self.files[proposed] = data
        if mine is None:
            self.write(path, data, "new")
        elif mine == data:
            self.changes.append(FileChange(path, "unchanged"))
        elif mine == before:
            self.write(path, data, "changed")
        else:
            self.changes.append(FileChange(path, "kept" if data == before else "conflict"))

    def _read(self, path: str) -> bytes | None:
        """The bytes of a file of the project; None if there is none."""
        found = path_inside(self.root, path)
        return found.read_bytes() if found.is_file() else None
