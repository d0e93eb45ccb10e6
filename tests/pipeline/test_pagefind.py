"""Pagefind as a program: what it is given and gives back, and how its failures are told."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pagefind_bin
import pytest

from refgen.pipeline import search_index as search
from refgen.pipeline.search_index import index_of

PAGES = {
    f"{name}.html": f"<!doctype html><html lang=en><title>{name}</title><body><p>{name} rules"
    for name in ("fate", "ladder <1>", "Ämter/ü", "b,c")
}


def test_each_page_is_a_fragment() -> None:
    found = [path for path in index_of(PAGES.items()) if path.endswith(".pf_fragment")]
    assert len(found) == len(PAGES)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program in the place of Pagefind: a script to be written."""
    path = tmp_path / "pagefind"
    monkeypatch.setattr(pagefind_bin, "get_executable", lambda: path)
    return path


def write(program: Path, *commands: str) -> None:
    program.write_text("\n".join(["#!/bin/sh", *commands, ""]), encoding="utf-8")
    program.chmod(0o755)


def test_a_program_that_ends_too_early_is_an_error(program: Path) -> None:
    write(program, "exit 3")
    with pytest.raises(subprocess.CalledProcessError) as error:
        index_of([("a.html", "x" * 2**20)])
    assert error.value.stderr == b"it ended before it had answered"


def test_each_page_is_made_when_it_takes_it(program: Path) -> None:
    """All pages of hundreds of games at once do not go into memory."""
    write(program, "exit 3")
    pages = ((f"{number}.html", "x" * 2**10) for number in range(10_000))
    with pytest.raises(subprocess.CalledProcessError):
        index_of(pages)
    assert next(pages)


def test_what_it_complains_of_is_told(program: Path) -> None:
    answer = base64.b64encode(json.dumps({"payload": {"type": "Error", "message": "full"}}).encode()).decode()
    write(program, f"printf '{answer},{answer},'", "sleep 60")
    with pytest.raises(subprocess.CalledProcessError) as error:
        index_of([])
    assert error.value.stderr == b"full"


def test_a_program_that_takes_too_long_is_ended(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(program, "exec sleep 60")
    monkeypatch.setattr(search, "SECONDS", 0.05)
    with pytest.raises(subprocess.TimeoutExpired):
        index_of(PAGES.items())
