"""What WeasyPrint may load: the assets of refgen, and nothing else in the world.

In: an address. Out: the bytes of an asset, or an error.
"""

from __future__ import annotations

import mimetypes
from typing import Any

from weasyprint.urls import URLFetcher, URLFetcherResponse

from refgen.render.assets import assets

ORIGIN = "https://refgen.invalid/"
BASE_URL = f"{ORIGIN}system/"
"""Where a rendered page pretends to stand, so that its relative links lead to the assets (RFC 2606: no such host)."""


class AssetFetcher(URLFetcher):  # type: ignore[misc]
    """Serves ``ORIGIN/assets/…`` from refgen's own files and refuses every other address."""

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> Any:
        """The asset at an address. Raises ValueError for any other: WeasyPrint reports it as a warning."""
        del headers
        data = assets().get(url.removeprefix(ORIGIN)) if url.startswith(ORIGIN) else None
        if data is None:
            raise ValueError(f"refgen loads nothing but its own assets, not {url}")
        kind = mimetypes.guess_type(url)[0] or "application/octet-stream"
        return URLFetcherResponse(url, data, {"Content-Type": kind})
