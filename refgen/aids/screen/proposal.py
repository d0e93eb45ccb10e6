"""The screen of a game for which nobody described one: what referees look up, on at most four panels.

In: a game. Out: a ScreenSpec, each of whose panels fits its page in every format: the ways to act with their chances,
tables by chapter, tables to roll on. What does not fit is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from textwrap import shorten

from refgen.aids.screen.choices import FORMATS, READABLE, USUAL, Choice, ScreenChoices
from refgen.aids.screen.spec import PanelSpec, ScreenSpec
from refgen.blocks.table_shape import is_rolled_on
from refgen.catalog import first_of
from refgen.game import GameModel
from refgen.languages.title_words import has_word, title_words
from refgen.layout.sizing import page_area

MOST_PANELS = 4
MOST_BLOCKS = 9
"""The most blocks of a panel: more are too small to be found."""

USUAL_BLOCKS = 7
"""The blocks of a panel, on average, if a game has more tables than there is room for."""

FEW_BLOCKS = 4
"""So few blocks do not end a panel before a chapter that is too long for the rest of the panel."""

FULL = 0.8
"""The share of the area of panels that tables may take, by their own areas."""

MOST_REFUSED = 3
"""So many tables are named that stand on no panel."""

SHORT_TITLE = 24
"""The letters of a title of which every panel has room for, whatever the title of the game."""


def proposed_screen(game: GameModel) -> ScreenSpec | None:
    """The screen of a game; None for a game without anything to look up."""
    choices = ScreenChoices(game)
    panels = [*_ScreenProposer(choices).panels()]
    return ScreenSpec(edge_scale=choices.edge_scale, panels=panels) if panels else None


def why_no_screen(game: GameModel) -> str:
    """Why no screen is proposed, as it reads on after "no screen:"."""
    if not game.tables:
        return "it has no table, no action and no fact to look up"
    refused = [f'"{table.title}" {reason}' for table, reason in ScreenChoices(game).refused()]
    return f"none of its tables stands on a panel: {first_of(refused, MOST_REFUSED)}"


@dataclass(frozen=True)
class _ScreenProposer:
    """Fills the panels of a screen with the blocks that may stand there."""

    choices: ScreenChoices

    def panels(self) -> Iterator[PanelSpec]:
        """The panels: acting, looking up, rolling."""
        acting = [*self.choices.actions(), *self._of_acting()]
        rest = [choice for choice in self.choices.tables if choice not in acting]
        rolled = [choice for choice in rest if _is_rolled_on(choice)]
        looked_up = [choice for choice in rest if choice not in rolled]
        room, words = MOST_PANELS, self.choices.game.words
        if acting:
            first = self._fill_panel(acting)
            also = self._choices_beside(first, looked_up)
            yield _panel(words("in-play" if also else "how-to-act"), [*first, *also])
            looked_up = [choice for choice in looked_up if choice not in also]
            room -= 1
        times = Counter[str]()
        for panel in self._in_order(looked_up, room - bool(rolled)):
            title = self._title(panel)
            times[title] += 1
            yield _panel(f"{title} ({times[title]})" if times[title] > 1 else title, panel)
        if rolled:
            chosen = self._fill_panel(sorted(rolled, key=lambda choice: (-choice.worth, choice.place)))
            yield _panel(words("tables-to-roll-on"), sorted(chosen, key=lambda choice: choice.place))
        if not (acting or rest) and (facts := [*self.choices.facts()]):
            yield _panel(words("numbers"), facts)

    def _choices_beside(self, acting: Sequence[Choice], choices: Sequence[Choice]) -> Sequence[Choice]:
        """The choices that are looked up most and fit beside few ways to act, which leave most of a panel free."""
        if len(acting) >= FEW_BLOCKS:
            return ()
        wanted = sorted(choices, key=lambda choice: (-choice.worth, choice.place))
        together = self._in_all_formats([*acting, *self._add_choices(acting, wanted)])
        return sorted(together[len(acting) :], key=lambda choice: choice.place)

    def _title(self, panel: Sequence[Choice]) -> str:
        """The title of a panel: the chapter of its tables, two chapters, or from the first to the last; or shorter."""
        tables = self.choices.game.words("tables")
        chapters = [*dict.fromkeys(choice.chapter for choice in panel if choice.chapter)] or [tables]
        together = " · ".join(chapters) if len(chapters) < 3 else f"{chapters[0]} – {chapters[-1]}"
        titles = (together, chapters[0])
        short = shorten(chapters[0], SHORT_TITLE, placeholder=" …")
        fitting = (title for title in titles if self.choices.has_room_for_title(f"{title} (2)"))
        return next(fitting, short if len(short) > 1 else tables)

    def _of_acting(self) -> Sequence[Choice]:
        """The tables of acting: computed chances, the tables of ladders that actions use, difficulties, modifiers.

        A table or two of modifiers, in a game without actions, stand with the other tables.
        """
        spec, tables = self.choices.game.ruleset.spec, self.choices.tables
        axes = [axis for action in spec.actions.values() for axis in (action.trait, action.difficulty) if axis]
        ladders = {spec.ladders[axis.ladder].table for axis in axes if axis.ladder in spec.ladders}
        used = ladders | {axis.of.partition(".")[0] for axis in axes if axis.of}
        computed = [choice for choice in tables if choice.table and choice.table.computed]
        named = [choice for choice in tables if choice.table and choice.table.id in used and choice not in computed]
        acting = title_words("").acting
        titled = [choice for choice in tables if choice.table and has_word(choice.table.title, acting)]
        found = [*computed, *named, *(choice for choice in titled if choice not in computed and choice not in named)]
        return found if computed or named or len(found) >= FEW_BLOCKS else []

    def _in_order(self, choices: Sequence[Choice], most: int) -> Sequence[Sequence[Choice]]:
        """Panels of the tables that referees look up most, in the order of the game; none is nearly empty."""
        wanted = sorted(self._select_choices(choices, most), key=lambda choice: choice.place)
        panels = [*self._split_panels(wanted, most, MOST_BLOCKS)]
        if not panels or len(panels[-1]) >= FEW_BLOCKS:
            return panels
        even = [*self._split_panels(wanted, most, ceil(len(wanted) / len(panels)))]
        is_as_good = len(even) == len(panels) and sum(map(len, even)) == sum(map(len, panels))
        return even if is_as_good else panels

    def _split_panels(self, choices: Sequence[Choice], most: int, most_blocks: int) -> Iterator[Sequence[Choice]]:
        """At most so many panels of the choices, with at most so many blocks each."""
        left = choices
        for _ in range(most):
            panel = self._of_chapters(left, most_blocks)
            if not panel:
                return
            yield panel
            left = [choice for choice in left if choice not in panel]

    def _of_chapters(self, choices: Sequence[Choice], most: int) -> Sequence[Choice]:
        """The first choices on one panel, chapter by chapter; a chapter that is too long for one panel is parted."""
        panel: list[Choice] = []
        for _, grouped in groupby(choices, key=lambda choice: choice.chapter):
            chapter = [*grouped]
            added = self._add_choices(panel, chapter, most)
            if len(added) == len(chapter) or len(panel) < FEW_BLOCKS:
                panel += added
            if len(added) < len(chapter):
                break
        return self._in_all_formats(panel)

    def _select_choices(self, choices: Sequence[Choice], panels: int) -> Sequence[Choice]:
        """The choices that are worth most, as many as panels have room for by their areas."""
        width, height = page_area(USUAL)
        room = FULL * panels * width * height
        wanted: list[Choice] = []
        for choice in sorted(choices, key=lambda choice: (-choice.worth, choice.place)):
            column = max(choice.lengths.min_content(READABLE), width / 4)
            room -= column * choice.lengths.height(column, READABLE)
            if room < 0 or len(wanted) == panels * USUAL_BLOCKS:
                break
            wanted.append(choice)
        return wanted

    def _fill_panel(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """The choices that fit on one panel, in their order."""
        return self._in_all_formats(self._add_choices((), choices))

    def _add_choices(
        self, panel: Sequence[Choice], choices: Sequence[Choice], most: int = MOST_BLOCKS
    ) -> Sequence[Choice]:
        """The choices that fit on a panel in the usual format behind its blocks, at most ``most`` blocks in all."""
        added: list[Choice] = []
        for choice in choices:
            together = [*panel, *added, choice]
            if len(together) <= most and self.choices.fit(together, [USUAL]):
                added.append(choice)
        return added

    def _in_all_formats(self, panel: Sequence[Choice]) -> Sequence[Choice]:
        """The choices on a panel, without the last ones if there is a format in which not all fit."""
        fitting = [*panel]
        while len(fitting) > 1 and not self.choices.fit(fitting, FORMATS):
            fitting.pop()
        return fitting


def _is_rolled_on(choice: Choice) -> bool:
    """Whether a choice is a table to roll on; a table of what happens in a fight stands with the other tables."""
    fighting = title_words("").fighting
    return choice.table is not None and is_rolled_on(choice.table) and not has_word(choice.table.title, fighting)


def _panel(title: str, choices: Sequence[Choice]) -> PanelSpec:
    return PanelSpec(title=title, blocks=[choice.spec for choice in choices])
