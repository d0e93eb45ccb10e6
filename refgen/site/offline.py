"""Files that make the site installable, and readable without a network.

In: the paths of the build. Out: the files that browsers ask for: a manifest, and a script that keeps pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from refgen.files import bundled
from refgen.site import address, search

MANIFEST = "site.webmanifest"
WORKER = "service-worker.js"
ICON = "assets/icons/die-ink.svg"

KEPT = (".html", ".css", ".js", ".otf", ".svg")
"""What is kept by its suffix, besides all that searches; PDFs and pictures are, once they were looked at."""


def offline_files(paths: Iterable[str], title: str) -> Mapping[str, bytes]:
    """The manifest of a site, and its service worker, which keeps all pages of the build."""
    pages = sorted(
        {path for path in paths if (path.endswith(KEPT) or path.startswith(f"{search.FOLDER}/")) and path != WORKER}
    )
    return {MANIFEST: _manifest(title), WORKER: _worker(pages)}


def _manifest(title: str) -> bytes:
    data = {
        "name": title,
        "short_name": title,
        "start_url": address.HOME,
        "scope": ".",
        "display": "standalone",
        "icons": [{"src": ICON, "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(data, indent=2).encode() + b"\n"


def _worker(pages: Sequence[str]) -> bytes:
    listed = json.dumps(pages, indent=2)
    version = sha256(listed.encode()).hexdigest()[:16]
    script = (bundled("templates") / "site" / WORKER).read_text(encoding="utf-8")
    return f'const VERSION = "{version}";\nconst PAGES = {listed};\n\n{script}'.encode()
