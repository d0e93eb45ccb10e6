"""The look of a game as a value, and the look in which this process sets pages.

In: nothing. Out: a Look, which travels to other processes with all bytes of its fonts and pictures; USUAL, the look of
refgen. What measures text asks ``look_in_use``; whoever makes the pages of a game does
so ``in_look`` of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from refgen.look.colours import dark_token_colour, luminance, on_dark, readable_colour, token_colour
from refgen.template_files import NO_FILES, TemplateFiles

LOOK_NAME = "look.toml"

DENSITIES: Mapping[str, float] = {"close": 0.5, "usual": 1.0, "open": 2.0}
"""The padding above and below the text of a row, as a multiple of the usual one."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a game. Two looks with the same ``digest`` are the same; that of the usual look is "".

    ``folder`` is where the files of the look stand in the output. ``light`` and ``dark`` have the colour of each token
    (empty: those of tokens.css), ``cards`` colours by kind of card, ``fonts`` the bytes of fonts by their names in
    PDFs, and ``pictures`` the bytes of pictures by their names in the output; the small logo is ``small_ratio`` times
    as wide as high. ``templates`` are the files that extend the templates of refgen. ``theme`` is that of the pages
    that are set: without colours of its own to save ink, or in large print.
    """

    digest: str = ""
    folder: str = field(default="assets", compare=False)
    accent: str = field(default="", compare=False)
    light: Mapping[str, str] = field(default_factory=dict, compare=False)
    dark: Mapping[str, str] = field(default_factory=dict, compare=False)
    cards: Mapping[str, str] = field(default_factory=dict, compare=False)
    fonts: Mapping[str, bytes] = field(default_factory=dict, compare=False)
    pictures: Mapping[str, bytes] = field(default_factory=dict, compare=False)
    small_ratio: float = field(default=1.0, compare=False)
    licence: str = field(default="", compare=False)
    radius: float | None = field(default=None, compare=False)
    density: str = field(default="usual", compare=False)
    theme: str = field(default="", compare=False)
    templates: TemplateFiles = field(default=NO_FILES, compare=False)

    @property
    def saves_ink(self) -> bool:
        """Whether pages have the colours of tokens.css, to be printed in black on white."""
        return self.theme == "ink-saving"

    @property
    def is_large(self) -> bool:
        """Whether pages are in large print."""
        return self.theme == "large-print"

    @property
    def style_sheet(self) -> str:
        """The path of the style sheet in the output; "" for the usual look."""
        return f"{self.folder}/look.css" if self.digest else ""

    @property
    def drawings(self) -> str:
        """The folder of the icons and patterns in the output, which are drawn in paper and ink."""
        return self.folder if self.light else "assets"

    @property
    def spacing(self) -> float:
        """The padding above and below the text of a row, as a multiple of the usual one."""
        return DENSITIES[self.density]

    @property
    def is_dark(self) -> bool:
        """Whether pages are dark on paper as well."""
        return luminance(self.colour("paper")) < luminance(self.colour("ink"))

    def colour(self, token: str) -> str:
        """The colour of a token such as "ink" on paper."""
        return (not self.saves_ink and self.light.get(token)) or token_colour(token)

    def dark_colour(self, token: str) -> str:
        """The colour of a token in browsers that are dark."""
        return self.dark.get(token) or dark_token_colour(token)

    def accent_for(self, accent: str) -> str:
        """The accent of a game: that of the look, else the ``accent`` of system.toml, readable on the look's paper."""
        if self.accent or not self.light:
            return self.accent or accent
        return readable_colour(accent, (self.colour("paper"), self.colour("tint")))

    def dark_accent(self, accent: str) -> str:
        """The accent of a game on dark ground."""
        return self.dark.get("accent") or on_dark(accent, self.dark_colour("paper"), self.dark_colour("tint"))


USUAL = Look()
"""The look of refgen, which needs no files but those of templates/."""


_IN_USE: ContextVar[Look] = ContextVar("look", default=USUAL)


def look_in_use() -> Look:
    """The look in which this process sets pages."""
    return _IN_USE.get()


@contextmanager
def in_look(look: Look) -> Iterator[None]:
    """Set pages in a look."""
    before = _IN_USE.set(look)
    try:
        yield
    finally:
        _IN_USE.reset(before)
