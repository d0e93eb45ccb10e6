"""The entries that are proposed for a mechanic load, and their chances are those of dice thrown by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain, product
from pathlib import Path

import pytest

from refgen.game import GameModel, load_game
from refgen.notation.values import Percent
from refgen.proposals.chances import mechanic_entries
from refgen.proposals.draft import GameDraft
from refgen.proposals.mechanics import find_mechanics
from refgen.proposals.tables import find_tables, table_entries
from refgen.readers.document import join_documents
from refgen.readers.read import open_document
from tests.proposals.drafts import FOREIGN, draft_of, foreign_draft, opened

CHECKS = "# Checks\nRoll 2d6 and add your skill. You succeed on 8+.\n"


def built(draft: GameDraft, folder: Path) -> GameModel:
    """The game of a draft: its tables and the entries of its mechanics."""
    sources = (draft.document.source, *draft.document.others)
    for source in sources:
        (folder / source.name).write_text(source.text, encoding="utf-8")
    names = ", ".join(f'"{source.name}"' for source in sources)
    head = f'title = "T"\nabout = "A."\naccent = "#1d4e79"\nsource = "T"\ndocuments = [{names}]\n'
    head += f'document = {{ language = "{draft.language}" }}\n' + ("" if draft.tables else "[tables]\n")
    entries = [*chain.from_iterable(map(table_entries, draft.tables)), *mechanic_entries(draft, find_mechanics(draft))]
    system = [entry.text() for entry in entries if not entry.heading.startswith("[checks")]
    (folder / "system.toml").write_text(head + "".join(system), encoding="utf-8")
    return load_game(folder)


@pytest.fixture
def game_of(tmp_path: Path) -> Callable[..., GameModel]:
    def build(text: str, language: str = "en") -> GameModel:
        game = built(draft_of(text, language), tmp_path)
        assert not game.check().errors
        return game

    return build


def chances(game: GameModel) -> dict[str, list[Fraction]]:
    """The rows of the proposed table, exact, by their first cell."""
    table = game.tables["chances-of-a-check"]
    return {row[0].text: [_fraction(cell.value) for cell in row[1:]] for row in table.rows}


def _fraction(value: object) -> Fraction:
    assert isinstance(value, Percent)
    return value.value


def share(count: int, sides: int, succeeds: Callable[[Sequence[int]], bool]) -> Fraction:
    """The share of all throws of some dice that succeed."""
    throws = list(product(range(1, sides + 1), repeat=count))
    return Fraction(sum(map(succeeds, throws)), len(throws))


def two_dice(goal: int) -> Fraction:
    """The chance that the sum of two dice reaches a goal."""
    return share(2, 6, lambda dice: sum(dice) >= goal)


def fudge_dice(goal: int) -> Fraction:
    """The chance that four Fudge dice reach a goal."""
    return share(4, 3, lambda dice: sum(die - 2 for die in dice) >= goal)


def successes(count: int, face: int, least: int) -> Fraction:
    """The chance that so many dice or more show a face or a higher one."""
    return share(count, 6, lambda dice: sum(die >= face for die in dice) >= least)


def test_a_total_against_a_target(game_of: Callable[..., GameModel]) -> None:
    game = game_of(CHECKS)
    wanted = share(2, 6, lambda dice: sum(dice) >= 8)
    assert chances(game) == {"Bonus +0": [wanted]}
    assert game.actions["check"].chance("Bonus +0") == wanted
    assert game.actions["check"].chance("Bonus +0", modifier=2) == share(2, 6, lambda dice: sum(dice) >= 6)


def test_a_total_that_exceeds_a_number(game_of: Callable[..., GameModel]) -> None:
    game = game_of("# Saves\nRoll a d20 and add the bonus. If the total is greater than 15, the save succeeds.\n")
    assert chances(game) == {"Bonus +0": [Fraction(5, 20)]}
    assert game.actions["check"].chance("Bonus +0", modifier=2) == Fraction(7, 20)


def test_difficulties_in_a_list(game_of: Callable[..., GameModel]) -> None:
    game = game_of(D20.partition("{more}")[0] + "\n# Difficulty\n\n* Easy: 8\n* Hard: 16\n* Mad: 24\n")
    assert chances(game) == {"Bonus +0": [Fraction(13, 20), Fraction(5, 20), Fraction(0)]}


def test_difficulties_that_are_added_to_a_roll(game_of: Callable[..., GameModel]) -> None:
    table = "\nDifficulty | DM\n---|---\nEasy | +2\nRoutine | 0\nHard | -2\n"
    wanted = [two_dice(goal) for goal in (6, 8, 10)]
    assert chances(game_of(CHECKS + table)) == {"Bonus +0": wanted}


def test_a_table_of_numbers_to_reach_with_the_usual_number_in_it(game_of: Callable[..., GameModel]) -> None:
    table = "\nTask | Target\n---|---\nEasy | 6+\nAverage | 8+\nHard | 10+\n"
    assert chances(game_of(CHECKS + table)) == {"Bonus +0": [two_dice(goal) for goal in (6, 8, 10)]}
    assert chances(game_of(CHECKS + table.replace("8+", "7+"))) == {"Bonus +0": [two_dice(8)]}


@pytest.mark.slow
def test_dice_without_faces_are_six_sided_where_the_document_has_those_alone(game_of: Callable[..., GameModel]) -> None:
    throw = "# Tasks\nThrow 2D and add your skill. You succeed on 8+.\n"
    assert chances(game_of(f"{throw}# Encounters\nRoll D66.\n")) == {"Bonus +0": [two_dice(8)]}


def test_a_table_of_modifiers_gives_the_traits(game_of: Callable[..., GameModel]) -> None:
    table = "\n# Skill modifiers\n\nSkill | Modifier\n---|---\n0-2 | -1\n3-5 | +0\n6-8 | +1\n9+ | +2\n"
    wanted = {"0-2": [two_dice(9)], "3-5": [two_dice(8)], "6-8": [two_dice(7)], "9+": [two_dice(6)]}
    assert chances(game_of(CHECKS + table)) == wanted


D20 = (
    "# Checks\nRoll a d20 and add your bonus. The check succeeds if the total equals or exceeds the difficulty.\n"
    "{more}\n\nDifficulty | Number\n---|---\nEasy | 5\nHard | 15\nMad | 25\n"
)


def test_a_total_against_a_table_of_difficulties(game_of: Callable[..., GameModel]) -> None:
    game = game_of(D20.format(more=""))
    assert chances(game) == {"Bonus +0": [Fraction(16, 20), Fraction(6, 20), Fraction(0)]}
    assert game.actions["check"].chance("Bonus +0", "Hard", modifier=3) == Fraction(9, 20)


def test_faces_that_always_succeed_or_fail_are_in_the_odds(game_of: Callable[..., GameModel]) -> None:
    game = game_of(D20.format(more="A natural 20 always succeeds. A natural 1 always fails."))
    assert chances(game) == {"Bonus +0": [Fraction(16, 20), Fraction(6, 20), Fraction(1, 20)]}
    check = game.actions["check"]
    assert [check.chance("Bonus +0", "Easy", modifier) for modifier in (-9, 9)] == [Fraction(7, 20), Fraction(19, 20)]
    assert check.chance("Bonus +0", "Mad", -9) == Fraction(1, 20)


def test_a_roll_at_or_under_a_trait(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Making a character\nRoll 3d6 for each of your abilities.\n\n"
        "# Saves\nRoll a d20. A result equal to or under the ability is a success. "
        "A 1 is always a success, and a 20 is always a failure.\n"
    )
    wanted = {str(trait): [Fraction(trait, 20)] for trait in range(3, 19)}
    assert chances(game) == wanted
    assert game.actions["check"].chance(18, modifier=4) == Fraction(19, 20)
    assert game.actions["check"].chance(3, modifier=-4) == Fraction(1, 20)


def test_ranges_of_percentile_dice_that_always_succeed_or_fail(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Skills\nRoll percentile dice. A result equal to or less than your skill succeeds. "
        "01-05 always succeeds, and 96-00 always fails.\n"
    )
    check = game.actions["check"]
    assert [check.chance(skill) for skill in (1, 50, 99)] == [Fraction(5, 100), Fraction(1, 2), Fraction(95, 100)]
    assert chances(game)["95"] == [Fraction(95, 100)]


def test_a_pool_that_counts(game_of: Callable[..., GameModel]) -> None:
    game = game_of("# Tests\nRoll a pool of six-sided dice. Each 5 or 6 is a success.\n")
    rows = chances(game)
    assert list(rows) == [str(number) for number in range(1, 11)]
    for number in (1, 2, 3, 4):
        wanted = [successes(number, 5, least) for least in (1, 2, 3)]
        assert rows[str(number)] == wanted
    assert game.actions["check"].chance(3, 2) == rows["3"][1]


def test_a_pool_against_a_difficulty(game_of: Callable[..., GameModel]) -> None:
    game = game_of("# Rolls\nRoll a pool of d10. Each die that equals or exceeds the difficulty is a success.\n")
    wanted = [1 - Fraction(goal - 1, 10) ** 3 for goal in range(2, 11)]
    assert chances(game)["3"] == wanted


def test_a_table_of_successes_that_leaves_some_out(game_of: Callable[..., GameModel]) -> None:
    table = "\nDifficulty | Threshold\n---|---\nEasy | 1\nHard | 3\nExtreme | 4\n"
    game = game_of(f"# Tests\nRoll a pool of six-sided dice. Each 5 or 6 is a success.\n{table}")
    assert chances(game)["4"] == [successes(4, 5, least) for least in (1, 3, 4)]


def test_bands_of_results(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Moves\nRoll 2d6 and add the stat, from -1 to +2. "
        "On a 10+, you succeed. On a 7-9, at a cost. On a 6-, you fail.\n"
    )
    wanted = {
        str(stat): [two_dice(10 - stat), two_dice(7 - stat) - two_dice(10 - stat), 1 - two_dice(7 - stat)]
        for stat in range(-1, 3)
    }
    assert chances(game) == wanted
    assert game.actions["check"].chance(1, "Partial success or better") == wanted["1"][0] + wanted["1"][1]


def test_bands_in_a_table(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Moves\nWhen you risk something, roll 2d6 and add the trait.\n\n"
        "Total | Result\n---|---\n10+ | You do it\n7-9 | You pay\n6- | Trouble\n\n"
        "# Traits\nTraits go from -1 to +1.\n"
    )
    assert chances(game) == {
        str(trait): [two_dice(10 - trait), two_dice(7 - trait) - two_dice(10 - trait), 1 - two_dice(7 - trait)]
        for trait in (-1, 0, 1)
    }
    assert game.actions["check"].chance(1, "You pay") == two_dice(6)


def test_the_highest_die_of_a_pool(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Action rolls\nRoll a pool of d6 and take the highest result. 6: you succeed. 4-5: you succeed at a cost. "
        "1-3: it goes badly.\n"
    )
    assert chances(game)["3"] == [
        share(3, 6, lambda dice: max(dice) == 6),
        share(3, 6, lambda dice: 4 <= max(dice) <= 5),
        share(3, 6, lambda dice: max(dice) <= 3),
    ]
    assert game.actions["check"].chance(2, "Partial success or better") == Fraction(3, 4)


def test_a_die_for_each_trait_that_is_rolled_again(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Dice\nEach skill is a die. A die that shows its highest number is rolled again and added.\n\n"
        "Skill | Die\n---|---\nWeak | d4\nFair | d6\nStrong | d8\n\n"
        "Difficulty | Target\n---|---\nEasy | 3\nHard | 5\nMad | 7\n"
    )
    assert chances(game)["Fair"] == [Fraction(4, 6), Fraction(2, 6), Fraction(1, 6)]
    assert chances(game)["Weak"] == [Fraction(2, 4), Fraction(1, 4), Fraction(1, 4) * Fraction(2, 4)]
    assert game.actions["check"].chance("Strong", "Hard", modifier=1) == Fraction(5, 8)


def test_a_ladder_of_signed_levels_is_both_trait_and_difficulty(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# The ladder\n\nName | Rating\n---|---\nGreat | +4\nFair | +2\nPoor | -1\n\n"
        "# Actions\nRoll four Fate dice and add your skill. If the result is at least the difficulty, you succeed.\n"
    )
    assert chances(game)["Fair"][0] == game.actions["check"].chance("Fair", "Great") == fudge_dice(2)


LEVELS = "Level | Value\n---|---\nSure | +1\nPlain | 0\nWeak | -1\n"


@pytest.mark.parametrize(
    "text",
    [
        f"# Keepers\nEach trait of a keeper has a level.\n\n{LEVELS}\n{CHECKS.replace('skill', 'trait')}",
        f"# Skills\n\n{LEVELS}\n{CHECKS}",
    ],
    ids=["by a sentence", "by the head of the words under a title"],
)
def test_a_ladder_of_the_levels_of_traits_is_the_trait(game_of: Callable[..., GameModel], text: str) -> None:
    assert chances(game_of(text)) == {"Sure": [two_dice(7)], "Plain": [two_dice(8)], "Weak": [two_dice(9)]}


@pytest.mark.parametrize(
    "text",
    [
        CHECKS + f"\n# Weather\n\n{LEVELS.replace('Level', 'Storm').replace('Value', 'Modifier')}",
        f"# Nobles\n\n{LEVELS}\n{CHECKS}",
        f"{CHECKS}\n{LEVELS.replace('Value', 'Price')}",
        f"# Skills\n\n{LEVELS}\n{CHECKS.replace('skill', 'skill and your attribute')}",
    ],
    ids=["words of other things", "levels of other things", "prices", "two traits are added"],
)
def test_a_ladder_that_no_words_tie_to_the_roll_is_not_the_trait(game_of: Callable[..., GameModel], text: str) -> None:
    assert chances(game_of(text)) == {"Bonus +0": [two_dice(8)]}


def test_a_difficulty_on_the_ladder(game_of: Callable[..., GameModel]) -> None:
    game = game_of(
        "# Gods\nRoll four Fudge dice and add your skill. Compare with the difficulty on the ladder.\n\n"
        "Adjective | Rating\n---|---\nGood | +1\nFair | 0\nPoor | -1\n"
    )
    assert chances(game)["Fair"] == [fudge_dice(goal) for goal in (1, 0, -1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "checks", "text"),
    [
        ("en", CHECKS, "Skills go from 0 to 2."),
        ("en", CHECKS, "You have three skills. They range from 0 to 2."),
        ("en", CHECKS, "Skills are rated 0 to 2."),
        ("en", CHECKS.replace("skill", "value of the skill"), "Skills are rated 0 to 2."),
        (
            "de",
            "# Proben\nWürfle mit 2W6 und addiere die Fertigkeit. Bei 8 oder mehr gelingt es.",
            "Fertigkeiten reichen von 0 bis 2.",
        ),
        pytest.param(
            "fi",
            "# Testit\nHeitä 2n6 ja lisää taito. Testi onnistuu, kun tulos on vähintään 8.",
            "Taidot ovat väliltä 0-2.",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "pt",
            "# Testes\nRole 2d6 e some a perícia. Com 8 ou mais, é um sucesso.",
            "As perícias vão de 0 a 2.",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "ru",
            "# Проверки\nБросьте 2к6 и прибавьте навык. При 8 или больше проверка успешна.",
            "Навыки бывают от 0 до 2.",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_range_of_the_trait_in_a_sentence(
    game_of: Callable[..., GameModel], language: str, checks: str, text: str
) -> None:
    game = game_of(f"# Helden\n{text}\n\n{checks}\n", language)
    assert chances(game) == {str(trait): [two_dice(8 - trait)] for trait in range(3)}


@pytest.mark.parametrize(
    "text", ["Prices go from 0 to 2.", "Difficulties for skills go from 0 to 2.", "Attributes go from 0 to 2."]
)
def test_the_range_of_something_else(game_of: Callable[..., GameModel], text: str) -> None:
    assert chances(game_of(f"# Heroes\n{text}\n\n{CHECKS}")) == {"Bonus +0": [two_dice(8)]}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "# Proben\nWürfle mit 2W6 und addiere die Fertigkeit. Bei 8 oder mehr gelingt die Probe.\n"),
        pytest.param(
            "fi",
            "# Testit\nHeitä 2n6 ja lisää taito. Testi onnistuu, kun tulos on vähintään 8.\n",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "pt",
            "# Testes\nRole dois dados de seis lados e some a perícia. Com 8 ou mais, é um sucesso.\n",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "ru",
            "# Проверки\nБросьте 2к6 и прибавьте навык. При 8 или больше проверка успешна.\n",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_dice_are_read_as_each_language_writes_them(
    game_of: Callable[..., GameModel], language: str, text: str
) -> None:
    assert list(chances(game_of(text, language)).values()) == [[two_dice(8)]]


def test_entries_have_their_evidence_above_them_and_uncertain_entries_are_comments() -> None:
    draft = draft_of(CHECKS + "\n# Tests\nRoll 2d6 and add your skill. You succeed on 9+.\n")
    entries = mechanic_entries(draft, find_mechanics(draft))
    assert {entry.certain for entry in entries} == {False}
    assert all(line.startswith("# ") for entry in entries for line in entry.text().splitlines())
    evidence = {entry.heading: entry.evidence for entry in entries}
    check = evidence["[actions.check]"]
    assert check[1] == 'dice: "2d6" at rules.md:2:6; target: "8" at rules.md:2:45'
    assert check[-1].startswith("But another place says otherwise: a total of at least the target succeeds")
    assert evidence["[derived.chances-of-a-check]"] == ["Evidence: at [actions.check]."]


DOCUMENTS = Path(__file__).parents[1] / "data" / "documents"


def of_document(name: str, language: str, folder: Path) -> GameModel:
    """The game of one of the documents that nobody has described."""
    document = open_document(DOCUMENTS / name, name)
    ids: set[str] = set()
    return built(GameDraft(document, language, find_tables(document, ids), ids), folder)


@pytest.mark.slow
def test_salt_and_splinter_rolls_d20_against_classes(tmp_path: Path) -> None:
    game = of_document("salt-and-splinter.md", "en", tmp_path)
    assert chances(game)["14–15"][:3] == [Fraction(18, 20), Fraction(13, 20), Fraction(8, 20)]
    assert game.actions["check"].chance("3", "Hard", modifier=2) == Fraction(0)


@pytest.mark.slow
def test_copperline_counts_sixes_against_its_table_of_hits(tmp_path: Path) -> None:
    game = of_document("copperline.html", "en", tmp_path)
    assert chances(game)["4"] == [successes(4, 6, least) for least in (1, 2, 3)]
    assert game.actions["check"].chance(4, "Delicate") == successes(4, 6, 2)


@pytest.mark.slow
def test_the_quiet_parish_rolls_percentile_dice(tmp_path: Path) -> None:
    check = of_document("quiet-parish.txt", "en", tmp_path).actions["check"]
    assert [check.chance(skill) for skill in (1, 47, 100)] == [Fraction(1, 100), Fraction(47, 100), Fraction(99, 100)]


@pytest.mark.slow
def test_nebelgrenze_rolls_two_dice_and_two_ones_always_fail(tmp_path: Path) -> None:
    game = of_document("nebelgrenze.md", "de", tmp_path)
    assert chances(game) == {"Bonus +0": [two_dice(goal) for goal in (7, 9, 11, 13, 15)]}
    assert game.actions["check"].chance("Bonus +0", "leicht", modifier=6) == Fraction(35, 36)


CEPHEUS = ("introduction.html", "character-creation.html", "skills.html")
"""The chapters that say how an action is rolled, and for which values."""


@pytest.mark.slow
def test_cepheus_rolls_two_dice_against_eight(tmp_path: Path) -> None:
    if not FOREIGN.is_dir():
        pytest.skip(f"{FOREIGN} is not here")
    document = join_documents([opened(FOREIGN / "cepheus" / name) for name in CEPHEUS])
    ids: set[str] = set()
    game = built(GameDraft(document, "en", find_tables(document, ids), ids), tmp_path)
    rows = chances(game)
    assert rows["6 through 8"][3] == two_dice(8)
    assert rows["9 through 11"][6] == two_dice(13)
    assert game.actions["check"].chance("6 through 8", "Average", modifier=-2) == two_dice(10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "language"),
    [("cairn-en.md", "en"), ("cairn-brazilian-portuguese.md", "pt-BR"), ("cairn-russian.md", "ru")],
)
def test_cairn_rolls_at_or_under_an_ability(name: str, language: str, tmp_path: Path) -> None:
    game = built(foreign_draft(f"cairn/{name}", language), tmp_path)
    assert chances(game) == {str(ability): [Fraction(ability, 20)] for ability in range(3, 19)}
    assert game.actions["check"].chance(18, modifier=5) == Fraction(19, 20)


@pytest.mark.slow
def test_mausritter_in_finnish_rolls_at_or_under_an_ability(tmp_path: Path) -> None:
    game = built(foreign_draft("mausritter-fi/mausritter-fi.md", "fi"), tmp_path)
    assert chances(game) == {str(ability): [Fraction(ability, 20)] for ability in range(3, 19)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["opend6.html", "opend6-pandoc.md"])
def test_open_d6_adds_a_pool_with_a_wild_die(name: str, tmp_path: Path) -> None:
    rows = chances(built(foreign_draft(f"opend6/{name}"), tmp_path))
    assert rows["1"][:3] == [Fraction(5, 6), Fraction(1, 6), Fraction(2, 36)]
    assert rows["2"][1] == share(2, 6, lambda dice: sum(dice) >= 6)  # with a six on the wild die, five more are sure
    assert rows["2"][2] == share(3, 6, lambda dice: dice[0] + dice[1] + (dice[2] if dice[1] == 6 else 0) >= 11)
