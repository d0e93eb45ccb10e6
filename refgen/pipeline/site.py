"""The site of a build: which files there are to link to, and the pages that do.

In: the prepared systems and all files the output will hold. Out: a Site: its pages as data and as files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from refgen.aids.site import AidLinks, Download, Preview, SystemPage, SystemSummary, make_system_page
from refgen.export.model import json_text
from refgen.pipeline.prepare import Kind, Prepared
from refgen.pipeline.work import FILE_NAMES, USUAL_FORMATS, file_name, preview_path
from refgen.render.html import index_html, system_page_html
from refgen.render.page_format import PAGE_FORMATS, PageFormat, Paper
from refgen.render.preview import png_size

_PAPER_NAMES = {Paper.A4: "A4", Paper.LETTER: "US Letter", Paper.A5: "A5"}
_TITLES = {
    Kind.SCREEN: ("GM screen", "One panel a page, for the table or a screen insert."),
    Kind.SHEET: ("Sheet", "Blank, to fill in on screen or by hand."),
    Kind.CARD: ("Quick-reference cards", "With their backs, to print on both sides and cut."),
}

_PAGE_NAMES = {Kind.SCREEN: "panel", Kind.SHEET: "page", Kind.CARD: "page"}

SUMMARY = "summary.json"


@dataclass(frozen=True, slots=True)
class Site:
    """A site: the page of each system that was built, what the first page says, and the files by path."""

    pages: Sequence[SystemPage]
    summaries: Sequence[SystemSummary]
    files: Mapping[str, bytes]


def make_site(prepared: Mapping[str, Prepared], made: Mapping[str, bytes], stays: Sequence[str], output: Path) -> Site:
    """The site, with links to what was ``made``, by path, and to what ``stays`` in ``output`` of an earlier build.

    Systems of an earlier build stay on the first page.
    """
    there = _Files(made, frozenset(stays), output)
    pages = [make_system_page(ready.game, list(_aid_links(system, there))) for system, ready in prepared.items()]
    summaries = {page.system.id: SystemSummary.of(page) for page in pages}
    files = {f"{page.system.id}/index.html": system_page_html(page).encode() for page in pages}
    files |= {f"{system}/{SUMMARY}": json_text(asdict(summary)).encode() for system, summary in summaries.items()}
    everything = sorted({**_earlier(there), **summaries}.values(), key=lambda summary: summary.title.lower())
    entries = [(summary, list(_aid_links(summary.id, there))) for summary in everything]
    return Site(pages, everything, files | {"index.html": index_html(entries).encode()})


@dataclass(frozen=True, slots=True)
class _Files:
    """The files that the output will hold."""

    made: Mapping[str, bytes]
    stays: frozenset[str]
    output: Path

    def __contains__(self, path: str) -> bool:
        return path in self.made or path in self.stays

    def read(self, path: str) -> bytes:
        return self.made[path] if path in self.made else (self.output / path).read_bytes()


def _earlier(there: _Files) -> dict[str, SystemSummary]:
    """The summaries that stay from an earlier build; a damaged one is left out, its system will write it anew."""
    found = {}
    for path in there.stays:
        if path.endswith(f"/{SUMMARY}"):
            with suppress(OSError, ValueError, TypeError):
                summary = SystemSummary(**json.loads(there.read(path)))
                found[summary.id] = summary
    return found


def _aid_links(system: str, there: _Files) -> Iterator[AidLinks]:
    for kind, (title, about) in _TITLES.items():
        downloads = list(_downloads(system, kind, there))
        if downloads:
            yield AidLinks(title, about, tuple(downloads), tuple(_previews(system, kind, downloads[0], there)))
    data = [
        Download(title, name, "JSON")
        for title, name in (("Tables and facts", "tables.json"), ("Check report", "check.json"))
        if f"{system}/{name}" in there
    ]
    if data:
        yield AidLinks("Data", "Every table, fact and finding, for programs.", tuple(data))


def _downloads(system: str, kind: Kind, there: _Files) -> Iterator[Download]:
    """The PDFs of an aid in each format, and its page for a screen, which is the same whatever the paper."""
    for suffix in ("pdf", "html"):
        names = [(page_format, f"{file_name(kind, page_format)}.{suffix}") for page_format in PAGE_FORMATS]
        found = [(page_format, name) for page_format, name in names if f"{system}/{name}" in there]
        if suffix == "pdf":
            yield from (Download(_label(kind, page_format), name, "PDF") for page_format, name in found)
        else:
            yield from (Download("On a screen", name, "HTML") for _, name in found[:1])
    if kind is Kind.CARD:
        alone = {"pdf": "One card a page, with bleed", "html": "On a screen"}
        names_alone = [(title, f"{FILE_NAMES[kind]}.{suffix}", suffix.upper()) for suffix, title in alone.items()]
        yield from (Download(*own) for own in names_alone if f"{system}/{own[1]}" in there)


def _label(kind: Kind, page_format: PageFormat) -> str:
    """A format in words: "A4, portrait, ink-saving"."""
    return ", ".join([_PAPER_NAMES[page_format.paper], *page_format.unlike(USUAL_FORMATS[kind])])


def _previews(system: str, kind: Kind, leads_to: Download, there: _Files) -> Iterator[Preview]:
    """The previews of an aid, each a link to its page of one of the aid's files."""
    title, _ = _TITLES[kind]
    names = (FILE_NAMES[kind], leads_to.href.rpartition(".")[0])
    name = next((name for name in names if f"{system}/{preview_path(name, 1)}" in there), names[0])
    for number in count(1):
        src = preview_path(name, number)
        if f"{system}/{src}" not in there:
            return
        width, height = png_size(there.read(f"{system}/{src}"))
        anchor = f"#page={number}" if leads_to.file_type == "PDF" else ""
        yield Preview(src, f"{leads_to.href}{anchor}", f"{title}, {_PAGE_NAMES[kind]} {number}", width, height)
