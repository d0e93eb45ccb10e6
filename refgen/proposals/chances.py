"""The chances of a game, proposed: facts, rolls, actions, computed tables and explorers for its mechanics.

In: a GameDraft and its Mechanics. Out: Entries of system.toml. Numbers of rules are facts and cells, which the formulas
name; a bonus that no table lists stands at +0. Entries of a mechanic that is not certain, or of which a sentence does
not find a value, are not certain either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from refgen.export.model import toml_string
from refgen.notation.printed_cell import NotationName
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.facts import FactWriter
from refgen.proposals.mechanic_tables import OddsTable
from refgen.proposals.mechanics import Family, Mechanic
from refgen.proposals.phrases import faces
from refgen.proposals.prose import PrintedValue

POOL = "numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
"""The pools that are shown."""

_PERCENTILES = f"numbers = [{', '.join(map(str, range(5, 100, 5)))}]"
_ENDS = ("lowest-trait", "highest-trait")
_MOST_RESULTS = 25
"""The widest dice whose results are shown one by one."""

_WITHOUT_ROLL = frozenset((Family.COUNT, Family.SUM, Family.HIGHEST, Family.STEP))
"""The families in which no dice are rolled alike by everybody."""
_ORDER = ("[facts", "[rolls", "[actions", "[derived", "[explorers")


def mechanic_entries(draft: GameDraft, mechanics: Sequence[Mechanic]) -> Sequence[Entry]:
    """The entries of some mechanics: facts, rolls, actions, computed tables and explorers, in this order."""
    entries = [entry for mechanic in mechanics for entry in _entries(draft, mechanic)]
    return sorted(
        entries, key=lambda entry: next(at for at, head in enumerate(_ORDER) if entry.heading.startswith(head))
    )


def _entries(draft: GameDraft, mechanic: Mechanic) -> Iterator[Entry]:
    """The entries of one mechanic."""
    writer = FormulaWriter(draft, mechanic)
    written = writer.written()
    certain, check = mechanic.certain and writer.facts.found, draft.new_id("check", "check")
    same = [f"Evidence: at [actions.{check}]."]
    yield from writer.facts.entries(certain=certain)
    if mechanic.family not in _WITHOUT_ROLL:
        lines = [f"title = {toml_string(mechanic.dice.meaning)}", line("roll", writer.dice)]
        yield Entry(f"[rolls.{draft.new_id('check-roll', 'roll')}]", lines, same, certain)
    lines = [
        line("title", draft.words("check")),
        line("roll", written.roll),
        f"trait = {written.trait}",
        *written.action,
    ]
    yield Entry(f"[actions.{check}]", lines, mechanic.evidence, certain)
    table = draft.new_id("chances-of-a-check", "chances")
    rows = f"rows = [{written.rows or written.trait}]"
    lines = [line("title", draft.words("chances-of-a-check")), line("rule", written.rule), rows, *written.grid]
    yield Entry(f"[derived.{table}]", lines, same, certain)
    explorer = draft.new_id("your-chances", "explorer")
    yield Entry(f"[explorers.{explorer}]", [f'table = "{table}"'], same, certain)


@dataclass(frozen=True, slots=True)
class CheckFormulas:
    """The formulas of a mechanic: its roll, the axis of its traits, and the rule in words.

    ``action`` and ``grid`` are further lines of TOML of the action, and of the computed table with the chances; the
    rows of the table are the axis of the traits, or else ``rows``.
    """

    roll: str
    trait: str
    rule: str
    action: Sequence[str]
    grid: Sequence[str]
    rows: str = ""


class FormulaWriter:
    """Writes the formulas of one mechanic, and makes the facts that these name."""

    def __init__(self, draft: GameDraft, mechanic: Mechanic) -> None:
        self.draft, self.mechanic, self.facts = draft, mechanic, FactWriter(draft)
        self.words = draft.words
        self.named: dict[str, str] = {}
        self.trait, self.goal = draft.new_id("trait", "trait"), draft.new_id("difficulty", "difficulty")
        if mechanic.family is Family.STEP and mechanic.traits is not None:
            self.dice = mechanic.traits.number_on(self.trait)
        else:
            self.dice = f"{{{self._fact('dice', 'dice-of-a-check', 'dice')}}}"

    def written(self) -> CheckFormulas:
        """The formulas of the mechanic."""
        traits, bands = self.mechanic.traits, self.mechanic.bands
        if bands is not None:
            return self._table(bands)
        if traits is not None and self.mechanic.family is Family.STEP:
            return self._step(traits)
        kinds: Mapping[Family, Callable[[], CheckFormulas]] = {
            Family.TARGET: self._target,
            Family.DIFFICULTY: self._difficulty,
            Family.UNDER: self._roll_under,
            Family.COUNT: self._count,
            Family.SUM: self._sum,
            Family.BANDS: self._bands,
            Family.HIGHEST: self._highest_die,
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

    def _target(self) -> CheckFormulas:
        trait, term = self._trait()
        goal, table = self._name("target", "target"), self.mechanic.difficulties
        if over := self._name("over", "number-to-exceed"):
            goal = f"{over} + 1"
        added = term if table is None else f"{term} + {table.number_on(self.goal)}"
        across = "" if table is None else self._axis(self.goal, "difficulty", table.entries)
        rule = self.words("rule-over" if over else "rule-target", dice=self.dice, number=over or goal)
        return self._reaching(trait, added, goal, across, rule)

    def _difficulty(self) -> CheckFormulas:
        trait, term = self._trait()
        across, goal = self._goals()
        return self._reaching(trait, term, goal, across, self.words("rule-difficulty", dice=self.dice))

    def _reaching(self, trait: str, added: str, goal: str, across: str, rule: str) -> CheckFormulas:
        """The action and the grid of dice that reach a goal together with what is added."""
        roll, reached = f"{self.dice} + {added} + {{modifier}}", goal
        formula = f"chance({self.dice} + {added} >= {goal})"
        taken = added.replace(" + ", " - ")
        if limited := self._limited_result(f"{goal} - {taken}"):
            roll, reached = self.dice, self._limited_result(f"{goal} - {taken} - {{modifier}}")
            formula = f"chance({self.dice} >= {limited})"
        return self._success(roll, trait, rule, across, reached, formula)

    def _roll_under(self) -> CheckFormulas:
        always, never = self._edge("always", "high"), self._edge("never", "low")

        def limit(trait: str) -> str:
            if always and never:
                return f"clamp({trait}, {always}, {never} - 1)"
            return f"max({trait}, {always})" if always else f"min({trait}, {never} - 1)" if never else trait

        low, high = self._ends_of_trait()
        trait = self._axis(self.trait, "trait", f'low = "{low}", high = "{high}"')
        rows = self._axis(self.trait, "trait", _PERCENTILES) if self._highest_result > _MOST_RESULTS else trait
        formula = f"chance({self.dice} <= {limit(f'{{{self.trait}}}')})"
        most = limit(f"{{{self.trait}}} + {{modifier}}")
        rule = self.words("rule-under", dice=self.dice)
        grid = self._columns(("success", "success", formula))
        return CheckFormulas(self.dice, trait, rule, [line("at_most", most)], grid, rows)

    def _count(self) -> CheckFormulas:
        trait, across, face, least = self._axis(self.trait, "dice", POOL), "", f"{{{self.goal}}}", "1"
        rule = self.words("rule-any-die", dice=self.dice)
        if "success" in self.mechanic.values:
            numbers = re.findall(r"\d+", self.mechanic.values["success"].passage.text)  # several in "5 or 6"
            notation: NotationName = "interval" if len(numbers) > 1 else "number"
            success = self._name("success", "faces-that-succeed", notation)
            face, least = f"low({success})" if notation == "interval" else success, f"{{{self.goal}}}"
            across = self._axis(self.goal, "successes", "numbers = [1, 2, 3]")
            if (table := self.mechanic.difficulties) is not None:
                across, least = self._axis(self.goal, "difficulty", table.entries), table.number_on(self.goal)
            counted_faces = "rule-count-in" if notation == "interval" else "rule-count"
            rule = self.words(counted_faces, dice=self.dice, faces=success)
        else:
            across = self._axis(
                self.goal, "difficulty", f'low = "lowest({self.dice}) + 1", high = "highest({self.dice})"'
            )

        def counted(pool: str) -> str:
            return f"count(repeat({pool}, {self.dice}) >= {face})"

        roll = counted(f"max({{{self.trait}}} + {{modifier}}, 0)")
        cell = f"chance({counted(f'{{{self.trait}}}')} >= {least})"
        return self._success(roll, trait, rule, across, least, cell)

    def _sum(self) -> CheckFormulas:
        trait = self._axis(self.trait, "dice", POOL)

        def pool(number: str) -> str:
            if self.mechanic.wild is None:
                return f"repeat({number}, {self.dice})"
            return f"repeat({number} - 1, {self.dice}) + explode({self.dice})"

        across, goal = self._goals("numbers = [5, 10, 15, 20, 25, 30]")
        roll, cell = pool(f"max({{{self.trait}}} + {{modifier}}, 1)"), f"chance({pool(f'{{{self.trait}}}')} >= {goal})"
        return self._success(roll, trait, self.words("rule-sum"), across, goal, cell)

    def _bands(self) -> CheckFormulas:
        trait, term = self._trait()
        high, middle, difficulty = self._three_bands()
        total = f"{self.dice} + {term}"
        chances = f"chance({total} >= {high})", f"chance({total} in {middle})", f"chance({total} < low({middle}))"
        rule = self.words("rule-bands", dice=self.dice, high=high, middle=middle)
        return CheckFormulas(f"{total} + {{modifier}}", trait, rule, [difficulty], self._three_columns(*chances))

    def _three_bands(self) -> tuple[str, str, str]:
        """The names of the facts of a full and of a partial success, and the line of both as difficulties."""
        high, middle = self._name("high", "full-success"), self._name("middle", "partial-success", "interval")
        full, better = (toml_string(self.words(name)) for name in ("full-success", "partial-success-or-better"))
        options = f'options = {{ {full} = "{high}", {better} = "low({middle})" }}'
        return high, middle, f"difficulty = {self._axis(self.goal, 'result', options)}"

    def _table(self, table: OddsTable) -> CheckFormulas:
        trait, term = self._trait()
        total, band = f"{self.dice} + {term}", table.number_on(self.goal)
        difficulty = self._axis(self.goal, "result", f"{table.entries}, last = {toml_string(table.last)}")
        action = [f"difficulty = {difficulty}", line("at_least", f"low({band})")]
        across = f"across = {self._axis(self.goal, 'result', table.entries)}"
        grid = [across, line("cell", f"chance({total} in {band})")]
        return CheckFormulas(f"{total} + {{modifier}}", trait, self.words("rule-table", dice=self.dice), action, grid)

    def _highest_die(self) -> CheckFormulas:
        trait = self._axis(self.trait, "dice", POOL)
        high, middle, difficulty = self._three_bands()

        def reached(pool: str, face: str) -> str:
            return f"count(repeat({pool}, {self.dice}) >= {face})"

        pool = f"{{{self.trait}}}"
        full, some = (f"chance({reached(pool, face)} >= 1)" for face in (high, f"low({middle})"))
        roll = reached(f"max({pool} + {{modifier}}, 0)", f"{{{self.goal}}}")
        rule = self.words("rule-highest", high=high, middle=middle)
        grid = self._three_columns(full, f"{some} - {full}", f"1 - {some}")
        return CheckFormulas(roll, trait, rule, [difficulty, line("at_least", "1")], grid)

    def _step(self, table: OddsTable) -> CheckFormulas:
        trait = self._axis(self.trait, "trait", table.entries)
        roll = f"explode({self.dice})" if self.mechanic.wild else self.dice
        across, goal = self._goals() if self.mechanic.difficulties else ("", self._name("target", "target"))
        rule, formula = self.words("rule-step"), f"chance({roll} >= {goal})"
        return self._success(f"{roll} + {{modifier}}", trait, rule, across, goal, formula)

    def _axis(self, axis: str, title: str, entries: str) -> str:
        """An axis; ``title`` is the id of the text over the axis."""
        return f'{{ id = "{axis}", title = {toml_string(self.words(title))}, {entries} }}'

    def _trait(self) -> tuple[str, str]:
        """The axis of what is added to a roll, and the number that each entry of the axis adds."""
        table, levels = self.mechanic.traits, self.mechanic.difficulties
        if table is None and faces(self.mechanic.dice.meaning)[1] == 1 and levels and not levels.intervals:
            table = levels
        if table is not None:
            return self._axis(self.trait, "trait", table.entries), table.number_on(self.trait)
        if (ends := self.mechanic.trait_range) is not None:
            low, high = self._range(ends)
            return self._axis(self.trait, "trait", f'low = "{low}", high = "{high}"'), f"{{{self.trait}}}"
        options = f'options = {{ {toml_string(self.words("bonus-of-zero"))} = "0" }}'
        return self._axis(self.trait, "bonus", options), f"{{{self.trait}}}"

    @property
    def _highest_result(self) -> int:
        count, sides = faces(self.mechanic.dice.meaning)
        return count * (sides or 1)

    def _ends_of_trait(self) -> tuple[str, str]:
        """The formulas of the lowest and highest trait that is rolled against."""
        made, highest = self.mechanic.attributes, self._highest_result
        if made is not None and _fits_dice(made, highest):
            dice = self.facts.fact("dice-of-a-trait", [made], "dice")
            return f"lowest({{{dice}}})", f"highest({{{dice}}})"
        if (ends := self.mechanic.trait_range) is not None and int(ends[1].meaning) <= highest:
            low, high = self._range(ends)
            return low, high
        return f"lowest({self.dice})", f"highest({self.dice})"

    def _range(self, ends: tuple[PrintedValue, PrintedValue]) -> Sequence[str]:
        """The names of the facts of the lowest and highest trait, in braces."""
        return [f"{{{self.facts.fact(title, [end])}}}" for title, end in zip(_ENDS, ends, strict=True)]

    def _goals(self, otherwise: str = "") -> tuple[str, str]:
        """The axis of the numbers to reach, and the number of each entry; without a table, numbers to show."""
        table = self.mechanic.difficulties
        if table is not None:
            number, axis = table.number_on(self.goal), self._axis(self.goal, "difficulty", table.entries)
            return axis, f"low({number})" if table.intervals else number
        all_results = f'low = "lowest({self.dice})", high = "highest({self.dice})"'
        ends = _PERCENTILES if self._highest_result > _MOST_RESULTS else all_results
        return self._axis(self.goal, "number-to-reach", otherwise or ends), f"{{{self.goal}}}"

    def _limited_result(self, needed: str) -> str:
        """The result that the dice need, where some faces always succeed or fail; "" where none do."""
        always, never = self._edge("always", "low"), self._edge("never", "high")
        if always and never:
            return f"clamp({needed}, {never} + 1, {always})"
        return f"min({needed}, {always})" if always else f"max({needed}, {never} + 1)" if never else ""

    def _success(self, roll: str, trait: str, rule: str, across: str, at_least: str, chance: str) -> CheckFormulas:
        """The formulas of a roll that succeeds from a number on; ``across`` are the difficulties, "" for none."""
        action = [f"difficulty = {across}"] if across else []
        column = "success", "success", chance
        grid = [f"across = {across}", line("cell", chance)] if across else self._columns(column)
        return CheckFormulas(roll, trait, rule, [*action, line("at_least", at_least)], grid)

    def _three_columns(self, full: str, partial: str, miss: str) -> Sequence[str]:
        """The columns of the chances of three bands."""
        bands = ("full", "full-success", full), ("partial", "partial-success", partial), ("miss", "miss", miss)
        return self._columns(*bands)

    def _columns(self, *columns: tuple[str, str, str]) -> Sequence[str]:
        """Columns, each with an id, the id of the text over the column, and a formula; several stand on a line each."""
        tables = [
            f'{{ id = "{name}", title = {toml_string(self.words(title))}, formula = {toml_string(formula)} }}'
            for name, title, formula in columns
        ]
        if len(tables) == 1:
            return [f"columns = [{tables[0]}]"]
        return ["columns = [", *(f"  {one}," for one in tables), "]"]


def _fits_dice(made: PrintedValue, highest: int) -> bool:
    """Whether a trait made by these dice is rolled against with dice that show so much at most."""
    count, sides = faces(made.meaning)
    return sides is not None and highest // 2 <= count * sides <= highest


def line(key: str, text: str) -> str:
    """A line of TOML with a text."""
    return f"{key} = {toml_string(text)}"
