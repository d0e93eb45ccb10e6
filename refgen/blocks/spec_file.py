"""Load the file that describes an aid, and give errors a place in that file.

In: the folder of a system and a file name. Out: its spec. ``placed`` gives an error without a place the place of an
entry of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from refgen.errors import AidError, RefgenError
from refgen.files import inside
from refgen.rules.toml import load_toml, locate
from refgen.source import SourceFile

SpecT = TypeVar("SpecT", bound=BaseModel)


def load_aid_spec(
    folder: Path, name: str, model: type[SpecT], dice_letters: tuple[str, ...] = ()
) -> tuple[SpecT, SourceFile]:
    """Load ``folder/name``; ``dice_letters`` may stand for dice in its formulas, besides d.

    Raises SourceError or RulesError.
    """
    source = SourceFile.read(inside(folder, name), (Path(folder.name) / name).as_posix())
    return load_toml(source, model, dice_letters), source


@contextmanager
def placed(source: SourceFile, *path: str | int) -> Iterator[None]:
    """Give a fault without a place the place of ``path`` in the file."""
    try:
        yield
    except RefgenError as error:
        if error.span is not None:
            raise
        raise AidError(error.message, span=locate(source, path), hint=error.hint) from error
