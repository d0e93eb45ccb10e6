"""The ready characters of the five games: legal, whole, and right by the rules: by the tables that the checks hold
against the documents, and by examples of the documents themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import refgen
from refgen.characters.filling import FilledValues
from refgen.characters.sheet import slug
from refgen.files import bundled_folder
from refgen.notation.values import Level
from refgen.resolver.tables.conditions import ConditionStatus, answer_conditions
from tests.conftest import SYSTEMS
from tests.conftest import public_game as game


def level_of(system: str, fact: str) -> Level:
    """The level that a fact names."""
    value = game(system).facts[fact].value
    assert isinstance(value, Level)
    return value


def filled(system: str, values: Mapping[str, Any]) -> FilledValues:
    """What stands on the sheet of a character with these values."""
    return game(system).fill(refgen.Character("A", values))


def lines(character: refgen.Character, list_id: str, field: str) -> dict[int, str]:
    """What is written in a field of a list, by the number of its line."""
    start = f"{list_id}."
    return {
        int(key.split(".")[1]): str(written)
        for key, written in character.values.items()
        if key.startswith(start) and key.endswith(f".{field}")
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_game_has_three_characters_without_a_fault(system: str) -> None:
    assert len(game(system).characters) == 3
    for name, character in game(system).characters.items():
        assert name == slug(character.name)
        assert character.place is not None
        assert Path(character.place.file).name == f"{name}.toml"
        assert game(system).fill(character).faults == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_computed_of_them_is_blank(system: str) -> None:
    """Where a line is written on at all, with what it takes."""
    for character in game(system).characters.values():
        sheet = game(system).sheet(character)
        for part in sheet.parts():
            if part.pattern is None:
                for row in part.rows:
                    blank = [own.name for own in row.fields if own.rule is not None and not own.value]
                    assert blank == [], character.name


class TestAtariIsev:
    """Nine attributes in seven adjectives, two gifts, the wound chart of each Health."""

    system = "atari-isev"

    def test_attributes_have_the_adjectives_in_common_use(self) -> None:
        ladder = game(self.system).ladders["trait"]
        for character in game(self.system).characters.values():
            values = [key for key in character.values if key.startswith("attributes.") and key.endswith(".level")]
            numbers = [found.value for key in values if (found := ladder.find(str(character.values[key])))]
            assert len(numbers) == len(game(self.system).tables["attributes"].rows)
            assert ladder.highest not in numbers

    def test_gifts_are_those_of_the_start(self) -> None:
        start = game(self.system).facts["starting-gifts"].value
        for character in game(self.system).characters.values():
            assert len([key for key in character.values if key.startswith("gifts.")]) == start.value  # type: ignore[union-attr]

    def test_initiative_is_that_of_the_example(self) -> None:
        """Orlin, whose Initiative the document works out."""
        values = {
            f"attributes.{name}.level": level_of(self.system, f"initiative-{name}").name
            for name in ("perception", "agility", "intuition")
        }
        found = filled(self.system, {"character.name": "Orlin", **values})
        assert found.texts["fighting.initiative"] == "−1"
        assert str(found.exact["fighting.initiative"]) == "-2/3"

    def test_basic_damage_is_that_of_the_example(self) -> None:
        """A dagger in a Good hand."""
        facts = game(self.system).facts
        values = {
            "character.name": "Orlin",
            "attributes.strength.level": level_of(self.system, "dagger-strength").name,
            "weapons.1.rating": int(facts["dagger-damage"].text),
        }
        found = filled(self.system, values)
        assert found.texts["weapons.1.damage"] == facts["dagger-in-good-hand"].text

    @pytest.mark.parametrize(
        ("marks", "penalty"), [({}, "0"), ({"hurt": 1}, "−1"), ({"hurt": 1, "very-hurt": 1}, "−2")]
    )
    def test_the_worst_wound_counts(self, marks: dict[str, int], penalty: str) -> None:
        values = {"character.name": "A", **{f"wounds.{name}": count for name, count in marks.items()}}
        assert filled(self.system, values).texts["fighting.wounded"] == penalty


def test_odds_of_a_skill_are_those_of_the_table() -> None:
    table = game("fudge-1995").tables["action-odds"]
    for character in game("fudge-1995").characters.values():
        found = game("fudge-1995").fill(character)
        for line, name in lines(character, "skills", "level").items():
            assert found.exact[f"skills.{line}.odds"] == table[name, "Fair"].exact
            assert found.texts[f"skills.{line}.odds"] == table[name, "Fair"].text


def test_odds_of_a_competency_are_those_printed() -> None:
    table = game("harmonies").tables["odds"]
    for character in game("harmonies").characters.values():
        found = game("harmonies").fill(character)
        for line in lines(character, "competencies", "competency"):
            shown = found.texts[f"competencies.{line}.level"].replace("−", "-")
            printed = table[f"+{shown}" if shown == "0" else shown, "Odds"].value
            assert found.exact[f"competencies.{line}.odds"] == printed.value  # type: ignore[union-attr]


def test_the_level_of_the_acrobat_is_that_of_the_example() -> None:
    facts = game("harmonies").facts
    values = {
        "who.name": "Liveig",
        "attributes.agility": int(facts["example-agility"].text),
        "attributes.maneuver": int(facts["example-maneuver"].text),
        "competencies.1.value": int(facts["example-competency"].text),
        "competencies.1.with": "Agility",
        "competencies.1.and": "Maneuver",
    }
    found = filled("harmonies", values)
    assert found.texts["competencies.1.level"] == facts["example-level"].text


class TestPolyhedralFudge:
    """The dice of the ladder, and a Damage Rating as its table has it."""

    system = "polyhedral-fudge"

    def test_every_level_has_its_die(self) -> None:
        ladder = game(self.system).tables["final-ladder"]
        for character in game(self.system).characters.values():
            found = game(self.system).fill(character)
            for list_id in ("attributes", "skills"):
                for line, name in lines(character, list_id, "level").items():
                    die = next(row[2].text for row in ladder.rows if row[1].text == name)
                    assert found.texts[f"{list_id}.{line}.die"].replace("−", "-") == die

    def test_the_knight_has_the_rating_of_the_example(self) -> None:
        facts = game(self.system).facts
        values = {
            "who.name": "A",
            "damage-rating.damage-capacity": "Great",
            "damage-rating.armor": int(facts["example-armor"].text),
        }
        found = filled(self.system, values)
        assert found.texts["damage-rating.dr"] == facts["example-dr"].text
        assert found.texts["wounds.scratched.from"] == str(int(facts["example-dr"].text) + 1)


class TestInteractiveHistory:
    """Armies and critical junctures as the rules have them."""

    system = "interactive-history"

    def test_armies_are_those_of_the_table_of_every_army(self) -> None:
        table = game(self.system).tables["military-forces"]
        for character in game(self.system).characters.values():
            found = game(self.system).fill(character)
            wanted = [str(character.values[key]) for key in ("society.orientation", "society.scope")]
            for line, kind in lines(character, "armies", "type").items():
                infrastructure = str(character.values[f"armies.{line}.infrastructure"])
                (row,) = (
                    row for row in table.rows if [cell.text for cell in row[:3]] == [kind, wanted[0], infrastructure]
                )
                (scope,) = (place for place, column in enumerate(table.columns) if column.title == wanted[1])
                assert found.texts[f"armies.{line}.force"] == row[3].text.replace("-", "−")
                assert found.exact[f"armies.{line}.men"] == row[scope].exact
                assert found.texts[f"armies.{line}.men"] == row[scope].text

    def test_from_a_bound_only_a_bound_follows(self) -> None:
        values = {"society.name": "All", "society.scope": "Vast", "society.orientation": "Survival"}
        values |= {"armies.1.type": "Standing", "armies.1.infrastructure": "Professional"}
        found = filled(self.system, values)
        assert (
            found.texts["armies.1.men"] == game(self.system).tables["military-forces"].rows[0][5].text == ">1,500,000"
        )

    def test_professionals_are_paid_for(self) -> None:
        """A society whose wealth is less strains its economy by keeping them."""
        least = level_of(self.system, "professionals-wealth").value
        ladder = game(self.system).ladders["skill"]
        for character in game(self.system).characters.values():
            kept = [
                line
                for line, kind in lines(character, "armies", "type").items()
                if kind == "Standing" and character.values[f"armies.{line}.infrastructure"] == "Professional"
            ]
            wealth = ladder.find(str(character.values["determinants.wealth"]))
            assert wealth is not None
            assert not kept or wealth.value >= least

    @pytest.mark.parametrize("name", ["the-salt-league", "ashen-hold", "orrin-vale"])
    def test_critical_junctures_are_those_that_the_conditions_answer(self, name: str) -> None:
        character = game(self.system).characters[name]
        shown = game(self.system).fill(character).texts
        traits = ["consent", "power", "authority", "wealth"]
        asked = [f"{name.capitalize()}={character.values[f'determinants.{name}']}" for name in traits]
        _, answered = answer_conditions(game(self.system).ruleset, asked)
        met = {answer.entry.cell.text: answer.answer is ConditionStatus.HOLDS for answer in answered}
        for field, trait in (
            ("tyranny", "Authority"),
            ("no-consent-or-power", "Consent"),
            ("ruined-economy", "Wealth"),
        ):
            (wanted,) = (is_met for text, is_met in met.items() if trait in text)
            assert shown[f"critical-junctures.{field}"] == ("yes" if wanted else "–")


@pytest.mark.slow
def test_what_is_wrong_with_a_ready_character_is_reported_by_the_check(tmp_path: Path) -> None:
    copytree(bundled_folder("content") / "harmonies", tmp_path / "harmonies")
    path = tmp_path / "harmonies" / "characters" / "maelle-orsk.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('with = "Precision"', 'with = "Precison"', 1), encoding="utf-8")
    (error,) = refgen.project(tmp_path).check("harmonies").errors
    assert str(error).startswith("harmonies/characters/maelle-orsk.toml:")
    assert "Precision" in error.hint
