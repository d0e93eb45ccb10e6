"""The blocks that may stand on the screen of a game for which nobody described one.

In: a game. Out: Choices, measured, each of which fits alone on a page of every format; and whether several fit together
on one panel, by the estimates of the planner, with room to spare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from refgen.aids.panels.model import Panel, PanelBlock, PanelFrame, Panels, type_scale
from refgen.aids.panels.planner import BlockLengths, PanelPlanner, fits_header, measure_block
from refgen.aids.reference_lists import SectionIndex, ladder_steps
from refgen.aids.screen.spec import PanelBlockSpec
from refgen.blocks.kinds import make_block
from refgen.blocks.letters import SettableWords
from refgen.blocks.table_shape import has_head, is_prose, is_rolled_on
from refgen.blocks.text_blocks import TermSpec
from refgen.errors import RefgenError
from refgen.game import GameModel, SystemInfo
from refgen.languages.title_words import has_word, title_words
from refgen.layout.page_format import Orientation, PageFormat, Paper, Theme
from refgen.layout.sizing import page_area
from refgen.readers.document import Section
from refgen.resolver.lookup import spelled_out
from refgen.resolver.rolls import MODIFIER, ActionSpec
from refgen.rules.model import RuleTable
from refgen.source import plain_text
from refgen.words import Words

MOST_ROWS = 30
"""The most rows of a table that is looked up."""

FEW_CHAPTERS = 3
"""The least sections of a level that are chapters: a document has one title, and perhaps an appendix."""

MOST_STEPS = 12
"""The most levels of a ladder along the edge of a panel."""

MOST_FACTS = 24
"""The most facts on the screen of a game without tables."""

LONG = 12
"""Rows from which on a narrow table is folded into two groups side by side."""

READABLE = 8.5
"""The least type in points on the usual paper, where an author could ask for less."""

RESERVE = 0.08
"""The share of the height of a page that stays free, since estimated heights may be too low."""

LONGEST_TITLE = 44
"""The most letters of a title that tells a table from others of its title."""

_USUAL_NAMES = (MODIFIER, "trait", "difficulty")
"""The names in formulas that refgen gives itself; all others are in the language of their author."""

USUAL = PageFormat(Paper.A4, Orientation.LANDSCAPE)

FORMATS = [
    USUAL,
    *(
        page_format
        for paper in (Paper.A4, Paper.LETTER, Paper.A5)
        for orientation in Orientation
        for theme in (Theme.COLOUR, Theme.LARGE_PRINT)
        if (page_format := PageFormat(paper, orientation, theme=theme)) != USUAL
    ),
]
"""The formats that differ in room or in type, the usual one first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A block that may stand on the screen, measured; of a table, its ``chapter`` and how much it is looked up.

    ``place`` is its place in the order of the game.
    """

    spec: PanelBlockSpec
    block: PanelBlock
    lengths: BlockLengths
    place: int = 0
    chapter: str = ""
    worth: int = 0
    table: RuleTable | None = None


@dataclass(frozen=True)
class ScreenChoices:
    """The blocks that may stand on the screen of a game."""

    game: GameModel

    # Blocks without tables

    def actions(self) -> Iterator[Choice]:
        """The ways to act, each in a line; without those whose roll is no plain sum."""
        rolls = {action.title: self._roll(action) for action in self.game.ruleset.spec.actions.values()}
        terms = [TermSpec(term=without_names(title), text=roll) for title, roll in rolls.items() if "(" not in roll]
        if terms:
            yield from self._choice(PanelBlockSpec(title=self.game.words("rolls"), glossary=terms))

    def _roll(self, action: ActionSpec) -> str:
        """The roll of an action, and the result that the roll must come to; the names of facts stay in braces."""
        words = self.game.words
        roll, target = (self._in_words(action, formula) for formula in (action.roll, action.target))
        if target:
            return words("roll-or-more" if action.at_least else "roll-or-less", roll=roll, target=target)
        if action.bands:
            return f"{roll}."
        is_reached = action.difficulty and not action.names_of(action.difficulty)
        return words("roll-or-more", roll=roll, target=words("the-difficulty") if is_reached else "0")

    def _in_words(self, action: ActionSpec, formula: str) -> str:
        """A formula with words for the trait, the difficulty and the modifier: "{dice} + trait + trait’s die"."""
        axes = [axis.id for axis in (action.trait, action.difficulty) if axis]
        names = "|".join(map(re.escape, (*axes, MODIFIER)))
        found = spelled_out(self.game.ruleset, formula)
        return re.sub(rf"{{({names})(?:\.([^{{}}]+))?}}", self._words_of_name, found)

    def _words_of_name(self, match: re.Match[str]) -> str:
        """The words for a name in the formula of an action: "trait", "trait’s die"."""
        words = self.game.words
        name = words(f"in-formula-{match[1]}") if match[1] in _USUAL_NAMES else match[1].replace("-", " ")
        return words("value-of-name", name=name, value=match[2]) if match[2] else name

    def facts(self) -> Iterator[Choice]:
        """The numbers of a game that has no tables."""
        if self.game.facts:
            yield from self._choice(PanelBlockSpec(facts=[*islice(self.game.facts, MOST_FACTS)]))

    @cached_property
    def edge_scale(self) -> str | None:
        """The ladder of traits of the first action, if the edge of a panel has room for it."""
        ladders = [action.trait.ladder for action in self.game.ruleset.spec.actions.values() if action.trait.ladder]
        found = [name for name in ladders if len(self.game.ladders[name].levels) <= MOST_STEPS]
        return found[0] if found else None

    # Tables

    @cached_property
    def tables(self) -> Sequence[Choice]:
        """The tables that are looked up, in the order of the game."""
        sound = (table for table in self._sound_tables() if table.id not in self._chances_of_rows)
        found = [table for table in sound if len(table.rows) <= MOST_ROWS and not is_prose(table)]
        titles = self._titles_apart(found)
        choices = (self._of_table(table, place, titles.get(table.id, "")) for place, table in enumerate(found))
        return [choice for each in choices for choice in each]

    def refused(self) -> Iterator[tuple[RuleTable, str]]:
        """The tables that stand on no panel, each with the reason, as it reads on after the title."""
        chosen = {choice.table.id for choice in self.tables if choice.table}
        for table in self._sound_tables():
            if len(table.rows) > MOST_ROWS:
                yield table, f"has {len(table.rows):,} rows, more than {MOST_ROWS}"
            elif is_prose(table):
                yield table, "is prose"
            elif table.id not in chosen:
                yield table, "fits on no page"

    @cached_property
    def _chances_of_rows(self) -> frozenset[str]:
        """The ids of computed tables with a row for each row of a table to roll on, which is looked up itself."""
        axes = {name: getattr(spec, "rows", []) for name, spec in self.game.ruleset.spec.derived.items()}
        over = {name: rows[0].of.partition(".")[0] for name, rows in axes.items() if len(rows) == 1}
        printed = self.game.printed
        return frozenset(name for name, table in over.items() if table in printed and is_rolled_on(printed[table]))

    def _sound_tables(self) -> Iterator[RuleTable]:
        for name in self.game.tables:
            with suppress(RefgenError):  # a table that cannot be worked out is reported by its check
                yield self.game.tables[name]

    def _titles_apart(self, tables: Sequence[RuleTable]) -> Mapping[str, str]:
        """By id, titles that tell tables of one title apart, if such titles are short and all different."""
        shared = Counter(table.title for table in tables)
        apart = {table: _title_apart(table, self._path(table)) for table in tables if shared[table.title] > 1}
        times = Counter(apart.values())
        unfit = {table.title for table, title in apart.items() if times[title] > 1 or len(title) > LONGEST_TITLE}
        return {table.id: title for table, title in apart.items() if table.title not in unfit}

    def _of_table(self, table: RuleTable, place: int, title: str) -> Iterator[Choice]:
        """The choice of a table; a long table has two groups of rows, if a third of the page has room for both."""
        heads = {column.id: "" for column in table.columns if not has_head(column) and column.head}
        percents = [column.type == "percent" for column in table.columns]
        spec = PanelBlockSpec(title=title, table=table.id, heads=heads, heat=table.computed and sum(percents) > 1)
        found = [*self._choice(spec)]
        if len(table.rows) > LONG:
            width, _ = page_area(USUAL)
            folded = self._choice(spec.model_copy(update={"fold": 2}))
            found = [choice for choice in folded if choice.lengths.min_content(READABLE) <= width / 3] or found
        path = self._path(table)
        titles = [table.title, *(section.title for section in path[-2:]), *(column.title for column in table.columns)]
        for choice in found:
            yield replace(choice, place=place, chapter=self._chapter(path), worth=subject_worth(titles), table=table)

    def _choice(self, spec: PanelBlockSpec) -> Iterator[Choice]:
        """A block, unless no font has its letters, or it cannot be set alone on a page of every format."""
        with suppress(RefgenError):
            block = PanelBlock(make_block(self.game, spec))
            words = SettableWords()
            words.block(block.block, "")
            if words.faults:
                return
            choice = Choice(spec, block, measure_block(block))
            if self.fit([choice], FORMATS):
                yield choice

    def _path(self, table: RuleTable) -> Sequence[Section]:
        """The sections around a table, the outermost first; none for a table that follows from nothing printed."""
        section = self._sections.of(table)
        path = self._sections.path(section) if section else ()
        return [found for found in path if plain_text(found.title)]

    def _chapter(self, path: Sequence[Section]) -> str:
        """The title of the chapter on the path to a table."""
        chapters = [section for section in path if section.level <= self._chapter_level]
        return without_names(plain_text(chapters[-1].title)) if chapters else ""

    @cached_property
    def _chapter_level(self) -> int:
        """The level of chapters: the outermost level of which the documents have some sections."""
        levels = Counter(section.level for section in self.game.sections if section.level)
        return min((level for level, count in levels.items() if count >= FEW_CHAPTERS), default=1)

    @cached_property
    def _sections(self) -> SectionIndex:
        return SectionIndex(self.game)

    # Room

    def fit(self, choices: Sequence[Choice], formats: Sequence[PageFormat]) -> bool:
        """Whether a panel of these blocks fits in all formats, in readable type in the usual one, with a reserve."""
        rounding = SystemInfo.of(self.game).rounding
        panel = Panel("", tuple(choice.block for choice in choices), self._edge, rounding=rounding)
        blocks = [choice.lengths for choice in choices]
        return all(_has_room(panel, blocks, page_format, self.game.words) for page_format in formats)

    def has_room_for_title(self, title: str) -> bool:
        """Whether the header of a panel has room for a title, in all formats."""
        game, panel = self.game, Panel(title, (), self._edge)
        edges = [(each, PanelFrame(panel, each).edge_width) for each in FORMATS]
        return all(fits_header(title, game.title, each, game.words, edge=edge) for each, edge in edges)

    @cached_property
    def _edge(self) -> tuple[tuple[str, str], ...]:
        return tuple(ladder_steps(self.game.ladders[self.edge_scale])) if self.edge_scale else ()


def _has_room(panel: Panel, blocks: list[BlockLengths], page_format: PageFormat, words: Words) -> bool:
    """Whether a panel fits, with a reserve."""
    _, height = PanelFrame(panel, page_format).area
    planner = PanelPlanner(Panels("", (panel,)), page_format, words, lost={0: RESERVE * height}, blocks={0: blocks})
    if planner.faults or page_format != USUAL:
        return not planner.faults
    return planner.arranged[0].size >= min(READABLE, type_scale(page_format, panel.side).usual)


def _title_apart(table: RuleTable, path: Sequence[Section]) -> str:
    """A title that tells a table from others of its title: its column of words, or the section around its own."""
    head = table.columns[-1].title
    if len(table.columns) == 2 and has_head(table.columns[-1]) and head != table.title:
        return without_names(head)
    around = [plain_text(section.title) for section in path[-2:-1]]
    return without_names(" · ".join([table.title, *around]))


def without_names(words: str) -> str:
    """Words of a document as words of an author, in which braces would name facts."""
    return plain_text(words.replace("{", "(").replace("}", ")"))


def subject_worth(texts: Iterable[str]) -> int:
    """How much referees look a table up, by its titles: the worth of every subject that these name.

    Tables that are needed only to make characters are looked up before play, and are worth less than nothing.
    """
    joined, words = " ".join(texts), title_words("")
    subjects = ((words.acting, 3), (words.fighting, 3), (words.gear, 2), (words.starting, -3))
    return sum(value for beginnings, value in subjects if has_word(joined, beginnings))
