"""How often Python looks for garbage: seldom in every command, since nearly all that a command makes stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from refgen.cli import main
from refgen.gc_tuning import disable_gc, tune_gc

USUAL = (100_000, 10, 10)
"""Far more than Python's own, with which all that the tests hold would be looked through here."""


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)


def test_garbage_is_looked_for_less_often_but_still_looked_for() -> None:
    tune_gc()
    assert gc.get_threshold() > USUAL
    assert gc.isenabled()


def test_every_command_does_so() -> None:
    CliRunner().invoke(main, ["odds", "d6"], catch_exceptions=False)
    assert gc.get_threshold() > USUAL


def test_a_process_that_waits_to_be_told_looks_for_none_by_itself() -> None:
    try:
        disable_gc()
        assert not gc.isenabled()
    finally:
        gc.enable()
