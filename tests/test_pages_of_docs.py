"""README.md and the pages of docs/: their links lead somewhere, their TOML is TOML, and no key of a file is missing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from refgen.api.schemas import json_schema

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
WRITTEN_BY_PEOPLE = (
    "system",
    "proof",
    "phrasings",
    "screen",
    "sheet",
    "cards",
    "session",
    "errata",
    "pins",
    "project",
    "look",
)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    heads = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head) for head in re.findall(r"^#+ (.*)$", prose, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The file and the anchor of each link to a file of ours."""
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXTS[page]):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            yield (page.parent / file).resolve() if file else page, anchor


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_are_there(page: Path) -> None:
    broken = [
        (path.name, anchor)
        for path, anchor in links(page)
        if not path.exists() or (anchor and anchor not in anchors(TEXTS[path]))
    ]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_all_toml_is_toml(page: Path) -> None:
    for block in re.findall(r"```toml\n(.*?)```", TEXTS[page], re.DOTALL):
        tomllib.loads(block)


def keys(schema: object) -> Iterator[str]:
    """The names of all keys that a schema knows."""
    if isinstance(schema, dict):
        yield from schema.get("properties") or ()
        for part in schema.values():
            yield from keys(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from keys(part)


@cache
def told_keys() -> set[str]:
    """All words that pages write as keys: as code, as the start of code, before "=", and as the name of a table."""
    text = "\n".join(TEXTS.values())
    starts = (r"`([\w-]+)", r"\[([\w-]+)", r"\[\w+\.([\w-]+)")
    words = [word.split("-") for start in starts for word in re.findall(start, text)]
    parts = {"-".join(word[:length]) for word in words for length in range(1, len(word) + 1)}
    return {*parts, *re.findall(r"(?:^|(?<=[\s{\[,`]))([\w-]+) = ", text, re.MULTILINE)}


@pytest.mark.parametrize("name", WRITTEN_BY_PEOPLE)
def test_every_key_of_a_file_that_people_write_is_told(name: str) -> None:
    assert {*keys(json_schema(name))} - told_keys() == set()
