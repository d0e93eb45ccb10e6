"""Targets: the TOML files of a game and of a project. The first line of an input names the game.

In: a scratch folder, in which a project with that game is made. Out: the game loaded, worked out and checked with the
input in the place of one of its files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import copytree

from refgen.aids.cards.model import make_deck
from refgen.aids.screen.kind import screen_of_game
from refgen.aids.session.model import make_session
from refgen.characters.make_sheet import make_sheet
from refgen.errors import RefgenError
from refgen.export.tables import tables_data
from refgen.game import GameModel, load_game
from refgen.pipeline.project import content_folder, find_project
from tests.fuzz import seeds
from tests.fuzz.mutations import TOML
from tests.fuzz.target import Run, Target

GAMES = ("atari-isev", "fudge-1995", "harmonies", "interactive-history", "polyhedral-fudge")
SMALL_GAMES = ("night-kiln", "soundings", "thornpost")
FIRST = "ferry"
"""The game of an input that names none."""


def folder_of(name: str) -> Path:
    folders = (parent / name for parent in (seeds.OWN, seeds.CONTENT, seeds.EXAMPLES, seeds.SYSTEMS))
    return next(folder for folder in folders if folder.is_dir())


@cache
def game_named(name: str) -> GameModel:
    """A game of refgen or of the tests, from its own document."""
    return load_game(folder_of(name))


def name_in(data: bytes) -> str:
    """The game that the first line of an input names."""
    name = data[:60].partition(b"\n")[0].removeprefix(b"# ").decode("ascii", "replace")
    return name if name in (FIRST, *GAMES, *SMALL_GAMES, *_SYSTEMS) else FIRST


_SYSTEMS = tuple(sorted(path.name for path in seeds.SYSTEMS.iterdir()))


def in_game(scratch: Path, file: str, data: bytes) -> Path:
    """The folder of the game that an input names, copied into a project, with the input in the place of a file."""
    name = name_in(data)
    folder = scratch / "content" / name
    if not folder.exists():
        copytree(folder_of(name), folder)
        (scratch / "refgen.toml").touch()
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return folder


def _rules_target(file: str) -> Target:
    """A file that is loaded with the whole game."""

    def prepare(scratch: Path) -> Run:
        return lambda data: _work_out(in_game(scratch, file, data))

    return Target(
        lambda: seeds.files_of_games(file, seeds.OWN, seeds.SYSTEMS),
        prepare,
        TOML,
        _check_command(file),
        large=lambda: seeds.files_of_games(file, seeds.EXAMPLES),
    )


def _work_out(folder: Path, document: Path | None = None) -> None:
    """Load a game, check it, and make its tables and aids."""
    game = load_game(folder, document)
    game.check()
    tables_data(game)
    for make in AIDS.values():
        with suppress(RefgenError):
            make(folder, game)


AIDS: Mapping[str, Callable[[Path, GameModel], object]] = {
    "screen.toml": screen_of_game,
    "sheet.toml": make_sheet,
    "cards.toml": make_deck,
    "session.toml": make_session,
}


def _written_document(scratch: Path, data: bytes) -> Path:
    """An input as the document of the game that its first line names."""
    file = f"damaged-{game_named(name_in(data)).ruleset.spec.document.file}"
    path = in_game(scratch, file, data) / file
    path.write_bytes(data.partition(b"\n")[2])
    return path


def _documents(scratch: Path) -> Run:
    def run(data: bytes) -> None:
        document = _written_document(scratch, data)
        _work_out(document.parent, document)

    return run


def _document_command(scratch: Path, data: bytes) -> Sequence[str]:
    document = _written_document(scratch, data)
    name = document.parent.name
    return ["check", name, "--project", str(scratch), "--document", f"{name}={document}"]


def _check_command(file: str) -> Callable[[Path, bytes], Sequence[str]]:
    def command(scratch: Path, data: bytes) -> Sequence[str]:
        return ["check", in_game(scratch, file, data).name, "--project", str(scratch)]

    return command


def _checked_target(file: str) -> Target:
    """A file beside the rules that checks alone read; the rules are read once."""

    def prepare(scratch: Path) -> Run:
        def run(data: bytes) -> None:
            folder = in_game(scratch, file, data)
            known = game_named(folder.name)
            game = GameModel(known.ruleset, folder)
            game.computed = known.computed
            game.check()

        return run

    return Target(
        lambda: seeds.files_of_games(file, seeds.OWN),
        prepare,
        TOML,
        _check_command(file),
        large=lambda: seeds.files_of_games(file, seeds.CONTENT, seeds.EXAMPLES),
    )


def _phrasings(scratch: Path) -> Run:
    def run(data: bytes) -> None:
        folder = in_game(scratch, PHRASINGS, data)
        own = game_named(folder.name).ruleset.spec.document.file
        load_game(folder, folder / ("original.md" if folder.name == FIRST else own))

    return run


PHRASINGS = "phrasings/original.toml"


def _aid_target(file: str, make: Callable[[Path, GameModel], object]) -> Target:
    """The file of an aid; the game is loaded once."""

    def prepare(scratch: Path) -> Run:
        def run(data: bytes) -> None:
            folder = in_game(scratch, file, data)
            make(folder, game_named(folder.name))

        return run

    def check(scratch: Path, data: bytes) -> Sequence[str]:
        return ["check", in_game(scratch, file, data).name, "--project", str(scratch)]

    def large() -> Sequence[bytes]:
        return LARGE_SESSIONS if file == "session.toml" else seeds.files_of_games(file, seeds.CONTENT, seeds.EXAMPLES)

    return Target(lambda: seeds.files_of_games(file, seeds.OWN), prepare, TOML, check, large=large)


LARGE_SESSIONS = (
    b'# thornpost\ntitle = "Tonight"\nrounds = 8\nlines = 4\n',
    b'# thornpost\ncolumns = ["Zone", { label = "At", value = "condition.condition" }]\nvalues = ["traits", "gear"]\n',
    b'# atari-isev\nrows = 10\ntracks = ["wounds"]\nvalues = ["attributes", "fighting.dodge"]\ntables = ["posture"]\n',
    b'# night-kiln\ncolumns = ["Note"]\ntracks = []\nvalues = ["heat", "trouble.dice"]\n',
)


def _projects(scratch: Path) -> Run:
    def run(data: bytes) -> None:
        _write_project(scratch, data)
        with suppress(RefgenError):
            content_folder(scratch)
        project = find_project(scratch)
        project.site_address(None)

    return run


def _write_project(scratch: Path, data: bytes) -> None:
    in_game(scratch, "system.toml", b"# pool\n" + (folder_of("pool") / "system.toml").read_bytes())
    (scratch / "refgen.toml").write_bytes(data)


def _project_command(scratch: Path, data: bytes) -> Sequence[str]:
    _write_project(scratch, data)
    return ["tables", "--project", str(scratch)]


PROJECTS = (
    b'content = "content"\n[document]\nlanguage = "de"\ndice-letters = ["w"]\n[site]\nbase_url = "https://example.org/r/"\n'
    b'[site.redirects]\n"old.html" = "new.html#a"\n',
    b'[screen]\npapers = ["a4", "letter"]\norientation = "portrait"\nplayers = false\n'
    b'files = ["own.toml"]\n[output]\nlanguage = "fr"\n',
)

TARGETS: Mapping[str, Target] = {
    "document": Target(
        lambda: seeds.files_of_games("rules.*", seeds.OWN, seeds.SYSTEMS),
        _documents,
        command=_document_command,
        large=lambda: seeds.files_of_games("rules.*", seeds.EXAMPLES),
    ),
    "system.toml": _rules_target("system.toml"),
    "proof.toml": _rules_target("proof.toml"),
    "phrasings.toml": Target(
        lambda: seeds.files_of_games(PHRASINGS, seeds.OWN),
        _phrasings,
        TOML,
        large=lambda: seeds.files_of_games(PHRASINGS, seeds.CONTENT),
    ),
    "errata.toml": _checked_target("errata.toml"),
    "pins.toml": _checked_target("pins.toml"),
    **{file: _aid_target(file, make) for file, make in AIDS.items()},
    "refgen.toml": Target(lambda: PROJECTS, _projects, TOML, _project_command),
}
