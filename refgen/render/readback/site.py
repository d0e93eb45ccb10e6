"""The site against its pages.

In: the pages as they were to be shown, the HTML of each, and the paths of all files of the build. Out: the
mismatches: cells, notes, facts, findings, counts, downloads and pictures that are not there, characters without a
glyph, links that lead nowhere or elsewhere than they say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from refgen.checks.finding import Finding
from refgen.render.pieces import COMPUTED, Piece, footnote_pieces, table_pieces
from refgen.render.readback.align import align, normalized
from refgen.render.readback.fonts import TEXT
from refgen.render.readback.grounds import html_grounds
from refgen.render.readback.html_pages import dead_links, doubled_ids, ids, read_html, texts
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.places import Fault, without_glyph
from refgen.site import address
from refgen.site.checks import ChecksPage
from refgen.site.files import Download
from refgen.site.game_pages import SitePage
from refgen.site.glossary import GlossaryPage
from refgen.site.home import HomePage
from refgen.site.overview import OverviewPage
from refgen.site.tables import Note, TablePage, TablesPage


def read_back_site(pages: Sequence[SitePage], made: Mapping[str, bytes], files: Collection[str]) -> list[Mismatch]:
    """Compare the pages of a site with their HTML: ``made`` has it by path, ``files`` are all paths of the build."""
    there = frozenset(files)
    roots = {name: read_html(data) for name, data in made.items() if name.endswith(".html")}
    anchors = {name: ids(root) for name, root in roots.items()}
    found = {name: [*_sound(root), *_dead(root, name, there, anchors)] for name, root in roots.items()}
    for page in pages:
        name = page.head.path
        found[name] = [*_contents(page, roots[name]), *found[name]]
    return [Mismatch(name, where, what) for name, faults in found.items() for where, what in faults]


def _contents(page: SitePage, root: Any) -> Iterator[Fault]:
    """What a page says, by its kind."""
    yield from align([Piece(page.head.title, "heading")], _own_texts(root.xpath("//h1")[0])).faults
    match page:
        case HomePage():
            yield from _games(page, root)
        case OverviewPage():
            yield from [
                *_previews(page, root),
                *_downloads([one for aid in page.aids for one in aid.downloads], page, root),
            ]
        case TablesPage():
            yield from _subjects(page, root)
        case TablePage():
            yield from [*_table(page, root), *_notes(page, root), *_downloads(page.downloads, page, root)]
        case GlossaryPage():
            yield from _glossary(page, root)
        case ChecksPage():
            yield from _findings(page, root)


def _own_texts(element: Any) -> list[str]:
    """The texts of a heading without its tag."""
    return [text for text in (normalized(node) for node in element.xpath("./text()")) if text]


def _table(page: TablePage, root: Any) -> Iterator[Fault]:
    """A table with what is said under it."""
    sections = root.xpath("//section[@id = $id]", id=page.table_id)
    if len(sections) != 1:
        yield f'"{page.head.title}"', "is not there" if not sections else f"is there {len(sections)} times"
        return
    pieces = list(_pieces(page))
    found = [text for element in sections[0].xpath("./*[not(contains(@class, 'links'))]") for text in texts(element)]
    told = align(pieces, found).faults
    yield from told
    yield from html_grounds(pieces, sections[0], told=bool(told))


def _pieces(page: TablePage) -> Iterator[Piece]:
    where = f'"{page.head.title}"'
    yield from table_pieces(page.block, where)
    yield Piece(page.rule, f"{where}, rule")
    yield Piece(page.block.note, f"{where}, note")
    yield from footnote_pieces(page.block, where)
    yield Piece(page.block.source, f"{where}, source")


def _notes(page: TablePage, root: Any) -> Iterator[Fault]:
    """What each number rests on, and each number a link to it."""
    pieces = [Piece(text, f'number "{note.where}"') for note in page.notes.values() for text in _note(page, note)]
    yield from align(pieces, _cells(root.xpath("//section[@id = 'numbers']//tbody/tr/*"))).faults
    wanted = [(f"#{note.anchor}", normalized(note.shown)) for note in page.notes.values()]
    links = root.xpath("//a[@class = 'number']")
    found = [(link.get("href"), normalized("".join(link.xpath(".//text()[not(ancestor::sup)]")))) for link in links]
    yield from _in_order("number", wanted, found)


def _note(page: TablePage, note: Note) -> Iterator[str]:
    known = note.explanation
    yield note.where
    if page.block.computed:
        yield from (known.exact, known.places)
    else:
        yield from (known.printed, known.places, known.exact, known.rule, known.verdict)


def _subjects(page: TablesPage, root: Any) -> Iterator[Fault]:
    """Each table under its subject, with its size, and a link to its page."""
    pieces = []
    for subject in page.subjects:
        pieces.append(Piece(subject.title, "subject"))
        for table in subject.tables:
            where = f'"{table.link.title}"'
            pieces.append(Piece(table.link.title, where))
            if table.computed:
                pieces.append(Piece(COMPUTED, f"{where}, tag"))
            pieces.append(Piece(f"{table.rows} × {table.columns}", f"{where}, size"))
    yield from align(pieces, [text for section in root.find_class("subject") for text in texts(section)]).faults
    wanted = [_href(page, table.link.path) for subject in page.subjects for table in subject.tables]
    yield from _in_order("link", wanted, [str(link) for link in root.xpath("//ul[@class = 'contents']//a/@href")])


def _glossary(page: GlossaryPage, root: Any) -> Iterator[Fault]:
    """Levels, rolls and facts."""
    yield from align(
        [Piece(text, f'ladder "{one.id}"') for one in page.ladders for level in one.levels for text in reversed(level)],
        _cells(root.xpath("//section[@id = 'ladders']//tbody/tr/*")),
    ).faults
    yield from align(
        [
            Piece(text, f'roll "{roll.title}"')
            for roll in page.rolls
            for text in (roll.title, roll.expression, roll.mean, roll.deviation)
        ],
        _cells(root.xpath("//section[@id = 'rolls']//tbody/tr/*")),
    ).faults
    yield from align(
        [
            Piece(text, f'fact "{fact.title}"')
            for fact in page.facts
            for text in (fact.title, f"{fact.figure} {fact.unit}", fact.place)
        ],
        _cells(root.xpath("//section[@id = 'facts']//tbody/tr/*")),
    ).faults


def _cells(cells: Any) -> list[str]:
    """The text of each cell that has one."""
    return [joined for cell in cells if (joined := "".join(texts(cell)))]


def _findings(page: ChecksPage, root: Any) -> Iterator[Fault]:
    """How many numbers were compared, and each finding with its place, its figures and its verdict."""
    report, findings = page.report, [one.finding for one in page.findings]
    accepted, still_open = sum(bool(one.accepted) for one in findings), sum(one.is_open for one in findings)
    counts = (report.compared, report.agreeing, report.rounding, accepted, still_open)
    said = [number for line in root.xpath("//section[@id = 'checks']/p") for number in _numbers(line)]
    yield from align([Piece(str(number), "checks, counts") for number in counts], said).faults
    pieces = [Piece(text, f'finding "{one.id}"') for one in findings for text in _finding(one)]
    yield from align(pieces, _cells(root.xpath("//section[@id = 'checks']//tbody/tr/*"))).faults


def _finding(finding: Finding) -> Iterator[str]:
    """What the row of a finding says, cell by cell."""
    table = "" if finding.table == "facts" else finding.table
    yield f"{table} {finding.row} {finding.column}"
    yield from (finding.printed, finding.computed, finding.exact, finding.rule)
    yield f"accepted: {finding.accepted.reason}" if finding.accepted else finding.severity
    yield str(finding.span)


def _numbers(line: Any) -> list[str]:
    return re.findall(r"\d+", line.text_content())


def _previews(page: OverviewPage, root: Any) -> Iterator[Fault]:
    """Each picture with its words, its size, and the page it leads to, in order; and no other picture."""
    wanted = [
        (_href(page, one.picture), one.alt, str(one.width), str(one.height), _href(page, one.path))
        for aid in page.aids
        for one in aid.previews
    ]
    yield from _in_order("picture", wanted, [*map(_picture, root.xpath("//img"))])


def _picture(image: Any) -> tuple[str, ...]:
    attributes = (image.get(name, "") for name in ("src", "alt", "width", "height"))
    return *attributes, image.getparent().get("href", "")


def _href(page: SitePage, path: str) -> str:
    return address.link(page.head.path, path)


def _downloads(files: Sequence[Download], page: SitePage, root: Any) -> Iterator[Fault]:
    """Each file with the words and the file type that it is offered by, in order; and no other."""
    wanted = [(_href(page, one.path), one.title, one.file_type) for one in files]
    found = [
        (link.get("href", ""), link.text_content(), "".join(link.getparent().xpath("./span/text()")))
        for link in root.xpath("//ul[@class = 'links']//a")
    ]
    yield from _in_order("download", wanted, found)


def _in_order(what: str, wanted: Sequence[object], found: Sequence[object]) -> Iterator[Fault]:
    for number, (expected, there) in enumerate(zip_longest(wanted, found), start=1):
        if expected != there:
            yield f"{what} {number}", f"{_in_words(there)} in place of {_in_words(expected)}"


def _in_words(found: object) -> str:
    if found is None:
        return "none"
    return ", ".join(map(str, found)) if isinstance(found, tuple) else str(found)


def _games(page: HomePage, root: Any) -> Iterator[Fault]:
    """Each game with its title and its numbers."""
    pieces = []
    for game, _ in page.games:
        numbers = (game.printed, game.computed, game.compared, game.findings)
        pieces += [Piece(text, f'"{game.title}"') for text in (game.title, *map(str, numbers))]
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


def _dead(root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> Iterator[Fault]:
    yield from (("", f'the link "{link}" leads nowhere') for link in dead_links(root, name, files, anchors))
