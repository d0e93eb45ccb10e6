"""The graph of a build: which step is done when, and what is made of the results of its jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from graphlib import CycleError
from types import SimpleNamespace
from typing import Any

import pytest

from refgen.pipeline.graph import MOST_READ_AHEAD, BuildGraph, JobResult, Step, StepJobs, StepKind


def job(title: str) -> Any:
    """A job whose weight is the number behind its name."""
    return SimpleNamespace(title=title, weight=int(title[-1]))


def result(title: str) -> JobResult:
    return JobResult(title, title.partition("/")[0], {f"{title}.pdf": b"%PDF"})


class Games:
    """The graph of some games with jobs by title, in which each step is noted when it is done."""

    def __init__(self, games: Mapping[str, Sequence[str]], screens: Sequence[str] = ()) -> None:
        self.done: list[str] = []
        self.graph = BuildGraph(
            [*(step for name in games for step in self.steps(name, games[name])), *self.last(screens)]
        )

    def steps(self, name: str, jobs: Sequence[str]) -> Iterator[Step]:
        yield Step(name, StepKind.READ, lambda: self.note(f"read {name}"))
        yield Step(f"{name}/aid", StepKind.AID, lambda _: StepJobs([*map(job, jobs)], lambda results: results), [name])
        yield Step(f"{name}/site", StepKind.PAGES, lambda *_: self.note(f"pages {name}"), [name, f"{name}/aid"])

    def last(self, titles: Sequence[str]) -> Iterator[Step]:
        if titles:
            yield Step("screen", StepKind.AID, lambda: StepJobs([*map(job, titles)], list))

    def note(self, words: str) -> str:
        self.done.append(words)
        return words


def titles(graph: BuildGraph) -> list[str]:
    return [each.title for each in graph.jobs()]


def test_the_longest_job_of_a_game_comes_first() -> None:
    games = Games({"one": ["one/a1", "one/b3", "one/c2"], "two": ["two/a9"]})
    assert titles(games.graph) == ["one/b3", "one/c2", "one/a1", "two/a9"]
    assert games.graph.total == 4


def test_a_game_is_read_when_its_jobs_are_wanted() -> None:
    games = Games({"one": ["one/a1"], "two": ["two/a1"]})
    jobs = games.graph.jobs()
    next(jobs)
    assert games.done == ["read one"]
    next(jobs)
    assert games.done == ["read one", "read two"]


def test_while_others_do_jobs_the_next_games_are_read_but_few_and_then_pages_are_made() -> None:
    names = [f"game{number}" for number in range(MOST_READ_AHEAD + 2)]
    games = Games({name: [f"{name}/a1"] for name in names})
    next(games.graph.jobs())
    while games.graph.on_idle():
        pass
    assert games.done == [f"read {name}" for name in names[:MOST_READ_AHEAD]]
    games.graph.take(result("game1/a1"))
    del games.done[:]
    while games.graph.on_idle():
        pass
    assert games.done == [f"read {names[MOST_READ_AHEAD]}", "pages game1"]


def test_pages_of_a_game_come_after_its_last_job() -> None:
    games = Games({"one": ["one/a1", "one/b1"]})
    assert titles(games.graph) == ["one/a1", "one/b1"]
    games.graph.take(result("one/b1"))
    assert not games.graph.on_idle()
    games.graph.take(result("one/a1"))
    assert games.graph.on_idle()
    assert games.done == ["read one", "pages one"]


def test_of_many_games_with_nothing_left_but_pages_these_come_before_the_next_game_is_read() -> None:
    """So that they can be let go of: all games at once do not fit into memory."""
    names = [f"game{number}" for number in range(2 * MOST_READ_AHEAD)]
    games = Games({name: [] for name in names[:-1]} | {names[-1]: ["last/a1"]})
    assert titles(games.graph) == ["last/a1"]
    read = [index for index, words in enumerate(games.done) if words.startswith("read")]
    made = [index for index, words in enumerate(games.done) if words.startswith("pages")]
    assert read[MOST_READ_AHEAD] > made[0]
    assert len(read) - len(made) <= MOST_READ_AHEAD


def test_a_page_that_is_looked_at_comes_before_all_else() -> None:
    games = Games({"one": ["one/a1"]})
    steps = [*games.steps("two", []), Step("page", StepKind.FIRST, lambda: games.note("page"))]
    graph = BuildGraph(steps)
    graph.finish()
    assert games.done == ["page", "read two", "pages two"]


def test_results_come_in_the_order_of_the_jobs_whatever_the_order_they_were_done_in() -> None:
    games = Games({"one": ["one/a1", "one/b2"]})
    for each in [*games.graph.jobs()]:
        games.graph.take(result(each.title))
    values = games.graph.finish()
    assert [one.title for one in values["one/aid"]] == ["one/a1", "one/b2"]
    assert values["one/site"] == "pages one"


def test_a_step_without_jobs_of_its_own_has_its_value_at_once() -> None:
    graph = BuildGraph([Step("one", StepKind.AID, lambda: StepJobs([], lambda results: f"{len(results)} results"))])
    assert titles(graph) == []
    assert graph.values == {"one": "0 results"}


def test_a_build_that_is_to_stop_does_no_further_step() -> None:
    class GivenUpError(Exception):
        pass

    stop: Future[None] = Future()

    def check() -> None:
        if stop.done():
            stop.result()

    graph = BuildGraph(
        [Step("one", StepKind.READ, lambda: stop.set_exception(GivenUpError())), Step("two", StepKind.READ, str)], check
    )
    with pytest.raises(GivenUpError):
        graph.finish()
    assert [*graph.values] == ["one"]


def test_steps_that_need_each_other_are_a_fault() -> None:
    with pytest.raises(CycleError):
        BuildGraph([Step("one", StepKind.READ, str, ["two"]), Step("two", StepKind.READ, str, ["one"])])
