"""How documents write numbers and dice: what columns show, what a game says, and its project where it does not."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

import refgen
from refgen.cli import main
from refgen.notation.values import Interval, Number

HEAD = """title = "Preise"
about = "Ein Spiel."
{document}
accent = "#1d4e79"
source = "Autor"

[tables.prices]
title = "Preise"
header = ["Ware", "Preis"]
columns = [{{ id = "goods" }}, {{ id = "price", type = "{type}" }}]
"""


def game(
    folder: Path, prices: list[str], document: str = 'document = "rules.md"', kind: str = "number", more: str = ""
) -> Path:
    """The folder of a game with a table of prices, in a project of its own."""
    made = folder / "content" / "preise"
    made.mkdir(parents=True)
    (folder / "refgen.toml").touch()
    rows = "".join(f"| Ware {number} | {price} |\n" for number, price in enumerate(prices))
    (made / "rules.md").write_text(f"# Preise\n\n{more}\n\n| Ware | Preis |\n|---|---|\n{rows}", encoding="utf-8")
    (made / "system.toml").write_text(HEAD.format(document=document, type=kind), encoding="utf-8")
    return made


def read(folder: Path) -> list[object]:
    """The prices of a game as they are read."""
    return [cell.plain_value for cell in refgen.load(folder).tables["prices"].column("price")]


def found(folder: Path) -> list[str]:
    """What `refgen check` finds of a project's game, each with its place."""
    checked = CliRunner().invoke(main, ["check", "--project", str(folder), "--format", "json"])
    assert checked.exit_code in (0, 1)
    report = json.loads(checked.stdout)
    assert report["errors"] == []
    return [f"{one['span']['line']}:{one['span']['column']}: {one['message']}" for one in report["findings"]]


@pytest.mark.parametrize(
    ("prices", "values"),
    [
        (["1,250", "2,500", "0,125"], [Fraction(5, 4), Fraction(5, 2), Fraction(1, 8)]),
        (["1.250", "0.125"], [Fraction(5, 4), Fraction(1, 8)]),
        (["1,250", "2.5"], [1250, Fraction(5, 2)]),
        (["1,250", "1,250,000"], [1250, 1_250_000]),
        (["1.250", "1.250.000"], [1250, 1_250_000]),
        (["1.250", "3.125,75"], [1250, Fraction(12503, 4)]),
    ],
)
def test_a_column_that_shows_its_mark_is_read_by_it(tmp_path: Path, prices: list[str], values: list[object]) -> None:
    assert read(game(tmp_path, prices)) == values
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("prices", "other", "either"), [(["7", "1,250", "2,500"], "1.250", 2), (["7", "1.250"], "1250", 1)]
)
def test_what_a_column_cannot_decide_is_a_finding_until_the_game_says(
    tmp_path: Path, prices: list[str], other: str, either: int
) -> None:
    game(tmp_path / "open", prices)
    many = f", of which {either} may be either," if either > 1 else ""
    assert found(tmp_path / "open") == [
        f"8:12: Preise, row Ware 1, column Preis: {prices[1]} may be {other} as well: no number of its column{many} "
        'tells which; say numbers = "1.5" or "1,5" in [document].'
    ]
    for numbers, value in [("1.5", 1250), ("1,5", Fraction(5, 4))]:
        said = game(tmp_path / numbers, ["1,250"], f'document = {{ file = "rules.md", numbers = "{numbers}" }}')
        assert read(said) == [value]
        assert found(tmp_path / numbers) == []


def test_a_zero_before_thousands_is_no_number(tmp_path: Path) -> None:
    made = game(tmp_path, ["1,250", "0,125"], 'document = { file = "rules.md", numbers = "1.5" }')
    with pytest.raises(refgen.RefgenError, match='"0,125" is not a number'):
        read(made)


@pytest.mark.parametrize(
    ("project", "document", "value"),
    [
        ('numbers = "1,5"', "", Fraction(5, 4)),
        ('language = "de"', "", Fraction(5, 4)),
        ('language = "de"', 'language = "en"', 1250),
        ('language = "de"', 'numbers = "1.5"', 1250),
        ('numbers = "1,5"', 'language = "en"', 1250),
        ('language = "en"\nnumbers = "1,5"', 'dice_letters = ["W"]', Fraction(5, 4)),
        ("", 'language = "es-MX"', 1250),
        ("", 'language = "es"', Fraction(5, 4)),
    ],
)
def test_a_game_goes_before_its_project_key_by_key(tmp_path: Path, project: str, document: str, value: object) -> None:
    said = f'document = {{ file = "rules.md"{", " * bool(document)}{document} }}'
    made = game(tmp_path, ["1,250"], said)
    (tmp_path / "refgen.toml").write_text(f"[document]\n{project}\n", encoding="utf-8")
    assert read(made) == [value]
    assert found(tmp_path) == []
    shown = CliRunner().invoke(main, ["tables", "preise/prices", "--format", "json", "--project", str(tmp_path)])
    assert f'"value": "{value}"' in shown.stdout


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ('language = "deutsch"', '"deutsch" is no language'),
        ('numbers = "1/2"', "this is not"),
        ('dice_letters = ["WW"]', '"WW" is not one letter'),
        ('file = "rules.md"', 'unknown key "document.file"'),
    ],
)
def test_settings_that_say_nothing_are_refused(tmp_path: Path, said: str, message: str) -> None:
    game(tmp_path, ["1"])
    (tmp_path / "refgen.toml").write_text(f"[document]\n{said}\n", encoding="utf-8")
    checked = CliRunner().invoke(main, ["check", "--project", str(tmp_path)])
    assert checked.exit_code == 2
    assert message in checked.stderr
    assert "refgen.toml:" in checked.stderr


@pytest.mark.parametrize(
    "document",
    [
        'document = { file = "rules.md", numbers = "1,5", dice_letters = ["W", "к"] }',
        'document = { file = "rules.md", language = "de", dice_letters = ["к"] }',
    ],
)
def test_dice_and_numbers_of_a_document_are_read_as_it_writes_them(tmp_path: Path, document: str) -> None:
    more = "Man würfelt 2W6+1 und läuft 1,5 Meter, höchstens 1.250 Schritte, bei 12,5% Gefälle."
    made = game(tmp_path, ["3W6", "2к10", "d8"], document, "dice", more)
    (made / "system.toml").write_text(
        (made / "system.toml").read_text(encoding="utf-8")
        + """
[facts]
roll = { title = "Wurf", text = "würfelt {roll} und läuft {metres} Meter, höchstens {steps} Schritte", type = "dice" }
metres = { title = "Meter" }
steps = { title = "Schritte" }
slope = { title = "Gefälle", text = "1.250 Schritte, bei {slope} Gefälle", type = "percent" }

[derived.half]
kind = "grid"
title = "Half"
rule = "Half of {steps}."
rows = [{ id = "steps", title = "Steps", facts = { steps = "Steps" } }]
columns = [{ id = "mean", title = "Mean", formula = "mean({roll}) + {metres}", places = 1, show = "number" }]
""",
        encoding="utf-8",
    )
    assert found(tmp_path) == []
    loaded = refgen.load(made)
    values = {name: (fact.text, fact.value) for name, fact in loaded.facts.items()}
    assert {name: text for name, (text, _) in values.items()} == {
        "roll": "2W6+1",
        "metres": "1,5",
        "steps": "1.250",
        "slope": "12,5%",
    }
    assert [getattr(loaded.facts[name].value, "value", None) for name in ("metres", "steps", "slope")] == [
        Fraction(3, 2),
        1250,
        Fraction(1, 8),
    ]
    dice = [getattr(cell.value, "expression", None) for cell in loaded.tables["prices"].column("price")]
    assert dice == ["3d6", "2d10", "d8"]
    assert [cell.exact for cell in loaded.tables["half"].column("mean")] == [Fraction(19, 2)]


@pytest.mark.parametrize(
    ("project", "own"),
    [
        ('dice_letters = ["W"]', ""),
        ('dice_letters = ["T"]', ', dice_letters = ["W"]'),
        ('language = "de"', ""),
        ('language = "fi"', ', language = "de"'),
    ],
)
def test_formulas_have_the_letters_of_dice_too(tmp_path: Path, project: str, own: str) -> None:
    made = game(tmp_path, ["1"], f'document = {{ file = "rules.md"{own} }}')
    (tmp_path / "refgen.toml").write_text(f"[document]\n{project}\n", encoding="utf-8")
    with (made / "system.toml").open("a", encoding="utf-8") as file:
        file.write(
            '[rolls.best]\ntitle = "Best"\nroll = "4W6 drop lowest"\n'
            '[derived.sums]\nkind = "odds"\ntitle = "Sums"\ndice = "2W6"\n'
        )
    loaded = refgen.project(tmp_path).games["preise"]
    assert loaded.ruleset.spec.rolls["best"].roll == "4d6kh3"
    assert loaded.named_rolls["best"].reaching(24).mean == Fraction(15869, 1296)
    assert len(loaded.tables["sums"].rows) == 11


def test_odds_take_the_letters_of_the_project_alone(tmp_path: Path) -> None:
    def odds(dice: str, *more: str) -> dict[str, object]:
        given = ["odds", dice, *more, "--format", "json", "--project", str(tmp_path)]
        shown = CliRunner().invoke(main, given)
        return dict(json.loads(shown.stdout)) if shown.exit_code == 0 else {"error": shown.stderr}

    game(tmp_path, ["1"], 'document = { file = "rules.md", dice_letters = ["W"] }')
    assert "cannot read the dice" in str(odds("2W6")["error"])
    (tmp_path / "refgen.toml").write_text('[document]\ndice_letters = ["T", "k"]\n', encoding="utf-8")
    assert odds("2T6 + 4k6k3")["dice"] == "2d6 + 4d6kh3"
    assert odds("T20 vs 2T10")["against"] == "2d10"
    assert odds("T20", "--against", "2T10") == odds("T20 vs 2T10")
    assert odds("2k6+1 vs 8") == odds("2d6+1", "--at-least", "8")
    assert "Give either DICE vs" in str(odds("T20 vs 8", "--at-least", "8")["error"])
    (tmp_path / "refgen.toml").write_text('[document]\nlanguage = "de"\n', encoding="utf-8")
    assert odds("2W6")["dice"] == "2d6"


@pytest.mark.parametrize(
    ("project", "own"),
    [
        ('[document]\nlanguage = "de"', ""),
        ('[output]\nlanguage = "de"', ""),
        ("", ', language = "de"'),
        ('[document]\nlanguage = "fi"', ', language = "de"'),
    ],
)
def test_odds_take_the_letters_of_the_language_of_the_pages(tmp_path: Path, project: str, own: str) -> None:
    game(tmp_path, ["1"], f'document = {{ file = "rules.md"{own} }}')
    (tmp_path / "refgen.toml").write_text(f"{project}\n", encoding="utf-8")
    for dice, printed in {"2w6": "2d6", "２Ｗ６−1": "2d6-1", "4WF": "4dF", "-w6": "-d6", "W20 adv": "2d20kh1"}.items():
        shown = CliRunner().invoke(main, ["odds", dice, "--format", "json", "--project", str(tmp_path)])
        assert json.loads(shown.stdout)["dice"] == printed


def test_odds_take_no_letters_where_the_games_are_in_two_languages(tmp_path: Path) -> None:
    made = game(tmp_path, ["1"], 'document = { file = "rules.md", language = "de" }')
    copytree(made, made.with_name("prix"))
    system = made.with_name("prix") / "system.toml"
    system.write_text(system.read_text(encoding="utf-8").replace('"de"', '"fi"'), encoding="utf-8")
    (tmp_path / "refgen.toml").touch()
    shown = CliRunner().invoke(main, ["odds", "2w6", "--project", str(tmp_path)])
    assert (shown.exit_code, "cannot read the dice" in shown.stderr) == (2, True)
    assert CliRunner().invoke(main, ["odds", "2d6", "--project", str(tmp_path)]).exit_code == 0


def test_a_game_in_german_is_read_and_checked_in_german(tmp_path: Path) -> None:
    more = "Man würfelt zwei Mal; es gelingt ab 5, ein Elf hat drei Leben."
    made = game(
        tmp_path,
        ["5 oder mehr", "ab 3", "1 bis 2"],
        'document = { file = "rules.md", language = "de" }',
        "interval",
        more,
    )
    with (made / "system.toml").open("a", encoding="utf-8") as file:
        file.write('[facts]\nlives = { title = "Leben", text = "ein Elf hat {lives} Leben" }\n')
        file.write('goal = { title = "Ziel", text = "es gelingt {goal}", type = "interval" }\n')
    column = refgen.load(made).tables["prices"].column("price")
    assert [cell.value for cell in column] == [Interval(5, None), Interval(3, None), Interval(1, 2)]
    facts = refgen.load(made).facts
    assert (facts["lives"].value, facts["goal"].value) == (Number(Fraction(3)), Interval(5, None))
    shown = CliRunner().invoke(main, ["check", "--coverage", "--format", "json", "--project", str(tmp_path)])
    statuses = {entry["text"]: entry["status"] for entry in json.loads(shown.stdout)["entries"]}
    assert {text: statuses.get(text) for text in ("zwei", "drei", "ein", "Elf")} == {
        "zwei": "unlisted",
        "drei": "read",
        "ein": None,
        "Elf": None,
    }


@pytest.mark.parametrize(
    ("numbers", "price", "findings"),
    [("1.5", "1.3", 0), ("1.5", "1,000,001", 1), ("1,5", "1,3", 0), ("1,5", "1,4", 1), ("1,5", "1,30", 1)],
)
def test_a_decimal_comma_is_as_fine_as_it_is_printed(tmp_path: Path, numbers: str, price: str, findings: int) -> None:
    made = game(tmp_path, [price], f'document = {{ file = "rules.md", numbers = "{numbers}" }}')
    (made / "proof.toml").write_text(
        '[checks.third]\nkind = "formula"\ntable = "prices"\ncolumn = "price"\nformula = "4 / 3"\n'
        'rule = "four thirds"\n',
        encoding="utf-8",
    )
    assert len(found(tmp_path)) == findings


def test_a_draft_has_the_numbers_that_its_tables_show(tmp_path: Path) -> None:
    def draft(name: str, *prices: str) -> str:
        document = tmp_path / f"{name}.md"
        rows = "".join(f"| {price} | a |\n" for price in prices)
        document.write_text(f"# T\n\n| Preis | b |\n|---|---|\n{rows}", encoding="utf-8")
        return CliRunner().invoke(main, ["read", str(document), "--format", "toml"]).stdout

    assert 'document = { file = "comma.md", numbers = "1,5" }' in draft("comma", "1,8 kg", "3,25 kg")
    assert 'id = "preis", type = "quantity"' in draft("comma", "1,8 kg", "3,25 kg")
    assert 'id = "preis", type = "interval"' in draft("ranges", "1,2", "3,4", "5,6")
    assert 'document = "point.md"\naccent' in draft("point", "1.8", "3.25")
    assert 'document = "either.md"\n# Is 1,250 more than a thousand?' in draft("either", "1,250", "2,500")
