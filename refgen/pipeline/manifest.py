"""The manifest of an output folder: which files refgen made there, what is in each, and what each was made of.

In: the files of a build and the parts of the build that the files belong to, or an output folder. Out: the bytes of
``manifest.json``, or what the manifest in the folder says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from refgen.errors import PublishError
from refgen.export.model import MadePart, ManifestData, json_text
from refgen.pipeline.cache.digests import file_digest
from refgen.pipeline.cache.environment import environment_digests

MANIFEST = "manifest.json"

Inputs = Mapping[str, dict[str, str]]
"""By part of a build: the digests of the files that the part is made of."""

_NO_INPUTS: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Made:
    """A file of a build, and the part of the build it comes from ("harmonies/cards-a4"): what is kept or replaced.

    ``sha256`` is the digest of its bytes, ``inputs`` those of the files it was made of.
    """

    path: str
    part: str
    sha256: str = ""
    inputs: dict[str, str] = field(default_factory=dict, compare=False)


def read_manifest(output: Path) -> list[Made]:
    """The files that an earlier build made in ``output``, if there was one. Raises PublishError for a spoilt one."""
    path = output / MANIFEST
    if not path.is_file():
        return []
    try:
        return listed(path.read_bytes())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PublishError(f"{path} is damaged", hint="Move the output folder away and build again.") from error


def listed(manifest: bytes) -> list[Made]:
    """The files that the bytes of a manifest list. Raises ValueError, KeyError, TypeError or AttributeError."""
    data = json.loads(manifest)
    inputs = data.get("inputs", [_NO_INPUTS])
    return [made for entry in data["made"] for made in _listed_in(entry, inputs)]


def _listed_in(entry: Mapping[str, Any], inputs: Sequence[dict[str, str]]) -> Iterator[Made]:
    """The files of a part; before manifest/4 each file had an entry, before /2 neither a digest nor inputs."""
    files = entry["files"] if "files" in entry else {entry["path"]: entry.get("sha256", "")}
    number = entry.get("inputs", 0)
    made_of = inputs[number if isinstance(number, int) else 0]
    return (Made(str(path), str(entry["part"]), str(digest), made_of) for path, digest in files.items())


def made_in(folder: Path) -> frozenset[str]:
    """The paths of the files that refgen made in a folder, the manifest among them. Raises PublishError."""
    return frozenset({made.path for made in read_manifest(folder)} | {MANIFEST})


def kept(output: Path, goes: Callable[[str], bool]) -> list[Made]:
    """The files of an earlier build that stay: those of parts that do not go."""
    stays = [made for made in read_manifest(output) if not goes(made.part) and (output / made.path).is_file()]
    return [made if made.sha256 else replace(made, sha256=file_digest(output / made.path)) for made in stays]


def manifest_of(files: Mapping[str, bytes], parts: Mapping[str, str], stays: Sequence[Made], inputs: Inputs) -> bytes:
    """The manifest of new files (by path; ``parts`` says which part each belongs to) and of old ones that stay."""
    made = [
        Made(path, part, sha256(files[path]).hexdigest(), inputs.get(part, _NO_INPUTS))
        for path, part in parts.items()
        if path in files
    ]
    numbers: dict[tuple[tuple[str, str], ...], int] = {}
    by_part: dict[tuple[str, int], dict[str, str]] = {}
    for entry in sorted({entry.path: entry for entry in (*stays, *made)}.values(), key=attrgetter("path")):
        number = numbers.setdefault(tuple(sorted(entry.inputs.items())), len(numbers))
        by_part.setdefault((entry.part, number), {})[entry.path] = entry.sha256
    data = ManifestData(
        schema="refgen/manifest/4",
        refgen=environment_digests()["refgen"],
        inputs=[*map(dict, numbers)],
        made=[MadePart(part=part, inputs=number, files=found) for (part, number), found in by_part.items()],
    )
    return json_text(data).encode()
