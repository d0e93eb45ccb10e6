"""What is fuzzed: a table of targets, each with its seeds, the changes that suit it, and a function that takes bytes.

In: a scratch folder. Out: functions that read an input as refgen would, and commands that read the same input. They
raise RefgenError for an input that is refused; anything else that is raised is a fault of refgen.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from shutil import copytree, rmtree

import font_source_sans_pro
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from PIL import Image

from refgen.aids.cards.model import make_deck
from refgen.aids.screen.kind import screen_of_game
from refgen.aids.session.model import make_session
from refgen.characters.character_files import each_character
from refgen.characters.filling import fill, filled_sheet
from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.errors import RefgenError
from refgen.export.document import check_document, document_data
from refgen.export.odds import odds_data, sides_of
from refgen.export.tables import tables_data
from refgen.game import GameModel, load_game
from refgen.layout.templates import look_files
from refgen.limits import changed_limits
from refgen.look.find import find_look
from refgen.notation.dice_notation import in_one_spelling, tokens
from refgen.notation.formula_parser import ambiguity_notes, parse_formula, read_inline_table
from refgen.notation.levels import read_condition, read_level, read_track_change
from refgen.notation.printed_cell import NOTATIONS, read_value
from refgen.notation.printed_numbers import numbers_in, things_counted
from refgen.pipeline.project import content_folder, find_project
from refgen.proposals.rules_files import propose_rules
from refgen.readers.document import BINARY, Document, Format
from refgen.readers.pandoc.reader import read_binary
from refgen.readers.read import THROUGH_PANDOC, decode_document, read_document, visible_paragraphs
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.serve.served_pages import ServedPages
from refgen.serve.server import Server
from tests.browser.random_dice import expression
from tests.browser.random_formulas import formula
from tests.fuzz import seeds
from tests.fuzz.mutations import ARCHIVE, BINARY as BINARY_CHANGES, JSON, TEXT, TOML, XML, Change

Run = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Target:
    """What is fuzzed. ``prepare`` makes, in a scratch folder, the function that reads an input as refgen would.

    ``command`` has the arguments of a command that reads the input, which lies in the scratch folder by then. ``fresh``
    makes half of the inputs, by a grammar. ``share`` of 10 lets a slow target have a tenth of the inputs.
    """

    seeds: Callable[[], Sequence[bytes]]
    prepare: Callable[[Path], Run]
    changes: Sequence[Change] = TEXT
    command: Callable[[Path, bytes], Sequence[str] | None] | None = None
    fresh: Callable[[Random], str] | None = None
    share: int = 1


# --- documents

_SUFFIX = {Format.MARKDOWN: "md", Format.DOCBOOK: "xml", Format.LATEX: "tex", Format.PLAINTEXT: "txt", Format.FLATTENED: "txt"}


def _document_target(form: Format) -> Target:
    changes = {Format.DOCBOOK: XML, Format.DOCX: ARCHIVE, Format.ODT: ARCHIVE}.get(form, TEXT)
    return Target(lambda: seeds.documents(form), lambda _: lambda data: _read(data, form), changes, _read_command(form))


def _read(data: bytes, form: Format) -> None:
    """Read a document, show all of it, and check what needs no system.toml."""
    with changed_limits(["pandoc-seconds=4"]):
        if form in BINARY:
            _show(read_binary(data, "rules", form))
            return
        source = decode_document(data, "rules")
        with suppress(RefgenError):
            visible_paragraphs(source, form)
        _show(read_document(source, form))


def _show(document: Document) -> None:
    length = len(document.source.text)
    for section in document.sections:
        for cell in (cell for grid in section.grids for row in grid.rows for cell in row):
            assert 0 <= cell.span.start <= cell.span.end <= length, cell
    document_data(document, text=True)
    check_document(document)


def _read_command(form: Format) -> Callable[[Path, bytes], Sequence[str]]:
    def command(folder: Path, data: bytes) -> Sequence[str]:
        path = folder / f"rules.{_SUFFIX.get(form, form)}"
        path.write_bytes(data)
        return ["read", str(path), "--sections", "--limit", "pandoc-seconds=4"]

    return command


def _propose(data: bytes) -> None:
    document = read_document(decode_document(data, "rules"), Format.MARKDOWN)
    proposed = propose_rules(document)
    with seeds.scratch_folder() as folder:
        verified_rules(proposed, document, folder)


# --- notations, dice and formulas


def _notations(_folder: Path) -> Run:
    ladders = [ladder for game in ("fudge-1995", "atari-isev") for ladder in _game(game).ladders.values()]

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        for notation in get_args(NotationName):
            for ladder in ladders[:2]:
                with suppress(RefgenError):
                    read_value(notation, text, ladder)
        for read in (read_track_change, read_inline_table, parse_formula, in_one_spelling, tokens, ambiguity_notes):
            with suppress(RefgenError):
                read(text)
        for read in (read_level, read_condition):
            with suppress(RefgenError):
                read(text, ladders[0])
        list(numbers_in(text, things_counted(text)))

    return run


def _cells() -> Sequence[bytes]:
    """The printed cells of the bundled games."""
    tables = (table for name in GAMES for table in _game(name).printed.values())
    return seeds.chosen(cell.text.encode() for table in tables for row in table.rows for cell in row if cell.text)


def _dice(_folder: Path) -> Run:
    def run(data: bytes) -> None:
        odds_data(*sides_of(data.decode("utf-8", "replace")))

    return run


def _odds_command(_folder: Path, data: bytes) -> Sequence[str] | None:
    text = data.decode("utf-8", "replace")
    return None if "\0" in text else ["odds", "--format", "json", "--", text]


def _formulas(_folder: Path) -> Run:
    ruleset = load_game(seeds.SYSTEMS / "grids").ruleset
    table = ruleset.tables["realms"]
    columns = [column.id for column in table.columns]

    def run(data: bytes) -> None:
        parsed = parse_formula(data.decode("utf-8", "replace"))
        cells = map(NamedValue.of, table.rows[0])
        scope = Scope({f"realm.{name}": value for name, value in zip(columns, cells, strict=True)})
        compiler = Compiler(Names(ruleset, {name: name == "realm.guard" for name in scope.named}))
        for work_out in (compiler.number, compiler.roll):
            with suppress(RefgenError):
                work_out(parsed)(scope)

    return run


def _known_formulas() -> Sequence[bytes]:
    """The formulas of the bundled games and of the small systems."""
    texts = [path.read_text(encoding="utf-8") for folder in (seeds.CONTENT, seeds.SYSTEMS) for path in sorted(folder.rglob("*.toml"))]
    quoted = (found[1] for text in texts for found in re.finditer(r'= "([^"\n]*(?:\(|d\d|\{|[*/])[^"\n]*)"', text))
    return seeds.chosen(text.encode() for text in quoted)


def _grid_formula(random: Random) -> str:
    names = iter(lambda: random.choice(("realm.size", "months", "mood.highest", "realm.guard", "luck.roll")), None)
    return re.sub(r"\{\w+\}", lambda _: f"{{{next(names)}}}", formula(random, random.randint(1, 3)))


# --- what people write for a game

GAMES = ("atari-isev", "fudge-1995", "harmonies", "interactive-history", "polyhedral-fudge")
SMALL_GAMES = ("night-kiln", "soundings", "thornpost")
FIRST = "thornpost"
"""The game of an input that names none."""


def _folder_of(name: str) -> Path:
    folders = (seeds.CONTENT / name, seeds.CONTENT / "examples" / name, seeds.SYSTEMS / name)
    return next(folder for folder in folders if folder.is_dir())


@cache
def _game(name: str) -> GameModel:
    """A game of refgen or of the tests, from its own document."""
    return load_game(_folder_of(name))


def _named(data: bytes) -> str:
    """The game that the first line of an input names."""
    name = data[:60].partition(b"\n")[0].removeprefix(b"# ").decode("ascii", "replace")
    return name if name in (*GAMES, *SMALL_GAMES, *_SYSTEMS) else FIRST


_SYSTEMS = tuple(sorted(path.name for path in seeds.SYSTEMS.iterdir()))


def _in_game(scratch: Path, file: str, data: bytes) -> Path:
    """The folder of the game that an input names, copied into a project, with the input in the place of a file."""
    name = _named(data)
    folder = scratch / "content" / name
    if not folder.exists():
        copytree(_folder_of(name), folder)
        (scratch / "refgen.toml").touch()
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return folder


def _rules_target(file: str, *folders: Path, share: int = 1) -> Target:
    """A file that is loaded with the whole game, all of whose tables are then worked out and checked."""

    def prepare(scratch: Path) -> Run:
        def run(data: bytes) -> None:
            game = load_game(_in_game(scratch, file, data))
            game.check()
            tables_data(game)

        return run

    return Target(lambda: seeds.files_of_games(file, *folders), prepare, TOML, _check_command(file), share=share)


def _check_command(file: str) -> Callable[[Path, bytes], Sequence[str]]:
    def command(scratch: Path, data: bytes) -> Sequence[str]:
        return ["check", _in_game(scratch, file, data).name, "--project", str(scratch)]

    return command


def _checked_target(file: str) -> Target:
    """A file beside the rules that checks alone read; the rules are read once."""

    def prepare(scratch: Path) -> Run:
        def run(data: bytes) -> None:
            folder = _in_game(scratch, file, data)
            known = _game(folder.name)
            game = GameModel(known.ruleset, folder)
            game.computed = known.computed
            game.check()

        return run

    folder = seeds.CONTENT if file == "errata.toml" else seeds.CONTENT / "examples"
    return Target(lambda: seeds.files_of_games(file, folder), prepare, TOML, _check_command(file))


def _phrasings(scratch: Path) -> Run:
    def run(data: bytes) -> None:
        folder = _in_game(scratch, PHRASINGS, data)
        load_game(folder, folder / _game(folder.name).ruleset.spec.document.file)

    return run


PHRASINGS = "phrasings/original.toml"


def _aid_target(file: str, make: Callable[[Path, GameModel], object], command: str) -> Target:
    """The file of an aid; the game is loaded once."""

    def prepare(scratch: Path) -> Run:
        def run(data: bytes) -> None:
            folder = _in_game(scratch, file, data)
            make(folder, _game(folder.name))

        return run

    def check(scratch: Path, data: bytes) -> Sequence[str]:
        return ["check", _in_game(scratch, file, data).name, "--project", str(scratch)]

    return Target(lambda: _aid_files(file), prepare, TOML, check)


def _aid_files(file: str) -> Sequence[bytes]:
    if file == "session.toml":
        return [f"# {game}\n{text}".encode() for game in (*GAMES, *SMALL_GAMES) for text in SESSIONS]
    return seeds.files_of_games(file)


SESSIONS = (
    'title = "Tonight"\nrounds = 8\nlines = 4\n',
    'values = ["Name"]\ntracks = ["wounds"]\ntables = ["blows"]\n',
)

# --- characters


def _character_target(suffix: str) -> Target:
    def prepare(scratch: Path) -> Run:
        forms: dict[str, Form] = {}

        def run(data: bytes) -> None:
            name = _named(data)
            if name not in forms:
                forms[name] = Form(_game(name), make_sheet(_folder_of(name), _game(name)))
            path = scratch / f"characters.{suffix}"
            path.write_bytes(_without_name(data, suffix))
            for character, _ in each_character(forms[name], [path]):
                if character is not None:
                    filled_sheet(forms[name].sheet, fill(forms[name], character))

        return run

    changes = {"toml": TOML, "json": JSON}.get(suffix, TEXT)
    return Target(lambda: _characters(suffix), prepare, changes)


def _without_name(data: bytes, suffix: str) -> bytes:
    """The file; JSON and CSV have no comments for the line that names its game."""
    return data if suffix == "toml" or not data.startswith(b"# ") else data.partition(b"\n")[2]


def _characters(suffix: str) -> Sequence[bytes]:
    files = seeds.files_of_games("characters/*.toml")
    return files if suffix == "toml" else [_as_other(file, suffix) for file in files]


def _as_other(file: bytes, suffix: str) -> bytes:
    head = file.partition(b"\n")[0] + b"\n"
    values = tomllib.loads(file.decode())
    if suffix == "json":
        return head + json.dumps(values, ensure_ascii=False, default=str).encode()
    flat = dict(_flattened(values))
    mark = "," if suffix == "csv" else "\t"
    rows = (mark.join(f'"{text}"'.replace("\n", " ") for text in row) for row in (flat, flat.values()))
    return head + "\n".join(rows).encode()


def _flattened(values: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


# --- the look, and refgen.toml


def _look_target(name: str, files: Callable[[], Sequence[bytes]], changes: Sequence[Change]) -> Target:
    """A file of a look: look.toml itself, or a picture or font that it names."""

    def write(scratch: Path, data: bytes) -> None:
        game = scratch / "content" / FIRST
        if not game.exists():
            _in_game(scratch, "system.toml", seeds.files_of_games("system.toml", seeds.CONTENT / "examples")[-1])
            (scratch / "own.ttf").write_bytes(small_font())
            (scratch / "own.png").write_bytes(_picture("PNG"))
            (scratch / "own.svg").write_bytes(DRAWINGS[0])
            (scratch / "look.toml").write_text(LOOK.format(drawing="own.svg", picture="own.png", font="own.ttf"))
        (scratch / name).write_bytes(data)

    def prepare(scratch: Path) -> Run:
        def run(data: bytes) -> None:
            write(scratch, data)
            look_files(find_look(scratch, scratch / "content" / FIRST))

        return run

    def command(scratch: Path, data: bytes) -> Sequence[str]:
        write(scratch, data)
        return ["check", "--project", str(scratch)]

    return Target(files, prepare, changes, command)


LOOK = """licence = "CC0"
radius = 1.5
[palette]
rust = "#8a3b12"
[colours]
accent = "rust"
[logo]
light = "{drawing}"
[pictures]
cover = "{picture}"
[fonts]
text = {{ regular = "{font}", bold = "{font}" }}
"""

DRAWINGS = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><defs><linearGradient id="a"><stop offset="1"/>'
    b'</linearGradient></defs><path fill="url(#a)" d="M0 0h40v20z"/><text x="1" y="9">Mark</text></svg>',
    b'<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" '
    b'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0,0 10 1e1"><g id="b"><circle r="4"/></g>'
    b'<use xlink:href="#b" style="fill:red"/><style>path{stroke:url(#b)}</style></svg>',
)


def _looks() -> Sequence[bytes]:
    shipped = sorted(bundled("templates").glob("look/*/look.toml"))
    return [LOOK.format(drawing="own.svg", picture="own.png", font="own.ttf").encode(), *(path.read_bytes() for path in shipped)]


def _picture(kind: str) -> bytes:
    made = BytesIO()
    Image.linear_gradient("L").resize((12, 7)).convert("RGB").save(made, kind)
    return made.getvalue()


@cache
def small_font() -> bytes:
    """A font of few letters: seven kilobytes."""
    path = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Black.ttf"
    with TTFont(path) as font:
        options = Options(layout_features=["tnum"], drop_tables=["GDEF", "DSIG"])
        subsetter = Subsetter(options)
        subsetter.populate(text="0123456789+Aa ")
        subsetter.subset(font)
        made = BytesIO()
        font.save(made)
        return made.getvalue()


def _projects(scratch: Path) -> Run:
    def run(data: bytes) -> None:
        _in_game(scratch, "system.toml", (_folder_of("pool") / "system.toml").read_bytes())
        (scratch / "refgen.toml").write_bytes(data)
        with suppress(RefgenError):
            content_folder(scratch)
        project = find_project(scratch)
        project.site_address(None)

    return run


def _project_command(scratch: Path, data: bytes) -> Sequence[str]:
    _projects(scratch)(data)
    return ["tables", "--project", str(scratch)]


PROJECTS = (
    b'content = "content"\n[document]\nlanguage = "de"\ndice-letters = ["w"]\n[site]\nbase_url = "https://example.org/r/"\n'
    b'[site.redirects]\n"old.html" = "new.html#a"\n',
    b'[screen]\npapers = ["a4", "letter"]\norientation = "portrait"\nplayers = false\nfiles = ["own.toml"]\n[output]\nlanguage = "fr"\n',
)

# --- requests to serve


def _requests(scratch: Path) -> Run:
    (scratch / "game").mkdir(exist_ok=True)
    served = {"index.html": PAGE, "game/index.html": PAGE, "game/a.css": b"a {}", "game/x.pdf": b"%PDF-"}
    for path, body in served.items():
        (scratch / path).write_bytes(body)
    (scratch.parent / "secret").write_bytes(SECRET)
    server = Server(ServedPages(scratch), 0)
    host = f"127.0.0.1:{server.port}".encode()

    def run(data: bytes) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            with suppress(OSError):
                ours.sendall(data.replace(b"HOST", host))
            ours.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                server.finish_request(theirs, ("127.0.0.1", 1))
            theirs.close()
            _check_answer(_received(ours))

    return run


def _received(connection: socket.socket) -> bytes:
    connection.settimeout(1)
    answer = b""
    while part := connection.recv(65_536):
        answer += part
    return answer


def _check_answer(answer: bytes) -> None:
    """Nothing but a page is answered, or a refusal."""
    assert SECRET not in answer
    if not answer.startswith(b"HTTP/1."):
        assert answer in (b"", PAGE) or b"refgen" in answer or answer[:3].isdigit() or answer in (b"a {}", b"%PDF-"), answer
        return
    assert answer.split(None, 2)[1] in (b"200", b"301", b"400", b"404", b"405", b"408", b"414", b"421", b"431", b"505"), answer
    head = answer.partition(b"\r\n\r\n")[0]
    assert head.count(b"Content-Type: ") == 1, answer


PAGE = b"<!DOCTYPE html>\n<html><head><title>A</title></head><body>B</body></html>"
SECRET = b"what nobody may read"
REQUESTS = (
    b"GET / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /game/ HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nSec-Fetch-Site: same-origin\r\n\r\n",
    b"GET /game HTTP/1.1\r\nHost: HOST\r\nUser-Agent: x\r\nAccept: */*\r\n\r\n",
    b"HEAD /game/a.css?x=1#y HTTP/1.0\r\nHost: HOST\r\n\r\n",
    b"GET /.refgen/events?page=/game/ HTTP/1.1\r\nHost: HOST\r\nAccept: text/event-stream\r\n\r\n",
    b"GET /.refgen/reload.js HTTP/1.1\r\nHost: HOST\r\nIf-None-Match: x\r\n\r\n",
    b"GET /../secret HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /%2e%2e/secret%00 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"POST /game/x.pdf HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n\r\nabc",
    b"GET http://HOST/game/index.html HTTP/1.1\r\nHost: HOST\r\nService-Worker: script\r\n\r\n",
    b"GET /game/\r\n",
)

# --- arguments of commands


def _fonts() -> Sequence[bytes]:
    return [small_font()]


TARGETS: Mapping[str, Target] = {
    **{str(form): _document_target(form) for form in Format},
    "proposal": Target(lambda: seeds.documents(Format.MARKDOWN), lambda _: _propose),
    "notation": Target(_cells, _notations),
    "dice": Target(_known_formulas, _dice, command=_odds_command, fresh=lambda random: expression(random, random.randint(0, 3))),
    "formula": Target(_known_formulas, _formulas, fresh=_grid_formula),
    "system.toml": _rules_target("system.toml", seeds.SYSTEMS, seeds.CONTENT / "examples"),
    "proof.toml": _rules_target("proof.toml", seeds.CONTENT / "examples"),
    "phrasings.toml": Target(lambda: seeds.files_of_games(PHRASINGS, seeds.CONTENT), _phrasings, TOML),
    "errata.toml": _checked_target("errata.toml"),
    "pins.toml": _checked_target("pins.toml"),
    "screen.toml": _aid_target("screen.toml", screen_of_game, "screen"),
    "sheet.toml": _aid_target("sheet.toml", make_sheet, "sheet"),
    "cards.toml": _aid_target("cards.toml", make_deck, "cards"),
    "session.toml": _aid_target("session.toml", make_session, "session"),
    "refgen.toml": Target(lambda: PROJECTS, _projects, TOML, _project_command),
    **{f"characters.{suffix}": _character_target(suffix) for suffix in ("toml", "json", "csv", "tsv")},
    "look.toml": _look_target("look.toml", _looks, TOML),
    "svg": _look_target("own.svg", lambda: DRAWINGS, XML),
    "png": _look_target("own.png", lambda: [_picture("PNG")], BINARY_CHANGES),
    "jpeg": _look_target("own.png", lambda: [_picture("JPEG")], BINARY_CHANGES),
    "font": _look_target("own.ttf", _fonts, BINARY_CHANGES),
    "requests": Target(lambda: REQUESTS, _requests),
}
"""The targets by name: the formats of documents, then notations, then the files of a game, a look and a project."""
