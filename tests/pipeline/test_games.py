"""Games in turn: which are read when, and what is made of those that are complete."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import pytest

from refgen.errors import RulesError
from refgen.pipeline.games import AHEAD, GONE, NO_GAME, GamesInTurn
from refgen.pipeline.job import Done
from refgen.pipeline.progress import no_progress
from refgen.pipeline.read_game import GameParts
from refgen.pipeline.result import BuildResult
from refgen.pipeline.spool import Spool
from refgen.site.home import GameSummary

Turn = tuple[str, str]


def done(title: str) -> Done:
    return Done(title, title.partition("/")[0], {f"{title}.pdf": b"%PDF"})


def job(title: str) -> Any:
    """A job whose weight is the number behind its name."""
    return SimpleNamespace(title=title, weight=int(title[-1]))


def in_turn(games: dict[str, list[str]], others: tuple[str, ...] = ()) -> tuple[GamesInTurn, list[Turn], BuildResult]:
    """Games with jobs by title, and what happens to them."""
    happened: list[Turn] = []

    def parts(name: str) -> GameParts:
        happened.append(("read", name))
        if not games[name]:
            raise RulesError(f"{name} fails")
        summary = GameSummary(name, name, "", "", printed=0, computed=0, compared=0, findings=0)
        return GameParts("", "", 0, summary, {}, {}, [*map(job, games[name])])

    def complete(game: GameParts, made: object) -> None:
        happened.append(("complete", game.summary.id))

    project = SimpleNamespace(forget=lambda _: False)
    reader: Any = SimpleNamespace(parts=parts, project=project, store=None, spool=Spool())
    result = BuildResult()
    turns = GamesInTurn(reader, [*games], lambda: map(job, others), complete, no_progress, result)
    return turns, happened, result


def test_the_longest_job_of_a_game_comes_first_and_those_of_no_game_last() -> None:
    turns, _, _ = in_turn({"one": ["one/a1", "one/b3", "one/c2"], "two": ["two/a9"]}, ("screen/a9",))
    assert [each.title for each in turns.jobs()] == ["one/b3", "one/c2", "one/a1", "two/a9", "screen/a9"]


def test_a_game_is_read_when_its_jobs_are_wanted() -> None:
    turns, happened, _ = in_turn({"one": ["one/a1"], "two": ["two/a1"]})
    jobs = turns.jobs()
    next(jobs)
    assert happened == [("read", "one")]
    next(jobs)
    assert happened == [("read", "one"), ("read", "two")]


def test_meanwhile_the_next_games_are_read_but_few_and_complete_ones_are_finished() -> None:
    names = [f"game{number}" for number in range(AHEAD + 2)]
    turns, happened, _ = in_turn({name: [f"{name}/a1"] for name in names})
    next(turns.jobs())
    while turns.on_idle():
        pass
    assert happened == [("read", name) for name in names[:AHEAD]]
    turns.take(done("game1/a1"))
    del happened[:]
    while turns.on_idle():
        pass
    assert happened == [("read", names[AHEAD]), ("complete", "game1")]


def test_a_game_is_complete_with_its_last_job() -> None:
    turns, happened, _ = in_turn({"one": ["one/a1"]})
    jobs = turns.jobs()
    next(jobs)
    assert not turns.on_idle()
    turns.take(done("one/a1"))
    assert turns.on_idle()
    assert happened == [("read", "one"), ("complete", "one")]


class Circle:
    """What only a search for garbage finds, as with most of what a game is made of."""

    def __init__(self) -> None:
        self.itself = self


def test_games_that_are_done_with_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python looks for garbage seldom while pages are laid out; of hundreds of games it would keep most."""
    turns, _, _ = in_turn({f"game{number}": [f"game{number}/a1"] for number in range(3 * AHEAD)})
    read: Any = turns.reader.parts
    there: WeakSet[Circle] = WeakSet()
    remembered: dict[str, Circle] = {}

    def parts(name: str) -> GameParts:
        there.add(remembered.setdefault(name, Circle()))
        return read(name)  # type: ignore[no-any-return]

    monkeypatch.setattr(turns.reader, "parts", parts)
    monkeypatch.setattr(turns.reader.project, "forget", lambda name: remembered.pop(name, None) is not None)
    gc.disable()
    try:
        for each in turns.jobs():
            turns.take(done(each.title))
            assert len(there) <= AHEAD + GONE
        turns.finish()
        assert not there
    finally:
        gc.enable()


def test_what_is_remembered_to_the_end_is_finished_with_the_whole_build() -> None:
    turns, happened, _ = in_turn({"one": ["one/a1"]})
    for each in turns.jobs():
        turns.take(done(each.title))
    turns.finish()
    assert happened == [("read", "one")]


def test_a_game_that_fails_takes_no_other_down() -> None:
    turns, _, result = in_turn({"bad": [], "good": ["good/a1"]})
    assert [each.title for each in turns.jobs()] == ["good/a1"]
    assert [str(error) for error in result.errors] == ["bad fails"]
    assert [*turns.parts] == ["good"]


def test_what_came_of_jobs_stands_under_their_game_and_the_games_keep_no_jobs() -> None:
    turns, _, result = in_turn({"one": ["one/a1"]}, ("screen/a1",))
    for each in turns.jobs():
        turns.take(done(each.title))
    assert [each.title for each in turns.done_of("one")] == ["one/a1"]
    assert [each.title for each in turns.done_of(NO_GAME)] == ["screen/a1"]
    assert (turns.parts["one"].jobs, turns.total, result.made) == ((), 2, ["one/a1", "screen/a1"])
