"""Lists of attributes and of skills, as documents print them."""

from __future__ import annotations

import pytest

from refgen.proposals.traits import TraitList, find_traits
from tests.proposals.drafts import DOCUMENTS, document_draft, draft_of, foreign_draft


def names(found: TraitList | None) -> list[str]:
    return [] if found is None else [f"{trait.name} {trait.short}".strip() for trait in found.traits]


BODY = ["Body", "Wits", "Heart"]


@pytest.mark.parametrize(
    ("text", "language", "attributes"),
    [
        ("You have three attributes: Body, Wits, and Heart. Roll for each.", "en", BODY),
        ("Es gibt drei Eigenschaften: Body, Wits und Heart.", "de", BODY),
        ("Your attributes.\n\n- **Body**: lift\n- **Wits**: think\n- **Heart**: love\n", "en", BODY),
        ("## Ominaisuudet\n\n- Body: lift\n- Wits: think\n- Heart: love\n", "fi", BODY),
        ("## Attributes\n\n* Body means lifting\n* Wits means thinking\n* Heart means love\n", "en", BODY),
        ("| Attribute | Use |\n|--|--|\n| Body | lift |\n| Wits | think |\n| Heart | love |\n", "en", BODY),
        (
            "Характеристики: сила (STR), ловкость (DEX) и сила воли (WIL). Бросок.",
            "ru",
            ["сила STR", "ловкость DEX", "сила воли WIL"],
        ),
        (
            "Roll for Body (BOD), Wits (WIT) and Heart (HEA).\n\nOn a bad day BOD, WIT and HEA fall.",
            "en",
            ["Body BOD", "Wits WIT", "Heart HEA"],
        ),
    ],
)
def test_attributes(text: str, language: str, attributes: list[str]) -> None:
    found = find_traits(draft_of(f"# Game\n\n{text}\n", language))
    assert (names(found.attributes), found.skills) == (attributes, None)


SKILLS = ["Boats", "Lies", "Knots", "Songs"]


@pytest.mark.parametrize(
    "text",
    [
        "| Skill | Start |\n|--|--|\n" + "".join(f"| {name} | 5 |\n" for name in SKILLS),
        "| Sea Skills | Land Skills |\n|--|--|\n| Boats | Lies |\n| Knots | Songs |\n| | Lies |\n",
        "## Skills\n\n" + "".join(f"- {name}: words\n" for name in SKILLS),
        "## Skills\n\n" + "".join(f"### {name} (Basic Skill)\n\nWords.\n\n" for name in SKILLS),
        "The skills: Boats, Lies, Knots and Songs.",
    ],
)
def test_skills(text: str) -> None:
    found = find_traits(draft_of(f"# Game\n\n{text}\n"))
    assert (found.attributes, sorted(names(found.skills))) == (None, sorted(SKILLS))


@pytest.mark.parametrize(
    "text",
    [
        "Hit Protection (HP), Armor (AR) and Damage (DM) matter.",
        "There are attributes: many, few, or none.",
        "| Ability | Cost |\n|--|--|\n| Sense | 1 |\n| Sight | 2 |\n| Flight | 3 |\n",
        "| Vehicle | Skill |\n|--|--|\n| Car | Drive |\n| Van | Drive |\n| Bike | Ride |\n| Boat | Sail |\n",
        "## Skills\n\n### Skill Checks\n\nA.\n\n### Boats\n\nB.\n\n### Gaining Skills\n\nC.\n\n### More\n\nD.\n",
        "## Attribute dice\n\n- 8 dice: weak\n- 9 dice: fair\n- 10 dice: strong\n",
    ],
)
def test_further_lists_are_neither(text: str) -> None:
    found = find_traits(draft_of(f"# Game\n\n{text}\n"))
    assert (found.attributes, found.skills) == (None, None)


def test_a_list_says_where_it_stands() -> None:
    found = find_traits(draft_of("# Game\n\nTwo words, three attributes: Body, Wits and Heart.\n")).attributes
    assert found is not None
    assert found.evidence == "3 attributes, Body, Wits, Heart …, in the text at rules.md:3:12"
    assert [str(trait.place) for trait in found.traits] == ["rules.md:3:30", "rules.md:3:36", "rules.md:3:45"]


@pytest.mark.parametrize(
    ("name", "attributes", "skills"),
    [
        ("nebelgrenze.md", ["Kraft", "Geschick", "Verstand", "Auftreten"], 8),
        ("copperline.html", ["Nerve", "Ear", "Tongue", "Fingers"], 8),
        (
            "salt-and-splinter.md",
            ["Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma"],
            0,
        ),
        (
            "quiet-parish.txt",
            [
                *("Strength STR", "Constitution CON", "Dexterity DEX", "Appearance APP", "Power POW"),
                *("Size SIZ", "Education EDU"),
            ],
            14,
        ),
    ],
)
def test_the_traits_of_games_that_nobody_has_described(name: str, attributes: list[str], skills: int) -> None:
    found = find_traits(document_draft(DOCUMENTS / name))
    assert (names(found.attributes), len(names(found.skills))) == (attributes, skills)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "language", "attributes", "skills"),
    [
        ("cairn/cairn-en.md", "en", ["Strength STR", "Dexterity DEX", "Willpower WIL"], 0),
        ("cairn/cairn-brazilian-portuguese.md", "pt-BR", ["Força FOR", "Destreza DES", "Força de Vontade VON"], 0),
        ("cairn/cairn-russian.md", "ru", ["сила STR", "ловкость DEX", "сила воли WIL"], 0),
        ("cairn/cairn-turkish.md", "tr", ["Güç GÜÇ", "Çeviklik ÇEV", "İrade İRD"], 0),
        ("mausritter-fi/mausritter-fi.md", "fi", ["STR", "DEX", "WIL"], 0),
        ("opend6/opend6.html", "en", ["Might", "Agility", "Wit", "Charm"], 38),
        ("opend6/opend6.odt", "en", ["Might", "Agility", "Wit", "Charm"], 38),
        ("cepheus/skills.html", "en", [], 67),
        ("cepheus/psionics.html", "en", [], 0),
    ],
)
def test_the_traits_of_other_games(name: str, language: str, attributes: list[str], skills: int) -> None:
    found = find_traits(foreign_draft(name, language))
    assert (names(found.attributes), len(names(found.skills))) == (attributes, skills)
