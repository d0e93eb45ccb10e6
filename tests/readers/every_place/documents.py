"""The document of each format: text without markup here, and all others of their modules.

In: a format. Out: the name of a document of the format, and the function that writes the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from refgen.readers.document import Format
from tests.readers.every_place.elements import docbook_book, html_page
from tests.readers.every_place.markdown import markdown
from tests.readers.every_place.pandoc import pandoc_document
from tests.readers.every_place.words import Words

PLAIN = """§ before all headings, a line of §.

Heading §

§ words
§\t§  §

- §
  §
- §

1. §

Name     §       Last §
§        §       §
§        §       §     §

\f§

> §

    §

-----
§
-----

§: § of it

Last heading §

§

Lonely §
"""
FLATTENED = (
    "§ ----- 3.1 Title § ----- § [TABLE] § | § ---|--- § | § [END TABLE] § [TABLE] § § § [END TABLE] "
    "- - - - - 3.21 Title § - - - - - §\n\n§ ----- § ----- §"
)
CSV = '§,"§, §"\n§,"§""§"\n§\n§,§,§\n,\n"§\n§",§\n'
TSV = '§\t"§ §"\n§\t"§""§"\n§\n§\t§\t§\n"§\n§"\t§\n'


def _text(places: Callable[[Words], Iterator[str]] | str) -> Callable[[Words, Format], bytes]:
    def write(words: Words, _: Format) -> bytes:
        return (words.fill("text", places) if isinstance(places, str) else "".join(places(words))).encode()

    return write


DOCUMENTS: Mapping[Format, tuple[str, Callable[[Words, Format], bytes]]] = {
    Format.MARKDOWN: ("rules.md", _text(markdown)),
    Format.HTML: ("rules.html", _text(html_page)),
    Format.DOCBOOK: ("rules.xml", _text(docbook_book)),
    Format.PLAINTEXT: ("rules.txt", _text(PLAIN)),
    Format.FLATTENED: ("flat.txt", _text(FLATTENED)),
    Format.CSV: ("rules.csv", _text(CSV)),
    Format.TSV: ("rules.tsv", _text(TSV)),
    Format.DOCX: ("rules.docx", pandoc_document),
    Format.ODT: ("rules.odt", pandoc_document),
    Format.MEDIAWIKI: ("rules.mediawiki", pandoc_document),
    Format.RST: ("rules.rst", pandoc_document),
    Format.ORG: ("rules.org", pandoc_document),
    Format.LATEX: ("rules.tex", pandoc_document),
}
"""The name of a document of each format, and the function that writes the document."""
