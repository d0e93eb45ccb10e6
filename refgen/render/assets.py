"""Style sheets, scripts, fonts and drawings, which the pages of all aids share.

In: nothing. Out: each of them by its path in the output folder, to which pages refer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from refgen.bundle import bundled
from refgen.layout.fonts import fonts
from refgen.layout.lengths import lengths_css
from refgen.render.colour import INK, PALE, PAPER
from refgen.render.page_format import PAPER_SIZES


@cache
def assets() -> Mapping[str, bytes]:
    """Every asset: its path in the output, and its bytes. Raises RenderError for a missing font."""
    sheets = sorted(bundled("templates").glob("*/*.css"), key=lambda path: path.name)
    found = {f"assets/css/{path.name}": path.read_bytes() for path in sheets}
    for path in sorted(bundled("templates").glob("js/**/*.js")):
        found[f"assets/{path.relative_to(bundled('templates')).as_posix()}"] = path.read_bytes()
    for folder in ("icons", "patterns"):
        for path in sorted(bundled("templates").glob(f"{folder}/*.svg")):
            found |= _drawing(f"assets/{folder}/{path.stem}", path.read_text(encoding="utf-8"))
    found["assets/css/lengths.css"] = lengths_css(PAPER_SIZES.items()).encode()
    return found | {f"assets/fonts/{name}": font for name, font in fonts().items()}


def _drawing(name: str, svg: str) -> Mapping[str, bytes]:
    """A drawing in white for coloured grounds, in ink for white ones, and pale: style sheets cannot colour pictures."""
    colours = {"": PAPER, "-ink": INK, "-pale": PALE}
    return {f"{name}{suffix}.svg": svg.replace(PAPER, colour).encode() for suffix, colour in colours.items()}
