"""The rules and tables of games as Markdown files, for a site that MkDocs or Hugo makes.

In: games. Out: files by path, a page each, with front matter and links among them. Words are escaped so that none of
them is markup, for Python-Markdown (MkDocs) and for CommonMark (Hugo) alike.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from refgen.game import GameModel, SystemInfo
from refgen.site import address
from refgen.site.address import SitePart
from refgen.site.document_text import DocumentRun
from refgen.site.game_pages import make_pages
from refgen.site.rules import Paragraph, RulesList, RulesPage, RulesSection, RulesTable, Runs
from refgen.site.tables import TablePage, TablesPage
from refgen.words import ENGLISH

_MARKS = re.compile(r"[\\`*_{}\[\]]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "~": "&#126;", "$": "&#36;"})
_AT_START = re.compile(r"^([#+\-=:!]|\d{1,9}(?=[.)]))")
_ALIGNED = {"end": "---:", "center": ":---:", "bars": "---:"}


def escape_markdown(words: str) -> str:
    """Words within a line."""
    return _MARKS.sub(r"\\\g<0>", words).translate(_ENTITIES)


def paragraph(markdown: str) -> str:
    """A line of Markdown that begins nothing but a paragraph: no list, no heading, no rule."""
    line = " ".join(markdown.split())
    match = _AT_START.match(line)
    if not match:
        return line
    start, rest = match[0], line[match.end() :]
    return f"{start}\\{rest}" if start.isdigit() else f"&#{ord(start)};{rest}"


def fence_text(text: str) -> str:
    """Text whose lines and blanks are kept."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def pipe_table(heads: Sequence[str], rows: Sequence[Sequence[str]], aligned: Sequence[str] = ()) -> str:
    """A table of cells in Markdown; a row that is too short is filled up."""
    width = max(map(len, [heads, *rows]))
    marks = [_ALIGNED.get(align, "---") for align in aligned]
    lines = [_pad_cells(heads, width), _pad_cells(marks, width, "---"), *(_pad_cells(row, width) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _pad_cells(cells: Sequence[str], width: int, empty: str = "") -> list[str]:
    return [" ".join(cell.split()) or empty for cell, _ in zip_longest(cells, range(width), fillvalue="")]


class Target(StrEnum):
    """The program that makes a site of the files."""

    MKDOCS = "mkdocs"
    HUGO = "hugo"


def markdown_pages(games: Sequence[GameModel], target: Target) -> Mapping[str, bytes]:
    """A page for each rule document and each table, and pages that list them."""
    first = _Page(target, address.HOME)
    links = [
        f"- {first.link(escape_markdown(game.title), address.part_page(game.id, SitePart.OVERVIEW))}" for game in games
    ]
    words = games[0].words if games else ENGLISH
    pages: list[Made] = [(first, words("rules-and-tables"), "", ["\n".join(links)])]
    pages += (page for game in games for page in _pages_of(game, target))
    return {page.file: page.text(title, source, parts).encode() for page, title, source, parts in pages}


Made = tuple["_Page", str, str, list[str]]
"""A page, its title and source, and its parts in Markdown."""


def _pages_of(game: GameModel, target: Target) -> Iterator[Made]:
    system, pages = SystemInfo.of(game), list(make_pages(game, []))
    documents = [made for made in pages if isinstance(made, RulesPage)]
    anchors = frozenset(anchor for document in documents for anchor in _anchors(document))
    for made in pages:
        page = _Page(target, made.head.path, anchors)
        match made:
            case RulesPage():
                yield page, made.head.title, system.source, list(page.document(made))
            case TablesPage():
                yield page, made.head.title, system.source, list(page.listed(made))
            case TablePage():
                yield page, made.head.title, system.source, list(page.table(made))
    page = _Page(target, address.part_page(game.id, SitePart.OVERVIEW))
    links = [(document.head.title, document.head.path) for document in documents]
    links.append((game.words(SitePart.TABLES), address.part_page(game.id, SitePart.TABLES)))
    listed = "\n".join(f"- {page.link(escape_markdown(title), path)}" for title, path in links)
    yield page, system.title, system.source, [paragraph(escape_markdown(system.about)), listed]


def _anchors(page: RulesPage) -> Iterator[str]:
    """The places on a page that headings have, each with its path."""
    for section in page.sections:
        if section.title and section.title != page.head.title:
            yield f"{page.head.path}#{section.anchor}"


@dataclass(frozen=True, slots=True)
class _Page:
    """Writes the Markdown page that has the ``path`` of a page of the site; ``anchors`` are the places to link to."""

    target: Target
    path: str
    anchors: frozenset[str] = frozenset()

    @property
    def file(self) -> str:
        """Where the page stands. In Hugo a folder with an index.md is one page: one of many has an _index.md."""
        return self._file(self.path)

    def _file(self, path: str) -> str:
        folder, name = posixpath.split(path.removesuffix(".html") + ".md")
        return posixpath.join(folder, "_index.md" if (self.target, name) == (Target.HUGO, "index.md") else name)

    def text(self, title: str, source: str, parts: Sequence[str]) -> str:
        """The text of a page: front matter, a heading (Hugo makes the heading from the front matter), and the parts."""
        front = {"title": title, **({"source": source} if source else {})}
        lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
        heading = [f"# {escape_markdown(title)}"] if self.target is Target.MKDOCS else []
        return "\n".join(["---", *lines, "---", ""]) + "\n" + "\n\n".join(filter(None, [*heading, *parts])) + "\n"

    def link(self, words: str, path: str) -> str:
        """A link to a page of the site, to a place on one, or to elsewhere."""
        if "://" in path or path.startswith("mailto:"):
            return f"[{words}](<{path.replace('<', '%3C').replace('>', '%3E')}>)"
        page = path.partition("#")[0]
        anchor = path.removeprefix(page) if path in self.anchors else ""
        there = posixpath.relpath(self._file(page), posixpath.dirname(self.file) or ".") + anchor
        if self.target is Target.HUGO:
            return f"[{words}]({{{{< relref {json.dumps(there, ensure_ascii=False)} >}}}})"
        return f"[{words}]({anchor if anchor and page == self.path else address.link('', there)})"

    def document(self, page: RulesPage) -> Iterator[str]:
        """A rule document."""
        for section in page.sections:
            if f"{page.head.path}#{section.anchor}" in self.anchors:
                yield from self._heading(section)
            yield from (self._block(block.content) for block in section.blocks)

    def _heading(self, section: RulesSection) -> Iterator[str]:
        """The heading of a section with its anchor, by what each of the two makes anchors of."""
        marks, words = "#" * section.level, escape_markdown(section.title)
        if self.target is Target.HUGO:
            yield f"{marks} {words} {{#{section.anchor}}}"
        else:
            yield f'<a id="{section.anchor}"></a>'
            yield f"{marks} {words}"

    def _block(self, content: Paragraph | RulesList | RulesTable) -> str:
        match content:
            case Paragraph(raw=True):
                return fence_text("".join(run.text for run in content.runs))
            case Paragraph():
                return paragraph(self._runs(content.runs))
            case RulesList():
                return "\n".join(f"- {paragraph(self._runs(item))}" for item in content.items)
            case RulesTable():
                return self._printed_lines(content)

    def _printed_lines(self, table: RulesTable) -> str:
        heads = [" ".join(filter(None, map(self._runs, column))) for column in zip_longest(*table.heads, fillvalue=())]
        rows = [[self._runs(cell) for cell in row] for row in table.rows]
        caption = f"**{escape_markdown(table.caption)}**" if table.caption else ""
        pages = ", ".join(self.link(escape_markdown(link.title), link.path) for link in table.pages)
        return "\n\n".join(filter(None, [caption, pipe_table(heads, rows), pages]))

    def _runs(self, runs: Runs) -> str:
        return "".join(map(self._run, runs))

    def _run(self, run: DocumentRun) -> str:
        """Some words; blanks at their ends stand outside of marks, which would be none with them."""
        words = run.text.strip()
        before, _, after = run.text.partition(words) if words else (run.text, "", "")
        mark = "*" * (2 * run.strong + run.emphasis)
        text = f"{mark}{escape_markdown(words)}{mark}" if words else ""
        return before + (self.link(text, run.link) if run.link and words else text) + after

    def table(self, page: TablePage) -> Iterator[str]:
        """A table, with its notes below."""
        block = page.block
        heads = [
            " ".join(filter(None, [escape_markdown(column.title), escape_markdown(column.under)]))
            for column in block.columns
        ]
        rows = [[escape_markdown(cell.text) + escape_markdown(cell.sign) for cell in row] for row in block.rows]
        yield pipe_table(heads, rows, [column.align for column in block.columns])
        notes = [page.rule, block.note, *(f"{note.sign} {note.text}" for note in block.footnotes)]
        yield from (paragraph(escape_markdown(note)) for note in notes if note)
        lines = ", ".join(escape_markdown(source.title) for source in page.sources)
        yield f"{page.head.words('follows-from' if block.tag else 'stands-at')} {lines}" if lines else ""

    def listed(self, page: TablesPage) -> Iterator[str]:
        """All tables by subject."""
        tag = f" ({escape_markdown(page.head.words('computed'))})"
        for subject in page.subjects:
            yield f"## {escape_markdown(subject.title)}"
            links = (
                (self.link(escape_markdown(each.link.title), each.link.path), each.computed) for each in subject.tables
            )
            yield "\n".join(f"- {link}{tag if is_computed else ''}" for link, is_computed in links)
