"""Targets: files of characters, read, checked and put on the sheet of the game that their first line names."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from refgen.characters.character_files import each_character
from refgen.characters.filling import fill, filled_sheet
from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from tests.fuzz import seeds
from tests.fuzz.games import folder_of, game_named, name_in
from tests.fuzz.mutations import JSON, TEXT, TOML
from tests.fuzz.target import Run, Target


def _character_target(suffix: str) -> Target:
    def prepare(scratch: Path) -> Run:
        forms: dict[str, Form] = {}

        def run(data: bytes) -> None:
            name = name_in(data)
            if name not in forms:
                forms[name] = Form(game_named(name), make_sheet(folder_of(name), game_named(name)))
            path = scratch / f"characters.{suffix}"
            path.write_bytes(_without_name(data, suffix))
            for character, _ in each_character(forms[name], [path]):
                if character is not None:
                    filled_sheet(forms[name].sheet, fill(forms[name], character))

        return run

    changes = {"toml": TOML, "json": JSON}.get(suffix, TEXT)
    return Target(
        lambda: _characters(suffix, seeds.OWN),
        prepare,
        changes,
        large=lambda: _characters(suffix, seeds.CONTENT, seeds.EXAMPLES),
    )


def _without_name(data: bytes, suffix: str) -> bytes:
    """The file; JSON and CSV have no comments for the line that names its game."""
    return data if suffix == "toml" or not data.startswith(b"# ") else data.partition(b"\n")[2]


def _characters(suffix: str, *folders: Path) -> Sequence[bytes]:
    files = seeds.files_of_games("characters/*.toml", *folders)
    return files if suffix == "toml" else [_as_other(file, suffix) for file in files]


def _as_other(file: bytes, suffix: str) -> bytes:
    head = file.partition(b"\n")[0] + b"\n"
    values = tomllib.loads(file.decode())
    if suffix == "json":
        return head + json.dumps(values, ensure_ascii=False, default=str).encode()
    flat = dict(_flattened(values))
    mark = "," if suffix == "csv" else "\t"
    rows = (mark.join(f'"{text}"'.replace("\n", " ") for text in row) for row in (flat, flat.values()))
    return head + "\n".join(rows).encode()


def _flattened(values: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


TARGETS: Mapping[str, Target] = {
    f"characters.{suffix}": _character_target(suffix) for suffix in ("toml", "json", "csv", "tsv")
}
