"""What belongs into system.toml and proof.toml, and the phrasings of other editions in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.errors import FileErrors, NotationError, RefgenError, RulesError
from refgen.game import SystemSpec
from refgen.rules.load import load_ruleset
from refgen.rules.spec_files import SpecFiles, phrasing_errors
from tests.rules.game_files import write_game

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
    files = {"rules.md": RULES, "system.toml": system}
    return write_game(folder / "ferry", files if proof is None else {**files, "proof.toml": proof})


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


def test_all_that_stands_in_the_wrong_file_is_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileErrors) as caught:
        load_ruleset(written(tmp_path, SYSTEM + "[checks]\n", PROOF + "[tables]\n"), SystemSpec)
    assert len(caught.value.errors) == 2


SPEC = """title = "Game"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"

[tables.wounds]
title = "Wounds"
layout = "list"
section = "Wounds"
row = "{status}: {effect}[, with a penalty of {penalty}]."
columns = [{ id = "status" }, { id = "effect" }, { id = "penalty", type = "modifier" }]

[tables.faces]
title = "Faces"
layout = "prose"
section = "Dice"
within = "Each reads {rows}."
between = [",", "and"]
row = "{face}[ on {sides}]"
columns = [{ id = "face", type = "number" }, { id = "sides", type = "number" }]

[facts]
dice = { title = "Dice", section = "Dice", text = "roll {dice} and add {bonus}", type = "dice" }
bonus = { title = "Bonus", type = "modifier" }
"""

DOCUMENT = """# Dice

Players roll 4dF and add +10. Each reads +1 on two, 0 on two and -1.

# Wounds

* Scratched: no matter.
* Very Hurt: bad, with a penalty of -2.
"""

OTHER = """# Throwing

Add +10 after throwing 4dF. Sides show +1 on two, 0 on two and -1.

# Wounds

* Scratched: no matter.
* Very Hurt: bad, with a penalty of -2.
"""

PHRASING = """about = "The second edition"

[sections]
"Dice" = "Throwing"

[facts]
bonus = "Add {bonus} after throwing {dice}."

[tables.faces]
within = "Sides show {rows}."
"""


def write(folder: Path, spec: str = SPEC, document: str = DOCUMENT, phrasing: str = PHRASING) -> Path:
    files = {"system.toml": spec, "rules.md": document, "phrasings/second.toml": phrasing}
    return write_game(folder / "game", files)


def other(folder: Path, text: str = OTHER) -> Path:
    path = folder / "other.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_facts_and_rows_are_found_by_sentences(tmp_path: Path) -> None:
    ruleset = load_ruleset(write(tmp_path), SystemSpec)
    assert [(fact.text, fact.span.column) for fact in ruleset.facts.values()] == [("4dF", 14), ("+10", 26)]
    assert [[cell.text for cell in row] for row in ruleset.tables["wounds"].rows] == [
        ["Scratched", "no matter", ""],
        ["Very Hurt", "bad", "-2"],
    ]
    assert [[cell.text for cell in row] for row in ruleset.tables["faces"].rows] == [
        ["+1", "two"],
        ["0", "two"],
        ["-1", ""],
    ]
    assert ruleset.edition == ""


def test_another_document_is_read_with_the_phrasings_that_fit(tmp_path: Path) -> None:
    game = write(tmp_path)
    second = load_ruleset(game, SystemSpec, other(tmp_path))
    assert (second.edition, [fact.text for fact in second.facts.values()]) == ("second", ["4dF", "+10"])
    first = load_ruleset(game, SystemSpec, other(tmp_path, DOCUMENT))
    assert first.edition == ""


def test_where_none_fits_the_error_is_that_of_the_one_that_explains_most(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        load_ruleset(write(tmp_path), SystemSpec, other(tmp_path, OTHER.replace("after throwing", "having thrown")))
    assert str(caught.value) == 'game/phrasings/second.toml:7:1: the fact "bonus" is not in the document'
    assert caught.value.hint.startswith('Mend its sentence; the nearest is "Add +10 having thrown 4dF.')


def test_a_heading_of_phrasings_that_the_document_has_not_is_named(tmp_path: Path) -> None:
    phrasing = PHRASING.replace('"Throwing"', '"Throwing"\n"Wounds" = "Hurts"')
    with pytest.raises(RulesError, match='has no section "Hurts"'):
        load_ruleset(write(tmp_path, phrasing=phrasing), SystemSpec, other(tmp_path))


@pytest.mark.parametrize(
    ("phrasing", "message"),
    [
        ('[facts]\nbones = "throw {bones}"\n', '2:1: game has no fact "bones"'),
        ('[tables.face]\nrow = "{face}"\n', '1:1: game has no table "face"'),
        ('[sections]\n"Dices" = "Throwing"\n', '2:1: game has no section "Dices"'),
        ('[facts]\nbonus = "add {bonus}"\n', 'no sentence names the fact "dice"'),
        ('[restated]\n"Throwing" = "{bones} again"\n', 'there is no fact "bones" to say again'),
        ('[fact]\nbonus = "add {bonus}"\n', 'unknown key "fact"'),
    ],
)
def test_a_file_of_phrasings_is_checked(tmp_path: Path, phrasing: str, message: str) -> None:
    game = write(tmp_path, phrasing=phrasing)
    ruleset = load_ruleset(game, SystemSpec)
    (error,) = phrasing_errors(game, ruleset.spec, ruleset.files)
    assert message in str(error)


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("text = ", "find = ", RulesError, '"find" is called "text" now'),
        ('text = "roll {dice} and add {bonus}"', "pattern = '(4dF)'", RulesError, 'no sentence names the fact "bonus"'),
        ('"Bonus",', '"Bonus", text = "add {bonus}",', RulesError, 'the fact "bonus" is named by two sentences'),
        ("{bonus}", "{bones}", RulesError, 'there is no fact "bones"'),
        ("{penalty}", "{penalties}", RulesError, 'the row of "Wounds" names penalties, which is no column'),
        ("[ on {sides}]", "", RulesError, 'the row of "Faces" does not name sides'),
        ("{rows}", "{row}", RulesError, "needs {rows} once"),
        ('within = "Each reads {rows}."', "within = ['a (.*)']", RulesError, "one sentence, not a list"),
        ("add {bonus}", "add [{bonus}", RulesError, "a square bracket is not closed"),
        ("add {bonus}", "or not {bonus}", RulesError, 'the fact "dice" is not in the document'),
    ],
)
def test_what_does_not_fit_is_refused(
    tmp_path: Path, old: str, new: str, error: type[RefgenError], message: str
) -> None:
    assert old in SPEC
    with pytest.raises(error) as caught:
        load_ruleset(write(tmp_path, SPEC.replace(old, new)), SystemSpec)
    assert message in str(caught.value)


def test_what_stands_in_place_of_a_value_is_an_error_at_its_place(tmp_path: Path) -> None:
    with pytest.raises(NotationError) as caught:
        load_ruleset(write(tmp_path, document=DOCUMENT.replace("+10", "much")), SystemSpec)
    assert str(caught.value) == 'game/rules.md:3:26: "much" is not a modifier'
    with pytest.raises(NotationError) as caught:
        load_ruleset(write(tmp_path / "b", document=DOCUMENT.replace("0 on", "zip on")), SystemSpec)
    assert str(caught.value) == 'game/rules.md:3:53: "zip" is not a number'


def test_a_value_that_differs_between_two_places_is_refused_with_both(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r'"bonus" is stated in 2 ways: "\+10" at .*; "\+9" at'):
        load_ruleset(write(tmp_path, document=DOCUMENT.replace("+10.", "+10. Or roll 4dF and add +9.")), SystemSpec)


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(.*a){20}", "(x+x+)+y"])
def test_no_pattern_of_a_file_hangs(tmp_path: Path, pattern: str) -> None:
    spec = SPEC.replace('text = "roll {dice} and add {bonus}"', f"pattern = '{pattern}'").replace(
        '"Bonus",', '"Bonus", text = "add {bonus}",'
    )
    with pytest.raises(RefgenError):
        load_ruleset(write(tmp_path, spec, DOCUMENT.replace("+10.", "+10. " + "a" * 20_000 + "!")), SystemSpec)


@pytest.mark.parametrize("pattern", ["(" * 3000 + ")" * 3000, "a{1000}{1000}", "(?=a)"])
def test_a_pattern_that_is_too_much_is_refused_at_its_place(tmp_path: Path, pattern: str) -> None:
    spec = SPEC.replace('text = "roll {dice} and add {bonus}"', f"pattern = '{pattern}'")
    with pytest.raises(RulesError, match=r"system\.toml:24:\d+: .*not a pattern"):
        load_ruleset(write(tmp_path, spec), SystemSpec)
