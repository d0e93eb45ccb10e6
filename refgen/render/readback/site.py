"""The site against its pages.

In: the pages as they were to be shown, the HTML of each, and the paths of all files of the build. Out: the
mismatches: cells, facts, findings, counts, downloads and pictures that are not there, characters without a glyph, links
that lead nowhere or elsewhere than they say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from refgen.aids.site import SiteTable, SystemPage, SystemSummary
from refgen.checks.finding import Finding
from refgen.render.pieces import COMPUTED, Piece, footnote_pieces, table_pieces
from refgen.render.readback.align import align
from refgen.render.readback.fonts import TEXT
from refgen.render.readback.grounds import html_grounds
from refgen.render.readback.html_pages import dead_links, doubled_ids, ids, read_html, texts
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.places import Fault, without_glyph

FIRST_PAGE = "index.html"


def read_back_site(
    pages: Sequence[SystemPage],
    summaries: Sequence[SystemSummary],
    made: Mapping[str, bytes],
    files: Collection[str],
) -> list[Mismatch]:
    """Compare the site with what was made of it: ``made`` has its pages by path, ``files`` all paths of the build."""
    there = frozenset(files)
    roots = {name: read_html(data) for name, data in made.items() if name.endswith(".html")}
    faults: dict[str, list[Fault]] = {name: [] for name in roots}
    for page in pages:
        name = f"{page.system.id}/{FIRST_PAGE}"
        faults[name] += [*_tables(page, roots[name]), *_facts(page, roots[name]), *_findings(page, roots[name])]
        faults[name] += [*_previews(page, roots[name]), *_downloads(page, roots[name]), *_contents(page, roots[name])]
    faults[FIRST_PAGE] += _summaries(summaries, roots[FIRST_PAGE])
    anchors = {name: ids(root) for name, root in roots.items()}
    for name, root in roots.items():
        faults[name] += _sound(root)
        faults[name] += (("", f'the link "{link}" leads nowhere') for link in dead_links(root, name, there, anchors))
    return [Mismatch(name, where, what) for name, found in faults.items() for where, what in found]


def _tables(page: SystemPage, root: Any) -> Iterator[Fault]:
    for table in (*page.printed, *page.computed):
        sections = root.xpath("//section[@id = $id]", id=table.id)
        if len(sections) != 1:
            yield f'"{table.block.title}"', "is not there" if not sections else f"is there {len(sections)} times"
            continue
        pieces = list(_table(table))
        told = align(pieces, texts(sections[0])).faults
        yield from told
        yield from html_grounds(pieces, sections[0], told=bool(told))


def _table(table: SiteTable) -> Iterator[Piece]:
    where = f'"{table.block.title}"'
    yield Piece(table.block.title, f"{where}, title")
    if table.block.computed:
        yield Piece(COMPUTED, f"{where}, tag")
    yield from table_pieces(table.block, where)
    yield Piece(table.rule, f"{where}, rule")
    yield Piece(table.block.note, f"{where}, note")
    yield from footnote_pieces(table.block, where)
    yield Piece(table.block.source, f"{where}, source")


def _facts(page: SystemPage, root: Any) -> Iterator[Fault]:
    pieces = [
        Piece(text, f'fact "{fact.title}"')
        for fact in page.facts
        for text in (fact.title, f"{fact.figure} {fact.unit}", fact.place)
    ]
    found = [text for body in root.xpath("//section[@id = 'facts']//tbody") for text in texts(body)]
    yield from align(pieces, found).faults


def _findings(page: SystemPage, root: Any) -> Iterator[Fault]:
    """How many numbers were compared, and each finding with its place, its figures and its verdict."""
    report = page.report
    accepted, still_open = sum(bool(one.accepted) for one in page.findings), sum(one.is_open for one in page.findings)
    counts = (report.compared, report.agreeing, report.rounding, accepted, still_open)
    said = [number for line in root.xpath("//section[@id = 'checks']/p") for number in _numbers(line)]
    yield from align([Piece(str(number), "checks, counts") for number in counts], said).faults
    pieces = [Piece(text, f'finding "{one.id}"') for one in page.findings for text in _finding(one)]
    cells = root.xpath("//section[@id = 'checks']//tbody/tr/*")
    yield from align(pieces, [joined for cell in cells if (joined := "".join(texts(cell)))]).faults


def _finding(finding: Finding) -> Iterator[str]:
    """What the row of a finding says, cell by cell."""
    table = "" if finding.table == "facts" else finding.table
    yield f"{table} {finding.row} {finding.column}"
    yield from (finding.printed, finding.computed, finding.exact, finding.rule)
    yield f"accepted: {finding.accepted.reason}" if finding.accepted else finding.severity
    yield str(finding.span)


def _numbers(line: Any) -> list[str]:
    return re.findall(r"\d+", line.text_content())


def _previews(page: SystemPage, root: Any) -> Iterator[Fault]:
    """Each picture with its words, its size, and the page it leads to, in order; and no other picture."""
    wanted = [
        (preview.src, preview.alt, str(preview.width), str(preview.height), preview.href)
        for aid in page.aids
        for preview in aid.previews
    ]
    found = map(_picture, root.xpath("//img"))
    for number, (expected, there) in enumerate(zip_longest(wanted, found), start=1):
        if expected != there:
            yield f"picture {number}", f"{_in_words(there)} in place of {_in_words(expected)}"


def _downloads(page: SystemPage, root: Any) -> Iterator[Fault]:
    """Each file with the words and the file type that it is offered by, in order; and no other."""
    wanted = [(one.href, one.title, one.file_type) for aid in page.aids for one in aid.downloads]
    found = [
        (link.get("href", ""), link.text_content(), "".join(link.getparent().xpath("./span/text()")))
        for link in root.xpath("//section[@id = 'aids']//*[contains(@class, 'links')]//a")
    ]
    for number, (expected, there) in enumerate(zip_longest(wanted, found), start=1):
        if expected != there:
            yield f"download {number}", f"{_in_words(there)} in place of {_in_words(expected)}"


def _contents(page: SystemPage, root: Any) -> Iterator[Fault]:
    """The list of what is on the page leads to each table by its title."""
    wanted = [(f"#{table.id}", table.block.title) for table in (*page.printed, *page.computed)]
    wanted += [("#facts", "Facts")] if page.facts else []
    wanted.append(("#checks", "Checks"))
    found = [(link.get("href", ""), link.text_content()) for link in root.xpath("//nav[@class = 'contents']//a")]
    for expected, there in zip_longest(wanted, found):
        if expected != there:
            yield "contents", f"{_in_words(there)} in place of {_in_words(expected)}"


def _picture(image: Any) -> tuple[str, ...]:
    attributes = (image.get(name, "") for name in ("src", "alt", "width", "height"))
    return *attributes, image.getparent().get("href", "")


def _in_words(picture: tuple[str, ...] | None) -> str:
    return ", ".join(picture) if picture else "none"


def _summaries(summaries: Sequence[SystemSummary], root: Any) -> Iterator[Fault]:
    """Each system with its title and its numbers."""
    pieces = []
    for system in summaries:
        numbers = (system.printed, system.computed, system.compared, system.findings)
        pieces += [Piece(text, f'"{system.title}"') for text in (system.title, *map(str, numbers))]
    found = []
    for card in root.xpath("//article"):
        found += [text for title in card.xpath("./h2") for text in texts(title)]
        found += [number for line in card.find_class("numbers") for number in _numbers(line)]
    yield from align(pieces, found).faults


def _sound(root: Any) -> Iterator[Fault]:
    """What may be wrong with any page."""
    if lacking := without_glyph("".join(texts(root)), TEXT):
        yield "", f"no font of ours has a glyph for {lacking}"
    yield from (("", f'two elements have the id "{name}"') for name in doubled_ids(root))
