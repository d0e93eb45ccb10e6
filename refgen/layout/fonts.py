"""The fonts that pages are set in. They come from their PyPI packages, so that pages look the same on every machine.

In: nothing. Out: the bytes of each font by the name of its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import font_source_sans_pro
import font_source_serif_pro

from refgen.errors import RenderError

FONTS = {
    "SourceSansPro-Regular.otf": font_source_sans_pro,
    "SourceSansPro-It.otf": font_source_sans_pro,
    "SourceSansPro-Semibold.otf": font_source_sans_pro,
    "SourceSerifPro-Semibold.otf": font_source_serif_pro,
}


@cache
def fonts() -> Mapping[str, bytes]:
    """Every font: the name of its file, and its bytes. Raises RenderError for a missing font."""
    return {
        name: _read(Path(package.__file__).parent / "files" / name, package.__name__) for name, package in FONTS.items()
    }


def _read(path: Path, package: str) -> bytes:
    if not path.is_file():
        raise RenderError(f"the font {path.name} is missing", hint=f"Install the package {package} again.")
    return path.read_bytes()
