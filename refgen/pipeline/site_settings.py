"""How the site is published.

In: the ``[site]`` of refgen.toml. Out: a Published.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from refgen.rules.toml import Strict
from refgen.site.published import Published, checked_base_url
from refgen.source import SourceFile

_NAME = r"[^/.\s?#\\:][^/\s?#\\:]*"
_PATH = rf"{_NAME}(/{_NAME})*"
OldAddress = Annotated[str, Field(pattern=rf"^{_PATH}\.html(#[^\s#]+)?$")]
NewAddress = Annotated[str, Field(pattern=rf"^{_PATH}(#[^\s#]+)?$")]


class SiteSettings(Strict):
    """The ``[site]`` of refgen.toml: where the site is published, and where its old addresses lead."""

    base_url: Annotated[str, AfterValidator(checked_base_url)] = ""
    redirects: dict[OldAddress, NewAddress] = {}

    def published(self, source: SourceFile) -> Published:
        """What is said so in a file."""
        return Published(self.base_url, self.redirects, source)
