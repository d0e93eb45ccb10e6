"""The site read back: the HTML of each page compared with the page that it was made from.

In: pages, the HTML of each, and the paths of all files of the build. Out: mismatches: words, cells, notes, findings,
counts, downloads and pictures that are missing, characters without a glyph, and links that lead nowhere or elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from lxml import etree

from refgen.layout.metrics import Face, parted_letters, without_glyph
from refgen.layout.pieces import Mismatch, PageFault, Piece, align, normalize_text
from refgen.layout.readback import html_pages
from refgen.layout.readback.html_pages import own_texts, texts
from refgen.look.look import in_look
from refgen.site import address
from refgen.site.characters import CharactersPage
from refgen.site.checks import ChecksPage, NumberNote, SiteFinding
from refgen.site.comparison import ComparisonPage
from refgen.site.game_pages import SitePage
from refgen.site.odds import ExplorersPage, OddsPage
from refgen.site.page import DicePage, Download, GlossaryPage, Head, HomePage, Link, OverviewPage
from refgen.site.rules import DocumentsPage, RulesPage, RulesSection, RulesTable
from refgen.site.tables import TablePage, TablesPage


def read_back_site(pages: Sequence[SitePage], made: Mapping[str, bytes], files: Collection[str]) -> list[Mismatch]:
    """Compare the pages of a site with their HTML, which ``made`` has by path; ``files`` are all paths of the build."""
    paths = frozenset(files)
    roots = {name: html_pages.read_html(data) for name, data in made.items() if name.endswith(".html")}
    anchors = {name: html_pages.ids(root) for name, root in roots.items()}
    found = {name: [*_shared_faults(root, name, paths, anchors)] for name, root in roots.items()}
    for page in pages:
        path = page.head.path
        found[path] = [*page_faults(page, roots[path]), *_letter_faults(page, roots[path]), *found[path]]
    return [Mismatch(name, where, what) for name, faults in found.items() for where, what in faults]


def page_faults(page: SitePage, root: Any) -> Iterator[PageFault]:
    """The faults of the title of a page, and of all that its kind of page shows; ``root`` is the root of its HTML."""
    headings = [text for heading in root.iter("h1") for text in own_texts(heading)]
    yield from align([Piece(page.head.title, "heading")], headings).faults
    yield from _FAULTS[type(page)](page, root)


def _shared_faults(
    root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]
) -> Iterator[PageFault]:
    """The faults that any page may have: ids that stand twice, dead links."""
    yield from html_pages.link_faults(root, name, files, anchors)


def _letter_faults(page: SitePage, root: Any) -> Iterator[PageFault]:
    """The fault of characters that neither refgen nor the look of the page's game has a glyph for."""
    if page.head.game is None:  # titles of games, whose own pages have the fault
        return
    with in_look(page.head.game.look):
        lacking = without_glyph(html_pages.whole_text(root), Face.REGULAR)
        if lacking:  # perhaps in a script alone
            lacking = without_glyph(html_pages.all_text(root), Face.REGULAR)
            lacking = "".join(sorted({*lacking} - {*parted_letters(lacking)}))  # browsers have what PDFs cannot say
        if lacking:
            named = ", ".join(f"{character} (U+{ord(character):04X})" for character in lacking)
            yield "", f"no font of ours has a glyph for {named}"


def _overview_faults(page: OverviewPage, root: Any) -> Iterator[PageFault]:
    """The faults of the pictures and the files of all aids of a game."""
    pictures = [
        (_href(page.head, one.picture), one.alt, str(one.width), str(one.height), _href(page.head, one.path))
        for aid in page.aids
        for one in aid.previews
    ]
    yield from _in_order("picture", pictures, [*map(_picture, root.xpath("//ul[@class = 'previews']//img"))])
    yield from _download_faults([one for aid in page.aids for one in aid.downloads], page.head, root)


def _picture(image: Any) -> tuple[str, ...]:
    """The source, words, width and height of a picture, and the page that the picture leads to."""
    attributes = (image.get(name, "") for name in ("src", "alt", "width", "height"))
    return *attributes, image.getparent().get("href", "")


def _home_faults(page: HomePage, root: Any) -> Iterator[PageFault]:
    """The faults of the titles and the counts of all games."""
    pieces = []
    for game, _ in page.games:
        counts = (game.printed, game.computed, game.compared, game.numbers, game.findings)
        pieces += [Piece(text, f'"{game.title}"') for text in (game.title, *map(str, counts))]
    found = []
    for card in root.xpath("//article"):
        found += [text for title in card.xpath("./h2") for text in texts(title)]
        found += [number for line in card.find_class("numbers") for number in re.findall(r"\d+", line.text_content())]
    yield from align(pieces, found).faults


_NOTES = "//section[@id = 'numbers']"
_NUMBER_LINKS = etree.XPath("//a[starts-with(@href, '#n.')]")
_UNSIGNED_TEXTS = etree.XPath(".//text()[not(ancestor::sup)]", smart_strings=False)
"""The texts of a link to a number, without the sign of a footnote."""


def _table_page_faults(page: TablePage, root: Any) -> Iterator[PageFault]:
    """The faults of a table, of the words under the table, of its notes and of its downloads."""
    sections = root.xpath("//div[@id = $id]", id=page.anchor)
    if len(sections) == 1:
        elements = sections[0].xpath("./*[not(contains(@class, 'links'))]")
        yield from align([*_table_pieces(page)], [text for element in elements for text in texts(element)]).faults
    else:
        yield f'"{page.head.title}"', "is not there" if not sections else f"is there {len(sections)} times"
    is_computed = bool(page.block.tag)
    yield from _cell_faults(_note_pieces(page.notes.values(), is_computed=is_computed), _NOTES, root)
    texts_of_cells = {(row, column): page.block.rows[row - 1][column - 1].text for row, column in page.notes}
    links = [(f"#{note.anchor}", normalize_text(texts_of_cells[place])) for place, note in page.notes.items()]
    yield from _in_order("number", links, [(link.get("href"), _link_text(link)) for link in _NUMBER_LINKS(root)])
    yield from _download_faults(page.downloads, page.head, root)


def _table_pieces(page: TablePage) -> Iterator[Piece]:
    """The texts of a table and of the lines under the table, in order."""
    where = f'"{page.head.title}"'
    yield from page.block.content_pieces(where)
    yield Piece(page.rule, f"{where}, rule")
    yield Piece(page.block.note, f"{where}, note")
    yield from page.block.footnote_pieces(where)
    if page.sources:
        yield Piece(page.head.words("follows-from" if page.block.tag else "stands-at"), f"{where}, sources")
        yield Piece(", ".join(link.title for link in page.sources), f"{where}, sources")


def _link_text(link: Any) -> str:
    return normalize_text("".join(_UNSIGNED_TEXTS(link)) if len(link) else link.text or "")


def _note_pieces(notes: Iterable[NumberNote], *, is_computed: bool = False) -> list[Piece]:
    """The cells of the rows that explain numbers: a computed number has neither a print nor a verdict."""
    pieces = []
    for note in notes:
        known = note.explanation
        printed = (known.printed, known.places, known.exact, known.rule, known.verdict)
        said = (known.exact, known.places) if is_computed else printed
        pieces += [Piece(text, f'number "{note.where}"') for text in (note.where, *said)]
    return pieces


def _tables_page_faults(page: TablesPage, root: Any) -> Iterator[PageFault]:
    """The faults of the list of tables: titles under their subjects, tags, sizes and links."""
    pieces = []
    for subject in page.subjects:
        pieces.append(Piece(subject.title, "subject"))
        for table in subject.tables:
            where = f'"{table.link.title}"'
            pieces.append(Piece(table.link.title, where))
            if table.computed:
                pieces.append(Piece(page.head.words("computed"), f"{where}, tag"))
            pieces.append(Piece(f"{table.rows} × {table.columns}", f"{where}, size"))
    yield from align(pieces, [text for section in root.find_class("subject") for text in texts(section)]).faults
    yield from _contents_faults([table.link for subject in page.subjects for table in subject.tables], page.head, root)


def _contents_faults(links: Sequence[Link], head: Head, root: Any) -> Iterator[PageFault]:
    """The faults of a page's lists of links to other pages."""
    wanted = [_href(head, link.path) for link in links]
    yield from _in_order("link", wanted, [str(link) for link in root.xpath("//ul[@class = 'contents']//a/@href")])


def _documents_page_faults(page: DocumentsPage, root: Any) -> Iterator[PageFault]:
    return _contents_faults(page.documents, page.head, root)


def _rules_page_faults(page: RulesPage, root: Any) -> Iterator[PageFault]:
    """The faults of the words of a document, section by section, and of the explanations of its numbers."""
    pieces = [piece for section in page.sections for piece in _section_pieces(page, section)]
    yield from align(pieces, [text for element in root.find_class("document") for text in texts(element)]).faults
    yield from _cell_faults(_note_pieces(page.notes), _NOTES, root)
    blocks = (block.content for section in page.sections for block in section.blocks)
    links = [f"#{run.note}" for content in blocks for runs in content.passages for run in runs if run.note]
    yield from _in_order("number", links, [link.get("href") for link in _NUMBER_LINKS(root)])


def _section_pieces(page: RulesPage, section: RulesSection) -> Iterator[Piece]:
    where = f'"{section.title}"'
    if section.title and section.title != page.head.title:
        yield Piece(f"{section.title} #", f"{where}, heading")
    for block in section.blocks:
        content = block.content
        words = ["".join(run.text for run in runs) for runs in content.passages]
        if isinstance(content, RulesTable):
            words = [content.caption, *words, ", ".join(link.title for link in content.pages)]
        yield from (Piece(text, f"{where}, {block.anchor}") for text in words)


def _glossary_faults(page: GlossaryPage, root: Any) -> Iterator[PageFault]:
    """The faults of levels, rolls and facts."""
    levels = [
        Piece(text, f'ladder "{one.id}"') for one in page.ladders for level in one.levels for text in reversed(level)
    ]
    rolls = [
        Piece(text, f'roll "{roll.title}"')
        for roll in page.rolls
        for text in (roll.title, roll.expression, roll.mean, roll.deviation)
    ]
    facts = [
        Piece(text, f'fact "{fact.title}"')
        for fact in page.facts
        for text in (fact.title, f"{fact.figure} {fact.unit}", fact.place)
    ]
    yield from _cell_faults(levels, "//section[@id = 'ladders']", root)
    yield from _cell_faults(rolls, "//section[@id = 'rolls']", root)
    yield from _cell_faults(facts, "//section[@id = 'facts']", root)


def _comparison_faults(page: ComparisonPage, root: Any) -> Iterator[PageFault]:
    """The faults of every roll with its chances, and of the ladders."""
    for shown, article in zip_longest(page.rolls, root.find_class("roll")):
        if shown is None or article is None:
            yield "rolls", "are not as many as there are"
            return
        roll, where = shown.roll, f'"{shown.roll["title"]}"'
        figures = {"roll": roll["expression"], "mean": roll["mean"], "deviation": roll["deviation"]}
        said = f"{shown.game.title}: {page.head.words('roll-figures', **figures)}"
        pieces = [Piece(roll["title"], where), Piece(said, where), *shown.block.content_pieces(where)]
        yield from align(pieces, texts(article)).faults
    ladders = [text for element in root.xpath("//section[@id = 'ladders']//table") for text in texts(element)]
    yield from align([*page.ladders.content_pieces("ladders")] if page.ladders.rows else [], ladders).faults


def _data_faults(script_id: str, page: OddsPage | ExplorersPage, root: Any) -> Iterator[PageFault]:
    """A fault where the script of a page holds other data than were worked out."""
    (script,) = root.xpath("//script[@id = $id]", id=script_id)
    if json.loads(script.text) != json.loads(json.dumps(page.data)):
        yield script_id, "the page looks up other figures than were worked out"


def _dice_faults(page: DicePage, root: Any) -> Iterator[PageFault]:
    """The faults of the examples of dice and of their explanations."""
    pieces = [Piece(text, f'example "{example[0]}"') for example in page.examples for text in example]
    yield from _cell_faults(pieces, "//section[@id = 'notation']", root)


def _characters_faults(page: CharactersPage, root: Any) -> Iterator[PageFault]:
    """The faults of every character with all that stands on its sheet, and of every file."""
    pieces = []
    for character in page.characters:
        pieces.append(Piece(character.name, f'character "{character.name}"'))
        for part in character.parts:
            where = f'character "{character.name}", "{part.title}"'
            said = (part.title, *part.heads, *(text for line in part.lines for text in line))
            pieces += [Piece(text, where) for text in said]
    elements = root.xpath("//section[@class = 'character']//*[self::h2 or self::table]")
    yield from align(pieces, [text for element in elements for text in texts(element)]).faults
    files = [*page.blank, *(one for character in page.characters for one in character.downloads)]
    yield from _download_faults(files, page.head, root)


def _checks_faults(page: ChecksPage, root: Any) -> Iterator[PageFault]:
    """The faults of the counts, of the contents, and of each finding with its place, figures and verdict."""
    report, findings = page.report, [one.finding for one in page.findings]
    accepted, still_open = sum(bool(one.accepted) for one in findings), sum(one.is_open for one in findings)
    reached = (page.extent.compared, page.extent.total)
    counts = (*reached, report.compared, report.agreeing, report.rounding, accepted, still_open)
    said = [
        number for line in root.xpath("//div[@id = 'checks']/p") for number in re.findall(r"\d+", line.text_content())
    ]
    yield from align([Piece(str(number), "checks, counts") for number in counts], said).faults
    if len(page.sections) > 1:
        listed = [Piece(text, "contents") for one in page.sections for text in (one.title, str(one.count))]
        navs = root.xpath("//nav[@aria-label = $label]", label=page.head.words("findings-by-section"))
        yield from align(listed, [text for nav in navs for text in texts(nav)]).faults
    pieces = [Piece(text, f'finding "{one.finding.id}"') for one in page.findings for text in _finding_row(one)]
    yield from _cell_faults(pieces, "//div[@id = 'checks']", root)


def _finding_row(one: SiteFinding) -> Iterator[str]:
    """The texts of the row of a finding, cell by cell."""
    finding = one.finding
    table = "" if finding.table == "facts" else finding.table
    yield f"{table} {finding.row} {finding.column}"
    yield from (finding.printed, finding.computed, finding.exact, finding.rule)
    yield one.verdict
    yield str(finding.span)


def _cell_faults(pieces: Sequence[Piece], section: str, root: Any) -> Sequence[PageFault]:
    """The faults of the cells with text in the bodies of the tables of a section, which an XPath expression finds."""
    elements = root.xpath(f"{section}//tbody/tr/*")
    found = (normalize_text(cell.text_content() if len(cell) else cell.text or "") for cell in elements)
    return align(pieces, [text for text in found if text]).faults


def _download_faults(files: Sequence[Download], head: Head, root: Any) -> Iterator[PageFault]:
    """The faults of the links to files: addresses, words and file types, in order."""
    wanted = [(_href(head, one.path), one.title, one.file_type if one.file_type != one.title else "") for one in files]
    found = [
        (link.get("href", ""), link.text_content(), "".join(link.getparent().xpath("./span/text()")))
        for link in root.xpath("//ul[@class = 'links']//a")
    ]
    yield from _in_order("download", wanted, found)


def _in_order(what: str, wanted: Sequence[object], found: Sequence[object]) -> Iterator[PageFault]:
    """The faults of a sequence: entries in the place of other entries, missing entries, and entries too many."""
    for number, (expected, there) in enumerate(zip_longest(wanted, found), start=1):
        if expected != there:
            yield f"{what} {number}", f"{_in_words(there)} in place of {_in_words(expected)}"


def _in_words(entry: object) -> str:
    if entry is None:
        return "none"
    return ", ".join(map(str, entry)) if isinstance(entry, tuple) else str(entry)


def _href(head: Head, path: str) -> str:
    """The relative link from a page to a path."""
    return address.link(head.path, path)


_FAULTS: Mapping[type, Callable[[Any, Any], Iterator[PageFault]]] = {
    HomePage: _home_faults,
    ComparisonPage: _comparison_faults,
    OverviewPage: _overview_faults,
    RulesPage: _rules_page_faults,
    DocumentsPage: _documents_page_faults,
    TablesPage: _tables_page_faults,
    TablePage: _table_page_faults,
    OddsPage: partial(_data_faults, "odds"),
    ExplorersPage: partial(_data_faults, "explorers"),
    DicePage: _dice_faults,
    GlossaryPage: _glossary_faults,
    CharactersPage: _characters_faults,
    ChecksPage: _checks_faults,
}
"""The function that finds the faults of a page, by the class of the page."""
