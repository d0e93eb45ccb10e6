"""The site of a build: which files there are to link to, and the pages that do.

In: the prepared systems and the paths of all files the output will hold. Out: a Site: its pages as data and as files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from refgen.aids.site import AidLinks, Download, SystemPage, SystemSummary, make_system_page
from refgen.pipeline.prepare import Kind, Prepared
from refgen.pipeline.work import FILE_NAMES
from refgen.render.data import json_text
from refgen.render.html import Paper, index_html, system_page_html

_PAPER_NAMES = {Paper.A4: "A4", Paper.LETTER: "US Letter"}
_TITLES = {
    Kind.SCREEN: ("GM screen", "One panel a page, for the table or a screen insert."),
    Kind.SHEET: ("Sheet", "Blank, to fill in on screen or by hand."),
    Kind.CARD: ("Quick-reference cards", "Poker size, nine on a page, with cut lines."),
}


SUMMARY = "summary.json"


@dataclass(frozen=True, slots=True)
class Site:
    """A site: the page of each system that was built, what the first page says, and the files by path."""

    pages: Sequence[SystemPage]
    summaries: Sequence[SystemSummary]
    files: Mapping[str, bytes]


def make_site(prepared: Mapping[str, Prepared], available: Sequence[str], output: Path) -> Site:
    """The site. Systems of an earlier build in ``output`` stay on the first page."""
    there = frozenset(available)
    pages = [
        make_system_page(ready.ruleset, ready.derived, ready.report, list(_aid_links(system, there)))
        for system, ready in prepared.items()
    ]
    summaries = {page.system.id: SystemSummary.of(page) for page in pages}
    files = {f"{page.system.id}/index.html": system_page_html(page).encode() for page in pages}
    files |= {f"{system}/{SUMMARY}": json_text(asdict(summary)).encode() for system, summary in summaries.items()}
    everything = sorted({**_earlier(there, output), **summaries}.values(), key=lambda summary: summary.title.lower())
    entries = [(summary, list(_aid_links(summary.id, there))) for summary in everything]
    return Site(pages, everything, files | {"index.html": index_html(entries).encode()})


def _earlier(there: frozenset[str], output: Path) -> dict[str, SystemSummary]:
    """The summaries that stay from an earlier build; a damaged one is left out, its system will write it anew."""
    found = {}
    for path in there:
        if path.endswith(f"/{SUMMARY}"):
            with suppress(OSError, ValueError, TypeError):
                summary = SystemSummary(**json.loads((output / path).read_text(encoding="utf-8")))
                found[summary.id] = summary
    return found


def _aid_links(system: str, there: frozenset[str]) -> Iterator[AidLinks]:
    for kind, (title, about) in _TITLES.items():
        downloads = [
            Download(_PAPER_NAMES[paper], f"{FILE_NAMES[kind]}-{paper}.{suffix}", suffix.upper())
            for paper in Paper
            for suffix in ("pdf", "html")
            if f"{system}/{FILE_NAMES[kind]}-{paper}.{suffix}" in there
        ]
        if downloads:
            yield AidLinks(title, about, tuple(downloads))
    data = [
        Download(title, name, "JSON")
        for title, name in (("Tables and facts", "tables.json"), ("Check report", "check.json"))
        if f"{system}/{name}" in there
    ]
    if data:
        yield AidLinks("Data", "Every table, fact and finding, for programs.", tuple(data))
