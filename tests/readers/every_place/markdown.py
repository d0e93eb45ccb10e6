"""A Markdown document with words in each place that a rule of markdown-it-py, or of refgen's additions, reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from refgen.readers.document import Format
from tests.readers.every_place.words import Words, no_words

MARKDOWN_INLINE: Mapping[str, str] = {
    "text": "§ ~~§~~ $§$",
    "newline": "§\n§  \n§\\\n§",
    "escape": r"\*§\* \\§",
    "backticks": "`§` ``§ ` §``",
    "emphasis": "*§* **§** _§_ __§__ ***§***",
    "link": "[§](http://a.example \"§\") [§](<b c> '§ &amp; §') [*§*][defined]",
    "bracketed": "[§]{.title}",
    "attributes": "*§*{: .die}",
    "image": '![§](a.png "§") [![§](b.png)](http://a.example "§")',
    "autolink": "<http://§.example>",
    "html_inline": '<b>§</b> <abbr title="§">§</abbr> <img alt="§" title=§> <nobody>§</nobody> §<br>§',
    "entity": "&lt;§&gt; &sect;§ &nosuch;§",
}
"""Words within a line, by the rule of markdown-it-py that reads them."""

MARKDOWN_BLOCKS: Mapping[str, str] = {
    "paragraph": "§\n§",
    "heading": "\n\n".join(f"{'#' * level} §{' #' * (level % 2)}" for level in range(1, 7)),
    "lheading": "§\n===\n\n§\n---",
    "code": "a\n\n    §\n\n    §",
    "fence": "``` § §\n§\n```\n\n~~~ {=latex}\n§\n~~~",
    "blockquote": "> §\n> > §\n>\n> - §\n§",
    "hr": "§\n\n***\n\n§",
    "list": "- §\n  - §\n\n    §\n  * §\n- [ ] §\n\n1. §\n3) §\n\n§\n: §",
    "reference": '[defined]: http://r.example "§"\n[unused]: <r s>\n  (§)\n\n[^note]: §\n\n*[HTML]: §',
    "html_block": '<div title="§">§\n<b>§</b></div>\n\n<table><caption>§</caption><tr><th>§<td>§</table>\n\n<x>\n§',
    "table": "**§**\n\n| § | §[^note] |\n|---|--:|\n| § | § |\n| § |\n| § | § | § |\n§\n\n: §",
    "pandoc_table": (
        "§   §\n--- ---\n§   §\n\n: § {#id}\n\n---- ----\n§    §\n     §\n\n§    §\n---- ----\n\n"
        "+-----+-----+\n| §   | §   |\n+=====+=====+\n| §   | - § |\n|     |     |\n+-----+-----+\n"
        "| §         |\n+-----+-----+"
    ),
    "attributes": "{: .no_toc }\n§\n\n::: note\n§\n:::",
}
"""Blocks, by the rule of markdown-it-py that reads them."""

_AROUND_LINES = ("§ {}", "# § {}", "> {}", "- {}", "1. a\n   - {}", "{}\n===", "[^other]: {}")
_AROUND_CELLS = (
    "| {} | a |\n|--|--|\n| b | c |",
    "| a | b |\n|--|--|\n| {} | c |",
    "> | a | b |\n> |--|--|\n> | {} | c |",
)
_BEFORE_BLOCKS = ("", "> ", "    ", "   > ")


def markdown(words: Words) -> Iterator[str]:
    """Each thing within a line in each kind of line, and each block alone, in quotes and in lists."""
    yield words.fill("front matter", "---\ntitle: §\nlayout: §\n---\n")
    yield words.fill("before the first heading", "§\n\n")
    for rule, line in MARKDOWN_INLINE.items():
        for around in (*_AROUND_LINES, *_AROUND_CELLS):
            if "\n" not in line or around.startswith("§"):
                yield words.fill(f"{rule} in {around!r}", around.format(line)) + "\n\n"
    for rule, block in MARKDOWN_BLOCKS.items():
        for before in _BEFORE_BLOCKS:
            lines = "\n".join(f"{before}{line}" for line in block.split("\n"))
            yield words.fill(
                f"{rule} behind {before!r}", f"{'1.  a' if before[:1] == ' ' else ''}\n\n{lines}\n\n---\n\n"
            )
    yield from no_words(words, Format.MARKDOWN)
    yield words.fill("last heading", "\n\n# §\n\n§")
