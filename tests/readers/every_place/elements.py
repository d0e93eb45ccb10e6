"""HTML and DocBook with words in each element that the constants of the readers name, and in each that lxml knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from lxml.html import defs

from refgen.readers import docbook, docbook_tables, docbook_words, html, html_navigation, markup
from refgen.readers.document import INLINE_TAGS, Format
from tests.readers.every_place.words import Words, no_words


def names_in(*modules: ModuleType) -> set[str]:
    """The names of elements in the constants of modules: in all sets, tuples and dictionaries of words."""
    found: set[str] = set()
    for value in (value for module in modules for name, value in vars(module).items() if name.strip("_").isupper()):
        if isinstance(value, set | frozenset | tuple | dict) and all(isinstance(name, str) for name in value):
            found |= {name for name in value if re.fullmatch(r"[a-z][a-z0-9]*", name)}
    return found


# fmt: off
VOID = {
    "area", "base", "basefont", "br", "col", "command", "embed", "frame", "hr", "image", "img", "input", "isindex",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
}
# fmt: on
_END_A_PAGE = {"body", "frameset", "html", "plaintext"}
"""Elements that stand around a whole page, or end its markup."""

_NO_WORDS = {"script", "style"}
HTML_NAMES = sorted((defs.tags | INLINE_TAGS | names_in(html, html_navigation, markup)) - _END_A_PAGE - _NO_WORDS)
HTML_ATTRIBUTES = sorted(markup.WORDED_ATTRIBUTES)
HTML_AROUND = (
    "{}",
    "<p>§ {} §</p>",
    "<h2>§ {} §</h2>",
    "<ul>{}<li>§ {} §</li></ul>",
    "<dl>{}<dt>§ {} §<dd>§ {} §</dl>",
    "<table>{}<caption>§ {} §</caption>{}<tr>{}<th>§ {} §</th>{}<td>§ {} §</td></tr></table>",
    "<table><tbody><tr><td colspan=2>§</tbody><tfoot>{}<tr><td>§ {} §</tfoot></table>",
)


def html_page(words: Words) -> Iterator[str]:
    """Each element in each kind of element, and each attribute with words."""
    yield words.fill("head", "<html><head><title>§</title></head><body>§ &lt;§&gt; &#167;§ §&nosuch;<h1>§</h1>§\n")
    for name in HTML_NAMES:
        element = f"<{name}>§" if name in VOID else f"<{name}>§</{name}>"
        for around in HTML_AROUND:
            yield words.fill(f"<{name}> in {around}", around.replace("{}", element)) + "\n"
    for name in HTML_ATTRIBUTES:
        for around in ("<p {0}='§'>a</p>", '<table><tr><td><img {0}="§">a</table>', "<ul><li><b {0}=§>a</ul>"):
            yield words.fill(f"{name} of {around}", around.format(name)) + "\n"
    yield from no_words(words, Format.HTML)
    yield words.fill("end", "<h6>§</h6>§</body></html>")


DOCBOOK_NAMES = sorted(
    names_in(docbook, docbook_tables, docbook_words)
    | {"footnote", "programlisting", "quote", "tfoot", "phrase", "nosuch"}
)
DOCBOOK_AROUND = (
    "{}",
    "<part><title>§</title>{}<chapter><title>§</title>{}</chapter></part>",
    "<para>§ {} §</para>",
    "<note><title>§</title>{}<para>§</para></note>",
    "<itemizedlist>{}<title>§</title><listitem><para>§</para>{}</listitem></itemizedlist>",
    "<variablelist><varlistentry><term>§ {}</term><listitem>{}<para>§</para></listitem></varlistentry></variablelist>",
    "<table><title>§ {}</title>{}<tgroup cols='1'>{}<thead><row><entry>§ {}</entry></row></thead>"
    "<tfoot><row><entry>§</entry></row></tfoot><tbody>{}<row><entry><para>§</para>{}</entry></row></tbody>"
    "</tgroup></table>",
)
_DOCBOOK_HEAD = """<?xml version="1.0"?>
<!DOCTYPE book [<!ENTITY named "§">]>
<book><title>§</title>§<para>&named; &#167;§ &lt;§&gt; <![CDATA[§]]></para>
"""


def docbook_book(words: Words) -> Iterator[str]:
    """Each element that the reader names, and some others, in each kind of element."""
    yield words.fill("head", _DOCBOOK_HEAD)
    for name in DOCBOOK_NAMES:
        for around in DOCBOOK_AROUND:
            inside = around.replace("{}", f"<{name}>§</{name}>")
            yield words.fill(f"<{name}> in {around}", f"<section><title>§</title>{inside}§</section>\n")
    yield from no_words(words, Format.DOCBOOK)
    yield words.fill("end", "<appendix><title>§</title><para>§</para></appendix></book>")
