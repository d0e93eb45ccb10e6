"""The glossary, the page of checks, and what the page of odds looks up, read back.

In: the page, and the root of its HTML. Out: its faults.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from refgen.blocks.pieces import Piece
from refgen.checks.finding import Finding
from refgen.render.readback.align import align
from refgen.render.readback.html_pages import texts
from refgen.render.readback.places import Fault
from refgen.site.characters import CharactersPage
from refgen.site.checks import ChecksPage
from refgen.site.comparison import ComparisonPage
from refgen.site.dice import DicePage
from refgen.site.explorers import ExplorersPage
from refgen.site.glossary import GlossaryPage
from refgen.site.odds import OddsPage
from refgen.site.readback.elements import cells, numbers
from refgen.site.readback.files import downloads


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
    """What the row of a finding says, cell by cell."""
    table = "" if finding.table == "facts" else finding.table
    yield f"{table} {finding.row} {finding.column}"
    yield from (finding.printed, finding.computed, finding.exact, finding.rule)
    yield f"accepted: {finding.accepted.reason}" if finding.accepted else finding.severity
    yield str(finding.span)
