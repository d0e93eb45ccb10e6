"""The command line: its contract, its exit codes, and its messages for bad input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refgen.cli import COMMANDS, main
from refgen.files import bundled_folder
from refgen.notation.figures import percent
from tests.pipeline.small_builds import leave_out
from tests.resolver.systems.small import project as small_project

pytestmark = pytest.mark.usefixtures("commands_share_games")


def refgen(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def test_the_list_of_commands_says_of_each_in_whole_words_what_the_command_does() -> None:
    _, _, commands = refgen("--help").stdout.partition("Commands:\n")
    lines = commands.splitlines()
    assert [line.split()[0] for line in lines] == sorted(COMMANDS)
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = refgen(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith(f"Usage: main {command}")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["odds", "4dF"]])
def test_quick_commands_do_not_load_weasyprint(arguments: list[str]) -> None:
    code = (
        "import sys; from refgen.cli import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        "print([name for name in ('weasyprint', 'lxml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_odds_as_text() -> None:
    assert refgen("odds", "2d6").stdout.splitlines()[:4] == [
        "2d6: mean 7.00, standard deviation 2.42",
        "  roll   exactly  at least",
        "     2     2.78%   100.00%  ███████",
        "     3     5.56%    97.22%  █████████████",
    ]


def test_odds_to_reach_a_number_and_against_another_roll() -> None:
    assert refgen("odds", "4dF", "--at-least", "2").stdout == "4dF: 2 or more  18.52%  (5/27)\n"
    assert (
        refgen("odds", "d6", "--against", "d6", "--at-least", "1").stdout
        == "d6 against d6: 1 or more  41.67%  (5/12)\n"
    )


def test_odds_as_json() -> None:
    data = json.loads(refgen("odds", "d4", "--format", "json").stdout)
    assert data["schema"] == "refgen/odds/3"
    assert data["pmf"][0] == {"outcome": 1, "exact": "1/4", "percent": 25.0}
    assert data["at_least"][3] == {"n": 4, "exact": "1/4", "percent": 25.0}
    assert (data["mean"], data["residue"]) == ("5/2", "0")


@pytest.mark.slow
def test_check_exits_with_0_when_every_finding_is_accepted() -> None:
    result = refgen("check")
    assert result.exit_code == 0
    assert [line.rpartition(", ")[2] for line in result.stdout.splitlines()[-5:]] == ["0 open"] * 5


def test_check_exits_with_1_when_findings_are_open(tmp_path: Path) -> None:
    copy = copytree(bundled_folder("content") / "fudge-1995", tmp_path / "content" / "fudge-1995")
    (copy / "errata.toml").unlink()
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    result = refgen("check", "--project", str(tmp_path))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1].endswith("0 accepted, 3 open")


@pytest.mark.slow
def test_check_exits_with_0_for_what_is_accepted_when_strict_too() -> None:
    assert refgen("check", "fudge-1995", "--strict").exit_code == 0


@pytest.mark.slow
def test_check_exits_with_1_for_errata_that_accept_what_cannot_be(tmp_path: Path) -> None:
    copy = copytree(bundled_folder("content") / "fudge-1995", tmp_path / "content" / "fudge-1995")
    text = (copy / "errata.toml").read_text(encoding="utf-8")
    (copy / "errata.toml").write_text(text.replace("percentile-widths/", "percentile-width/"), encoding="utf-8")
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    result = refgen("check", "--project", str(tmp_path))
    assert result.exit_code == 1
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("fudge-1995/errata.toml:")]
    assert "Did you mean percentile-widths/39-62/d%" in line


@pytest.mark.slow
def test_check_goes_on_where_a_table_cannot_be_read_and_tells_all(tmp_path: Path) -> None:
    copy = copytree(bundled_folder("content") / "interactive-history", tmp_path / "content" / "mine")
    (tmp_path / "refgen.toml").touch()
    (copy / "errata.toml").unlink()
    path = copy / "details.md"
    path.write_text(path.read_text(encoding="utf-8").replace("| 0.5%      |", "| half      |"), encoding="utf-8")
    result = refgen("check", "--project", tmp_path)
    assert result.exit_code == 2
    error = result.stderr.splitlines()[0]
    assert error.startswith("mine/details.md:105:27: ")
    assert result.stderr.count(error) == 1
    ids = {line.rpartition("[")[2] for line in result.stdout.splitlines()}
    assert ids >= {"nominal-armies]", "standing-armies]", "technology-chances/-2/chance]"}
    for form in ("json", "sarif", "github"):
        shown = refgen("check", "--project", tmp_path, "--format", form).stdout
        assert error.partition(": ")[2].replace('"', '\\"' if form != "github" else '"') in shown


ODD = "standing-armies/tiny/standing"


@pytest.mark.slow
def test_check_accepts_a_finding_with_what_is_printed_and_computed(tmp_path: Path) -> None:
    copy = copytree(bundled_folder("content") / "interactive-history", tmp_path / "content" / "mine")
    (tmp_path / "refgen.toml").touch()
    (copy / "errata.toml").unlink()
    before = refgen("check", "--project", tmp_path).stdout
    result = refgen("check", "--project", tmp_path, "--accept", ODD, "--reason", "A tenth.", "--print", "both")
    assert (result.exit_code, result.stdout) == (0, f"{copy / 'errata.toml'}: {ODD} is accepted.\n")
    after = refgen("check", "--project", tmp_path).stdout
    assert next(line for line in after.splitlines() if line not in before.splitlines()).endswith(
        f"Accepted: A tenth. [{ODD}]"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fudge-1995", "--accept", "x", "--reason", "y"], "fudge-1995 is bundled with refgen"),
        (["--accept", "x", "--reason", "y"], "--accept needs one game: atari-isev, "),
        (["fudge-1995", "--accept", "x"], '--accept needs --reason "…"'),
        (["fudge-1995", "--accept", "x", "--reason", " "], '--accept needs --reason "…"'),
        (["fudge-1995", "--pin"], "fudge-1995 is bundled with refgen"),
        (["fudge-1995", "--pin", "--coverage"], "--pin goes without --accept and --coverage"),
        (["fudge-1995", "--reason", "y"], "--reason and --print belong to --accept"),
        (["fudge-1995", "--print", "both"], "--reason and --print belong to --accept"),
    ],
)
def test_check_accepts_only_what_it_is_told_why(arguments: list[str], message: str) -> None:
    result = refgen("check", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.slow
def test_check_as_json() -> None:
    data = json.loads(refgen("check", "--format", "json").stdout)
    assert {entry["system"] for entry in data["summary"]} >= {"harmonies", "atari-isev"}
    assert all(finding["span"]["line"] > 0 for finding in data["findings"])


def test_tables_lists_and_shows() -> None:
    assert "interactive-history/armies" in refgen("tables", "interactive-history").stdout
    table = refgen("tables", "interactive-history/military-types", "--format", "csv").stdout
    assert table.splitlines()[1:] == ["Standing,Fair,Scope-1", "Provisional,Mediocre,Scope+1"]
    data = json.loads(refgen("tables", "harmonies", "--format", "json").stdout)
    assert data["schema"] == "refgen/tables/3"
    assert data["tables"][0]["kind"] == "marked"
    assert data["tables"][0]["rows"][0][1] == {
        "text": "0.5%",
        "value": {"type": "percent", "value": "1/200", "places": 1},
        "line": data["tables"][0]["rows"][0][1]["line"],
        "column": data["tables"][0]["rows"][0][1]["column"],
    }


@pytest.mark.slow
def test_the_data_says_what_a_table_is() -> None:
    everything = json.loads(refgen("tables", "--format", "json").stdout)
    assert everything["schema"] == "refgen/tables/3"
    kinds = {table["kind"] for system in everything["systems"] for table in system["tables"]}
    assert kinds == {"marked", "ragged", "list", "fact"}
    assert {table["kind"] for system in everything["systems"] for table in system["derived"]} == {"computed"}


def test_a_fact_is_a_table_of_one_cell_as_well() -> None:
    data = json.loads(refgen("tables", "harmonies", "--format", "json").stdout)
    (fact,) = [fact for fact in data["facts"] if fact["id"] == "aspects"]
    place = fact["source"]
    assert [table for table in data["tables"] if table["id"] == f"facts/{fact['id']}"] == [
        {
            "id": "facts/aspects",
            "title": fact["title"],
            "kind": "fact",
            "source": {"file": place["file"], "line": place["line"], "end_line": place["line"]},
            "columns": [{"id": "value", "title": "Value", "type": "number"}],
            "rows": [[{"text": "three", "value": fact["value"], "line": place["line"], "column": place["column"]}]],
        }
    ]


def test_read_shows_raw_tables(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("# Odds\n\nRoll | Result\n-----|-------\n1-3 | bad\n", encoding="utf-8")
    lines = refgen("read", document).stdout.splitlines()
    assert lines[2:] == [
        "# Odds  (1 table)",
        f"  table at {document}:3:1: 1 row under 1 of head",
        "    Roll | Result",
        "    1-3 | bad",
    ]


def test_read_tells_what_is_wrong_with_a_document(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("a | b\n--|--\n1 | 2 | 3\n", encoding="utf-8")
    fault, hint = refgen("read", document).stdout.splitlines()[-2:]
    assert fault == f"{document}:3:9: this table row has 3 cells, its head has 2"
    assert hint.startswith("  hint: GitHub drops")


def test_read_as_json(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("# Odds\n\nRoll\n----\n\n|a|\n|-|\n|1|\n\n* one\n", encoding="utf-8")
    data = json.loads(refgen("read", document, "--format", "json").stdout)
    assert (data["schema"], data["file"], data["format"]) == ("refgen/read/2", str(document), "markdown")
    assert data["sections"][-1] == {
        "title": "Roll",
        "level": 2,
        "line": data["sections"][-1]["line"],
        "tables": [
            {
                "id": "",
                "caption": "",
                "header_rows": 1,
                "rows": [[{"text": "a", "line": 6, "column": 2}], [{"text": "1", "line": 8, "column": 2}]],
            }
        ],
        "lists": [[{"text": "one", "line": 10, "column": 3}]],
    }
    assert data["faults"] == []


@pytest.mark.slow
def test_read_proposes_a_system_that_works(tmp_path: Path) -> None:
    folder = tmp_path / "content" / "mine"
    folder.mkdir(parents=True)
    (folder / "rules.md").write_text("# Odds\n\nRoll | Result\n-----|-------\n1-3 | bad\n", encoding="utf-8")
    proposed = refgen("read", folder / "rules.md", "--format", "toml").stdout
    (folder / "system.toml").write_text(proposed, encoding="utf-8")
    table = refgen("tables", "mine/odds", "--project", tmp_path, "--format", "csv").stdout
    assert table.splitlines() == ["Roll,Result", "1-3,bad"]


def test_conditions_say_what_holds_what_does_not_and_what_is_missing() -> None:
    society = ["Power=Great", "authority=-2", "Wealth=terrible", "Relations=Fair"]
    lines = refgen("conditions", "interactive-history", *society).stdout.splitlines()
    given = "Power Great (+2), Authority Poor (-2), Wealth Terrible (-3), Relations Fair (0)"
    assert lines[0] == f"Interactive History: {given}"
    answered = [line for line in lines if line.startswith("  ")]
    assert [(line[2:15].strip(), line[17:].partition("(")[2].partition("  ")[0]) for line in answered] == [
        ("holds", "Power - Authority >= +2)"),
        ("unknown", "Consent / Power <= Poor): Consent missing"),
        ("unknown", "Tolerance <= Terrible and Prevalence >= Mediocre): Tolerance and Prevalence missing"),
        ("holds", "Wealth <= Terrible)"),
        ("no test", ""),
        ("no test", ""),
        ("does not hold", "Relations <= Terrible)"),
    ]


def test_a_condition_is_shown_with_the_place_where_it_is_printed() -> None:
    document = bundled_folder("content") / "interactive-history" / "details.md"
    number, line = next(
        (number, line)
        for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), start=1)
        if "Wealth <= Terrible" in line
    )
    place = f"interactive-history/details.md:{number}:{line.index('Wealth <=') + 1}"
    assert f"(Wealth <= Terrible): Wealth missing  {place}\n" in refgen("conditions", "interactive-history").stdout


def test_conditions_as_json() -> None:
    data = json.loads(refgen("conditions", "interactive-history", "power=+7", "--format", "json").stdout)
    assert (data["schema"], data["traits"]) == (
        "refgen/conditions/3",
        [{"trait": "Power", "level": "", "value": 7}],
    )
    tyranny, scandal = data["conditions"][0], data["conditions"][4]
    assert tyranny.pop("source")["file"] == "interactive-history/details.md"
    assert tyranny == {
        "table": "internal-junctures",
        "label": "the rulers have become tyrants",
        "test": "Power - Authority >= +2",
        "in_words": "Power minus Authority at +2 or higher",
        "answer": "unknown",
        "missing": ["Authority"],
    }
    assert (scandal["test"], scandal["in_words"], scandal["answer"]) == ("", "", "no test")
    assert scandal["label"].startswith("politics has been shaken by a grave scandal")


def test_schema_prints_a_json_schema() -> None:
    schema = json.loads(refgen("schema", "odds").stdout)
    assert schema["properties"]["schema"]["const"] == "refgen/odds/3"


def project(folder: Path, *systems: str) -> Path:
    for system in systems:
        copytree(bundled_folder("content") / system, folder / "content" / system)
    (folder / "refgen.toml").write_text("")
    return folder


@pytest.mark.parametrize(
    ("title", "arguments", "message", "hint"),
    [
        ("an unknown system", ["build", "harmony"], 'there is no game "harmony"', "Did you mean harmonies?"),
        ("an unknown table", ["tables", "harmonies/odd"], 'there is no table "odd"', "Did you mean odds"),
        (
            "a document that is not there",
            ["check", "harmonies", "--document", "harmonies=x.xml"],
            "cannot read x.xml",
            "Check the path",
        ),
        (
            "a document of no system",
            ["check", "--document", "x.xml"],
            '--document "x.xml" is not GAME=FILE',
            "For example",
        ),
        ("an unknown schema", ["schema", "table"], 'there is no schema "table"', "Did you mean tables?"),
        ("bad dice", ["odds", "3d6 +"], 'cannot read the dice "3d6 +" at column 6', "Write dice like"),
        ("huge dice", ["odds", "1000000d1000000"], "this roll has 1,000,000 dice", "Roll fewer"),
        ("a system without conditions", ["conditions", "harmonies"], "harmonies has no conditions", "type ="),
        *(
            (title, ["conditions", "interactive-history", *traits], message, hint)
            for title, traits, message, hint in (
                ("a trait alone", ["Power"], '"Power" is not TRAIT=LEVEL', "For example Power=Great"),
                ("a level alone", ["=Great"], '"=Great" is not TRAIT=LEVEL', "For example Power=Great"),
                ("nearly a level", ["Power=Greta"], 'Power: "Greta" is not a level', "Did you mean Great?"),
                ("no level at all", ["Power=99999"], 'Power: "99999" is not a level', "one of Legendary, Superb"),
                ("a level of another number", ["Power=Great +3"], "Power: ", "Write a whole number, or one of"),
                ("nearly a trait", ["powr=Great"], 'no condition names the trait "powr"', "Did you mean Power?"),
                ("no trait at all", ["Mood=Fair"], 'no condition names the trait "Mood"', "There are Power, Authority"),
                ("a trait twice", ["Power=Fair", "POWER=Poor"], "Power is given twice", "one level"),
            )
        ),
        ("an unreadable file", ["read", "nothing.md"], "cannot read nothing.md", "Check the path"),
    ],
)
def test_bad_input_is_one_message_with_a_hint(title: str, arguments: list[str], message: str, hint: str) -> None:
    result = refgen(*arguments)
    assert result.exit_code == 2, title
    first, second = result.stderr.splitlines()[:2]
    assert message in first
    assert hint in second
    assert "Traceback" not in result.output


def test_an_output_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    result = refgen("build", "-o", tmp_path / "taken" / "build")
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


@pytest.mark.slow
def test_a_system_that_fails_does_not_take_the_others_down(tmp_path: Path) -> None:
    root = project(tmp_path, "harmonies", "fudge-1995")
    document = root / "content" / "fudge-1995" / "fudge3.txt"
    document.write_text(document.read_text(encoding="utf-8").replace("| 63-82 |", "| many |"), encoding="utf-8")
    result = refgen("build", "--project", root, "--only", "data,site", "-q", "--jobs", "1", "-o", root / "build")
    assert result.exit_code == 2
    assert "fudge-1995/fudge3.txt:" in result.stderr
    assert '"many" is not a range of whole numbers' in result.stderr
    assert (root / "build" / "harmonies" / "tables.json").is_file()
    assert not (root / "build" / "fudge-1995").exists()


@pytest.mark.slow
def test_a_later_failure_keeps_the_earlier_output(tmp_path: Path) -> None:
    root = project(tmp_path, "harmonies", "fudge-1995")
    build: list[str | Path] = [
        "build",
        "--project",
        root,
        "--only",
        "data,site",
        "-q",
        "--jobs",
        "1",
        "-o",
        root / "build",
    ]
    assert refgen(*build).exit_code == 0
    before = (root / "build" / "fudge-1995" / "tables.json").read_bytes()
    document = root / "content" / "fudge-1995" / "fudge3.txt"
    document.write_text("nothing left", encoding="utf-8")
    assert refgen(*build).exit_code == 2
    assert (root / "build" / "fudge-1995" / "tables.json").read_bytes() == before
    assert "FUDGE" in (root / "build" / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_strict_builds_exit_with_1_when_there_are_findings(tmp_path: Path) -> None:
    root = project(tmp_path, "fudge-1995")
    build: list[str | Path] = ["build", "--project", root, "--only", "data", "-q", "--jobs", "1", "-o", root / "build"]
    assert refgen(*build, "--strict").exit_code == 0
    (root / "content" / "fudge-1995" / "errata.toml").unlink()
    assert refgen(*build).exit_code == 0
    assert refgen(*build, "--strict").exit_code == 1


def shares(data: dict[str, Any]) -> dict[str, str]:
    """The chance of success of each action in an answer."""
    return {action["id"]: action["success"]["exact"] for action in data["actions"]}


FUDGE = {"four-df": "50/81", "percentile": "31/50", "three-d6": "5/8", "four-d6": "791/1296"}


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("by name", ["--trait", "Good", "--modifier", "1", "--difficulty", "Great"]),
        ("without case", ["--trait", "gOOd", "--modifier", "+1", "--difficulty", "GREAT"]),
        ("by signed number", ["--trait", "+1", "--modifier", "1", "--difficulty", "+2"]),
        ("by number", ["--trait", "1", "--modifier", "1", "--difficulty", "2"]),
        ("below zero", ["--trait", "-1", "--modifier", "-2", "--difficulty", "-3"]),
    ],
)
def test_odds_of_an_action_in_the_words_of_a_game(title: str, asked: list[str]) -> None:
    data = json.loads(refgen("odds", "--system", "fudge-1995", *asked, "--format", "json").stdout)
    assert shares(data) == FUDGE, title


def test_odds_of_an_action_as_text() -> None:
    asked = ["--trait", "Good", "--modifier", "1", "--difficulty", "Great"]
    assert refgen("odds", "--system", "fudge-1995", *asked).stdout.splitlines()[:8] == [
        "FUDGE 1995: Good +1 against Great",
        "  4dF  61.73% (50/81)",
        "  d%   62.00% (31/50)",
        "  3d6  62.50% (5/8)",
        "  4d6  61.03% (791/1296)",
        "4dF: 4dF + trait +1, mean 2.00, standard deviation 1.63",
        "  roll             exactly  at least",
        "    -2 Poor          1.23%   100.00%  ██",
    ]


def test_odds_of_one_action_as_json() -> None:
    asked = ["--trait", "Superb", "--action", "four-df", "--difficulty", "Good", "--format", "json"]
    data = json.loads(refgen("odds", "--system", "fudge-1995", *asked).stdout)
    (action,) = data.pop("actions")
    assert data == {
        "schema": "refgen/action-odds/2",
        "system": "fudge-1995",
        "trait": "Superb",
        "modifier": 0,
        "difficulty": "Good",
        "against": None,
        "minimum": None,
    }
    assert (action["id"], action["title"], action["roll"]) == ("four-df", "4dF", "4dF + trait")
    assert (action["success"]["exact"], action["contest"], action["mean"]) == ("76/81", None, "3")
    assert [outcome["level"] for outcome in action["pmf"]][-5:] == ["Superb", *(f"Superb +{n}" for n in range(1, 5))]
    assert action["at_least"][0] == {"n": -1, "exact": "1", "percent": 100.0}


def test_odds_without_a_difficulty_are_those_of_the_roll_alone() -> None:
    asked = ["--system", "fudge-1995", "--action", "four-df", "--trait", "Fair"]
    lines = refgen("odds", *asked).stdout.splitlines()
    assert lines[:2] == ["FUDGE 1995: Fair", "4dF: 4dF + trait, mean 0.00, standard deviation 1.63"]
    (action,) = json.loads(refgen("odds", *asked, "--format", "json").stdout)["actions"]
    assert (action["success"], action["contest"]) == (None, None)


@pytest.mark.parametrize(("minimum", "least"), [([], -9), (["--minimum", "Great"], 2), (["--minimum", "+3"], 3)])
def test_odds_against_a_foe(minimum: list[str], least: int) -> None:
    rolls = [sum(fall) for fall in product((-1, 0, 1), repeat=4)]
    both = [(own + 3, foe) for own, foe in product(rolls, rolls)]
    win = Fraction(sum(own > foe and own >= least for own, foe in both), len(both))
    lose = Fraction(sum(own < foe for own, foe in both), len(both))
    draw = Fraction(sum(own == foe and own >= least for own, foe in both), len(both))
    expected = {"win": win, "draw": draw, "lose": lose}
    if minimum:
        expected = {"win": win, "draw": draw, "below_minimum": 1 - win - draw - lose, "lose": lose}
    asked = ["--system", "fudge-1995", "--action", "four-df", "--trait", "Superb", "--against", "Fair"]
    (action,) = json.loads(refgen("odds", *asked, *minimum, "--format", "json").stdout)["actions"]
    assert {name: Fraction(chance["exact"]) for name, chance in action["contest"].items()} == expected
    named = {"below_minimum": "below the minimum"}
    words = ", ".join(f"{named.get(name, name)} {percent(chance, 2)} ({chance})" for name, chance in expected.items())
    assert refgen("odds", *asked, *minimum).stdout.splitlines()[1] == f"  4dF  {words}"


def test_odds_in_a_game_without_difficulties(tmp_path: Path) -> None:
    root = small_project(tmp_path, "roll-under")
    asked: list[str | Path] = ["--project", root, "--system", "roll-under", "--trait", "11", "--modifier", "2"]
    assert refgen("odds", *asked).stdout.splitlines()[:2] == ["Tests of stats: 11 +2", "  Test  65.00% (13/20)"]


@pytest.mark.parametrize(
    ("difficulty", "expected"),
    [("5", "1.23% (1/81)"), ("-9", "100.00% (1)"), ("+9", "0.00% (0)"), ("-3", "100.00% (1)")],
)
def test_a_difficulty_may_be_any_whole_number(difficulty: str, expected: str) -> None:
    asked = ["--system", "fudge-1995", "--trait", "Good", "--action", "four-df", "--difficulty", difficulty]
    assert refgen("odds", *asked).stdout.splitlines()[1] == f"  4dF  {expected}"


def test_bands_answer_by_their_names(tmp_path: Path) -> None:
    root = small_project(tmp_path, "apocalypse")
    asked: list[str | Path] = ["--project", root, "--system", "apocalypse", "--action", "move", "--trait", "+1"]
    lines = refgen("odds", *asked).stdout.splitlines()
    assert lines[1] == "  Move  Full success 27.78% (5/18), At a price 44.44% (4/9), Miss 27.78% (5/18)"
    assert lines[-1].split()[:3] == ["13", "Full", "success"]
    named = refgen("odds", *asked, "--difficulty", "at a price").stdout.splitlines()
    assert named[1] == "  Move  44.44% (4/9)"
    (action,) = json.loads(refgen("odds", *asked, "--format", "json").stdout)["actions"]
    assert [(band["name"], band["exact"]) for band in action["bands"]] == [
        ("Full success", "5/18"),
        ("At a price", "4/9"),
        ("Miss", "5/18"),
    ]
    assert action["success"] is None
    assert (
        "bands"
        not in json.loads(refgen("odds", *asked, "--difficulty", "Miss", "--format", "json").stdout)["actions"][0]
    )


@pytest.mark.parametrize("name", ["fudge-1995:four-d6", "fudge-1995:4d6"])
def test_a_roll_of_a_game_is_asked_by_its_name(name: str) -> None:
    assert refgen("odds", name, "--at-least", "2").stdout == f"{name}: 2 or more  17.75%  (115/648)\n"


def test_rolls_of_a_game_meet_dice() -> None:
    data = json.loads(refgen("odds", "fudge-1995:four-d6", "--against", "fudge-1995:4dF", "--format", "json").stdout)
    assert {one["outcome"]: one["exact"] for one in data["pmf"]}[0] == "109/648"


def test_a_roll_that_a_game_does_not_have_is_refused() -> None:
    result = refgen("odds", "fudge-1995:five-d6")
    assert result.exit_code == 2
    assert 'there is no roll "five-d6"' in result.stderr


def test_odds_of_the_actions_that_know_a_trait(tmp_path: Path) -> None:
    root = small_project(tmp_path, "apocalypse", "step-dice")
    moves: list[str | Path] = ["--project", root, "--system", "apocalypse", "--trait", "-1", "--format", "json"]
    data = json.loads(refgen("odds", *moves).stdout)
    assert [(action["id"], action["mean"]) for action in data["actions"]] == [("move", "6"), ("hard-move", "5")]
    dice: list[str | Path] = ["--project", root, "--system", "step-dice", "--trait", "expert", "--difficulty", "8"]
    assert refgen("odds", *dice).stdout.splitlines()[1] == "  Roll  30.00% (3/10)"


@pytest.mark.parametrize(
    ("title", "asked", "message", "hint"),
    [
        ("an unknown trait", ["fate", "--trait", "Grate"], '"Grate" is no trait of this game', "Did you mean Great"),
        (
            "an unknown difficulty",
            ["fate", "--trait", "Good", "--difficulty", "nine"],
            '"nine" is no difficulty',
            "There are",
        ),
        ("an unknown foe", ["fate", "--trait", "Good", "--against", "Ogre"], '"Ogre" is no trait', "There are"),
        (
            "an unknown level",
            ["fate", "--trait", "Good", "--against", "Fair", "--minimum", "Grat"],
            '"Grat" is no level of this game',
            "Did you mean Great",
        ),
        (
            "an unknown action",
            ["fate", "--trait", "Good", "--action", "leap"],
            'there is no action "leap"',
            "There is only roll.",
        ),
        ("an unknown system", ["fete", "--trait", "Good"], 'there is no game "fete"', "Did you mean fate?"),
        ("no actions", ["grids", "--trait", "Good"], "grids has no actions", "[actions.*]"),
        (
            "no difficulties",
            ["roll-under", "--trait", "9", "--difficulty", "9"],
            "Test has no difficulties",
            "Give a modifier",
        ),
        ("nothing but a blank", ["fate", "--trait", " "], '" " is no trait', "There are Superb"),
    ],
)
def test_odds_of_what_a_game_does_not_know(
    tmp_path: Path, title: str, asked: list[str], message: str, hint: str
) -> None:
    root = small_project(tmp_path, "fate", "grids", "roll-under")
    result = refgen("odds", "--project", root, "--system", *asked)
    assert (result.exit_code, result.stdout) == (2, ""), title
    first, second = result.stderr.splitlines()
    assert message in first
    assert hint in second


@pytest.mark.parametrize(
    ("title", "arguments", "message"),
    [
        ("neither dice nor a system", [], "Give either DICE, or --system with --trait."),
        ("both", ["4dF", "--system", "fudge-1995", "--trait", "Good"], "Give either DICE, or --system with --trait."),
        ("no trait", ["--system", "fudge-1995"], "--system needs --trait"),
        ("a number to reach", ["--system", "fudge-1995", "--trait", "Good", "--at-least", "2"], "without --at-least"),
        ("a trait of dice", ["4dF", "--trait", "Good"], "need --system"),
        ("a modifier of dice", ["4dF", "--modifier", "1"], "need --system"),
        (
            "a foe and a difficulty",
            ["--system", "fudge-1995", "--trait", "Good", "--against", "Fair", "--difficulty", "Fair"],
            "an opposed roll has no difficulty",
        ),
        (
            "a minimum without a foe",
            ["--system", "fudge-1995", "--trait", "Good", "--minimum", "Fair"],
            "--minimum needs --against.",
        ),
        ("a broken modifier", ["--system", "fudge-1995", "--trait", "Good", "--modifier", "x"], "not a valid integer"),
    ],
)
def test_odds_that_are_not_asked_like_that(title: str, arguments: list[str], message: str) -> None:
    result = refgen("odds", *arguments)
    assert (result.exit_code, result.stdout) == (2, ""), title
    assert message in result.stderr


@pytest.mark.slow
def test_check_reports_all_errors_of_all_files_in_one_run(tmp_path: Path) -> None:
    for game in ("harmonies", "fudge-1995", "atari-isev"):
        copytree(bundled_folder("content") / game, tmp_path / "content" / game)
    (tmp_path / "refgen.toml").touch()
    changes = {
        "harmonies/system.toml": ('accent = "#', 'accent = "red#'),
        "harmonies/cards.toml": ("[[cards]]", "[[crads]]"),
        "harmonies/errata.toml": ("reason = ", "raeson = "),
        "fudge-1995/sheet.toml": ("[[pages.parts]]", "[[pages.party]]"),
        "fudge-1995/screen.toml": ('table = "', 'table = "no-'),
    }
    for name, (old, new) in changes.items():
        path = tmp_path / "content" / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = refgen("check", "--project", tmp_path)
    assert result.exit_code == 2
    assert {line.partition(":")[0] for line in result.stderr.splitlines() if not line.startswith("  hint")} == {
        *changes
    }
    assert len(result.stderr.splitlines()) > len(changes) + 8
    assert [line.partition(":")[0] for line in result.stdout.splitlines()[-3:]] == [
        "atari-isev",
        "fudge-1995",
        "harmonies",
    ]
    assert "pydantic" not in result.stderr


@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000])
@pytest.mark.parametrize("command", [["build"], ["build", "--check"], ["screen"], ["cards"], ["export"]])
def test_an_output_that_no_disk_can_have_is_refused(command: list[str], name: str) -> None:
    refused = refgen(*command, "-o", name)
    assert refused.exit_code == 2
    assert re.search(r"^cannot write a.*: file name too long$", refused.stderr, re.MULTILINE)


def run(command: str) -> tuple[int, str]:
    """What a shell makes of a command: its exit code, and what it says of what is wrong."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m refgen {command}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["odds --help", "odds 2000d2", "tables fudge-1995"])
def test_output_that_cannot_be_written_is_reported_in_a_line(command: str) -> None:
    assert run(f"{command} >/dev/full") == (2, "cannot write the output: no space left on device\n")


@pytest.mark.slow
def test_where_nothing_can_be_said_the_exit_code_tells_it() -> None:
    assert run("odds 4dF >/dev/full 2>/dev/full") == (2, "")
    assert run("odds frob 2>/dev/full") == (2, "")


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    assert run("odds 2000d2 | head -1") == (1, "")


@pytest.mark.parametrize("name", ["a\\u0000b.md", "a" * 5000 + ".md"])
def test_a_document_that_no_disk_can_have_is_refused(tmp_path: Path, name: str) -> None:
    copy = copytree(bundled_folder("content") / "fudge-1995", tmp_path / "content" / "fudge-1995")
    (tmp_path / "refgen.toml").touch()
    spec = copy / "system.toml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("fudge3.txt", name), encoding="utf-8")
    result = refgen("check", "--project", tmp_path)
    assert result.exit_code == 2
    assert result.stderr.startswith("fudge-1995/system.toml:")


def test_a_character_is_begun_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun = refgen("sheet", "harmonies", "--new", "Liv Ø. Strand")
    assert (begun.exit_code, begun.stdout) == (0, "liv-ø-strand.toml\n")
    text = (tmp_path / "liv-ø-strand.toml").read_text(encoding="utf-8")
    again = refgen("sheet", "harmonies", "--new", "Liv Ø. Strand")
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr.splitlines()[0] == "liv-ø-strand.toml is there already"
    assert (tmp_path / "liv-ø-strand.toml").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("title", "arguments", "message"),
    [
        ("no game", ["--new", "Ada"], "--new takes one GAME"),
        ("two games", ["harmonies", "fudge-1995", "--new", "Ada"], "--new takes one GAME"),
        ("a name that no file has", ["harmonies", "--new", "../Ada"], 'the name "../Ada" has ".."'),
        ("no name", ["harmonies", "--new", " "], "a character without a name"),
        ("an unknown game", ["harmony", "--new", "Ada"], 'there is no game "harmony"'),
    ],
)
def test_a_character_that_cannot_be_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = refgen("sheet", *arguments)
    assert (result.exit_code, result.stdout) == (2, ""), title
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_schema_of_the_characters_of_a_game_of_ones_own(tmp_path: Path) -> None:
    root = small_project(tmp_path, "fate")
    folder = root / "content" / "fate"
    (folder / "sheet.toml").write_text('title = "Sheet"\nwho = ["Name"]\nlists = ["Aspects"]\n', encoding="utf-8")
    schema = json.loads(refgen("schema", "sheet/fate", "--project", root).stdout)
    assert set(schema["properties"]) == {"who", "aspects"}
    assert refgen("schema", "sheet/fete", "--project", root).exit_code == 2
    leave_out(folder, "sheet")
    assert "has no sheet" in refgen("schema", "sheet/fate", "--project", root).stderr


@pytest.mark.slow
def test_a_track_that_has_no_box_to_tick_is_reported_with_the_place_of_its_sheet(tmp_path: Path) -> None:
    root = project(tmp_path, "atari-isev")
    document = next((root / "content" / "atari-isev").glob("*.txt"))
    text = document.read_text(encoding="utf-8")
    changed = text.replace("and one box of every other status", "and zero box of every other status")
    document.write_text(changed, encoding="utf-8")
    result = refgen("check", "--project", str(root))
    assert result.exit_code == 2
    assert 'atari-isev/sheet.toml:23:1: the track "wounds" has 0 boxes "Incapacitated" at most' in result.stderr
    assert "hint: Correct how many boxes there are" in result.stderr
