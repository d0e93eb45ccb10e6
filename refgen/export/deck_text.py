"""A deck as Markdown, and its cards as HTML.

In: a deck as data. Out: CommonMark with tables; or, of a single card, the HTML that it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from refgen.blocks.kinds import KINDS_BY_NAME
from refgen.export.deck import BlockData, CardData, DeckData

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])|^(\d+)(?=[.)](?:\s|$))|^(?=[-+=](?:\s|$))", re.MULTILINE)
"""What means something in Markdown."""


def deck_markdown(deck: DeckData) -> str:
    """All cards under the title of the system."""
    cards = (f"## {_plain(card['title'])}\n\n{card_markdown(card, 3)}" for card in deck["cards"])
    return "\n".join([f"# {_plain(deck['title'])}\n", *cards])


def card_markdown(card: CardData, level: int = 2) -> str:
    """What a card says, without its title; the titles of its blocks are headings of a ``level``."""
    parts = [part for block in card["blocks"] for part in _block(block, level)]
    if card["source"]:
        parts.append(f"*{_plain(card['source'])}*")
    return "\n\n".join(parts) + "\n"


def card_html(card: CardData) -> str:
    """What a card says, without its title, as HTML."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark").enable("table").render(card_markdown(card)))


def _block(block: BlockData, level: int) -> Iterator[str]:
    if block["title"]:
        yield f"{'#' * level} {_plain(block['title'])}"
    yield from _content(block)
    notes = [block["note"], "Computed." if block["computed"] else ""]
    if any(notes):
        yield f"*{_plain(' '.join(filter(None, notes)))}*"
    for note in block["footnotes"]:
        yield _plain(f"{note['sign']} {note['text']}")


def _content(block: BlockData) -> Iterator[str]:
    kind = KINDS_BY_NAME[block["kind"]]
    yield from kind.markdown([_plain(text) for text in block["texts"]])
    if block["pairs"] and kind.ruled:
        yield _table(["", ""], [[pair["term"], pair["text"]] for pair in block["pairs"]])
    else:
        yield from (f"**{_plain(pair['term'])}** {_plain(pair['text'])}" for pair in block["pairs"])
    if block["rows"] and not block["heads"]:
        yield "\n".join(f"- {_plain(text)}" for (text,) in block["rows"])
    elif block["rows"]:
        yield _table(block["heads"], block["rows"])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [[_plain(text) for text in heads], ["---"] * len(heads), *([_plain(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """A text of which nothing is taken for Markdown."""
    return _SPECIAL.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\" if found[2] else "\\", text)
