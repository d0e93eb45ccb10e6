"""The fonts of a look: read from the project or from a package, and checked before anything is set in them.

In: the fonts of a look.toml, and a function that reads the files of the project. Out: the bytes of each font by its
name in PDFs, which WeasyPrint makes of family, weight and style in the style sheet of the look. Raises RulesError,
without a place, for a file that is no font, that may not be embedded, or whose figures are not of one width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from io import BytesIO
from pathlib import Path

from refgen.errors import RulesError
from refgen.limits import limit_hint, limits
from refgen.look.harfbuzz import FontMeasures
from refgen.look.spec import FontFiles, FontsSpec
from refgen.suggestion import did_you_mean

BUNDLED: Mapping[str, tuple[str, str, str, str]] = {
    "source-sans": (
        "font_source_sans_pro",
        "SourceSansPro-Regular.otf",
        "SourceSansPro-Semibold.otf",
        "SourceSansPro-It.otf",
    ),
    "source-serif": (
        "font_source_serif_pro",
        "SourceSerifPro-Regular.otf",
        "SourceSerifPro-Semibold.otf",
        "SourceSerifPro-It.otf",
    ),
    "atkinson-hyperlegible": (
        "fontpkg_atkinson_hyperlegible",
        "AtkinsonHyperlegible-Regular.ttf",
        "AtkinsonHyperlegible-Bold.ttf",
        "AtkinsonHyperlegible-Italic.ttf",
    ),
}
"""The fonts that ship with refgen, each with its Python package, and its regular, bold and italic file."""

_KINDS = (b"\x00\x01\x00\x00", b"OTTO", b"true")
"""The first bytes of fonts that WeasyPrint, browsers and HarfBuzz all read."""

_FORBIDDEN: Mapping[int, str] = {
    0x0002: "that it is not embedded at all",
    0x0004: "that it is embedded for reading alone, and the fields of sheets are written in",
    0x0100: "that no part of it is taken, and PDFs hold the letters alone that they show",
    0x0200: "that only its bitmaps are embedded",
}
"""What the bits of fsType forbid (OpenType 1.9, OS/2)."""

ReadFile = Callable[[tuple[str, ...], str], bytes]
"""Reads a file that is named under a key path of look.toml."""


def look_fonts(spec: FontsSpec, read: ReadFile) -> dict[str, bytes]:
    """The fonts of all roles."""
    fonts = dict[str, bytes]()
    if spec.text is not None:
        fonts |= _faces("Look-Text", *_files(spec.text, "text", read))
    if spec.titles is not None:
        regular, bold, _ = _files(spec.titles, "titles", read, one_face=True)
        fonts["Look-Titles-Semi-Bold"] = bold or regular
    if spec.figures is not None:
        fonts |= _faces("Look-Figures", *_files(spec.figures, "figures", read))
    for role, name in (("figures", "Look-Figures"), ("text", "Look-Text")):
        if name in fonts:
            _check_figures(fonts, name, role)
            break
    return fonts


def _faces(name: str, regular: bytes, bold: bytes, italic: bytes) -> dict[str, bytes]:
    return {name: regular, f"{name}-Italic": italic or regular, f"{name}-Semi-Bold": bold}


def _files(font: FontFiles, role: str, read: ReadFile, *, one_face: bool = False) -> tuple[bytes, bytes, bytes]:
    """The regular, the bold and the italic file of a font; b"" for a face that the font lacks."""
    if font.regular in BUNDLED and font.bold is None and font.italic is None:
        package, *names = BUNDLED[font.regular]
        folder = Path(import_module(package).__file__ or "").parent / "files"
        regular, bold, italic = ((folder / name).read_bytes() for name in names)
        return regular, bold, italic
    if "." not in font.regular:
        raise RulesError(f'no font called "{font.regular}" ships with refgen', hint=did_you_mean(font.regular, BUNDLED))
    if font.bold is None and not one_face:
        hint = f'Write {role} = {{ regular = "…", bold = "…" }}: heads of tables and names of rows are bold.'
        raise RulesError(f"the font of {role} has no bold face", hint=hint)
    keys = {"regular": font.regular, "bold": font.bold, "italic": font.italic}
    found = {key: read(("fonts", role, key), name) if name else b"" for key, name in keys.items()}
    for key, data in found.items():
        if data:
            _check(data, keys[key] or "")
    return found["regular"], found["bold"], found["italic"]


def _check(data: bytes, name: str) -> None:
    """Refuse what is no font that can be set and embedded."""
    from fontTools.ttLib import TTFont, TTLibError  # slow to load, and few games have fonts of their own

    if len(data) > limits().font_bytes:
        raise RulesError(f"the font {name} has {len(data):,} bytes", hint=limit_hint("font_bytes"))
    if not data.startswith(_KINDS):
        raise RulesError(f"{name} is no font in OpenType or TrueType", hint="Save it as .otf or .ttf.")
    try:
        with TTFont(BytesIO(data), lazy=True) as font:
            permissions = font["OS/2"].fsType
            is_variable, has_letters = "fvar" in font, bool(font.getBestCmap())
    except (TTLibError, KeyError, AssertionError, ValueError, IndexError, OSError) as error:
        raise RulesError(f"{name} is damaged: {error}", hint="Take it anew from its makers.") from error
    if is_variable:
        hint = "Make a file of each face: fonttools varLib.instancer FILE wght=400."
        raise RulesError(f"{name} is a variable font, which has no fixed faces", hint=hint)
    if not has_letters:
        raise RulesError(f"{name} has no letters of Unicode", hint="Name another font.")
    if forbidden := next(_reasons(permissions), ""):
        raise RulesError(f"the makers of {name} ask {forbidden}", hint="Name a font that may be embedded.")


def _reasons(permissions: int) -> Iterator[str]:
    return (reason for bit, reason in _FORBIDDEN.items() if permissions & bit)


def _check_figures(fonts: Mapping[str, bytes], name: str, role: str) -> None:
    """Refuse figures of several widths: those of a column would not stand under each other."""
    for face in (name, f"{name}-Semi-Bold"):
        measures = FontMeasures(fonts[face])
        if not measures.characters.issuperset("0123456789"):
            continue  # they come from the usual font
        if len({round(measures.width(figure), 3) for figure in "0123456789"}) > 1:
            hint = 'Name a font whose figures are of one width: figures = "source-sans".'
            raise RulesError(f"the figures of the font of {role} are not of one width", hint=hint)
