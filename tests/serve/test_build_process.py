"""The process that builds: its PDFs are seen before all is published; it ends when its owner says so."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from refgen.api.building import Asked
from refgen.serve.builder import Manner, Order, Printed, build
from refgen.serve.pages import Pages
from refgen.serve.session import Session
from tests.resolver.systems.small import project

ENDS_WHILE_IT_TIDIES_UP = """
import os, signal, time
from refgen.serve.build_process import heed_signals

class Layout:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0)

heed_signals()
try:
    Layout()
    print("dropped", flush=True)
    time.sleep(60)
finally:
    print("tidy", flush=True)
"""
"""In such a method Python drops whatever is raised."""


def test_it_ends_where_what_a_signal_raises_is_dropped() -> None:
    process = subprocess.run(
        [sys.executable, "-c", ENDS_WHILE_IT_TIDIES_UP], capture_output=True, text=True, timeout=50, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (128 + signal.SIGTERM, "dropped\ntidy\n", "")


@pytest.mark.slow
def test_pdfs_of_games_are_shown_as_they_are_made_before_all_is_published(tmp_path: Path) -> None:
    folder, made = project(tmp_path, "fate") / "content" / "fate", tmp_path / "build" / "fate" / "gm-screen-a4.pdf"
    (folder / "screen.toml").write_text('[[panels]]\ntitle = "Ladder"\nblocks = [{ table = "skills" }]\n')
    shown: dict[str, bytes] = {}

    def show(files: Mapping[str, bytes]) -> None:
        assert not made.exists()
        shown.update(files)

    asked = Asked(str(tmp_path), output=str(tmp_path / "build"), only=("screen",), papers=("a4",))
    result = build(Manner(asked, cache=False, jobs=1), Order(frozenset({"fate"})), show)
    assert result.errors == []
    assert shown == {"fate/gm-screen-a4.pdf": made.read_bytes()}


def test_a_pdf_of_the_order_that_is_being_built_is_served(tmp_path: Path) -> None:
    project(tmp_path, "fate")
    pages, now, before = Pages(tmp_path / "build"), Order(frozenset({"fate"})), Order(frozenset({"fate"}))
    session = Session(Manner(Asked(str(tmp_path), output=str(tmp_path / "build"))), lambda _: None, pages)
    session._builder.order = now
    session._meet(Printed(before, {"fate/cards-a4.pdf": b"%PDF of a process that was ended"}))
    session._meet(Printed(now, {"fate/gm-screen-a4.pdf": b"%PDF"}))
    assert [pages.read(["fate", name]) for name in ("cards-a4.pdf", "gm-screen-a4.pdf")] == [None, b"%PDF"]
