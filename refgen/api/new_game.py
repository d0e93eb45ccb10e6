"""Games of one's own: a game proposed from rule documents.

In: files, folders or patterns. Out: a NewGame, of which nothing is written until ``write``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refgen.pipeline.new_game import NewGame


def propose(
    paths: Sequence[str | Path], folder: str | Path = ".", *, name: str = "", title: str = "", example: str = ""
) -> NewGame:
    """The game that some documents describe, as a game of the project in ``folder``.

    ``paths`` are files, folders and patterns such as "rules/*.md". ``name`` is the id of the game and ``title`` its
    title, by default those of the documents. Without paths the game is an ``example``, by default the first one.
    Nothing is written before ``write`` of the NewGame. Raises RefgenError for a file that cannot be read.
    """
    from refgen.pipeline.new_game import example_game, new_game
    from refgen.proposals.sources import find_sources

    if not paths:
        return example_game(example, Path(folder))
    return new_game(find_sources([str(path) for path in paths]), Path(folder), name=name, title=title)


def example_names() -> Sequence[str]:
    """The names of the small complete games that ``propose`` knows."""
    from refgen.pipeline.new_game import examples

    return list(examples())
