"""How the site is published.

In: the ``[site]`` of refgen.toml, and what the command line says instead. Out: a Published.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from refgen.errors import RulesError
from refgen.rules.toml import Strict
from refgen.site.published import Published, checked_base_url

_NAME = r"[^/.\s?#\\:][^/\s?#\\:]*"
_PATH = rf"{_NAME}(/{_NAME})*"
OldAddress = Annotated[str, Field(pattern=rf"^{_PATH}\.html(#[^\s#]+)?$")]
NewAddress = Annotated[str, Field(pattern=rf"^{_PATH}(#[^\s#]+)?$")]


class SiteSettings(Strict):
    """The ``[site]`` of refgen.toml: where the site is published, and where its old addresses lead."""

    base_url: Annotated[str, AfterValidator(checked_base_url)] = ""
    redirects: dict[OldAddress, NewAddress] = {}

    def published(self, base_url: str | None = None) -> Published:
        """The same, at another address if one is given. Raises RulesError for what is none."""
        try:
            chosen = self.base_url if base_url is None else checked_base_url(base_url)
        except ValueError as error:
            raise RulesError(str(error)) from error
        return Published(chosen, self.redirects)
