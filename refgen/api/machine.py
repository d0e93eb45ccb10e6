"""The parts of this machine that refgen needs or can use, as ``refgen doctor`` tells them.

In: nothing. Out: the parts with their states, as JSON. A part that cannot be loaded is reported, and stops no other.
"""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, metadata, requires, version

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from refgen.errors import RefgenError
from refgen.export.model import MachineData, MachinePart
from refgen.layout.engine import pango_version
from refgen.layout.metrics import fonts
from refgen.pipeline.store import CACHE_VARIABLE, cache_folder
from refgen.readers.pandoc.program import program

NAME = "refgen"

MEGABYTE = 2**20

_SECONDS = 30


def machine_data() -> MachineData:
    """All parts, in the order in which refgen needs them."""
    parts = [
        _python(),
        _working_part(NAME, version(NAME)),
        *_packages(),
        _part("Pango", pango_version),
        _part("fonts", lambda: f"{len(fonts())} of refgen's own, and those of the system"),
        _part("Pagefind", _pagefind),
        _part("pandoc", _pandoc, optional=True),
        _cache(),
        _working_part("cores", f"{os.cpu_count() or 1}: so many aids are made at a time"),
    ]
    return MachineData(schema="refgen/doctor/1", parts=parts)


def _working_part(name: str, found: str) -> MachinePart:
    return MachinePart(name=name, state="ok", found=found, hint="")


def _part(name: str, find: Callable[[], str], *, optional: bool = False) -> MachinePart:
    """A part that ``find`` finds, or whose absence it raises as an error."""
    try:
        return _working_part(name, find())
    except RefgenError as error:
        return MachinePart(name=name, state="optional" if optional else "missing", found=error.message, hint=error.hint)


def _python() -> MachinePart:
    wanted = metadata(NAME)["Requires-Python"]
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if platform.python_version() in SpecifierSet(wanted, prereleases=True):
        return _working_part("Python", found)
    return MachinePart(name="Python", state="missing", found=found, hint=f"refgen needs Python {wanted}")


def _packages() -> Iterator[MachinePart]:
    """The packages that are absent or out of their range; then how many are as they must be, and WeasyPrint's version.

    The ranges are those that refgen was installed with.
    """
    needed = [Requirement(text) for text in requires(NAME) or ()]
    needed = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    right = 0
    for each in needed:
        try:
            found = version(each.name)
        except PackageNotFoundError:
            found = "not installed"
        if found[:1].isdigit() and each.specifier.contains(found, prereleases=True):
            right += 1
        else:
            yield MachinePart(name=each.name, state="missing", found=found, hint=f'pip install "{each}"')
    with suppress(PackageNotFoundError):
        yield _working_part("packages", f"{right} of {len(needed)} in their ranges; WeasyPrint {version('weasyprint')}")


def _pagefind() -> str:
    """The version of the program that makes the search of the site. Raises RefgenError."""
    try:
        from pagefind_bin import get_executable

        get_executable()
    except (ImportError, OSError) as error:
        raise RefgenError("not there: the site has no search", hint="pip install pagefind-bin") from error
    return f"{version('pagefind-bin')}, a program of its own: Node is not needed"


def _pandoc() -> str:
    """The version of pandoc. Raises RefgenError."""
    try:
        path = program()
    except RefgenError as error:
        raise RefgenError("not there: docx, odt, MediaWiki and others are not read", hint=error.hint) from error
    said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_SECONDS)  # noqa: S603
    return said.stdout.partition("\n")[0].removeprefix("pandoc ").strip()


def _cache() -> MachinePart:
    folder = cache_folder()
    if folder is None:
        return _working_part("cache", f"nothing is kept ({CACHE_VARIABLE})")
    size = 0
    for path in folder.glob("*/*/*"):
        with suppress(OSError):  # a build removes it meanwhile
            size += path.stat().st_size
    return _working_part("cache", f"{folder}: {size / MEGABYTE:.0f} MB, which refgen clean empties")
