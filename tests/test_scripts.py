"""Documents and games in the letters of any script: sentences are found, names are taken, drafts are readable."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner

import refgen
from refgen.cli import main

RULES = """# Кубики

В начале ПК бросают d20 для проверки.

## Лестница

| Уровень | Число |
|---|---|
| Хорошо | Размах+1 |
| Средне | 0 |
| Плохо | -1 |
"""

SYSTEM = """title = "Кубики"
about = "Игра."
document = "rules.md"
accent = "#1d4e79"
source = "Автор"

[tables."лестница"]
title = "Лестница"
section = "Лестница"
header = ["Уровень", "Число"]
columns = [{ id = "уровень" }, { id = "число", type = "modifier" }]

[facts]
"кость" = { title = "Кость", text = "ПК бросают {кость} для", type = "dice" }

[ladders.'уровни']
table = "лестница"
level = "уровень"
zero = "Средне"

[rolls]
"бросок" = { title = "Бросок", roll = "{кость} + 1" }

[derived."шансы"]
kind = "grid"
title = "Шансы"
rule = "Бросок {бросок}."
rows = [{ id = "уровень", title = "Уровень", ladder = "уровни" }]
columns = [{ id = "шанс", title = "Шанс", formula = "chance({бросок} + {уровень} >= 20)" }]
"""


def project(folder: Path, rules: str = RULES, system: str = SYSTEM, name: str = "кубики") -> str:
    """A project of one game; gives its folder as an argument."""
    game = folder / "content" / name
    game.mkdir(parents=True)
    (folder / "refgen.toml").touch()
    (game / "rules.md").write_text(rules, encoding="utf-8")
    (game / "system.toml").write_text(system, encoding="utf-8")
    return str(folder)


def test_a_game_has_ids_keys_and_formulas_in_its_own_letters(tmp_path: Path) -> None:
    folder = project(tmp_path)
    checked = CliRunner().invoke(main, ["check", "--project", folder])
    assert (checked.exit_code, checked.stderr) == (0, "")
    shown = CliRunner().invoke(main, ["tables", "кубики/шансы", "--format", "csv", "--project", folder])
    assert shown.stdout.splitlines() == ["Уровень,Шанс", "Хорошо,15%", "Средне,10%", "Плохо,5%"]


@pytest.mark.parametrize("of", ["document", "system.toml"])
def test_letters_that_are_composed_otherwise_are_the_same(tmp_path: Path, of: str) -> None:
    def decomposed(text: str, name: str) -> str:
        return unicodedata.normalize("NFD" if name == of else "NFC", text)

    rules = RULES.replace("начале ПК", "école; кий ПК").replace("Плохо", "Злой")
    system = SYSTEM.replace("ПК бросают", "кий ПК бросают").replace("Средне", "Злой")
    folder = project(tmp_path, decomposed(rules, "document"), decomposed(system, "system.toml"))
    checked = CliRunner().invoke(main, ["check", "--project", folder])
    assert (checked.exit_code, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("sentence", "text", "value"),
    [
        ("é {x} só", "Assim é 3 só.", "3"),
        ("ρίχνει {x} ζάρια", "Ο παίκτης ρίχνει 4 ζάρια.", "4"),
        ("掷{x}次", "玩家掷3次骰子", "3"),
        ("ทอย{x}ครั้ง", "ผู้เล่นทอย3ครั้งต่อรอบ", "3"),
        ("бросьте {x} кость", "бросьте 3 костью, бросьте 4 кость", "4"),
        ("roll {x} die", "éroll 3 die, roll 4 dieé, roll 5 die", "5"),
        ("бросьте … {x} кость", "бросьте эту: 3 костью или 4 кость", "4"),
    ],
)
def test_sentences_begin_and_end_at_the_words_of_any_script(
    tmp_path: Path, sentence: str, text: str, value: str
) -> None:
    system = SYSTEM.replace(
        '"кость" = {', f'"икс" = {{ title = "Икс", text = "{sentence.replace("{x}", "{икс}")}" }}\n"кость" = {{'
    )
    project(tmp_path, RULES + f"\n## Ещё\n\n{text}\n", system)
    assert refgen.load(tmp_path / "content" / "кубики").facts["икс"].text == value


@pytest.mark.parametrize(
    ("written", "message"),
    [("Лестница", 'write "лестница"'), ("лест；ница", '"；" is no letter'), ("лест_ница", "no name")],
)
def test_what_is_no_name_is_refused(tmp_path: Path, written: str, message: str) -> None:
    folder = project(tmp_path, system=SYSTEM.replace('[tables."лестница"]', f'[tables."{written}"]'))
    checked = CliRunner().invoke(main, ["check", "--project", folder])
    assert checked.exit_code == 2
    assert message in checked.stderr


def test_drafts_have_ids_in_our_letters_and_titles_as_they_are(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text(RULES.replace("Лестница", "Несчастье (größe, Ζάρι)"), encoding="utf-8")
    draft = CliRunner().invoke(main, ["read", str(document), "--format", "toml"]).stdout
    assert '[tables.neschaste-grosse-zari]\ntitle = "Несчастье (größe, Ζάρι)"' in draft
    assert '"uroven",\n  { id = "chislo", type = "modifier" }' in draft
    assert '[facts.kubiki]\ntitle = "Кубики"' in draft


@pytest.mark.parametrize(
    "texts", [["10 (A)", "12 (B)"], ["Gun Combat-0", "Pilot-0"], ["Оружие-0", "Пилот-0"]], ids=lambda texts: texts[0]
)
def test_ratings_and_skills_without_a_number_are_no_modifiers(tmp_path: Path, texts: list[str]) -> None:
    document = tmp_path / "rules.md"
    document.write_text("# T\n\n| a | b |\n|---|---|\n" + "".join(f"| x | {text} |\n" for text in texts), "utf-8")
    assert "modifier" not in CliRunner().invoke(main, ["read", str(document), "--format", "toml"]).stdout
    system = SYSTEM.partition("[tables")[0] + (
        '[tables.t]\ntitle = "T"\nheader = ["a", "b"]\ncolumns = [{ id = "a" }, { id = "b", type = "modifier" }]\n'
    )
    folder = project(tmp_path, document.read_text(encoding="utf-8"), system)
    checked = json.loads(CliRunner().invoke(main, ["check", "--project", folder, "--format", "json"]).stdout)
    assert f'"{texts[0]}" is not a modifier' in json.dumps(checked, ensure_ascii=False).replace('\\"', '"')
