"""The environment that every page rests on besides its game: refgen, the packages and libraries below it, the fonts.

In: nothing. Out: a digest of each, which loads none of them.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from refgen.files import bundled
from refgen.pipeline.cache.digests import digest

_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts", "/Library/Fonts")
_LIBRARIES = (
    ("libpango-1.0.so.0", "pango_version_string"),
    ("libharfbuzz.so.0", "hb_version_string"),
    ("libharfbuzz-subset.so.0", ""),
    ("libfontconfig.so.1", "FcGetVersion"),
)


@cache
def environment_digests() -> dict[str, str]:
    """A digest of each part of the environment, by the name of the part in words."""
    return {
        "refgen": digest(_own_files()),
        "the packages installed": digest(_packages()),
        "the libraries of the system": digest(_libraries()),
        "the fonts of the system": digest(_fonts()),
    }


def step_key(what: str) -> str:
    """The key that a step is kept under, by what the step rests on besides its environment."""
    return digest([what, *environment_digests().values()])


def _own_files() -> Iterator[str | bytes]:
    package = Path(__file__).resolve().parents[2]
    templates = bundled("templates")
    for root, names in ((package, package.rglob("*.py")), (templates, templates.rglob("*"))):
        for path in sorted(names):
            if path.is_file() and not path.is_relative_to(package / "bundled" / "content"):
                yield path.relative_to(root).as_posix()
                yield path.read_bytes()


def _packages() -> Iterator[str]:
    """Python, and each package with its version, as its folder is called."""
    yield f"{sys.version} {platform.machine()}"
    folders = [Path(path) for path in sys.path if path and Path(path).is_dir()]
    yield from sorted({found.name for folder in folders for found in folder.glob("*.dist-info")})


def _libraries() -> Iterator[str]:
    """The versions of the libraries that set text; without harfbuzz-subset fonts are embedded otherwise."""
    for name, function in _LIBRARIES:
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            yield f"{name} {_version(library, function) if function else ''}"


def _version(library: Any, function: str) -> str:
    call = getattr(library, function)
    call.restype = ctypes.c_int if function == "FcGetVersion" else ctypes.c_char_p
    found = call()
    return found.decode() if isinstance(found, bytes) else str(found)


def _fonts() -> Iterator[str]:
    """The names and sizes of all fonts: pages are set in refgen's own, and fall back on these."""
    for start in _FONT_FOLDERS:
        for root, folders, names in os.walk(Path(start).expanduser()):
            folders.sort()
            for name in sorted(names):
                with suppress(OSError):
                    path = Path(root) / name
                    yield f"{path} {path.stat().st_size}"
