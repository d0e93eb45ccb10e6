"""Fonts of this machine for letters that no font of a project has, and their copies in the project.

In: letters. Out: an InstalledFont that has all the letters in a regular and a bold face and may be embedded, as
fontconfig finds the font (fc-match); None without fontconfig, or where no font of the machine will do. Copies of the
font, and the look.toml that names them, make the same pages on every machine.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from refgen.errors import RefgenError
from refgen.look.fonts import COLLECTION, look_fonts
from refgen.look.harfbuzz import font_measures
from refgen.look.look import LOOK_NAME
from refgen.look.spec import FontFiles, FontsSpec

FOLDER = "fonts"
"""The folder of copied fonts in a project."""

_WEIGHTS = {"regular": 80, "bold": 200}
"""The weights of the two faces, as fontconfig counts them."""

_ASKED_AT_ONCE = 200
"""So many letters are asked for at once: a whole script is as a part of its letters."""

_SECONDS = 20
"""Seconds in which fontconfig answers: it may read all fonts of a machine first."""


@dataclass(frozen=True, slots=True)
class InstalledFont:
    """A font of this machine: the name of its family, and the bytes of its faces by their file names."""

    family: str
    files: Mapping[str, bytes]

    def project_files(self) -> Mapping[str, bytes]:
        """The files to write into a project, by their paths: the faces, and a look.toml that names them."""
        regular, bold = (f"{FOLDER}/{name}" for name in self.files)
        text = (
            f"# {self.family} of this machine, for letters that refgen's own fonts lack.\n\n"
            f'[fonts]\ntext = {{ regular = "{regular}", bold = "{bold}" }}\nfigures = "source-sans"\n'
        )
        copies = zip((regular, bold), self.files.values(), strict=True)
        return {**dict(copies), LOOK_NAME: text.encode()}


def installed_font(letters: str) -> InstalledFont | None:
    """The font of this machine that fontconfig prefers for some letters, if it has them all and can be used."""
    faces = {face: found for face, weight in _WEIGHTS.items() if (found := _face(letters, weight))}
    if len(faces) < len(_WEIGHTS):
        return None
    files = {_file_name(family, face, data): data for face, (family, data) in faces.items()}
    regular, bold = files
    spec = FontsSpec(text=FontFiles(regular=regular, bold=bold), figures=FontFiles(regular="source-sans"))
    try:
        look_fonts(spec, lambda _key, name: files[name], _no_place)
    except RefgenError:  # variable, not to be embedded
        return None
    return InstalledFont(faces["regular"][0], files)


def _file_name(family: str, face: str, data: bytes) -> str:
    plain = "".join(letter for letter in family if letter.isascii() and letter.isalnum()) or "Font"
    return f"{plain}-{face}.{'otf' if data.startswith(b'OTTO') else 'ttf'}"


def _face(letters: str, weight: int) -> tuple[str, bytes] | None:
    """The family and the bytes of the face that fontconfig prefers, if it has all the letters."""
    charset = " ".join(f"{ord(letter):x}" for letter in letters[:_ASKED_AT_ONCE])
    pattern = f":charset={charset}:weight={weight}:slant=0:scalable=true:variable=false:color=false"
    try:
        command = ["fc-match", "--format", "%{family[0]}\\n%{file}\\n%{index}", pattern]
        said = subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS, text=True)  # noqa: S603
        family, file, index = said.stdout.split("\n")
        data = _font_in(Path(file).read_bytes(), int(index))
        return (family, data) if font_measures(data).characters.issuperset(letters) else None
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _font_in(data: bytes, number: int) -> bytes:
    """A font of a collection, by its number; any other font as it is."""
    if not data.startswith(COLLECTION):
        return data
    from fontTools.ttLib import TTFont

    with TTFont(BytesIO(data), fontNumber=number, recalcBBoxes=False, recalcTimestamp=False) as font:
        font.save(made := BytesIO())
        return made.getvalue()


def _no_place(*_path: str) -> AbstractContextManager[None]:
    return nullcontext()
