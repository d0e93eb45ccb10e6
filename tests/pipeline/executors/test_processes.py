"""Warm processes: one that dies, hangs or takes too much memory costs its own step, and none outlives its owner."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from refgen.pipeline.executors import InProcess, StepExecutor, WorkerError
from refgen.pipeline.executors.loop import StepBegun, StepEnded, in_order, run_steps
from refgen.pipeline.executors.processes import ProcessPool, Worker, WorkerLimits
from refgen.pipeline.operating_system import resident_memory
from tests.pipeline.executors import steps
from tests.waiting import wait_until

OWNER = """
import sys
from pathlib import Path
from refgen.pipeline.executors.processes import ProcessPool
from tests.pipeline.executors.steps import nothing, number_of_process, unless_endless
folder = sys.argv[1]
executor = ProcessPool(2, nothing, Path(folder))
tasks = [executor.submit(unless_endless, folder) for _ in range(2)]
print(*[process._process.pid for process in executor._workers], flush=True)
tasks[0].result()
"""


@contextmanager
def processes(scratch: Path, limits: WorkerLimits | None = None, width: int = 2) -> Iterator[ProcessPool]:
    with closing(ProcessPool(width, steps.nothing, scratch, limits)) as found:
        yield found


def outcomes(executor: StepExecutor, do: Callable[[Any], object], *pieces: object) -> list[object]:
    """The outcome of each piece, an error as its words."""
    ended = {each.argument: each.outcome for each in run_steps(executor, do, pieces) if isinstance(each, StepEnded)}
    results = [ended[piece] for piece in pieces]
    return [str(result) if isinstance(result, Exception) else result for result in results]


@pytest.mark.slow
def test_every_piece_has_its_outcome(tmp_path: Path) -> None:
    with processes(tmp_path) as found:
        assert outcomes(found, steps.upper, *"abcdefg") == list("ABCDEFG")
        assert outcomes(found, steps.upper, "h") == ["H"]
        assert outcomes(found, steps.upper) == []


@pytest.mark.slow
def test_an_error_is_the_outcome_of_its_piece(tmp_path: Path) -> None:
    with processes(tmp_path) as found:
        assert outcomes(found, steps.one_over, "1", "0", "2") == [1, "division by zero", 0.5]


def test_a_fault_tells_where_it_arose(tmp_path: Path) -> None:
    with processes(tmp_path, width=1) as found:
        (note,) = found.submit(steps.one_over, "0").exception().__notes__  # type: ignore[union-attr]
    assert "in one_over" in note


def test_what_cannot_travel_is_an_error(tmp_path: Path) -> None:
    with processes(tmp_path, width=1) as found:
        (there,) = outcomes(found, lambda _piece: None, "a")
        (back,) = outcomes(found, steps.cannot_travel, "a")
        assert outcomes(found, steps.upper, "a") == ["A"]
    assert "lambda" in str(there)
    assert "cannot travel" in str(back)


def test_a_process_that_dies_costs_its_own_piece(tmp_path: Path) -> None:
    with processes(tmp_path) as found:
        expected = ["a", "its process ended by SIGKILL", "b", "c"]
        assert outcomes(found, steps.unless_deadly, "a", "deadly", "b", "c") == expected


def test_a_process_that_dies_once_costs_nothing_and_is_reported(tmp_path: Path) -> None:
    with processes(tmp_path, width=1) as found:
        marker = str(tmp_path / "died")
        told = [*run_steps(found, steps.dies_once, [marker])]
    assert told[:2] == [StepBegun(marker), StepBegun(marker, "its process ended with exit code 3")]
    assert [each.outcome for each in told[2:] if isinstance(each, StepEnded)] == ["alive"]


@pytest.mark.slow
def test_more_than_are_worked_on_wait_in_line_while_other_things_are_done(tmp_path: Path) -> None:
    taken: list[str] = []
    then: list[int] = []

    def meanwhile() -> bool:
        then.append(len(taken))
        return False

    with processes(tmp_path, width=1) as found:
        told = [*run_steps(found, steps.upper, taking("abcde", taken), meanwhile)]
    assert then[0] == 1 + found.ahead
    assert told[::2] == [StepBegun(piece) for piece in "abcde"]
    assert [each.outcome for each in told[1::2] if isinstance(each, StepEnded)] == list("ABCDE")


@pytest.mark.slow
def test_a_process_that_hangs_costs_its_own_piece(tmp_path: Path) -> None:
    with processes(tmp_path, WorkerLimits(seconds=2)) as found:
        expected = ["it took more than 2 s (--limit step-seconds)", "a", "b"]
        assert outcomes(found, steps.unless_endless, str(tmp_path), "a", "b") == expected
    assert len(list(tmp_path.iterdir())) == 2  # it was tried twice


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process holds")
def test_a_process_that_takes_too_much_memory_costs_its_own_piece(tmp_path: Path) -> None:
    with processes(tmp_path, width=1) as found:
        usual = resident_memory(found.submit(steps.number_of_process, None).result())
    # The second try may be in the process that did the modest step and then freed what it shares with this one: only
    # what grows without end comes to the limit for certain.
    with processes(tmp_path, WorkerLimits(memory=usual + 2**26)) as found:
        greedy, modest = outcomes(found, steps.ever_more, "greedy", "modest")
    assert re.fullmatch(r"it took more than [\d.]+ GB of memory \(--limit step-megabytes\)", str(greedy))
    assert modest == "modest"


@pytest.mark.slow
def test_all_but_one_start_before_there_is_a_step_and_that_when_no_other_is_free(tmp_path: Path) -> None:
    with processes(tmp_path, width=3) as found:
        found.start()
        assert outcomes(found, steps.upper, "a") == ["A"]
        assert len(found._workers) == 2
        for slow in [found.submit(time.sleep, 1) for _ in range(3)]:
            slow.result()
        assert len(found._workers) == 3


@pytest.mark.slow
def test_work_and_results_of_any_size_travel(tmp_path: Path) -> None:
    with processes(tmp_path) as found:
        assert outcomes(found, steps.twice, "x" * 5_000_000, "y") == ["x" * 10_000_000, "yy"]


def test_the_type_of_an_error_is_kept(tmp_path: Path) -> None:
    with processes(tmp_path, width=1) as found:
        assert isinstance(found.submit(steps.exits, "a").exception(), WorkerError)


@pytest.mark.slow
def test_an_executor_may_become_narrower(tmp_path: Path) -> None:
    with processes(tmp_path, width=3) as found:
        ended = 0
        for each in run_steps(found, steps.upper, "abcdefg"):
            found.width = 1
            ended += isinstance(each, StepEnded)
    assert ended == 7


@pytest.mark.slow
def test_results_come_in_the_order_of_their_pieces_few_of_which_are_taken_ahead(tmp_path: Path) -> None:
    taken: list[str] = []
    with processes(tmp_path) as found:
        results = in_order(found, steps.upper, taking("abcdefghij", taken), ahead=3)
        assert (next(results), taken) == ("A", ["a", "b", "c", "d"])
        assert [*results] == list("BCDEFGHIJ")


@pytest.mark.slow
def test_in_order_tries_once_more_and_raises_what_a_piece_raises(tmp_path: Path) -> None:
    with processes(tmp_path) as found:
        assert [*in_order(found, steps.dies_once, [str(tmp_path / "died")])] == ["alive"]
        with pytest.raises(ZeroDivisionError):
            [*in_order(found, steps.one_over, ["1", "0"])]


def test_an_executor_in_this_process_does_the_same() -> None:
    assert outcomes(InProcess(), steps.one_over, "1", "0", "2") == [1, "division by zero", 0.5]
    assert [*in_order(InProcess(), steps.upper, "abc")] == ["A", "B", "C"]


@pytest.mark.slow
def test_shutting_down_waits_for_what_was_submitted(tmp_path: Path) -> None:
    with ProcessPool(1, steps.nothing, tmp_path) as found:
        futures = [found.submit(steps.upper, piece) for piece in "ab"]
    assert [future.result(0) for future in futures] == ["A", "B"]
    with pytest.raises(RuntimeError, match="these processes have ended"):
        found.submit(steps.upper, "c")


def test_closing_ends_what_runs_and_what_waits(tmp_path: Path) -> None:
    found = ProcessPool(1, steps.nothing, tmp_path)
    running, waiting = (found.submit(steps.unless_endless, str(tmp_path)) for _ in range(2))
    wait_until(lambda: list(tmp_path.iterdir()))
    found.close()
    assert str(running.exception(0)) == "its process ended by SIGKILL"
    assert waiting.cancelled()


@pytest.mark.slow
def test_started_processes_do_what_forked_ones_do(tmp_path: Path) -> None:
    marker = str(tmp_path / "died")
    with closing(ProcessPool(2, steps.nothing, tmp_path, WorkerLimits(seconds=20), forked=False)) as found:
        assert outcomes(found, steps.one_over, "1", "0", "2") == [1, "division by zero", 0.5]
        assert [*in_order(found, steps.dies_once, [marker])] == ["alive"]
        assert outcomes(found, steps.exits, "a") == ["its process ended with exit code 1"]
        running = [worker._process.pid for worker in found._workers]
    end_soon(running)


@pytest.mark.slow
def test_a_step_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    with processes(tmp_path, width=1) as found:
        with pytest.raises(WorkerError, match="nobody waits for it any more"):
            found.do((steps.unless_endless, [str(tmp_path)], {}), lambda: bool(list(tmp_path.iterdir())))
        assert outcomes(found, steps.upper, "a") == ["A"]


@pytest.mark.slow
def test_a_process_that_ends_while_it_has_no_step_costs_nothing(tmp_path: Path) -> None:
    with closing(ProcessPool(1, steps.nothing, tmp_path, idle_seconds=0.2)) as found:
        first = found.submit(steps.number_of_process, None).result()
        end_soon([first])
        assert [type(each) for each in run_steps(found, steps.upper, "a")] == [StepBegun, StepEnded]
        assert found.submit(steps.number_of_process, None).result() != first


def test_a_process_ends_with_its_line(tmp_path: Path) -> None:
    with processes(tmp_path, width=2) as found:
        found._ensure_workers(2)
        numbers = [worker._process.pid for worker in found._workers]
        for worker in found._workers:
            worker._line.close()
        end_soon(numbers)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends orphans on Linux alone")
def test_processes_end_when_their_owner_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        numbers = owner.stdout.readline().split()
        owner.send_signal(signal.SIGKILL)
    assert len(numbers) == 2
    end_soon(map(int, numbers))


def taking(pieces: Iterable[str], taken: list[str]) -> Iterator[str]:
    """Pieces, of which each is noted when it is taken."""
    for piece in pieces:
        taken.append(piece)
        yield piece


@pytest.mark.slow
def test_a_thread_that_the_pool_does_not_know_may_end_its_worker_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal just after a thread was started, before it is noted, leaves a thread that nobody waits for."""
    with processes(tmp_path, width=3) as found:
        assert outcomes(found, steps.upper, *"abc") == list("ABC")
        end = Worker.end

        def end_and_note(worker: Worker) -> None:
            end(worker)
            found._workers.discard(worker)

        monkeypatch.setattr(Worker, "end", end_and_note)


def end_soon(processes: Iterable[int]) -> None:
    """They end, and nobody tells them to."""
    numbers = list(processes)
    wait_until(lambda: not any(map(is_running, numbers)))


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
