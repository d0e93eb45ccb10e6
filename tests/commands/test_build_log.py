"""What a build says while it runs: lines, a live display, JSON for machines, and where the time went."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from rich.console import Console

import refgen
from refgen.aids.kinds import KINDS
from refgen.cli import main
from refgen.commands.json_log import JsonLog
from refgen.commands.live_log import LiveLog
from refgen.commands.options import TextLog
from refgen.errors import RenderError
from refgen.pipeline.result import BuildResult, Event, step
from tests.resolver.systems.small import project

STEPS = (
    Event("begun", "fate", "read"),
    Event("done", "fate", "read", 0.25),
    Event("kept", "fate/cards (a4)", "card"),
    Event("begun", "fate/gm-screen (a4)", "screen"),
    Event("begun", "fate/sheet (a4)", "sheet"),
    Event("again", "fate/sheet (a4)", "sheet", reason="its process ended by SIGKILL"),
    Event("done", "fate/gm-screen (a4)", "screen", 1.5, 1, 2),
    Event("failed", "fate/sheet (a4)", "sheet", 0.25, 2, 2, "its process ended by SIGKILL"),
    Event("begun", "site", "site"),
    Event("done", "site", "site", 0.0625),
)
RESULT = BuildResult(
    ["a.pdf"], [RenderError("does not fit", hint="Less.")], {"fate": 3}, {"fate": 1}, made=["x"], kept=["y", "z"]
)


def said(log: TextLog, capsys: pytest.CaptureFixture[str], *, steps: Sequence[Event] = STEPS) -> list[str]:
    """What a log says of a build, line by line."""
    with log.steps() as listen:
        for event in steps:
            listen(event)
    log.message("note", "new")
    for error in RESULT.errors:
        log.error(error)
    log.end(RESULT)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_lines_tell_what_was_done_what_is_cached_and_where_the_time_went(capsys: pytest.CaptureFixture[str]) -> None:
    *lines, last = said(TextLog(Path("build")), capsys)
    assert lines == [
        "read fate, 0.2 s",
        "kept fate/cards (a4)",
        "again fate/sheet (a4): its process ended by SIGKILL",
        "[1/2] fate/gm-screen (a4), 1.5 s",
        "failed fate/sheet (a4): its process ended by SIGKILL",
        "site, 0.1 s",
        "note: new",
        "does not fit",
        "  hint: Less.",
    ]
    assert re.fullmatch(r"1 file in \d+\.\d s: screen 1.5 s, read 0.2 s, sheet 0.2 s, site 0.1 s", last)


def test_where_nothing_was_done_no_time_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(TextLog(Path("build")), capsys, steps=())[-1] == "  hint: Less."


def test_a_quiet_build_tells_what_is_wrong_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(TextLog(Path("build"), quiet=True), capsys) == ["does not fit", "  hint: Less."]
    (line,) = map(json.loads, said(JsonLog(Path("build"), quiet=True), capsys))
    assert (line["event"], line["message"], line["hint"]) == ("error", "does not fit", "Less.")


def test_json_is_an_object_a_line_each_of_which_fits_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in said(JsonLog(Path("build")), capsys)]
    for line in lines:
        assert errors(line) == []
    assert [line["event"] for line in lines] == [*(event.state for event in STEPS), "note", "error", "end"]
    assert {**lines[7], "at": 0} == {
        "schema": "refgen/build-log/3",
        "event": "failed",
        "at": 0,
        "step": "fate/sheet (a4)",
        "kind": "sheet",
        "seconds": 0.25,
        "done": 2,
        "total": 2,
        "reason": "its process ended by SIGKILL",
    }
    assert {**lines[-1], "at": 0} == {
        "schema": "refgen/build-log/3",
        "event": "end",
        "at": 0,
        "output": "build",
        "files": 1,
        "made": 1,
        "kept": 2,
        "findings": 3,
        "questions": 1,
        "errors": 1,
        "seconds": {"screen": 1.5, "read": 0.25, "sheet": 0.25, "site": 0.062},
    }
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)


def test_the_schema_refuses_what_no_log_says(capsys: pytest.CaptureFixture[str]) -> None:
    line = json.loads(said(JsonLog(Path("build")), capsys)[0])
    assert errors({"schema": "refgen/build-log/3", "event": "end"})
    assert errors({**line, "kind": "baking"})
    for kind in ("read", *KINDS, "site", "publish", "fill"):
        assert errors({**line, "kind": kind}) == []
    assert not errors(line)


def test_the_live_display_shows_what_runs_and_how_far_all_is() -> None:
    console = Console(file=StringIO(), force_terminal=True, width=80, height=20)
    log = LiveLog(Path("build"), console)
    with log.steps() as listen:
        for event in STEPS[:7]:
            listen(event)
        shown = [str(task.description) for task in log._running.tasks]
        (bar,) = log._all.tasks
    assert shown == ["sheet fate/sheet (a4)"]
    assert (bar.completed, bar.total, bar.fields["kept"]) == (1, 2, "1 from the cache")
    assert isinstance(console.file, StringIO)
    assert "1/2" in console.file.getvalue()


def test_the_profile_shows_kinds_and_the_slowest_steps(capsys: pytest.CaptureFixture[str]) -> None:
    log = TextLog(Path("build"), quiet=True)
    said(log, capsys)
    head, *lines = log.times.profile()
    assert head.split() == ["kind", "made", "kept", "seconds", "share"]
    assert [line.split() for line in lines[:4]] == [
        ["screen", "1", "0", "1.50", "73%"],
        ["read", "1", "0", "0.25", "12%"],
        ["sheet", "1", "0", "0.25", "12%"],
        ["site", "1", "0", "0.06", "3%"],
    ]
    assert lines[4].startswith("2.06 s of work in ")
    assert lines[5:7] == ["the slowest steps:", "    1.50 s  screen fate/gm-screen (a4)"]


def test_a_step_that_fails_says_why() -> None:
    told: list[Event] = []
    with pytest.raises(RenderError), step(told.append, "fate", "read"):
        raise RenderError("no such table")
    assert [(event.state, event.reason) for event in told] == [("begun", ""), ("failed", "no such table")]


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Result]:
    """Runs ``refgen build`` for the data of a small project."""
    (project(tmp_path / "own", "fate") / "refgen.toml").touch()

    def run(*options: str) -> Result:
        where = ["--project", str(tmp_path / "own"), "-o", str(tmp_path / "build")]
        return CliRunner().invoke(main, ["build", "--only", "data", "--jobs", "1", *where, *options])

    return run


def test_refgen_build_says_all_this(build: Callable[..., Result]) -> None:
    result = build("--profile")
    assert result.exit_code == 0
    assert result.stderr.startswith("read fate, ")
    assert result.stdout.splitlines()[1].split()[0] == "kind"
    assert build("-q").output == ""


def test_refgen_build_says_it_in_json(build: Callable[..., Result]) -> None:
    lines = [json.loads(line) for line in build("--log", "json").stderr.splitlines()]
    assert [(line["event"], line.get("kind")) for line in lines] == [
        ("begun", "read"),
        ("done", "read"),
        ("begun", "publish"),
        ("done", "publish"),
        ("end", None),
    ]


def test_bad_input_is_an_object_too(build: Callable[..., Result]) -> None:
    result = build("--log", "json", "--executor", "spark")
    (line,) = [json.loads(line) for line in result.stderr.splitlines()]
    assert (result.exit_code, line["event"], line["message"]) == (2, "error", 'there is no executor "spark"')
    assert errors(line) == []


@pytest.mark.parametrize("options", [["--log", "json"], ["--profile"]])
def test_what_is_watched_is_reported_in_lines(build: Callable[..., Result], options: Sequence[str]) -> None:
    result = build("--watch", *options)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        2,
        "Error: --watch says what happens in lines: leave --profile and --log out",
    )


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(refgen.json_schema("build-log"))


def errors(line: object) -> list[str]:
    """Why a line is none of a log."""
    return [error.message for error in validator().iter_errors(line)]
