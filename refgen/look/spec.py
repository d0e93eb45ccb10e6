"""look.toml: what an author may say about the look of a project or a game.

In: the tables of look.toml, which stands beside refgen.toml or beside the system.toml of a game. Out: a LookSpec, in
which names of colours are still names, and fonts and pictures are still names of files.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from refgen.rules.field_types import Color, Identifier, short_form
from refgen.rules.toml import Strict

ColourOrName = Annotated[str, StringConstraints(pattern=r"^(#[0-9a-f]{6}|[^#\s]+)$")]
"""A colour as #rrggbb, or the name of a colour of [palette]."""

FileName = Annotated[str, StringConstraints(min_length=1)]


class ColoursSpec(Strict):
    """Colours by purpose. All but ``accent`` and ``cards`` follow from ``paper`` and ``ink`` unless they are said.

    ``cards`` has a colour for each kind of cards.toml.
    """

    accent: ColourOrName | None = None
    ink: ColourOrName | None = None
    muted: ColourOrName | None = None
    paper: ColourOrName | None = None
    tint: ColourOrName | None = None
    rule: ColourOrName | None = None
    bar: ColourOrName | None = None
    heat_low: ColourOrName | None = None
    heat_middle: ColourOrName | None = None
    heat_high: ColourOrName | None = None
    cards: dict[Identifier, ColourOrName] = {}


class FontFiles(Strict):
    """The files of a font, or the name of a font that ships with refgen as ``regular``, which has all faces."""

    regular: FileName
    bold: FileName | None = None
    italic: FileName | None = None


Font = Annotated[FontFiles, short_form("regular", FontFiles)]


class FontsSpec(Strict):
    """The fonts by role: all text, titles (one face), figures and signs in text."""

    text: Font | None = None
    titles: Font | None = None
    figures: Font | None = None


class LogoSpec(Strict):
    """The logo: for light ground, for dark ground, and small, for the heads of pages."""

    light: FileName | None = None
    dark: FileName | None = None
    small: FileName | None = None


class PicturesSpec(Strict):
    """Pictures: tiled over the backs of cards, and behind the words on the cover of a booklet."""

    card_backs: FileName | None = None
    cover: FileName | None = None


class LookSpec(Strict):
    """A whole look.toml.

    ``about`` is the line of ``refgen look``. ``dark`` has the colours for browsers that are dark. ``licence`` stands
    behind the source of figures. ``radius`` rounds corners, in millimetres; ``density`` is how close lines stand.
    """

    about: str = ""
    palette: dict[Identifier, Color] = {}
    colours: ColoursSpec = ColoursSpec()
    dark: ColoursSpec = ColoursSpec()
    fonts: FontsSpec = FontsSpec()
    logo: LogoSpec = LogoSpec()
    pictures: PicturesSpec = PicturesSpec()
    licence: Annotated[str, Field(max_length=120)] = ""
    radius: Annotated[float, Field(ge=0, le=4)] | None = None
    density: Literal["close", "usual", "open"] = "usual"
