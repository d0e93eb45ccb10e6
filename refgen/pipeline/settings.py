"""The settings of a project: the ``[screen]`` and ``[site]`` of refgen.toml.

In: the tables of the file, and what the command line says instead. Out: in which formats screens are made, and a
Published: where the site is published.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from refgen.layout.page_format import Imposition, Orientation, Paper, Theme
from refgen.rules.toml import Strict
from refgen.site.address import SiteAddress, checked_base_url
from refgen.source import SourceFile

ScreenPaper = Literal[Paper.A4, Paper.LETTER, Paper.A5]


class ScreenSettings(Strict):
    """The ``[screen]`` of refgen.toml. ``files`` are screens of the project's own, by their path in it."""

    papers: list[ScreenPaper] = Field([Paper.A4, Paper.LETTER], min_length=1)
    orientation: Orientation = Orientation.LANDSCAPE
    imposition: Imposition = Imposition.PAGES
    theme: Theme = Theme.COLOUR
    players: bool = True
    files: list[str] = []

    def choosing(self, **chosen: Any) -> ScreenSettings:
        """The settings with some values replaced; None and empty values leave a setting as it is."""
        given = {name: value for name, value in chosen.items() if value not in (None, ())}
        return ScreenSettings.model_validate({**self.model_dump(), **given})

    def options(self) -> dict[str, Any]:
        """How the screens of a build are made: the options of their kind."""
        return self.model_dump(exclude={"files"})


_NAME = r"[^/.\s?#\\:][^/\s?#\\:]*"
_PATH = rf"{_NAME}(/{_NAME})*"
OldAddress = Annotated[str, Field(pattern=rf"^{_PATH}\.html(#[^\s#]+)?$")]
NewAddress = Annotated[str, Field(pattern=rf"^{_PATH}(#[^\s#]+)?$")]


class SiteSettings(Strict):
    """The ``[site]`` of refgen.toml: where the site is published, and where its old addresses lead."""

    base_url: Annotated[str, AfterValidator(checked_base_url)] = ""
    redirects: dict[OldAddress, NewAddress] = {}

    def published(self, source: SourceFile) -> SiteAddress:
        """The values that a file sets."""
        return SiteAddress(self.base_url, self.redirects, source)
