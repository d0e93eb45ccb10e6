"""The fonts of a look: read from the project or from a package, and checked before anything is set in them.

In: the fonts of a look.toml, and a function that reads the files of the project. Out: the bytes of each font by its
name in PDFs, which WeasyPrint makes of family, weight and style in the style sheet of the look. Raises RulesError for a
file that is no font, that may not be embedded, or whose figures are not of one width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from pathlib import Path

from refgen.catalog import did_you_mean
from refgen.errors import RefgenError, RulesError
from refgen.limits import limit_hint, limits
from refgen.look.harfbuzz import font_measures, substitutes
from refgen.look.spec import FontFiles, FontsSpec

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

COLLECTION = b"ttcf"
"""The first bytes of a collection of fonts (.ttc, .otc)."""

_TAKE_ONE = "Take one of them out, by its number: fonttools ttLib --no-recalc-timestamp -y 0 -o font.otf {name}"

_FORBIDDEN: Mapping[int, str] = {
    0x0002: "that it is not embedded at all",
    0x0004: "that it is embedded for reading alone, and the fields of sheets are written in",
    0x0100: "that no part of it is taken, and PDFs hold the letters alone that they show",
    0x0200: "that only its bitmaps are embedded",
}
"""What the bits of fsType forbid (OpenType 1.9, OS/2)."""

TEXT_HEIGHTS, TITLE_HEIGHTS = (0.984, 0.273), (1.036, 0.335)
"""The heights of refgen's own fonts above and below the baseline, in em: with other heights, lines in which two fonts
meet would be higher than planned.
"""

_NAME_IDS = (1, 3, 4, 6, 16, 17)
"""The names of a font: a changed font may not bear that of its makers. Their copyright and licence stay."""

FIGURES = "0123456789+−±%"
"""The characters that a font of figures sets."""

Placed = Callable[..., AbstractContextManager[None]]
"""Gives errors the place of a key path of look.toml."""

Files = tuple[bytes, ...]
"""The regular, the bold and the italic file of a font; b"" for a face that the font lacks."""

ReadFile = Callable[[tuple[str, ...], str], bytes]
"""Reads a file that is named under a key path of look.toml."""


def look_fonts(spec: FontsSpec, read: ReadFile, placed: Placed) -> dict[str, bytes]:
    """The fonts of all roles. ``placed`` gives errors the place of a key path."""
    text = figures = None
    fonts: dict[str, bytes] = {}
    with placed("fonts", "figures"), _undamaged("figures"):
        if spec.figures:
            figures = _files(spec.figures, "figures", read)
            _check_figures(figures, "figures")
            fonts |= _faces("Look-Figures", figures, is_figures=True)
    with placed("fonts", "text"), _undamaged("text"):
        if spec.text:
            text = _files(spec.text, "text", read)
            _check_figures(figures or text, "text")
        elif figures:
            text = _files(FontFiles(regular="source-sans"), "text", read)
        fonts = _faces("Look-Text", text, is_figures=False if figures else None) | fonts
    with placed("fonts", "titles"), _undamaged("titles"):
        if spec.titles:
            regular, bold, _ = _files(spec.titles, "titles", read, one_face=True)
            fonts["Look-Titles-Semi-Bold"] = _prepare_font(bold or regular, "Look Titles", TITLE_HEIGHTS)
    return fonts


@contextmanager
def _undamaged(role: str) -> Iterator[None]:
    """Refuse a font that cannot be read whole: of a damaged one, fontTools raises errors of every kind."""
    try:
        yield
    except (RefgenError, MemoryError):
        raise
    except Exception as error:
        raise RulesError(
            f"a font of {role} is damaged: {error}", hint="Download it again from its publisher."
        ) from error


def _faces(family: str, files: Files | None, *, is_figures: bool | None) -> dict[str, bytes]:
    if not files:
        return {}
    name = family.replace("-", " ")
    regular, bold, italic = (_prepare_font(data, name, TEXT_HEIGHTS, is_figures) if data else b"" for data in files)
    return {family: regular, f"{family}-Italic": italic or regular, f"{family}-Semi-Bold": bold}


@lru_cache(maxsize=32)
def _prepare_font(data: bytes, name: str, heights: tuple[float, float], is_figures: bool | None = None) -> bytes:
    """A font under another name, as high above and below the baseline as the usual font, with tabular lining figures.

    A font that ``is_figures`` keeps FIGURES alone; where it is False, the font keeps everything else, since programs
    take the first font that has a character. Every font keeps its space: Pango may set a space in the font before.
    """
    from fontTools.ttLib import TTFont

    # No outline changes: to draw them all for their bounds would take half a second.
    with TTFont(BytesIO(data), recalcBBoxes=False, recalcTimestamp=False) as font:
        replaced = dict(substitutes(font))
        for cmap in (table.cmap for table in font["cmap"].tables if hasattr(table, "cmap")):
            cmap.update({code: replaced.get(cmap[code], cmap[code]) for code in map(ord, "0123456789") if code in cmap})
            for letter in map(chr, [*cmap] if is_figures is not None else ()):
                if (letter in FIGURES) is not is_figures and letter != " ":
                    del cmap[ord(letter)]
        for record in font["name"].names:
            if record.nameID in _NAME_IDS:
                record.string = name
        ascent, descent = (round(height * font["head"].unitsPerEm) for height in heights)
        lines, metrics = font["hhea"], font["OS/2"]
        lines.ascent, lines.descent, lines.lineGap = ascent, -descent, 0
        metrics.sTypoAscender, metrics.sTypoDescender, metrics.sTypoLineGap = ascent, -descent, 0
        metrics.usWinAscent, metrics.usWinDescent = ascent, descent
        made = BytesIO()
        font.save(made, reorderTables=None)
        return made.getvalue()


def _files(font: FontFiles, role: str, read: ReadFile, *, one_face: bool = False) -> Files:
    """The files of a font."""
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
    return tuple(found.values())


def _check(data: bytes, name: str) -> None:
    """Refuse what is no font that can be set and embedded."""
    if len(data) > limits().font_bytes:
        raise RulesError(f"the font {name} has {len(data):,} bytes", hint=limit_hint("font_bytes"))
    if data.startswith(COLLECTION):
        raise RulesError(f"{name} is a collection of fonts: {_fonts_in(data)}", hint=_TAKE_ONE.format(name=name))
    _check_font(data, name)


def _fonts_in(data: bytes) -> str:
    """The names of the fonts in a collection, each with its number."""
    from fontTools.ttLib import TTCollection

    with TTCollection(BytesIO(data), lazy=True) as collection:
        return ", ".join(f"{number} {font['name'].getBestFullName()}" for number, font in enumerate(collection.fonts))


@lru_cache(maxsize=32)
def _check_font(data: bytes, name: str) -> None:
    from fontTools.ttLib import TTFont, TTLibError  # slow to load, and few games have fonts of their own

    if not data.startswith(_KINDS):
        raise RulesError(f"{name} is no font in OpenType or TrueType", hint="Save it as .otf or .ttf.")
    try:
        with TTFont(BytesIO(data), lazy=True) as font:
            permissions = font["OS/2"].fsType
            is_variable, has_letters = "fvar" in font, bool(font.getBestCmap())
        if (glyph := font_measures(data).undrawable_glyph()) is not None:
            raise ValueError(f"glyph {glyph} cannot be drawn")
    except (TTLibError, KeyError, AssertionError, ValueError, IndexError, OSError) as error:
        raise RulesError(f"{name} is damaged: {error}", hint="Download it again from its publisher.") from error
    if is_variable:
        hint = "Make a file of each face: fonttools varLib.instancer FILE wght=400."
        raise RulesError(f"{name} is a variable font, which has no fixed faces", hint=hint)
    if not has_letters:
        raise RulesError(f"{name} has no letters of Unicode", hint="Name another font.")
    if forbidden := next(_reasons(permissions), ""):
        raise RulesError(f"the makers of {name} ask {forbidden}", hint="Name a font that may be embedded.")


def _reasons(permissions: int) -> Iterator[str]:
    return (reason for bit, reason in _FORBIDDEN.items() if permissions & bit)


def _check_figures(files: Files, role: str) -> None:
    """Refuse figures of several widths: those of a column would not stand under each other."""
    for data in files[:2]:
        if len(_widths_of_figures(data)) > 1:
            hint = 'Name a font whose figures are of one width: figures = "source-sans".'
            raise RulesError(f"the figures of the font of {role} are not of one width", hint=hint)


@lru_cache(maxsize=32)
def _widths_of_figures(data: bytes) -> frozenset[float]:
    measures = font_measures(data)
    figures = [figure for figure in "0123456789" if figure in measures.characters]  # others are of the usual font
    return frozenset(round(measures.width(figure), 3) for figure in figures)
