"""The command line: its contract, its exit codes, and its messages for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result

from refgen.bundle import bundled
from refgen.cli import main
from tests.conftest import original


def refgen(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.mark.parametrize("command", ["build", "check", "tables", "read", "odds", "schema"])
def test_every_command_explains_itself(command: str) -> None:
    result = refgen(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith(f"Usage: main {command}")


@pytest.mark.parametrize("arguments", [["--help"], ["odds", "4dF"]])
def test_quick_commands_do_not_load_weasyprint(arguments: list[str]) -> None:
    code = (
        "import sys; from refgen.cli import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        "print([name for name in ('weasyprint', 'pydantic', 'lxml') if name in sys.modules])"
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
    assert data["schema"] == "refgen/odds/1"
    assert data["pmf"][0] == {"outcome": 1, "exact": "1/4", "percent": 25.0}
    assert data["at_least"][3] == {"n": 4, "exact": "1/4", "percent": 25.0}
    assert (data["mean"], data["residue"]) == ("5/2", "0")


def test_check_exits_with_1_when_there_are_findings() -> None:
    result = refgen("check", "fudge-1995")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "fudge-1995: 37 compared, 35 agree, 2 findings"
    assert refgen("check", "polyhedral-fudge").exit_code == 0


def test_check_as_json() -> None:
    data = json.loads(refgen("check", "--format", "json").stdout)
    assert {entry["system"] for entry in data["summary"]} >= {"harmonies", "atari-isev"}
    assert all(finding["span"]["line"] > 0 for finding in data["findings"])


def test_check_reads_another_document() -> None:
    document = original("fudge-1995")
    result = refgen("check", "fudge-1995", "--document", f"fudge-1995={document}")
    assert result.exit_code == 1
    assert f"{document}:1:" in result.stdout


def test_tables_lists_and_shows() -> None:
    assert "interactive-history/armies" in refgen("tables", "interactive-history").stdout
    table = refgen("tables", "interactive-history/military-types", "--format", "csv").stdout
    assert table.splitlines()[1:] == ["Standing,Fair,Scope-1", "Provisional,Mediocre,Scope+1"]
    data = json.loads(refgen("tables", "harmonies", "--format", "json").stdout)
    assert data["schema"] == "refgen/tables/1"
    assert data["tables"][0]["kind"] == "marked"
    assert data["tables"][0]["rows"][0][1] == {
        "text": "0.5%",
        "value": {"type": "percent", "value": "1/200", "places": 1},
        "line": data["tables"][0]["rows"][0][1]["line"],
        "column": data["tables"][0]["rows"][0][1]["column"],
    }


def test_the_data_says_what_a_table_is() -> None:
    everything = json.loads(refgen("tables", "--format", "json").stdout)
    assert everything["schema"] == "refgen/tables/1"
    kinds = {table["kind"] for system in everything["systems"] for table in system["tables"]}
    assert kinds == {"marked", "ragged", "list", "fact"}
    assert {table["kind"] for system in everything["systems"] for table in system["derived"]} == {"computed"}


def test_a_fact_is_a_table_of_one_cell_as_well() -> None:
    data = json.loads(refgen("tables", "harmonies", "--format", "json").stdout)
    fact = data["facts"][0]
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
        "# Odds  (1 tables)",
        f"  table at {document}:3:1: 1 rows under 1 of head",
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
    assert (data["schema"], data["file"], data["format"]) == ("refgen/read/1", str(document), "markdown")
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


def test_read_proposes_a_system_that_works(tmp_path: Path) -> None:
    folder = tmp_path / "content" / "mine"
    folder.mkdir(parents=True)
    (folder / "rules.md").write_text("# Odds\n\nRoll | Result\n-----|-------\n1-3 | bad\n", encoding="utf-8")
    proposed = refgen("read", folder / "rules.md", "--format", "toml").stdout
    (folder / "system.toml").write_text(proposed, encoding="utf-8")
    table = refgen("tables", "mine/odds", "--project", tmp_path, "--format", "csv").stdout
    assert table.splitlines() == ["Roll,Result", "1-3,bad"]


def test_schema_prints_a_json_schema() -> None:
    schema = json.loads(refgen("schema", "odds").stdout)
    assert schema["properties"]["schema"]["const"] == "refgen/odds/1"


def project(folder: Path, *systems: str) -> Path:
    for system in systems:
        copytree(bundled("content") / system, folder / "content" / system)
    (folder / "refgen.toml").write_text("")
    return folder


@pytest.mark.parametrize(
    ("title", "arguments", "message", "hint"),
    [
        ("an unknown system", ["build", "harmony"], 'there is no system "harmony"', "Did you mean harmonies?"),
        ("an unknown table", ["tables", "harmonies/odd"], 'harmonies has no table "odd"', "Did you mean odds"),
        (
            "a document that is not there",
            ["check", "--document", "harmonies=x.xml"],
            "cannot read x.xml",
            "Check the path",
        ),
        (
            "a document of no system",
            ["check", "--document", "x.xml"],
            '--document "x.xml" is not SYSTEM=FILE',
            "For example",
        ),
        ("an unknown schema", ["schema", "table"], 'there is no schema "table"', "Did you mean tables?"),
        ("bad dice", ["odds", "3d6 +"], 'cannot read the dice "3d6 +" at column 6', "Write dice like"),
        ("huge dice", ["odds", "1000000d1000000"], "this roll has 1,000,000 dice", "Roll fewer"),
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


def test_strict_builds_exit_with_1_when_there_are_findings(tmp_path: Path) -> None:
    root = project(tmp_path, "fudge-1995")
    build: list[str | Path] = ["build", "--project", root, "--only", "data", "-q", "--jobs", "1", "-o", root / "build"]
    assert refgen(*build).exit_code == 0
    assert refgen(*build, "--strict").exit_code == 1
