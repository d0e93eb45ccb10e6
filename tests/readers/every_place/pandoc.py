"""Documents of the formats that pandoc reads, with words in each node of pandoc's syntax tree, and beside the tree.

Pandoc says its node types itself, and writes the documents; by hand come the places that its writers never fill.
"""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from refgen.readers.document import BINARY, Format
from refgen.readers.pandoc.program import program
from tests.readers.every_place.words import Words, no_words

PANDOC_NODES: Mapping[str, str] = {
    "Str": "§",
    "Space": "§ §",
    "SoftBreak": "§\n§",
    "LineBreak": "§\\\n§",
    "Emph": "*§*",
    "Underline": "[§]{.underline}",
    "Strong": "**§**",
    "Strikeout": "~~§~~",
    "Superscript": "a^§^",
    "Subscript": "a~§~",
    "SmallCaps": "[§]{.smallcaps}",
    "Quoted": "\"§\" '§'",
    "Cite": "[§ @key §]",
    "Code": "`§`",
    "Math": r"$\mathrm{§}$",
    "RawInline": "`<b>§</b>`{=html} `§`{=latex}",
    "Link": '[§](http://a.example "§")',
    "Image": 'a ![§](x.png "§")',
    "Note": "a^[§]",
    "Span": "[§]{lang=de}",
    "Plain": "- §\n- §",
    "Para": "§",
    "LineBlock": "| §\n| §",
    "CodeBlock": "```\n§\n§\n```",
    "RawBlock": "```{=html}\n<p>§</p>\n```\n\n```{=latex}\n§\n```\n\n"
    "```{=openxml}\n<w:p><w:r><w:t>§</w:t></w:r></w:p>\n```",
    "BlockQuote": "> §\n>\n> > §\n>\n> - §",
    "OrderedList": "1. §\n2. §\n\n   §\n\n   i) §\n\n(@) §",
    "BulletList": "- §\n\n  §\n\n  - §\n\n  > §\n\n  ```\n  §\n  ```",
    "DefinitionList": "§\n:   §\n\n    §\n\n    - §\n:   §",
    "Header": "# §\n\n## §\n\n### §\n\n#### §\n\n##### §",
    "HorizontalRule": "§\n\n---\n\n§",
    "Table": (
        ": §\n\n+-----+-----+\n| §   | §   |\n+=====+=====+\n| §   | §   |\n|     |     |\n| - § | §   |\n"
        "+-----+-----+\n| §         |\n+=====+=====+\n| §   | §   |\n+=====+=====+"
    ),
    "Figure": '![§](y.png "§"){alt="§"}',
    "Div": "::: {.note lang=de}\n§\n\n- §\n:::",
}
"""Words in each node of pandoc's syntax tree, as pandoc's Markdown writes them."""

METADATA = "---\ntitle: §\nsubtitle: §\nauthor: [§, §]\ndate: §\nabstract: |\n  §\n\n  - §\n---\n\n"

_BY_HAND: Mapping[Format, str] = {
    Format.MEDIAWIKI: """
§<ref>§</ref> <nowiki>§</nowiki> [[Page|§]] {{§|§}} <div title='§'>§</div>
; § : §
[[File:a.png|thumb|§]]
""",
    Format.RST: """
.. note:: §

   §

.. sidebar:: §

   §

.. topic:: §

   §

:§: §

-o  §

>>> §

.. |s| replace:: §

|s| [1]_ :sup:`§` `§`_

.. [1] §

.. _a: http://a.example

.. figure:: a.png
   :alt: §

   §

   §

.. nosuch:: §

   §
""",
    Format.ORG: """
* TODO §
:LOGBOOK:
§
:END:
#+begin_quote
§
#+end_quote
#+begin_nosuch
§
#+end_nosuch
- § :: §
[fn:a] §

a[fn:a] ~§~ =§=
#+CAPTION: §
| § | §[fn:a] |
|---+---|
| § |
""",
    Format.LATEX: r"""
\nosuch{§} \marginpar{§} \textcolor{red}{§} \footnote{§} \verb|§| \emph{§\label{a}}
\begin{nosuch}
§
\end{nosuch}
\begin{description}
\item[§] §
\end{description}
\begin{table}\caption{§}\begin{tabular}{ll}§ & \multicolumn{1}{l}{§} \\ § \\\end{tabular}\end{table}
""",
}
"""The places that the writers of pandoc never fill, or that its readers leave out."""

_PARTS: Mapping[Format, Mapping[str, str]] = {
    Format.DOCX: {
        **{
            f"word/{part}.xml": '<w:x xmlns:w="w"><w:p><w:r><w:t>§</w:t><w:br/><w:t>§</w:t></w:r></w:p></w:x>'
            for part in ("header1", "footer1", "comments", "endnotes")
        },
        "word/diagrams/data1.xml": '<x xmlns:a="a"><a:p><a:r><a:t>§</a:t></a:r></a:p></x>',
        "word/charts/chart1.xml": '<x xmlns:c="c"><c:pt><c:v>§</c:v></c:pt><c:pt><c:v>§</c:v></c:pt></x>',
    },
    Format.ODT: {
        "styles.xml": '<x xmlns:t="t"><t:p>§<t:span>§</t:span></t:p></x>',
        "Object 1/content.xml": '<x xmlns:t="t"><t:p>§<t:annotation><t:p>§</t:p></t:annotation><t:tab/>§</t:p></x>',
    },
}
"""Parts of a file that pandoc does not read."""

_IN_TEXT = {
    Format.DOCX: (
        "word/document.xml",
        '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="§"><v:textbox><w:txbxContent><w:p>'
        "<w:r><w:t>§</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>§</w:t></w:r><w:ins><w:r><w:t>§</w:t></w:r></w:ins></w:p>",
        "</w:body>",
    ),
    Format.ODT: (
        "content.xml",
        '<text:p>§<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">§</dc:creator>'
        "<text:p>§</text:p></office:annotation></text:p><text:p><draw:frame><draw:text-box><text:p>§</text:p></draw:text-box>"
        "<svg:title>§</svg:title><svg:desc>§</svg:desc></draw:frame></text:p>",
        "</office:text>",
    ),
}
"""Elements that only word processors write: the part, the elements, and the tag that follows."""


@cache
def node_types() -> set[str]:
    """The node types of pandoc's syntax tree, as pandoc says them."""
    ask = (
        "for _, of in pairs({pandoc.Inline, pandoc.Block}) do for name in pairs(of.constructor) do print(name) end end"
    )
    with TemporaryDirectory() as folder:
        script = Path(folder) / "types.lua"
        script.write_text(ask, encoding="utf-8")
        said = subprocess.run([program(), "lua", str(script)], capture_output=True, check=True, text=True)
    return set(said.stdout.split())


def pandoc_document(words: Words, document_format: Format) -> bytes:
    """A document that pandoc writes of its nodes, with places by hand. Words that it did not write have no place."""
    parts = [words.fill("metadata", METADATA), words.fill("before the first heading", "§\n\n")]
    parts += [words.fill(name, text) + "\n\n<!-- -->\n\n" for name, text in PANDOC_NODES.items()]
    parts.append(words.fill("end", "# §\n\n§\n"))
    options = ["--from", "markdown", "--to", document_format, "--wrap", "preserve"]
    if document_format in BINARY or document_format is Format.ORG:
        options.append("--standalone")
    done = subprocess.run([program(), *options], input="".join(parts).encode(), capture_output=True, check=True).stdout
    if document_format in BINARY:
        return _with_parts(words, done, document_format)
    title = (
        "\\title{§}\\author{§}\\date{§}\\begin{abstract}§\\end{abstract}\n" if document_format is Format.LATEX else ""
    )
    text = done.decode().replace("\\tightlist\n", "")  # pandoc's own reader does not know it before the first item
    _keep(words, text)
    text = words.fill("title page", title) + text + words.fill("by hand", _BY_HAND[document_format])
    return "\n\n".join([text, *no_words(words, document_format)]).encode()


def _with_parts(words: Words, raw: bytes, document_format: Format) -> bytes:
    made = io.BytesIO()
    changed, elements, end = _IN_TEXT[document_format]
    with ZipFile(io.BytesIO(raw)) as old, ZipFile(made, "w") as new:
        texts = {name: old.read(name) for name in old.namelist()}
        _keep(
            words,
            "".join(
                text.decode() for name, text in texts.items() if re.search(r"document\.xml|content\.xml|notes", name)
            ),
        )
        more = words.fill("in the text", elements)
        texts[changed] = texts[changed].decode().replace(end, more + end).encode()
        texts |= {name: words.fill(name, text).encode() for name, text in _PARTS[document_format].items()}
        for name, text in texts.items():
            new.writestr(name, text)
    return made.getvalue()


def _keep(words: Words, text: str) -> None:
    """Forget the words that no longer stand in a text."""
    for word in [word for word in words.places if word not in text]:
        words.places[word] = "dropped by the writer"
