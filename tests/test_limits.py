"""Limits are changed by whoever runs refgen, for one command and the processes it starts, and by nothing else."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import asdict
from inspect import getsource
from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.cli import main
from refgen.errors import RefgenError
from refgen.limits import ENVIRONMENT, Limits, changed_limits, limits
from tests.figures import ROOT, SECURITY
from tests.resolver.systems.small import project

REFGEN = ROOT / "refgen"


def test_a_limit_is_changed_for_a_while_and_for_processes_that_are_started() -> None:
    with changed_limits(["file-bytes=1_000"]):
        assert limits().file_bytes == 1_000
        assert os.environ[ENVIRONMENT] == "file-bytes=1_000"
        with changed_limits(["file-bytes=10"]):
            assert limits().file_bytes == 10
        assert limits().file_bytes == 1_000
    assert limits() == Limits()
    assert ENVIRONMENT not in os.environ


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("file-byte=1", 'there is no limit "file-byte"'),
        ("file-bytes=0", '"file-bytes=0" changes no limit'),
        ("file-bytes=-1", '"file-bytes=-1" changes no limit'),
        ("file-bytes", '"file-bytes" changes no limit'),
    ],
)
def test_what_changes_no_limit_is_refused(change: str, message: str) -> None:
    with pytest.raises(RefgenError, match=message), changed_limits([change]):
        pass


def test_the_docs_have_every_limit_as_it_is() -> None:
    (table,) = (part for part in ast.parse(getsource(Limits)).body if isinstance(part, ast.ClassDef))
    said = [part.value.value for part in table.body[1:] if isinstance(part, ast.Expr)]  # type: ignore[attr-defined]
    rows = re.findall(r"^\| `([a-z-]+)` \| ([0-9,]+) \| (.*) \|$", SECURITY.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [
        (name.replace("_", "-"), f"{number:,}", sentence)
        for (name, number), sentence in zip(asdict(Limits()).items(), said, strict=True)
    ]


NO_LIMITS = {
    "a part of a notation": {
        "notation/dice_notation.py": ["MOST_REROLLED"],
        "notation/number.py": ["MOST_LISTED"],
        "resolver/dice/arithmetic.py": ["MAX_WHOLE", "MAX_POWERS", "MAX_BASE"],
        "resolver/dice/cost.py": ["MAX_CONSTANT", "MAX_REPEATED"],
        "resolver/formula/dice_functions.py": ["MAX_DICE"],
        "rules/typed_tables.py": ["MAX_LEVEL"],
        "characters/validation.py": ["LONGEST_NUMBER"],
        "characters/sheet_spec.py": ["MOST_LINES"],
        "characters/make_sheet.py": ["MOST_BOXES"],
    },
    "as much as Python writes out, calls or multiplies": {
        "notation/formula_parser.py": ["MAX_BRACKETS"],
        "resolver/dice/arithmetic.py": ["MAX_BITS"],
        "resolver/dice/distribution.py": ["LARGEST"],
    },
    "beyond it the same is done in another way, or left out of what is proposed, named or kept": {
        "readers/markdown_words.py": ["_LONGEST_MARK"],
        "readers/plaintext.py": ["_MAX_HEADING_WORDS"],
        "readers/pandoc/reader.py": ["MOST_SEARCHED"],
        "rules/guess.py": ["MOST_MISFITS"],
        "rules/table_shape.py": ["_MOST_TRANSPOSED"],
        "rules/load.py": ["MOST_NOTES"],
        "resolver/computed.py": ["MAX_PLACES_NAMED", "MAX_NESTED"],
        "resolver/dice/arithmetic.py": ["LONGEST_SHOWN"],
        "resolver/dice/cost.py": ["MAX_REROLLS"],
        "checks/averages.py": ["MOST_COUNTED"],
        "checks/dice.py": ["MOST_OUTCOMES"],
        "checks/run.py": ["MOST_MENDED"],
        "characters/sheet_proposal.py": ["MOST_ATTRIBUTES", "MOST_SKILLS", "LONGEST_TRAIT"],
        "characters/expression.py": ["MOST"],
    },
}
"""The numbers of modules that read and compute that are no limits of input, and why."""


def test_every_limit_of_reading_and_computing_stands_in_the_table() -> None:
    stages = ("readers", "notation", "rules", "resolver", "checks", "characters", "look", "serve")
    found = {
        (path.relative_to(REFGEN).as_posix(), name)
        for stage in stages
        for path in (REFGEN / stage).rglob("*.py")
        for name in re.findall(
            r"^(_?(?:MAX|MOST|LONGEST|LARGEST)[A-Z_]*)\b.* = ", path.read_text("utf-8"), re.MULTILINE
        )
    }
    assert found == {(file, name) for files in NO_LIMITS.values() for file, names in files.items() for name in names}


def test_nothing_but_the_option_and_what_hands_it_on_changes_a_limit() -> None:
    """So no key of a file can."""
    changing = re.compile(
        r"\bchanged_limits\b|\bREFGEN_LIMITS\b|limits import .*(ENVIRONMENT|_changed)|replace\(limits"
    )
    found = {
        path.relative_to(REFGEN).as_posix() for path in REFGEN.rglob("*.py") if changing.search(path.read_text("utf-8"))
    }
    assert found == {"limits.py", "commands/options.py", "pipeline/executors/cluster.py"}


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
STRETCHED = "<table><tr><td colspan=3>a<tr><td>1<td>2<td>3</table>"
SHEET = 'title = "Sheet"\nwho = ["Name"]\n'
DECK = '[[cards]]\ntitle = "A card"\ncount = 3\nblocks = [{ text = "Words." }]\n'


@pytest.mark.parametrize(
    ("change", "name", "text", "message"),
    [
        ("file-bytes=29", "rules.md", TABLE, "rules.md has 30 bytes"),
        ("document-letters=29", "rules.md", TABLE, "rules.md has 30 letters"),
        ("table-columns=1", "rules.md", TABLE, "rules.md:1:1: the table has more than 1 columns"),
        ("table-cells=3", "rules.md", TABLE, "rules.md:3:1: with this table the document has more than 3 cells"),
        ("table-columns=2", "rules.csv", "a,b,c\n1,2,3\n", "rules.csv:1:1: the table has more than 2 columns"),
        (
            "table-cells=5",
            "rules.csv",
            "a,b,c\n1,2,3\n",
            "rules.csv:2:1: with this table the document has more than 5 cells",
        ),
        ("table-columns=2", "rules.html", STRETCHED, "rules.html:1:26: a cell over 3 columns"),
        (
            "table-cells=5",
            "rules.html",
            STRETCHED,
            "rules.html:1:35: with this table the document has more than 5 cells",
        ),
        ("cell-letters=9", "fate/characters/a.csv", "Name\n0123456789\n", "fate/characters/a.csv:2:1: not a table"),
        ("cards=2", "fate/cards.toml", DECK, "fate/cards.toml:1:1: the deck has more than 2 cards"),
    ],
)
def test_what_goes_beyond_a_limit_is_refused_and_the_limit_can_be_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, name: str, text: str, message: str
) -> None:
    monkeypatch.chdir(project(tmp_path, "fate"))
    path = Path("content", name) if "/" in name else Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (tmp_path / "content" / "fate" / "sheet.toml").write_text(SHEET, encoding="utf-8")
    command = ["check", "fate"] if "/" in name else ["read", name]
    limit, _, number = change.partition("=")
    refused = CliRunner().invoke(main, [*command, "--limit", change])
    assert refused.exit_code == 2
    assert message in refused.stderr
    assert f"The limit {limit} is {number}; --limit {limit}=NUMBER changes it." in refused.stderr
    raised = CliRunner().invoke(main, [*command, "--limit", f"{limit}={int(number) + 1}"])
    assert raised.exit_code == 0, raised.stderr


def test_the_documents_of_a_game_are_counted_together(tmp_path: Path) -> None:
    folder = project(tmp_path, "fate") / "content" / "fate"
    spec, rules = folder / "system.toml", folder / "rules.md"
    spec.write_text(spec.read_text(encoding="utf-8").replace('document = "rules.md"', 'documents = ["*.md"]'))
    (folder / "more.md").write_text("More words.\n", encoding="utf-8")
    together = len(rules.read_text(encoding="utf-8")) + 12
    arguments = ["check", "--project", str(tmp_path), "--limit"]
    refused = CliRunner().invoke(main, [*arguments, f"document-letters={together - 1}"])
    assert f"fate has {together:,} letters" in refused.stderr
    assert CliRunner().invoke(main, [*arguments, f"document-letters={together}"]).exit_code == 0


@pytest.mark.slow
def test_pandoc_takes_no_more_time_and_memory_than_it_may(tmp_path: Path) -> None:
    pytest.importorskip("pypandoc")
    document = tmp_path / "rules.org"
    document.write_text("".join(f"* Section {number}\n\nWords.\n\n" for number in range(9_000)), encoding="utf-8")
    for limit, message in (("pandoc-seconds=1", "longer than 1 seconds"), ("pandoc-megabytes=9", "than 9 megabytes")):
        refused = CliRunner().invoke(main, ["read", str(document), "--limit", limit])
        assert (refused.exit_code, message in refused.stderr) == (2, True), refused.stderr
        assert f"--limit {limit.partition('=')[0]}=NUMBER changes it." in refused.stderr


@pytest.mark.slow
def test_a_limit_holds_in_the_processes_of_a_build(tmp_path: Path) -> None:
    root = project(tmp_path, "fate", "clock")
    build = [sys.executable, "-m", "refgen", "build", "--only", "site", "--jobs", "2", "--limit", "document-letters=9"]
    done = subprocess.run(build, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("hint: The limit document-letters is 9;") == 2


def test_a_refusal_names_its_limit_and_the_option_raises_it(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["read", str(document), "--limit", "file-bytes=10"])
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"{document} has 30 bytes\n  hint: The limit file-bytes is 10; --limit file-bytes=NUMBER changes it.\n",
    )
    assert CliRunner().invoke(main, ["read", str(document), "--limit", "file-bytes=30"]).exit_code == 0


@pytest.mark.parametrize(
    ("limit", "name", "text"),
    [
        ("nesting=5000", "rules.md", "> " * 2_000 + "words"),
        ("xml-depth=5000", "rules.xml", "<section>" * 4_000 + "<para>a</para>" + "</section>" * 4_000),
    ],
)
def test_a_limit_that_is_raised_beyond_what_python_can_do_makes_no_traceback(
    tmp_path: Path, limit: str, name: str, text: str
) -> None:
    document = tmp_path / name
    document.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["read", str(document), "--limit", limit])
    assert (done.exit_code, done.stderr.splitlines()[0]) == (2, "too much stands in one another")
