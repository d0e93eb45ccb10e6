"""The JSON Schemas of refgen as programs ask for them: one by its name, or all as files.

In: the name of a schema, "sheet/GAME" for the characters of a game, or a folder. Out: the schema, or the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from refgen.api.project import Project
from refgen.api.project import project as find_project
from refgen.errors import PublishError, os_errors_as
from refgen.pipeline.operating_system import write_whole
from refgen.pipeline.schemas import DIALECT, SCHEMAS, schema_address, schema_bytes, schema_of

OF_CHARACTERS = "sheet/"
"""Before the name of a game: the schema of its characters."""


def schema_names() -> Sequence[str]:
    """The names that ``json_schema`` knows, apart from those of characters."""
    return tuple(SCHEMAS)


def json_schema(name: str, project: Project | None = None) -> dict[str, Any]:
    """The schema called ``name``; "sheet/GAME" is that of the characters of a game of a ``project`` (the nearest one).

    Raises UnknownNameError for an unknown one, with the nearest names.
    """
    if not name.startswith(OF_CHARACTERS):
        return schema_of(name)
    game_id = name.removeprefix(OF_CHARACTERS)
    game = (project or find_project(names=[game_id])).games[game_id]
    address, title = schema_address(f"sheet:{game.id}", 1), f"A character of {game.title}"
    return {"$schema": DIALECT, "$id": address, **game.character_schema(), "title": title}


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema into a folder, each as NAME.json. Raises PublishError."""
    with os_errors_as(PublishError, f"make {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        write_whole(folder / f"{name}.json", schema_bytes(name))
    return [folder / f"{name}.json" for name in SCHEMAS]
