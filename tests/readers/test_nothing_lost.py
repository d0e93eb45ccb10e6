"""Every word of a document is on a page of its game, or named with its place, but what the docs call no words."""

from __future__ import annotations

import html as entities
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from markdown_it.token import Token

from refgen.game import GameModel, SystemSpec
from refgen.readers.document import Format
from refgen.readers.markdown_parser import _parser
from refgen.readers.pandoc.program import program
from refgen.rules.load import read_documents, rules_in
from refgen.rules.spec_files import SpecFiles
from refgen.site.game_pages import make_pages
from refgen.site.html import page_html
from tests.figures import write_figure
from tests.readers.every_place.documents import DOCUMENTS
from tests.readers.every_place.markdown import MARKDOWN_BLOCKS, MARKDOWN_INLINE
from tests.readers.every_place.pandoc import PANDOC_NODES, node_types
from tests.readers.every_place.words import NO_WORDS, Words, wanted

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = """title = "G"
about = "A game."
document = "{name}"
format = "{format}"
accent = "#1d4e79"
source = "Somebody"
[tables]
"""
_TAG = re.compile(r"<[^<>]*>")


def shown_and_named(folder: Path, document_format: Format, words: Words) -> str:
    """The text of the pages of a game with a document, the notes of `check` on them, and what `refgen read` names."""
    name, write = DOCUMENTS[document_format]
    game = folder / "content" / "game"
    game.mkdir(parents=True)
    (game / name).write_bytes(write(words, document_format))
    (game / "system.toml").write_text(SYSTEM.format(name=name, format=document_format), encoding="utf-8")
    files = SpecFiles.read(game)
    spec = files.load(SystemSpec)
    document = read_documents(game, spec, files.system)
    named = [f"{fault.message} {document.printed(fault.span)}" for fault in document.faults]
    named += [document.printed(note.span) for note in document.notes]
    pages = make_pages(GameModel(rules_in(document, "game", spec, files), game), [])
    return "\n".join([*named, *(entities.unescape(_TAG.sub("", page_html(page))) for page in pages)])


def lost(folder: Path, document_format: Format) -> tuple[Sequence[str], Sequence[str]]:
    """All words of a document that must not be lost, and the place of each that is."""
    words = Words()
    text = shown_and_named(folder, document_format, words)
    return wanted(words), [f"{word}: {words.places[word]}" for word in wanted(words) if word not in text]


@pytest.mark.parametrize(
    "document_format",
    [pytest.param(each, marks=[] if each is Format.MARKDOWN else pytest.mark.slow) for each in Format],
)
def test_every_word_is_on_a_page_or_named(tmp_path: Path, document_format: Format) -> None:
    assert lost(tmp_path, document_format)[1] == []


@pytest.mark.soak
@pytest.mark.parametrize("document_format", Format)
def test_the_figures_of_the_docs(tmp_path: Path, document_format: Format) -> None:
    places, missing = lost(tmp_path, document_format)
    write_figure("lost-in-documents", document_format, f"{len(places):,} places, {len(missing)} lost")


def test_no_format_is_forgotten() -> None:
    assert {*DOCUMENTS} == {*Format}


def _shape(tokens: Sequence[Token]) -> list[Any]:
    return [(token.type, token.content, _shape(token.children or [])) for token in tokens]


@pytest.mark.parametrize(("chain", "places"), [("block", MARKDOWN_BLOCKS), ("inline", MARKDOWN_INLINE)])
def test_each_rule_of_the_markdown_parser_has_places_that_it_alone_reads(chain: str, places: dict[str, str]) -> None:
    assert {*places} == {*_parser(20).get_active_rules()[chain]}
    for rule in {*places} - {"paragraph", "text"}:  # which read all that no other rule does
        without = _parser.__wrapped__(20).disable(rule)
        assert _shape(without.parse(places[rule])) != _shape(_parser(20).parse(places[rule])), rule


def _types(node: Any) -> set[str]:
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return {kind for part in inner for kind in _types(part)} | (
        {node["t"]} if isinstance(node, dict) and "t" in node else set()
    )


def test_each_node_of_pandoc_has_a_place() -> None:
    assert {*PANDOC_NODES} == node_types()
    text = "\n\n<!-- -->\n\n".join(PANDOC_NODES.values())
    done = subprocess.run([program(), "--from", "markdown", "--to", "json"], input=text.encode(), capture_output=True)
    assert node_types() <= _types(json.loads(done.stdout))


def test_the_docs_say_what_is_no_words() -> None:
    page = " ".join((ROOT / "docs" / "readers.md").read_text(encoding="utf-8").split())
    assert [name for name in NO_WORDS if name not in page] == []
