"""The formulas of each family of rolls: the action of a mechanic and the grid of its chances, as lines of TOML.

In: a GameDraft and a Mechanic. Out: a CheckAction and a ChanceGrid, and the facts that their formulas name. A bonus
that no table lists stands at +0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from refgen.export.model import toml_string
from refgen.notation.printed_cell import NotationName
from refgen.proposals.draft import GameDraft
from refgen.proposals.mechanic_facts import FactWriter
from refgen.proposals.mechanic_tables import DifficultyTable
from refgen.proposals.mechanics import Family, Mechanic
from refgen.proposals.outcomes import faces
from refgen.proposals.prose import PrintedValue
from refgen.words.words import Words

POOL = "numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
"""The pools that are shown."""

_PERCENTILES = f"numbers = [{', '.join(map(str, range(5, 100, 5)))}]"
_ENDS = ("lowest-trait", "highest-trait")
_MOST_RESULTS = 25
"""The widest dice whose results are shown one by one."""


@dataclass(frozen=True, slots=True)
class ChanceGrid:
    """The chances of a mechanic: the axis of ``rows``, what stands ``across``, and the formulas, as lines of TOML."""

    rows: str
    lines: Sequence[str]
    rule: str


@dataclass(frozen=True, slots=True)
class CheckAction:
    """The action of a mechanic: its roll, the axis of its traits, and further lines of TOML."""

    roll: str
    trait: str
    lines: Sequence[str] = ()


class FormulaWriter:
    """Writes the formulas of one mechanic, and makes the facts that these name."""

    def __init__(self, draft: GameDraft, mechanic: Mechanic) -> None:
        self.draft, self.mechanic, self.facts = draft, mechanic, FactWriter(draft)
        self.words = draft.words
        self.named: dict[str, str] = {}
        self.trait, self.goal = draft.new_id("trait", "trait"), draft.new_id("difficulty", "difficulty")
        if mechanic.family is Family.STEP and mechanic.traits is not None:
            self.dice = f"{{{self.trait}.{mechanic.traits.modifier}}}"
        else:
            self.dice = f"{{{self._fact('dice', 'dice-of-a-check', 'dice')}}}"

    def written(self) -> tuple[CheckAction, ChanceGrid]:
        """The action and the grid of the mechanic."""
        kinds: Mapping[Family, Callable[[], tuple[CheckAction, ChanceGrid]]] = {
            Family.TARGET: self._target,
            Family.DIFFICULTY: self._difficulty,
            Family.UNDER: self._under,
            Family.COUNT: self._count,
            Family.SUM: self._sum,
            Family.BANDS: self._bands,
            Family.TABLE: self._table,
            Family.HIGHEST: self._highest,
            Family.STEP: self._step,
        }
        return kinds[self.mechanic.family]()

    def _fact(self, role: str, title: str, notation: NotationName = "number") -> str:
        values = {**self.mechanic.values, "dice": self.mechanic.dice}
        more = [place[role] for place in self.mechanic.more if role in place]
        return self.facts.fact(title, [values[role], *more], notation)

    def _name(self, role: str, title: str, notation: NotationName = "number") -> str:
        """The name of the fact of a role in braces, the same each time; "" where the mechanic has no such value."""
        if role not in self.mechanic.values:
            return ""
        if role not in self.named:
            self.named[role] = f"{{{self._fact(role, title, notation)}}}"
        return self.named[role]

    def _edge(self, role: str, end: str) -> str:
        """The face that always succeeds or never does; of several faces, the ``end`` of their range."""
        title = "always-a-success" if role == "always" else "never-a-success"
        if role in self.mechanic.values and "-" in self.mechanic.values[role].meaning:
            return f"{end}({self._name(role, title, 'interval')})"
        return self._name(role, title)

    def _target(self) -> tuple[CheckAction, ChanceGrid]:
        trait, term = self._trait()
        goal, table = self._name("target", "target"), self.mechanic.difficulties
        if over := self._name("over", "number-to-exceed"):
            goal = f"{over} + 1"
        added, across = term, ""
        if table is not None:
            across = self._listed(table)
            added = f"{term} + {{{self.goal}.{table.number}}}"
        rule = self.words("rule-over" if over else "rule-target", dice=self.dice, number=over or goal)
        return self._reaching(trait, added, goal, across, rule)

    def _difficulty(self) -> tuple[CheckAction, ChanceGrid]:
        trait, term = self._trait()
        across, goal = self._goals()
        return self._reaching(trait, term, goal, across, self.words("rule-difficulty", dice=self.dice))

    def _reaching(self, trait: str, added: str, goal: str, across: str, rule: str) -> tuple[CheckAction, ChanceGrid]:
        """The action and the grid of dice that reach a goal together with what is added."""
        roll, reached = f"{self.dice} + {added} + {{modifier}}", goal
        formula = f"chance({self.dice} + {added} >= {goal})"
        taken = added.replace(" + ", " - ")
        if limited := self._limited(f"{goal} - {taken}"):
            roll, reached = self.dice, self._limited(f"{goal} - {taken} - {{modifier}}")
            formula = f"chance({self.dice} >= {limited})"
        lines = [f"difficulty = {across}"] if across else []
        action = CheckAction(roll, trait, [line("at_least", reached), *lines])
        if across:
            return action, ChanceGrid(trait, [f"across = {across}", line("cell", formula)], rule)
        return action, ChanceGrid(trait, [_column("success", self.words("success"), formula)], rule)

    def _under(self) -> tuple[CheckAction, ChanceGrid]:
        always, never = self._edge("always", "high"), self._edge("never", "low")

        def limit(trait: str) -> str:
            if always and never:
                return f"clamp({trait}, {always}, {never} - 1)"
            return f"max({trait}, {always})" if always else f"min({trait}, {never} - 1)" if never else trait

        count, sides = faces(self.mechanic.dice.meaning)
        low, high = self._ends_of_trait(count * (sides or 1))
        trait = self._axis(self.trait, "trait", f'low = "{low}", high = "{high}"')
        is_wide = count * (sides or 1) > _MOST_RESULTS
        rows = self._axis(self.trait, "trait", _PERCENTILES) if is_wide else trait
        formula = f"chance({self.dice} <= {limit(f'{{{self.trait}}}')})"
        most = limit(f"{{{self.trait}}} + {{modifier}}")
        rule = self.words("rule-under", dice=self.dice)
        action = CheckAction(self.dice, trait, [line("at_most", most)])
        return action, ChanceGrid(rows, [_column("success", self.words("success"), formula)], rule)

    def _count(self) -> tuple[CheckAction, ChanceGrid]:
        trait, across, face, least = self._axis(self.trait, "dice", POOL), "", f"{{{self.goal}}}", "1"
        rule = self.words("rule-any-die", dice=self.dice)
        if "success" in self.mechanic.values:
            notation: NotationName = "interval" if _is_range(self.mechanic.values["success"]) else "number"
            success = self._name("success", "faces-that-succeed", notation)
            face, least = f"low({success})" if notation == "interval" else success, f"{{{self.goal}}}"
            across = self._axis(self.goal, "successes", "numbers = [1, 2, 3]")
            if (table := self.mechanic.difficulties) is not None:
                across, least = self._listed(table), f"{{{self.goal}.{table.number}}}"
            counted_faces = "rule-count-in" if notation == "interval" else "rule-count"
            rule = self.words(counted_faces, dice=self.dice, faces=success)
        else:
            across = self._axis(
                self.goal, "difficulty", f'low = "lowest({self.dice}) + 1", high = "highest({self.dice})"'
            )

        def counted(pool: str) -> str:
            return f"count(repeat({pool}, {self.dice}) >= {face})"

        roll = counted(f"max({{{self.trait}}} + {{modifier}}, 0)")
        action = CheckAction(roll, trait, [f"difficulty = {across}", line("at_least", least)])
        cell = f"chance({counted(f'{{{self.trait}}}')} >= {least})"
        return action, ChanceGrid(trait, [f"across = {across}", line("cell", cell)], rule)

    def _sum(self) -> tuple[CheckAction, ChanceGrid]:
        trait = self._axis(self.trait, "dice", POOL)

        def pool(number: str) -> str:
            if self.mechanic.wild is None:
                return f"repeat({number}, {self.dice})"
            return f"repeat({number} - 1, {self.dice}) + explode({self.dice})"

        across, goal = self._goals("numbers = [5, 10, 15, 20, 25, 30]")
        action = CheckAction(
            pool(f"max({{{self.trait}}} + {{modifier}}, 1)"), trait, [f"difficulty = {across}", line("at_least", goal)]
        )
        cell = f"chance({pool(f'{{{self.trait}}}')} >= {goal})"
        return action, ChanceGrid(trait, [f"across = {across}", line("cell", cell)], self.words("rule-sum"))

    def _bands(self) -> tuple[CheckAction, ChanceGrid]:
        trait, term = self._trait()
        high, middle = self._name("high", "full-success"), self._name("middle", "partial-success", "interval")
        total = f"{self.dice} + {term}"
        columns = (
            ("full", "full-success", f"chance({total} >= {high})"),
            ("partial", "partial-success", f"chance({total} in {middle})"),
            ("miss", "miss", f"chance({total} < low({middle}))"),
        )
        options = self._results(high, middle)
        difficulty = self._axis(self.goal, "result", options)
        action = CheckAction(f"{total} + {{modifier}}", trait, [f"difficulty = {difficulty}"])
        lines = list(_columns(columns, self.words))
        return action, ChanceGrid(trait, lines, self.words("rule-bands", dice=self.dice, high=high, middle=middle))

    def _table(self) -> tuple[CheckAction, ChanceGrid]:
        trait, term = self._trait()
        table = self.mechanic.bands
        of = f'of = "{table.table}.{table.words}"' if table else ""
        low, rest = (
            f"low({{{self.goal}.{table.number}}})" if table else "",
            f"last = {toml_string(table.last)}" if table else "",
        )
        total = f"{self.dice} + {term}"
        difficulty = self._axis(self.goal, "result", f"{of}, {rest}")
        lines = [f"difficulty = {difficulty}", line("at_least", low)]
        cell = f"chance({total} in {{{self.goal}.{table.number}}})" if table else ""
        grid = [f"across = {self._axis(self.goal, 'result', of)}", line("cell", cell)]
        return CheckAction(f"{total} + {{modifier}}", trait, lines), ChanceGrid(
            trait, grid, self.words("rule-table", dice=self.dice)
        )

    def _highest(self) -> tuple[CheckAction, ChanceGrid]:
        trait = self._axis(self.trait, "dice", POOL)
        high, middle = self._name("high", "full-success"), self._name("middle", "partial-success", "interval")

        def reached(pool: str, face: str) -> str:
            return f"count(repeat({pool}, {self.dice}) >= {face})"

        pool = f"{{{self.trait}}}"
        full, some = (f"chance({reached(pool, face)} >= 1)" for face in (high, f"low({middle})"))
        columns = (
            ("full", "full-success", full),
            ("partial", "partial-success", f"{some} - {full}"),
            ("miss", "miss", f"1 - {some}"),
        )
        options = self._results(high, middle)
        roll = reached(f"max({pool} + {{modifier}}, 0)", f"{{{self.goal}}}")
        lines = [f"difficulty = {self._axis(self.goal, 'result', options)}", line("at_least", "1")]
        rule = self.words("rule-highest", high=high, middle=middle)
        return CheckAction(roll, trait, lines), ChanceGrid(trait, list(_columns(columns, self.words)), rule)

    def _step(self) -> tuple[CheckAction, ChanceGrid]:
        table = self.mechanic.traits
        trait = self._axis(self.trait, "trait", f'of = "{table.table}.{table.score}"' if table else "")
        roll = f"explode({self.dice})" if self.mechanic.wild else self.dice
        across, goal = self._goals() if self.mechanic.difficulties else ("", self._name("target", "target"))
        formula = f"chance({roll} >= {goal})"
        rule = self.words("rule-step")
        lines = [*([f"difficulty = {across}"] if across else []), line("at_least", goal)]
        action = CheckAction(f"{roll} + {{modifier}}", trait, lines)
        if across:
            return action, ChanceGrid(trait, [f"across = {across}", line("cell", formula)], rule)
        return action, ChanceGrid(trait, [_column("success", self.words("success"), formula)], rule)

    def _axis(self, axis: str, title: str, entries: str) -> str:
        """An axis; ``title`` is the id of the text over the axis."""
        return f'{{ id = "{axis}", title = {toml_string(self.words(title))}, {entries} }}'

    def _results(self, high: str, middle: str) -> str:
        """The results that a band of totals or faces stands for."""
        full, better = (toml_string(self.words(name)) for name in ("full-success", "partial-success-or-better"))
        return f'options = {{ {full} = "{high}", {better} = "low({middle})" }}'

    def _trait(self) -> tuple[str, str]:
        """The axis of what is added to a roll, and the number that each entry of the axis adds."""
        table, levels = self.mechanic.traits, self.mechanic.difficulties
        if table is not None and table.is_ladder:
            return self._axis(self.trait, "trait", f'ladder = "{table.table}"'), f"{{{self.trait}}}"
        if table is not None:
            axis = self._axis(self.trait, "trait", f'of = "{table.table}.{table.score}"')
            return axis, f"{{{self.trait}.{table.modifier}}}"
        if faces(self.mechanic.dice.meaning)[1] == 1 and levels is not None and not levels.intervals:
            axis = self._axis(self.trait, "trait", f'of = "{levels.table}.{levels.words}"')
            return axis, f"{{{self.trait}.{levels.number}}}"
        if (ends := self.mechanic.trait_range) is not None:
            low, high = self._range(ends)
            return self._axis(self.trait, "trait", f'low = "{low}", high = "{high}"'), f"{{{self.trait}}}"
        return self._axis(
            self.trait, "bonus", f'options = {{ {toml_string(self.words("bonus-of-zero"))} = "0" }}'
        ), f"{{{self.trait}}}"

    def _ends_of_trait(self, highest: int) -> tuple[str, str]:
        """The formulas of the lowest and highest trait that is rolled against."""
        made = self.mechanic.attributes
        if made is not None and _fits(made, highest):
            dice = self.facts.fact("dice-of-a-trait", [made], "dice")
            return f"lowest({{{dice}}})", f"highest({{{dice}}})"
        if (ends := self.mechanic.trait_range) is not None and int(ends[1].meaning) <= highest:
            low, high = self._range(ends)
            return low, high
        return f"lowest({self.dice})", f"highest({self.dice})"

    def _range(self, ends: tuple[PrintedValue, PrintedValue]) -> Sequence[str]:
        """The names of the facts of the lowest and highest trait, in braces."""
        return [f"{{{self.facts.fact(title, [end])}}}" for title, end in zip(_ENDS, ends, strict=True)]

    def _listed(self, table: DifficultyTable) -> str:
        """The axis of the difficulties in a table, or on a ladder."""
        entries = f'ladder = "{table.table}"' if table.is_ladder else f'of = "{table.table}.{table.words}"'
        return self._axis(self.goal, "difficulty", entries)

    def _goals(self, otherwise: str = "") -> tuple[str, str]:
        """The axis of the numbers to reach, and the number of each entry; without a table, numbers to show."""
        table = self.mechanic.difficulties
        if table is not None:
            number = f"{{{self.goal}}}" if table.is_ladder else f"{{{self.goal}.{table.number}}}"
            return self._listed(table), f"low({number})" if table.intervals else number
        count, sides = faces(self.mechanic.dice.meaning)
        ends = (
            _PERCENTILES
            if count * (sides or 1) > _MOST_RESULTS
            else f'low = "lowest({self.dice})", high = "highest({self.dice})"'
        )
        return self._axis(self.goal, "number-to-reach", otherwise or ends), f"{{{self.goal}}}"

    def _limited(self, needed: str) -> str:
        """The result that the dice need, where some faces always succeed or fail; "" where none do."""
        always, never = self._edge("always", "low"), self._edge("never", "high")
        if always and never:
            return f"clamp({needed}, {never} + 1, {always})"
        return f"min({needed}, {always})" if always else f"max({needed}, {never} + 1)" if never else ""


def _fits(made: PrintedValue, highest: int) -> bool:
    """Whether a trait made by these dice is rolled against with dice that show so much at most."""
    count, sides = faces(made.meaning)
    return sides is not None and highest // 2 <= count * sides <= highest


def _is_range(value: PrintedValue) -> bool:
    """Whether several numbers stand in a printed value, as in "5 or 6"."""
    return len(re.findall(r"\d+", value.passage.text)) > 1


def line(key: str, text: str) -> str:
    """A line of TOML with a text."""
    return f"{key} = {toml_string(text)}"


def _column(column: str, title: str, formula: str) -> str:
    return f"columns = [{_column_table(column, title, formula)}]"


def _column_table(column: str, title: str, formula: str) -> str:
    return f'{{ id = "{column}", title = {toml_string(title)}, formula = {toml_string(formula)} }}'


def _columns(columns: Sequence[tuple[str, str, str]], words: Words) -> Iterator[str]:
    """Several columns, each with an id, the id of the text over the column, and a formula."""
    yield "columns = ["
    yield from (f"  {_column_table(column, words(title), formula)}," for column, title, formula in columns)
    yield "]"
