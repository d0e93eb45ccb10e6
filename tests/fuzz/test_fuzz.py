"""Damaged files are read or refused within bounds: a few inputs of each target, and every input that ever broke refgen.

``make fuzz`` tries a hundred thousand of each target.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import ReadError
from refgen.readers.document import BINARY, Format
from refgen.readers.read import THROUGH_PANDOC
from tests.fuzz import bounds
from tests.fuzz.bounds import tried
from tests.fuzz.command import run_command
from tests.fuzz.mutations import REPEATED
from tests.fuzz.run import Inputs, fuzz
from tests.fuzz.seeds import FINDS
from tests.fuzz.target import Run
from tests.fuzz.targets import TARGETS

FEW, FEWER = 15, 3
"""Inputs of a target, and of a target that takes long."""

SLOW = {*THROUGH_PANDOC, *BINARY, "proposal"}


QUICK = [name for name in TARGETS if name not in SLOW]
MARKUP = '|-=:\n\r\t >*#1.`<&;"/abT[]{}d6E\u00a0'


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    figures = fuzz(name, 0, FEWER if name in SLOW else FEW, tmp_path)
    assert not figures.faults, [*tmp_path.iterdir()]


@pytest.mark.slow
@given(st.sampled_from(QUICK), st.text(alphabet=MARKUP, max_size=120).map(str.encode) | st.binary(max_size=120))
@settings(max_examples=200)
def test_any_bytes_are_read_or_refused(prepared: Callable[[str], Run], name: str, data: bytes) -> None:
    trial = tried(prepared(name), data)
    assert trial.fault == "", trial.trace


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """The functions of targets, each prepared once."""
    return cache(lambda name: TARGETS[name].prepare(tmp_path_factory.mktemp("project")))


@pytest.mark.slow
@pytest.mark.parametrize("find", sorted(FINDS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_broke_refgen_once_does_not_again(find: Path, tmp_path: Path) -> None:
    assert tried(TARGETS[find.parent.name].prepare(tmp_path), find.read_bytes()).fault == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "end"),
    [
        ("flattened", "- ", ""),
        ("proposal", "1, ", ""),
        ("proposal", "AAAA", ""),
        ("proposal", "#\n", ""),
        ("sheet.toml", "{}, ", "]\n"),
    ],
)
def test_a_text_that_fills_64_kb_is_read_within_bounds(name: str, text: str, end: str, tmp_path: Path) -> None:
    """Each of them once took over 10 s, a time that grew with the square of the text."""
    start = "# ferry\n[[pages]]\n[[pages.parts]]\nfields = [" if end else ""
    data = f"{start}{text * (REPEATED // len(text))}{end}".encode()
    assert tried(TARGETS[name].prepare(tmp_path), data).fault == ""


def test_every_format_and_every_file_that_people_write_is_a_target() -> None:
    from refgen.pipeline.schemas import SCHEMA_NAMES

    assert {*Format, *SCHEMA_NAMES} - {"phrasings/<edition>.toml"} <= {*TARGETS}


def test_an_input_follows_from_its_number_alone() -> None:
    first, second = Inputs("markdown"), Inputs("markdown")
    assert [first[number] for number in range(9)] == [second[number] for number in reversed(range(9))][::-1]
    assert len({first[number] for number in range(100)}) > 90


@pytest.mark.parametrize(
    ("title", "run", "fault"),
    [
        ("an error that is none of refgen's", lambda _: int("x"), "ValueError in test_fuzz.py:<lambda>"),
        ("memory", lambda _: bytearray(600 << 20), "MemoryError in test_fuzz.py:<lambda>"),
        ("time", lambda _: [None for _ in iter(int, 1)], "more than 0.05 s"),
    ],
)
def test_what_breaks_a_promise_is_a_fault(title: str, run: object, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SECONDS", 0.05)
    assert callable(run)
    assert tried(run, b"").fault == fault


def test_a_refusal_is_none() -> None:
    def refuse(_data: bytes) -> None:
        raise ReadError("the document is empty")

    assert tried(refuse, b"").refused
    assert not tried(refuse, b"").fault


def test_a_command_ends_with_a_code_that_it_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_command(["odds", "4dF"]) == ""
    assert run_command(["odds", "4d"]) == ""
    monkeypatch.setattr("tests.fuzz.command.main", lambda *_, **__: int("x"))
    assert run_command(["odds", "4dF"]) == "a command with exit code 99"
