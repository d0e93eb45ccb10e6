"""The chances of a game, proposed: facts, rolls, actions, computed tables and explorers for its mechanics.

In: a GameDraft and its Mechanics. Out: Entries of system.toml. Numbers of rules are facts and cells, which the formulas
name; a bonus that no table lists stands at +0, for the author to add others. Entries of a mechanic that is not certain,
or of which a sentence does not find a value, are not certain either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.export.model import toml_string
from refgen.notation.printed_cell import NotationName
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.mechanic_facts import FactWriter
from refgen.proposals.mechanic_tables import trait_table
from refgen.proposals.mechanics import Family, Mechanic
from refgen.proposals.outcomes import faces
from refgen.proposals.phrases import phrases_of
from refgen.proposals.prose import PrintedValue

POOL = "numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
"""The pools that are shown."""

_PERCENTILES = f"numbers = [{', '.join(map(str, range(5, 100, 5)))}]"
_SUCCESSES = '{ id = "difficulty", title = "Successes", numbers = [1, 2, 3] }'
_MOST_RESULTS = 25
"""The widest dice whose results are shown one by one."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """The chances of a mechanic: the axis of ``rows``, what stands ``across``, and the formulas, as lines of TOML."""

    rows: str
    lines: Sequence[str]
    rule: str


@dataclass(frozen=True, slots=True)
class _Action:
    """The action of a mechanic: its roll, the axis of its difficulties ("": none), and why it is not certain ("")."""

    roll: str
    trait: str
    difficulty: str = ""
    doubt: str = ""


def mechanic_entries(draft: GameDraft, mechanics: Sequence[Mechanic]) -> Sequence[Entry]:
    """The entries of some mechanics: facts, ladders, rolls, actions, computed tables and explorers, in this order."""
    entries = [entry for mechanic in mechanics for entry in _Writer(draft, mechanic).entries()]
    order = ("[facts", "[ladders", "[rolls", "[actions", "[derived", "[explorers")
    return sorted(
        entries, key=lambda entry: next(at for at, head in enumerate(order) if entry.heading.startswith(head))
    )


@dataclass
class _Writer:
    """Writes the entries of one mechanic."""

    draft: GameDraft
    mechanic: Mechanic
    ladders: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.facts = FactWriter(self.draft)
        self.dice = f"{{{self._fact('dice', 'Dice of a check', 'dice')}}}"
        self.named: dict[str, str] = {}

    def entries(self) -> Iterator[Entry]:
        """All entries of the mechanic."""
        kinds: Mapping[Family, Callable[[], tuple[_Action, _Grid]]] = {
            Family.TARGET: self._target,
            Family.DIFFICULTY: self._difficulty,
            Family.UNDER: self._under,
            Family.COUNT: self._count,
            Family.SUM: self._sum,
            Family.BANDS: self._bands,
        }
        action, grid = kinds[self.mechanic.family]()
        certain = self.mechanic.certain and self.facts.found
        evidence = self.mechanic.evidence
        yield from self.facts.entries(certain=certain)
        yield from self.ladders
        if self.mechanic.family not in (Family.COUNT, Family.SUM):
            title = toml_string(self.mechanic.dice.meaning)
            yield Entry(
                f"[rolls.{self.draft.new_id('check-roll', 'roll')}]",
                [f"title = {title}", _line("roll", self.dice)],
                evidence,
                certain,
            )
        yield self._action_entry(action, certain)
        table = self.draft.new_id("chances-of-a-check", "chances")
        title = toml_string("Chances of a check")
        lines = [f"title = {title}", _line("rule", grid.rule), f"rows = [{grid.rows}]", *grid.lines]
        yield Entry(f"[derived.{table}]", lines, evidence, certain)
        yield Entry(
            f"[explorers.{self.draft.new_id('your-chances', 'explorer')}]", [f'table = "{table}"'], evidence, certain
        )

    def _action_entry(self, action: _Action, certain: bool) -> Entry:
        lines = ['title = "Check"', _line("roll", action.roll), f"trait = {action.trait}"]
        lines += [f"difficulty = {action.difficulty}"] if action.difficulty else []
        evidence = [*self.mechanic.evidence, *([action.doubt] if action.doubt else [])]
        return Entry(f"[actions.{self.draft.new_id('check', 'check')}]", lines, evidence, certain and not action.doubt)

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
        title = "Always a success" if role == "always" else "Never a success"
        if role in self.mechanic.values and "-" in self.mechanic.values[role].meaning:
            return f"{end}({self._name(role, title, 'interval')})"
        return self._name(role, title)

    def _target(self) -> tuple[_Action, _Grid]:
        trait, term = self._trait()
        goal, added, table = self._name("target", "Target"), term, self.mechanic.difficulties
        reached = f"{term} + {{modifier}}"
        roll = f"{self.dice} + {reached} - {goal}"
        if faces_limit := self._limited(f"{goal} - {term} - {{modifier}}"):
            roll = f"{self.dice} - {faces_limit}"
        rule = f"{self.dice} and all modifiers come to {goal} or more."
        if table is None:
            lines = [_column("success", "Success", self._reaches(added, goal))]
        else:
            added = f"{term} + {{difficulty.{table.number}}}"
            lines = [
                f'across = {{ id = "difficulty", title = "Difficulty", of = "{table.table}.{table.words}" }}',
                _line("cell", self._reaches(added, goal)),
            ]
        return _Action(roll, trait), _Grid(trait, lines, rule)

    def _difficulty(self) -> tuple[_Action, _Grid]:
        trait, term = self._trait()
        table, across = self.mechanic.difficulties, self._each_result()
        goal, difficulty = "{difficulty}", across
        if table is not None:
            across = f'{{ id = "difficulty", title = "Difficulty", of = "{table.table}.{table.words}" }}'
            goal = f"low({{difficulty.{table.number}}})" if table.intervals else f"{{difficulty.{table.number}}}"
            difficulty = across if table.intervals else self._ladder()
        limited = self._limited(f"{goal} - {term}")
        doubt = "A roll of an action cannot say that some faces always succeed or fail." if limited else ""
        if table is not None and table.intervals:
            doubt = "Its difficulties are ranges: an action needs numbers."
        action = _Action(f"{self.dice} + {term} + {{modifier}}", trait, difficulty, doubt)
        lines = [f"across = {across}", _line("cell", self._reaches(term, goal))]
        return action, _Grid(trait, lines, f"{self.dice} and all modifiers reach the difficulty.")

    def _under(self) -> tuple[_Action, _Grid]:
        always, never = self._edge("always", "high"), self._edge("never", "low")

        def limit(trait: str) -> str:
            if always and never:
                return f"clamp({trait}, {always}, {never} - 1)"
            return f"max({trait}, {always})" if always else f"min({trait}, {never} - 1)" if never else trait

        count, sides = faces(self.mechanic.dice.meaning)
        low, high = self._ends_of_trait(count * (sides or 1))
        trait = f'{{ id = "trait", title = "Trait", low = "{low}", high = "{high}" }}'
        is_wide = count * (sides or 1) > _MOST_RESULTS
        rows = f'{{ id = "trait", title = "Trait", {_PERCENTILES} }}' if is_wide else trait
        lines = [_column("success", "Success", f"chance({self.dice} <= {limit('{trait}')})")]
        roll = f"{limit('{trait} + {modifier}')} - {self.dice}"
        return _Action(roll, trait), _Grid(rows, lines, f"{self.dice} shows the trait or less.")

    def _count(self) -> tuple[_Action, _Grid]:
        trait = f'{{ id = "trait", title = "Dice", {POOL} }}'
        pool = f"repeat({{trait}} + {{modifier}}, {self.dice})"
        if "success" not in self.mechanic.values:
            ends = f'low = "lowest({self.dice}) + 1", high = "highest({self.dice})"'
            across = f'{{ id = "difficulty", title = "Difficulty", {ends} }}'
            cell = f"chance(count(repeat({{trait}}, {self.dice}) >= {{difficulty}}) >= 1)"
            doubt = "A roll of an action cannot say which faces succeed at each difficulty."
            action = _Action(f"count({pool} >= {{difficulty}})", trait, across, doubt)
            lines = [f"across = {across}", _line("cell", cell)]
            return action, _Grid(trait, lines, "One die or more shows the difficulty.")
        notation: NotationName = "interval" if len(_numbers(self.mechanic.values["success"])) > 1 else "number"
        success = self._name("success", "Faces that succeed", notation)
        least = f"low({success})" if notation == "interval" else success
        cell = f"chance(count(repeat({{trait}}, {self.dice}) >= {least}) >= {{difficulty}})"
        lines = [f"across = {_SUCCESSES}", _line("cell", cell)]
        return _Action(f"count({pool} >= {least})", trait, _SUCCESSES), _Grid(
            trait, lines, f"So many dice or more of a pool of {self.dice} show {success} or better."
        )

    def _sum(self) -> tuple[_Action, _Grid]:
        trait = f'{{ id = "trait", title = "Dice", {POOL} }}'

        def pool(number: str) -> str:
            if self.mechanic.wild is None:
                return f"repeat({number}, {self.dice})"
            return f"repeat({number} - 1, {self.dice}) + explode({self.dice})"

        table = self.mechanic.difficulties
        across, goal = (
            '{ id = "difficulty", title = "Number to reach", numbers = [5, 10, 15, 20, 25, 30] }',
            "{difficulty}",
        )
        rule = "The sum of the dice reaches the number."
        roll = _Action(pool("{trait} + {modifier}"), trait, across)
        if table is not None:
            across = f'{{ id = "difficulty", title = "Difficulty", of = "{table.table}.{table.words}" }}'
            goal = f"low({{difficulty.{table.number}}})" if table.intervals else f"{{difficulty.{table.number}}}"
            rule = f"The sum of the dice reaches the {'least ' if table.intervals else ''}number of the difficulty."
        lines = [f"across = {across}", _line("cell", f"chance({pool('{trait}')} >= {goal})")]
        return roll, _Grid(trait, lines, rule)

    def _bands(self) -> tuple[_Action, _Grid]:
        trait, term = self._trait()
        high, middle = self._name("high", "Full success"), self._name("middle", "Partial success", "interval")
        total = f"{self.dice} + {term}"
        columns = (
            ("full", "Full success", f"chance({total} >= {high})"),
            ("partial", "Partial success", f"chance({total} in {middle})"),
            ("miss", "Miss", f"chance({total} < low({middle}))"),
        )
        options = f'{{ "Full success" = "{high}", "Partial success or better" = "low({middle})" }}'
        difficulty = f'{{ id = "difficulty", title = "Result", options = {options} }}'
        action = _Action(f"{total} + {{modifier}}", trait, difficulty)
        lines = ["columns = [", *(f"  {_column_table(*column)}," for column in columns), "]"]
        return action, _Grid(trait, lines, f"{self.dice} and the bonus: {high} or more, {middle}, or less.")

    def _trait(self) -> tuple[str, str]:
        """The axis of what is added to a roll, and the number that each entry of the axis adds."""
        table = trait_table(self.draft, phrases_of(self.draft.language))
        if table is not None:
            axis = f'{{ id = "trait", title = "Trait", of = "{table.table}.{table.score}" }}'
            return axis, f"{{trait.{table.modifier}}}"
        levels = self.mechanic.difficulties
        if faces(self.mechanic.dice.meaning)[1] == 1 and levels is not None and not levels.intervals:
            return (
                f'{{ id = "trait", title = "Trait", of = "{levels.table}.{levels.words}" }}',
                f"{{trait.{levels.number}}}",
            )
        if (ends := self.mechanic.trait_range) is not None:
            low, high = (
                self.facts.fact(title, [value])
                for title, value in zip(("Lowest trait", "Highest trait"), ends, strict=True)
            )
            return f'{{ id = "trait", title = "Trait", low = "{{{low}}}", high = "{{{high}}}" }}', "{trait}"
        return '{ id = "trait", title = "Bonus", options = { "Bonus +0" = "0" } }', "{trait}"

    def _ends_of_trait(self, highest: int) -> tuple[str, str]:
        """The formulas of the lowest and highest trait that is rolled against."""
        made = self.mechanic.attributes
        if made is not None and _fits(made, highest):
            dice = self.facts.fact("Dice of a trait", [made], "dice")
            return f"lowest({{{dice}}})", f"highest({{{dice}}})"
        return f"lowest({self.dice})", f"highest({self.dice})"

    def _ladder(self) -> str:
        """The axis of the difficulties as a ladder of its own."""
        table = self.mechanic.difficulties
        assert table is not None
        ladder = self.draft.new_id("difficulty", "difficulty")
        lines = [f'table = "{table.table}"', f'level = "{table.words}"', f'value = "{table.number}"']
        certain = self.mechanic.certain
        self.ladders.append(Entry(f"[ladders.{ladder}]", lines, [f"Difficulties: {table.place}"], certain))
        return f'{{ id = "difficulty", title = "Difficulty", ladder = "{ladder}" }}'

    def _each_result(self) -> str:
        """An axis of the numbers that the dice may show."""
        count, sides = faces(self.mechanic.dice.meaning)
        if count * (sides or 1) > _MOST_RESULTS:
            return f'{{ id = "difficulty", title = "Number to reach", {_PERCENTILES} }}'
        return f'{{ id = "difficulty", title = "Number to reach", low = "lowest({self.dice})", high = "highest({self.dice})" }}'

    def _reaches(self, added: str, goal: str) -> str:
        """The chance that the dice and what is added reach a goal, or show a face that always succeeds."""
        if limited := self._limited(f"{goal} - ({added})"):
            return f"chance({self.dice} >= {limited})"
        return f"chance({self.dice} + {added} >= {goal})"

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


def _numbers(value: PrintedValue) -> Sequence[str]:
    """The numbers that stand in a printed value: two in "5 or 6"."""
    return [word for word in value.passage.text.replace("-", " ").split() if any(map(str.isdigit, word))]


def _line(key: str, text: str) -> str:
    return f"{key} = {toml_string(text)}"


def _column(column: str, title: str, formula: str) -> str:
    return f"columns = [{_column_table(column, title, formula)}]"


def _column_table(column: str, title: str, formula: str) -> str:
    return f'{{ id = "{column}", title = {toml_string(title)}, formula = {toml_string(formula)} }}'
