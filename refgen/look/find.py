"""Where a look is described: the look.toml of a project and that of a game.

In: the folders of a project and of a game. Out: the Look, or the files that it rests on. What reads look.toml is
loaded only where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refgen.look.look import LOOK_NAME, USUAL, Look


def find_look(project: Path | None, game: Path | None) -> Look:
    """The look of a game in the folder ``game`` of a project (None: no such folder); USUAL without any look.toml.

    Raises RulesError for a look that cannot be used, FileErrors for several faults.
    """
    if not any(folder and (folder / LOOK_NAME).exists() for folder in (project, game)):
        return USUAL
    from refgen.look.load import load_look  # few games have a look of their own

    return load_look(project, game)


def look_paths(project: Path | None) -> Sequence[Path]:
    """The look.toml of a project, which need not be there, and the files that it names."""
    if project is None or not (project / LOOK_NAME).exists():
        return [project / LOOK_NAME] if project else []
    from refgen.look.load import named_files

    return [project / LOOK_NAME, *named_files(project)]
