"""What stands in system.toml and what in proof.toml; a key in the wrong one is refused, with the other one named."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.errors import FileErrors, RulesError
from refgen.game.game import SystemSpec
from refgen.rules.load import load_ruleset
from refgen.rules.spec_files import SpecFiles

RULES = "# Ferry\n\nRoll 2d6; two boats with 3 seats hold 6. A boat with two rowers holds 4.\n"
SYSTEM = """\
title = "Ferry"
about = "A river."
document = "rules.md"
accent = "#123456"
source = "made for the tests"
tables = {}

[facts]
boats = { title = "Boats", text = "{boats} boats with {seats} seats hold {hold}." }
seats = { title = "Seats" }
hold = { title = "Travellers" }
"""
PROOF = """\
[facts]
hold = { follows = "{boats} * {seats}", because = "so many each" }
rowers = { title = "Example: rowers", text = "A boat with {rowers} rowers" }

[pinned]
"as it is" = ["boats"]
"""


def written(folder: Path, system: str = SYSTEM, proof: str | None = PROOF) -> Path:
    game = folder / "ferry"
    game.mkdir()
    texts = {"rules.md": RULES, "system.toml": system, "proof.toml": proof}
    for name, text in texts.items():
        if text is not None:
            (game / name).write_text(text, encoding="utf-8")
    return game


def test_a_fact_has_what_both_files_say_of_it(tmp_path: Path) -> None:
    spec = load_ruleset(written(tmp_path), SystemSpec).spec
    assert [*spec.facts] == ["boats", "seats", "hold", "rowers"]
    assert (spec.facts["hold"].title, spec.facts["hold"].because) == ("Travellers", "so many each")
    assert (spec.why_pinned("boats"), spec.why_pinned("seats")) == ("as it is", False)


def test_a_game_needs_no_proof(tmp_path: Path) -> None:
    ruleset = load_ruleset(written(tmp_path, proof=None), SystemSpec)
    assert {name: fact.text for name, fact in ruleset.facts.items()} == {"boats": "two", "seats": "3", "hold": "6"}


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("facts", "hold"), "system.toml:11:1"),
        (("facts", "hold", "follows"), "proof.toml:2:10"),
        (("facts", "rowers"), "proof.toml:3:1"),
        (("pinned", "as it is"), "proof.toml:6:1"),
        (("accent",), "system.toml:4:1"),
        (("nowhere",), "system.toml:1:1"),
    ],
)
def test_what_is_said_has_a_place_in_the_file_that_says_it(tmp_path: Path, path: tuple[str, ...], place: str) -> None:
    assert str(SpecFiles.read(written(tmp_path)).at(*path)) == f"ferry/{place}"


@pytest.mark.parametrize(
    ("title", "file", "more", "told"),
    [
        ("checks", "system", "[checks]\n", 'system.toml:12:1: "checks" belongs into proof.toml'),
        ("pins", "system", '[pinned]\n"" = []\n', 'system.toml:12:1: "pinned" belongs into proof.toml'),
        (
            "what a fact follows from",
            "system",
            'all = { title = "All", text = "x {all}", follows = "1", because = "x" }\n',
            'system.toml:12:42: "facts.all.follows" belongs into proof.toml',
        ),
        ("a table", "proof", "[tables.odds]\n", 'proof.toml:7:1: "tables" belongs into system.toml'),
        (
            "the title of a fact of system.toml",
            "proof",
            '[facts.seats]\ntitle = "Seats"\n',
            'proof.toml:8:1: "facts.seats.title" belongs into system.toml',
        ),
        ("a fact of nobody", "proof", '[facts.all]\nfollows = "1"\nbecause = "x"\n', '"facts.all.title" is missing'),
        ("half a reason", "proof", '[facts.seats]\nfollows = "3"\n', "proof.toml:7:1: "),
        ("an unknown section", "proof", "[pined]\n", 'proof.toml:7:1: unknown key "pined"'),
        ("its old name", "proof", "[unread]\n", 'proof.toml:7:1: "unread" is called "[ignored]" in proof.toml now'),
        ("an old name", "system", "[again]\n", 'system.toml:12:1: "again" is called "[restated]" in proof.toml now'),
        (
            "an old key",
            "system",
            'all = { title = "All", text = "x {all}", decreed = true }\n',
            '"decreed" is called "[pinned]" in proof.toml now',
        ),
        (
            "pins of nothing",
            "proof",
            '"else" = ["boots"]\n',
            'proof.toml:7:1: there is no fact, table or column "boots"',
        ),
        ("rows of no table", "proof", "[row_counts]\nodds = 3\n", 'proof.toml:8:1: there is no table "odds"'),
    ],
)
def test_what_stands_in_the_wrong_file_is_refused(tmp_path: Path, title: str, file: str, more: str, told: str) -> None:
    texts = {"system": SYSTEM, "proof": PROOF}
    texts[file] += more
    with pytest.raises(RulesError) as caught:
        load_ruleset(written(tmp_path, **texts), SystemSpec)
    assert told in str(caught.value), title


def test_all_that_stands_in_the_wrong_file_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileErrors) as caught:
        load_ruleset(written(tmp_path, SYSTEM + "[checks]\n", PROOF + "[tables]\n"), SystemSpec)
    assert len(caught.value.errors) == 2
