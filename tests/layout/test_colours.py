"""Colours stand once: in css/tokens.css."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from refgen.bundle import bundled
from refgen.layout.colours import dark_token_colour, pdf_colour, token_colour

ROOT = bundled("templates").parent

HOLDERS = {
    "refgen/layout/colours.py": "a pale colour of large drawings, which is no token",
    "refgen/layout/templates.py": "the white in which the files of drawings are drawn, to be replaced",
    "refgen/rules/toml.py": "an example in a message of how a colour is written",
    "templates/cards/calibration.html": "black lines by which a printer is aligned",
    "templates/css/tokens.css": "the tokens",
    "templates/serve/reload.js": "errors over a page of any colours, with no style sheet of refgen",
}
"""The files that may hold a colour, each with the reason; the drawings in icons and patterns are all white."""

_COLOUR = re.compile(r"(?<![&\w])#(?:[0-9a-f]{6}|[0-9a-f]{3})\b(?!\w)", re.IGNORECASE)
_ISSUE = re.compile(r"#\d{3}\b")


def colours(path: Path) -> set[str]:
    """The colours that a file holds; in Python, numbers of issues are no colours."""
    found = set(_COLOUR.findall(path.read_text(encoding="utf-8")))
    return {colour for colour in found if path.suffix != ".py" or not _ISSUE.fullmatch(colour)}


def test_no_other_file_holds_a_colour() -> None:
    files = [
        path
        for folder in ("refgen", "templates")
        for path in (ROOT / folder).rglob("*.*")
        if "bundled" not in path.parts
    ]
    texts = [path for path in files if path.suffix in (".py", ".html", ".css", ".js", ".svg", ".md", ".txt", ".toml")]
    holders = {path.relative_to(ROOT).as_posix(): found for path in texts if (found := colours(path))}
    drawings = {name for name in holders if name.endswith(".svg")}
    assert set.union(*(holders.pop(name) for name in drawings)) == {"#ffffff"}
    assert sorted(holders) == sorted(HOLDERS)


def test_no_file_of_python_holds_the_ink_as_numbers() -> None:
    ink = pdf_colour(token_colour("ink")).decode()
    assert [path for path in (ROOT / "refgen").rglob("*.py") if ink in path.read_text(encoding="utf-8")] == []
    assert ink == "0.121569 0.137255 0.156863"


def test_light_screens_have_the_colours_of_paper() -> None:
    css = (bundled("templates") / "css" / "tokens.css").read_text(encoding="utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", css)
    assert len(found) > 10
    for name, light, dark in found:
        assert (token_colour(name), dark_token_colour(name)) == (light, dark)


def test_an_unknown_token_has_no_colour() -> None:
    with pytest.raises(KeyError):
        token_colour("glow")
