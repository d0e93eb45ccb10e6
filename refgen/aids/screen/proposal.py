"""The screen of a game for which nobody described one: what referees look up, on at most four panels.

In: a game. Out: a ScreenSpec, each of whose panels fits its page in every format by the estimates of the planner, with
room to spare: the ways to act with their chances, tables by section, tables to roll on. Long tables and tables of prose
are left out, and so is what does not fit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice

from refgen.aids.panels.model import Panel, PanelBlock, Panels, panel_area, type_scale
from refgen.aids.panels.planner import BlockLengths, PanelPlanner, measure_block
from refgen.aids.reference_lists import SectionIndex, ladder_steps
from refgen.aids.screen.spec import PanelBlockSpec, PanelSpec, ScreenSpec
from refgen.aids.screen.subjects import is_about_acting, worth
from refgen.blocks.kinds import make_block
from refgen.blocks.table_shape import has_head, is_prose, is_rolled_on
from refgen.blocks.text_blocks import TermSpec
from refgen.errors import RefgenError
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import Orientation, PageFormat, Paper, Theme
from refgen.readers.document import Section
from refgen.resolver.action_spec import MODIFIER, ActionSpec
from refgen.resolver.lookup import spelled_out
from refgen.rules.model import RuleTable
from refgen.source import plain

MOST_PANELS = 4
MOST_BLOCKS = 9
"""The most blocks of a panel: more are too small to be found."""

USUAL_BLOCKS = 7
"""The blocks of a panel, on average, if a game has more tables than there is room for."""

FEW_BLOCKS = 4
"""So few blocks do not end a panel before a chapter that is too long for the rest of the panel."""

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

LONGEST_TITLE = 48
"""The most letters of the title of a panel that is made of the titles of sections."""

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


def proposed_screen(game: GameModel) -> ScreenSpec | None:
    """The screen of a game; None for a game without anything to look up."""
    proposer = _ScreenProposer(game)
    panels = [*proposer.panels()]
    return ScreenSpec(edge_scale=proposer.edge_scale, panels=panels) if panels else None


@dataclass(frozen=True, slots=True)
class _Choice:
    """A block that may stand on the screen, measured; ``place`` is its place in the order of the game."""

    spec: PanelBlockSpec
    block: PanelBlock
    lengths: BlockLengths
    place: int
    chapter: str = ""
    table: RuleTable | None = None
    worth: int = 0


@dataclass(frozen=True)
class _ScreenProposer:
    """Chooses the blocks of a game's screen, and fills panels with them."""

    game: GameModel

    def panels(self) -> Iterator[PanelSpec]:
        """The panels: acting, looking up, rolling."""
        tables = [*self._tables]
        acting = [*self._actions(), *self._of_acting(tables)]
        rest = [choice for choice in tables if choice not in acting]
        rolled = [choice for choice in rest if choice.table and is_rolled_on(choice.table) and choice.worth <= 0]
        looked_up = [choice for choice in rest if choice not in rolled]
        room = MOST_PANELS
        if acting:
            yield self._panel("How to act", self._filled(acting))
            room -= 1
        for panel in self._in_order(looked_up, room - bool(rolled)):
            yield self._panel(_title(panel, "Tables"), panel)
            room -= 1
        if rolled and room:
            chosen = self._filled(sorted(rolled, key=lambda choice: (-choice.worth, choice.place)))
            yield self._panel("Tables to roll on", sorted(chosen, key=lambda choice: choice.place))
        if not tables and not acting and (facts := [*self._facts()]):
            yield self._panel("Numbers", facts)

    # What may stand on the screen

    def _actions(self) -> Iterator[_Choice]:
        """The ways to act, each in a line; without those whose roll is no plain sum."""
        rolls = {action.title: self._roll(action) for action in self.game.ruleset.spec.actions.values()}
        terms = [TermSpec(term=_no_names(title), text=roll) for title, roll in rolls.items() if "(" not in roll]
        if terms:
            yield from self._choice(PanelBlockSpec(title="Rolls", glossary=terms), 0)

    def _roll(self, action: ActionSpec) -> str:
        """The roll of an action, and the result that the roll must come to; the names of facts stay in braces."""
        roll, target = (self._in_words(action, formula) for formula in (action.roll, action.target))
        if target:
            return f"{roll}: {target} or {'more' if action.at_least else 'less'}."
        if action.bands:
            return f"{roll}."
        is_reached = action.difficulty and not action.names_of(action.difficulty)
        return f"{roll}: the difficulty or more." if is_reached else f"{roll}: 0 or more."

    def _in_words(self, action: ActionSpec, formula: str) -> str:
        """A formula with words for the trait, the difficulty and the modifier: "{dice} + trait + trait’s die"."""
        axes = [axis.id for axis in (action.trait, action.difficulty) if axis]
        names = "|".join(map(re.escape, (*axes, MODIFIER)))
        return re.sub(rf"{{({names})(?:\.([^{{}}]+))?}}", _words_of_name, spelled_out(self.game.ruleset, formula))

    def _facts(self) -> Iterator[_Choice]:
        """The numbers of a game that has no tables."""
        if self.game.facts:
            yield from self._choice(PanelBlockSpec(facts=[*islice(self.game.facts, MOST_FACTS)]), 0)

    @property
    def edge_scale(self) -> str | None:
        """The ladder of traits of the first action, if the edge of a panel has room for it."""
        ladders = [action.trait.ladder for action in self.game.ruleset.spec.actions.values() if action.trait.ladder]
        found = [name for name in ladders if len(self.game.ladders[name].levels) <= MOST_STEPS]
        return found[0] if found else None

    @cached_property
    def _tables(self) -> Sequence[_Choice]:
        """The tables that are looked up, in the order of the game."""
        shared = Counter(table.title for table in self.game.printed.values())
        chosen: list[_Choice] = []
        for place, name in enumerate(self.game.tables):
            try:
                table = self.game.tables[name]
            except RefgenError:  # a table that cannot be worked out is told of by its check
                continue
            if len(table.rows) <= MOST_ROWS and not is_prose(table):
                chosen += self._of_table(table, place, is_shared=shared[table.title] > 1)
        return chosen

    def _of_table(self, table: RuleTable, place: int, *, is_shared: bool) -> Iterator[_Choice]:
        heads = {column.id: "" for column in table.columns if not has_head(column) and column.title}
        percents = [column.type == "percent" for column in table.columns]
        spec = PanelBlockSpec(table=table.id, heads=heads, heat=table.computed and sum(percents) > 1)
        path = self._path(table)
        if is_shared:
            spec = spec.model_copy(update={"title": _title_apart(table, path)})
        titles = [table.title, *(section.title for section in path[-2:]), *(column.title for column in table.columns)]
        choice = next(self._choice(spec, place, self._chapter(path), table, worth(titles)), None)
        if choice is not None:
            yield self._in_two_groups(choice) if len(table.rows) > LONG else choice

    def _in_two_groups(self, choice: _Choice) -> _Choice:
        """A long table with two groups of rows side by side, where a third of the page has room for both."""
        width, _ = panel_area(USUAL, edge=False)
        spec = choice.spec.model_copy(update={"fold": 2})
        folded = next(self._choice(spec, choice.place, choice.chapter, choice.table, choice.worth), None)
        return folded if folded and folded.lengths.min_content(READABLE) <= width / 3.2 else choice

    def _choice(
        self,
        spec: PanelBlockSpec,
        place: int,
        chapter: str = "",
        table: RuleTable | None = None,
        value: int = 0,
    ) -> Iterator[_Choice]:
        """A block, unless it cannot be set alone on a page of every format."""
        with suppress(RefgenError):
            block = PanelBlock(make_block(self.game, spec))
            choice = _Choice(spec, block, measure_block(Panel("", ()), block), place, chapter, table, value)
            if self._fits([choice], FORMATS):
                yield choice

    def _path(self, table: RuleTable) -> Sequence[Section]:
        """The sections around a table, the outermost first; none for a table that follows from nothing printed."""
        section = self._sections.of(table)
        if section is None:
            return ()
        path = [section]
        before = self.game.sections[: self.game.sections.index(section)]
        for outer in reversed([other for other in before if other.text.source == section.text.source]):
            if outer.level < path[0].level:
                path.insert(0, outer)
        return [found for found in path if plain(found.title)]

    def _chapter(self, path: Sequence[Section]) -> str:
        """The title of the chapter on the path to a table."""
        chapters = [section for section in path if section.level <= self._chapter_level]
        return _no_names(plain(chapters[-1].title)) if chapters else ""

    @cached_property
    def _chapter_level(self) -> int:
        """The level of chapters: the outermost level of which the documents have some sections."""
        levels = Counter(section.level for section in self.game.sections if section.level)
        return min((level for level, count in levels.items() if count >= FEW_CHAPTERS), default=1)

    @cached_property
    def _sections(self) -> SectionIndex:
        return SectionIndex(self.game)

    def _of_acting(self, tables: Sequence[_Choice]) -> Sequence[_Choice]:
        """The tables of acting: computed chances, the tables of ladders that actions use, difficulties, modifiers.

        A table or two of modifiers, in a game without actions, stand with the other tables.
        """
        spec = self.game.ruleset.spec
        axes = [axis for action in spec.actions.values() for axis in (action.trait, action.difficulty) if axis]
        ladders = {spec.ladders[axis.ladder].table for axis in axes if axis.ladder in spec.ladders}
        used = ladders | {axis.of.partition(".")[0] for axis in axes if axis.of}
        computed = [choice for choice in tables if choice.table and choice.table.computed]
        named = [choice for choice in tables if choice.table and choice.table.id in used and choice not in computed]
        titled = [choice for choice in tables if choice.table and is_about_acting(choice.table.title)]
        found = [*computed, *named, *(choice for choice in titled if choice not in computed and choice not in named)]
        return found if computed or named or len(found) >= FEW_BLOCKS else []

    # Panels

    def _in_order(self, choices: Sequence[_Choice], most: int) -> Iterator[Sequence[_Choice]]:
        """Panels of the tables that referees look up most, in the order of the game, as many as there is room for."""
        left = sorted(self._wanted(choices, most), key=lambda choice: choice.place)
        for _ in range(most):
            panel = self._of_chapters(left)
            if not panel:
                return
            yield panel
            left = [choice for choice in left if choice not in panel]

    def _of_chapters(self, choices: Sequence[_Choice]) -> Sequence[_Choice]:
        """The first choices on one panel, chapter by chapter; a chapter that is too long for one panel is parted."""
        panel: list[_Choice] = []
        for _, grouped in groupby(choices, key=lambda choice: choice.chapter):
            chapter = [*grouped]
            added = self._added(panel, chapter)
            if len(added) == len(chapter) or len(panel) < FEW_BLOCKS:
                panel += added
            if len(added) < len(chapter):
                break
        return self._in_all_formats(panel)

    def _wanted(self, choices: Sequence[_Choice], panels: int) -> Sequence[_Choice]:
        """The choices that are worth most, as many as panels have room for by their areas."""
        width, height = panel_area(USUAL, edge=False)
        room = panels * width * height * 0.8
        wanted: list[_Choice] = []
        for choice in sorted(choices, key=lambda choice: (-choice.worth, choice.place)):
            column = max(choice.lengths.min_content(READABLE), width / 4)
            room -= column * choice.lengths.height(column, READABLE)
            if room < 0 or len(wanted) == panels * USUAL_BLOCKS:
                break
            wanted.append(choice)
        return wanted

    def _filled(self, choices: Sequence[_Choice]) -> Sequence[_Choice]:
        """The choices that fit on one panel, as they come."""
        return self._in_all_formats(self._added((), choices))

    def _added(self, panel: Sequence[_Choice], choices: Sequence[_Choice]) -> Sequence[_Choice]:
        """The choices that fit behind those on a panel, in the usual format."""
        added: list[_Choice] = []
        for choice in choices:
            together = [*panel, *added, choice]
            if len(together) <= MOST_BLOCKS and self._fits(together, [USUAL]):
                added.append(choice)
        return added

    def _in_all_formats(self, panel: Sequence[_Choice]) -> Sequence[_Choice]:
        """The choices on a panel, without the last ones if there is a format in which not all fit."""
        fitting = [*panel]
        while len(fitting) > 1 and not self._fits(fitting, FORMATS):
            fitting.pop()
        return fitting

    def _fits(self, choices: Sequence[_Choice], formats: Sequence[PageFormat]) -> bool:
        """Whether a panel of these blocks fits in all formats, in readable type in the usual one, with a reserve."""
        panel = Panel("", tuple(choice.block for choice in choices), self._edge, SystemInfo.of(self.game).rounding)
        blocks = [choice.lengths for choice in choices]
        return all(_has_room(panel, blocks, page_format) for page_format in formats)

    @cached_property
    def _edge(self) -> tuple[tuple[str, str], ...]:
        return tuple(ladder_steps(self.game.ladders[self.edge_scale])) if self.edge_scale else ()

    def _panel(self, title: str, choices: Sequence[_Choice]) -> PanelSpec:
        return PanelSpec(title=title, blocks=[choice.spec for choice in choices])


def _has_room(panel: Panel, blocks: list[BlockLengths], page_format: PageFormat) -> bool:
    """Whether a panel fits, with a reserve."""
    _, height = panel_area(page_format, edge=bool(panel.edge))
    planner = PanelPlanner(Panels("", (panel,)), page_format, lost={0: RESERVE * height}, blocks={0: blocks})
    if planner.faults or page_format != USUAL:
        return not planner.faults
    return planner.arranged[0].size >= min(READABLE, type_scale(page_format, panel.side).usual)


def _title(panel: Sequence[_Choice], otherwise: str) -> str:
    """The title of a panel: the chapter of its tables, two, or from the first to the last, if that is short enough."""
    chapters = [*dict.fromkeys(choice.chapter for choice in panel if choice.chapter)] or [otherwise]
    together = " · ".join(chapters) if len(chapters) < 3 else f"{chapters[0]} – {chapters[-1]}"
    return together if len(together) <= LONGEST_TITLE else chapters[0][:LONGEST_TITLE]


def _title_apart(table: RuleTable, path: Sequence[Section]) -> str:
    """A title by which a table is told from others of its title: its column of words, or the section around its own."""
    head = table.columns[-1].title
    if len(table.columns) == 2 and has_head(table.columns[-1]) and head != table.title:
        return _no_names(head)
    around = [plain(section.title) for section in path[-2:-1]]
    return _no_names(" · ".join([table.title, *around]))


def _words_of_name(match: re.Match[str]) -> str:
    """The words for a name in the formula of an action: "trait", "trait’s die"."""
    words = match[1].replace("-", " ")
    return f"{words}’s {match[2]}" if match[2] else words


def _no_names(words: str) -> str:
    """Words of a document as words of an author, in which braces would name facts."""
    return plain(words.replace("{", "(").replace("}", ")"))
