"""Words that stand nowhere else, and texts that are no words.

In: a text in which ``§`` stands for a word, and the name of its place. Out: the text with a new word in each place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.readers.document import Format

WORD = "§"


@dataclass
class Words:
    """Makes words that stand nowhere else. ``places`` says where each stands."""

    places: dict[str, str] = field(default_factory=dict)

    def fill(self, place: str, text: str) -> str:
        """A text with a new word in each place for one."""
        return re.sub(WORD, lambda _: self._word(place), text)

    def _word(self, place: str) -> str:
        number = len(self.places)
        letters = "".join(chr(ord("a") + number // 26**power % 26) for power in (2, 1, 0))
        self.places[f"zq{letters}"] = place
        return f"zq{letters}"


NO_WORDS: Mapping[str, Mapping[Format, str]] = {
    "comments": {
        Format.MARKDOWN: f"{WORD} <!-- {WORD} -->\n\n<!--\n{WORD}\n-->",
        Format.HTML: f"<p>a<!-- {WORD} --></p>",
        Format.DOCBOOK: f"<para>a<!-- {WORD} --></para>",
        Format.LATEX: f"a % {WORD}\n",
        Format.ORG: f"# {WORD}\n",
        Format.MEDIAWIKI: f"<!-- {WORD} -->",
    },
    "scripts, styles, declarations and processing instructions": {
        Format.MARKDOWN: f"<script>\n{WORD}\n</script>\n\n<?php {WORD} ?>\n\n<!DOCTYPE {WORD}>\n\n<![CDATA[{WORD}]]>",
        Format.HTML: f"<p>a<script>{WORD}</script><style>{WORD}</style><?php {WORD} ?></p>",
        Format.DOCBOOK: f"<para>a<?php {WORD} ?></para>",
    },
    "addresses and labels of links": {
        Format.MARKDOWN: f"[{WORD}][label {WORD}]\n\n[label {WORD}]: http://{WORD}.example\n\n[a](http://{WORD}.b)",
        Format.HTML: f'<p><a href="#{WORD}" name="{WORD}">a</a></p>',
        Format.DOCBOOK: f'<para id="{WORD}"><ulink url="#{WORD}">a</ulink></para>',
    },
    "attributes of kramdown and pandoc": {
        Format.MARKDOWN: f"# A {{#{WORD} .{WORD}}}\n\n{{: .{WORD} }}\n\n[a]{{.{WORD}}}"
    },
}
"""What docs/readers.md calls no words, word for word, as each format writes it."""


def no_words(words: Words, document_format: Format) -> Iterator[str]:
    """What docs/readers.md calls no words, as a format writes it."""
    for name, texts in NO_WORDS.items():
        yield words.fill(f"no words: {name}", texts.get(document_format, "")) + "\n"


def wanted(words: Words) -> Sequence[str]:
    """The words that must not be lost."""
    return [word for word, place in words.places.items() if not place.startswith(("dropped", "no words"))]
