"""Each kind of page of the site, read back.

In: a page as it was to be shown, and the root of its HTML. Out: its faults: texts, numbers, links or files that differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from lxml import etree

from refgen.blocks.typesetting import COMPUTED, Piece
from refgen.checks.finding import Finding
from refgen.render.readback.align import align, normalized
from refgen.render.readback.html_pages import texts
from refgen.render.readback.places import Fault
from refgen.site import address
from refgen.site.characters import CharactersPage
from refgen.site.checks import ChecksPage
from refgen.site.comparison import ComparisonPage
from refgen.site.dice import DicePage
from refgen.site.explorers import ExplorersPage
from refgen.site.glossary import GlossaryPage
from refgen.site.home import HomePage, OverviewPage
from refgen.site.odds import OddsPage
from refgen.site.page import Download, Head
from refgen.site.rules import DocumentsPage, Items, NumberNote, Paragraph, PrintedTable, RulesPage, RulesSection, Runs
from refgen.site.tables import Note, TablePage, TablesPage
from refgen.site.text import Run


def cells(elements: Any) -> list[str]:
    """The text of each cell that has one."""
    return [text for cell in elements if (text := normalized(cell.text_content() if len(cell) else cell.text or ""))]


def numbers(line: Any) -> list[str]:
    """The numbers in a line, as text."""
    return re.findall(r"\d+", line.text_content())


def href(head: Head, path: str) -> str:
    """The relative link from a page to a path."""
    return address.link(head.path, path)


def in_order(what: str, wanted: Sequence[object], found: Sequence[object]) -> Iterator[Fault]:
    """Faults of a sequence: texts in the place of other texts, missing texts, and texts too many."""
    for number, (expected, there) in enumerate(zip_longest(wanted, found), start=1):
        if expected != there:
            yield f"{what} {number}", f"{_in_words(there)} in place of {_in_words(expected)}"


def _in_words(found: object) -> str:
    if found is None:
        return "none"
    return ", ".join(map(str, found)) if isinstance(found, tuple) else str(found)


def overview_faults(page: OverviewPage, root: Any) -> Iterator[Fault]:
    """The pictures and the files of all aids."""
    yield from _previews(page, root)
    yield from downloads([one for aid in page.aids for one in aid.downloads], page.head, root)


def _previews(page: OverviewPage, root: Any) -> Iterator[Fault]:
    """Each picture with its words, its size, and the page it leads to, in order; and no other picture."""
    wanted = [
        (href(page.head, one.picture), one.alt, str(one.width), str(one.height), href(page.head, one.path))
        for aid in page.aids
        for one in aid.previews
    ]
    yield from in_order("picture", wanted, [*map(_picture, root.xpath("//img"))])


def _picture(image: Any) -> tuple[str, ...]:
    attributes = (image.get(name, "") for name in ("src", "alt", "width", "height"))
    return *attributes, image.getparent().get("href", "")


def downloads(files: Sequence[Download], head: Head, root: Any) -> Iterator[Fault]:
    """Each file with the words and the file type that it is offered by, in order; and no other."""
    wanted = [(href(head, one.path), one.title, one.file_type if one.file_type != one.title else "") for one in files]
    found = [
        (link.get("href", ""), link.text_content(), "".join(link.getparent().xpath("./span/text()")))
        for link in root.xpath("//ul[@class = 'links']//a")
    ]
    yield from in_order("download", wanted, found)


def home_faults(page: HomePage, root: Any) -> Iterator[Fault]:
    """Each game with its title and its numbers."""
    pieces = []
    for game, _ in page.games:
        counts = (game.printed, game.computed, game.compared, game.findings)
        pieces += [Piece(text, f'"{game.title}"') for text in (game.title, *map(str, counts))]
    found = []
    for card in root.xpath("//article"):
        found += [text for title in card.xpath("./h2") for text in texts(title)]
        found += [number for line in card.find_class("numbers") for number in numbers(line)]
    yield from align(pieces, found).faults


_NUMBERS = etree.XPath("//a[starts-with(@href, '#n.')]")
_UNSIGNED = etree.XPath(".//text()[not(ancestor::sup)]", smart_strings=False)
"""The texts of a link to a number, but for the sign of a footnote."""


def table_faults(page: TablePage, root: Any) -> Iterator[Fault]:
    """The faults of a page of a table: its cells, its notes, and the explanations of its numbers."""
    yield from _table(page, root)
    yield from _notes(page, root)
    yield from downloads(page.downloads, page.head, root)


def _table(page: TablePage, root: Any) -> Iterator[Fault]:
    """The faults of a table and of the words under the table."""
    sections = root.xpath("//div[@id = $id]", id=page.anchor)
    if len(sections) != 1:
        yield f'"{page.head.title}"', "is not there" if not sections else f"is there {len(sections)} times"
        return
    found = [text for element in sections[0].xpath("./*[not(contains(@class, 'links'))]") for text in texts(element)]
    yield from align(list(_pieces(page)), found).faults


def _pieces(page: TablePage) -> Iterator[Piece]:
    where = f'"{page.head.title}"'
    yield from page.block.content_pieces(where)
    yield Piece(page.rule, f"{where}, rule")
    yield Piece(page.block.note, f"{where}, note")
    yield from page.block.footnote_pieces(where)
    if page.sources:
        yield Piece("Follows from" if page.block.computed else "Stands at", f"{where}, sources")
        yield Piece(", ".join(link.title for link in page.sources), f"{where}, sources")


def _notes(page: TablePage, root: Any) -> Iterator[Fault]:
    """The faults of the notes that explain numbers, and of the links between numbers and notes."""
    pieces = [Piece(text, f'number "{note.where}"') for note in page.notes.values() for text in _note(page, note)]
    yield from align(pieces, cells(root.xpath("//section[@id = 'numbers']//tbody/tr/*"))).faults
    wanted = [(f"#{note.anchor}", normalized(note.shown)) for note in page.notes.values()]
    found = [(link.get("href"), _shown(link)) for link in _NUMBERS(root)]
    yield from in_order("number", wanted, found)


def _shown(link: Any) -> str:
    return normalized("".join(_UNSIGNED(link)) if len(link) else link.text or "")


def _note(page: TablePage, note: Note) -> Iterator[str]:
    known = note.explanation
    yield note.where
    if page.block.computed:
        yield from (known.exact, known.places)
    else:
        yield from (known.printed, known.places, known.exact, known.rule, known.verdict)


def list_faults(page: TablesPage, root: Any) -> Iterator[Fault]:
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
    wanted = [href(page.head, table.link.path) for subject in page.subjects for table in subject.tables]
    yield from in_order("link", wanted, [str(link) for link in root.xpath("//ul[@class = 'contents']//a/@href")])


def document_faults(page: RulesPage, root: Any) -> Iterator[Fault]:
    """The words of a document, and what is known of its numbers."""
    yield from _document(page, root)
    yield from _number_notes(page, root)


def documents_faults(page: DocumentsPage, root: Any) -> Iterator[Fault]:
    """The links to all documents, in order."""
    wanted = [href(page.head, link.path) for link in page.documents]
    yield from in_order("link", wanted, [str(link) for link in root.xpath("//ul[@class = 'contents']//a/@href")])


def _document(page: RulesPage, root: Any) -> Iterator[Fault]:
    """The words of a document, section by section, in order."""
    pieces = [piece for section in page.sections for piece in _section(page, section)]
    found = [text for element in root.find_class("document") for text in texts(element)]
    yield from align(pieces, found).faults


def _section(page: RulesPage, section: RulesSection) -> Iterator[Piece]:
    where = f'"{section.title}"'
    if section.title and section.title != page.head.title:
        yield Piece(f"{section.title} #", f"{where}, heading")
    for block in section.blocks:
        yield from (Piece(text, f"{where}, {block.anchor}") for text in _block(block.content))


def _block(content: Paragraph | Items | PrintedTable) -> Iterator[str]:
    words = map(_joined, _passages(content))
    if isinstance(content, PrintedTable):
        yield content.caption
        yield from words
        yield ", ".join(link.title for link in content.pages)
    else:
        yield from words


def _passages(content: Paragraph | Items | PrintedTable) -> Iterator[Runs]:
    """The words of a block, paragraph by paragraph, item by item or cell by cell."""
    match content:
        case Paragraph():
            yield content.runs
        case Items():
            yield from content.items
        case PrintedTable():
            yield from (cell for row in (*content.heads, *content.rows) for cell in row)


def _joined(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs)


def _number_notes(page: RulesPage, root: Any) -> Iterator[Fault]:
    """What is known of each number, and the links of numbers to it; one within another link has none of its own."""
    pieces = [Piece(text, f'number "{note.where}"') for note in page.notes for text in _known(note)]
    yield from align(pieces, cells(root.xpath("//section[@id = 'numbers']//tbody/tr/*"))).faults
    blocks = (block.content for section in page.sections for block in section.blocks)
    wanted = [f"#{run.note}" for content in blocks for runs in _passages(content) for run in runs if run.note]
    yield from in_order("number", wanted, [str(link) for link in root.xpath("//a[starts-with(@href, '#n.')]/@href")])


def _known(note: NumberNote) -> Iterator[str]:
    known = note.explanation
    yield from (note.where, known.printed, known.places, known.exact, known.rule, known.verdict)


def glossary_faults(page: GlossaryPage, root: Any) -> Iterator[Fault]:
    """Levels, rolls and facts."""
    yield from align(
        [Piece(text, f'ladder "{one.id}"') for one in page.ladders for level in one.levels for text in reversed(level)],
        cells(root.xpath("//section[@id = 'ladders']//tbody/tr/*")),
    ).faults
    yield from align(
        [
            Piece(text, f'roll "{roll.title}"')
            for roll in page.rolls
            for text in (roll.title, roll.expression, roll.mean, roll.deviation)
        ],
        cells(root.xpath("//section[@id = 'rolls']//tbody/tr/*")),
    ).faults
    yield from align(
        [
            Piece(text, f'fact "{fact.title}"')
            for fact in page.facts
            for text in (fact.title, f"{fact.figure} {fact.unit}", fact.place)
        ],
        cells(root.xpath("//section[@id = 'facts']//tbody/tr/*")),
    ).faults


def comparison_faults(page: ComparisonPage, root: Any) -> Iterator[Fault]:
    """Every roll with its chances, and the ladders."""
    for roll, article in zip_longest(page.rolls, root.find_class("roll")):
        if roll is None or article is None:
            yield "rolls", "are not as many as there are"
            return
        where = f'"{roll.title}"'
        said = f"{roll.game.title}: {roll.expression}. Mean {roll.mean}, standard deviation {roll.deviation}."
        pieces = [Piece(roll.title, where), Piece(said, where), *roll.block.content_pieces(where)]
        yield from align(pieces, texts(article)).faults
    ladders = [text for element in root.xpath("//section[@id = 'ladders']//table") for text in texts(element)]
    wanted = list(page.ladders.content_pieces("ladders")) if page.ladders.rows else []
    yield from align(wanted, ladders).faults


def odds_faults(page: OddsPage, root: Any) -> Iterator[Fault]:
    """Everything that the page looks up, as it was worked out."""
    return _looked_up("odds", page.data, root)


def explorers_faults(page: ExplorersPage, root: Any) -> Iterator[Fault]:
    """Everything that the page looks up, as it was worked out."""
    return _looked_up("explorers", page.data, root)


def dice_faults(page: DicePage, root: Any) -> Iterator[Fault]:
    """The faults of the examples of dice and of their explanations."""
    pieces = [Piece(text, f'example "{example[0]}"') for example in page.examples for text in example]
    yield from align(pieces, cells(root.xpath("//section[@id = 'notation']//tbody/tr/*"))).faults


def _looked_up(where: str, data: object, root: Any) -> Iterator[Fault]:
    (script,) = root.xpath("//script[@id = $id]", id=where)
    if json.loads(script.text) != json.loads(json.dumps(data)):
        yield where, "the page looks up other figures than were worked out"


def characters_faults(page: CharactersPage, root: Any) -> Iterator[Fault]:
    """Every character with all that stands on its sheet, and every file."""
    pieces = []
    for character in page.characters:
        pieces.append(Piece(character.name, f'character "{character.name}"'))
        for part in character.parts:
            where = f'character "{character.name}", "{part.title}"'
            said = (part.title, *part.heads, *(text for line in part.lines for text in line))
            pieces += [Piece(text, where) for text in said]
    elements = root.xpath("//section[@class = 'character']//*[self::h2 or self::table]")
    yield from align(pieces, [text for element in elements for text in texts(element)]).faults
    yield from downloads(
        [*page.blank, *(one for character in page.characters for one in character.downloads)], page.head, root
    )


def checks_faults(page: ChecksPage, root: Any) -> Iterator[Fault]:
    """How many numbers were compared, and each finding with its place, its figures and its verdict."""
    report, findings = page.report, [one.finding for one in page.findings]
    accepted, still_open = sum(bool(one.accepted) for one in findings), sum(one.is_open for one in findings)
    counts = (report.compared, report.agreeing, report.rounding, accepted, still_open)
    said = [number for line in root.xpath("//div[@id = 'checks']/p") for number in numbers(line)]
    yield from align([Piece(str(number), "checks, counts") for number in counts], said).faults
    if len(page.sections) > 1:
        listed = [Piece(text, "contents") for one in page.sections for text in (one.title, str(one.count))]
        navs = root.xpath("//nav[@aria-label = 'Findings by section']")
        yield from align(listed, [text for nav in navs for text in texts(nav)]).faults
    pieces = [Piece(text, f'finding "{one.id}"') for one in findings for text in _finding(one)]
    yield from align(pieces, cells(root.xpath("//div[@id = 'checks']//tbody/tr/*"))).faults


def _finding(finding: Finding) -> Iterator[str]:
    """The texts of the row of a finding, cell by cell."""
    table = "" if finding.table == "facts" else finding.table
    yield f"{table} {finding.row} {finding.column}"
    yield from (finding.printed, finding.computed, finding.exact, finding.rule)
    yield f"accepted: {finding.accepted.reason}" if finding.accepted else finding.severity
    yield str(finding.span)
