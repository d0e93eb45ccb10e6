"""Targets: a look.toml, and the pictures and fonts that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

import font_source_sans_pro
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from PIL import Image

from refgen.files import bundled_folder
from refgen.layout.templates import look_files
from refgen.look.find import find_look
from tests.fuzz import seeds
from tests.fuzz.games import FIRST, in_game
from tests.fuzz.mutations import BINARY, TOML, XML, Change
from tests.fuzz.target import Run, Target


def _look_target(name: str, files: Callable[[], Sequence[bytes]], changes: Sequence[Change]) -> Target:
    """A file of a look: look.toml itself, or a picture or font that it names."""

    def write(scratch: Path, data: bytes) -> None:
        game = scratch / "content" / FIRST
        if not game.exists():
            in_game(scratch, "system.toml", *seeds.files_of_games("system.toml", seeds.OWN))
            (scratch / "own.ttf").write_bytes(small_font())
            (scratch / "own.png").write_bytes(_picture("PNG"))
            (scratch / "own.svg").write_bytes(DRAWINGS[0])
            (scratch / "look.toml").write_text(LOOK + PARTS.get(name, ""))
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
"""
PARTS = {
    "own.svg": '[logo]\nlight = "own.svg"\nsmall = "own.svg"\n',
    "own.png": '[pictures]\ncover = "own.png"\n',
    "own.ttf": '[fonts]\ntext = { regular = "own.ttf", bold = "own.ttf" }\n',
}
"""What names a file, in a look."""

DRAWINGS = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><defs><linearGradient id="a"><stop offset="1"/>'
    b'</linearGradient></defs><path fill="url(#a)" d="M0 0h40v20z"/><text x="1" y="9">Mark</text></svg>',
    b'<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" '
    b'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0,0 10 1e1"><g id="b"><circle r="4"/></g>'
    b'<use xlink:href="#b" style="fill:red"/><style>path{stroke:url(#b)}</style></svg>',
)


def _looks() -> Sequence[bytes]:
    """Looks, without the large fonts that ship with refgen."""
    shipped = sorted(bundled_folder("templates").glob("look/*/look.toml"))
    return [
        "".join((LOOK, *PARTS.values())).encode(),
        *(re.sub(rb"^\[fonts\][^[]*", b"", path.read_bytes(), flags=re.MULTILINE) for path in shipped),
    ]


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


TARGETS: Mapping[str, Target] = {
    "look.toml": _look_target("look.toml", _looks, TOML),
    "svg": _look_target("own.svg", lambda: DRAWINGS, XML),
    "png": _look_target("own.png", lambda: [_picture("PNG")], BINARY),
    "jpeg": _look_target("own.png", lambda: [_picture("JPEG")], BINARY),
    "font": _look_target("own.ttf", lambda: [small_font()], BINARY),
}
