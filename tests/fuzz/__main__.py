"""``make fuzz``: many inputs of each target, on all cores; what they found, and their figures in docs/security.md.

In: options. Out: a line for each target, files of finds in a folder outside of the repository, and exit code 1 if there
are finds. A target's inputs are parted into jobs; each job is a process, which is ended where it hangs in one input.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep

import click

from tests.figures import write_figure
from tests.fuzz.run import COMMANDS, Figures, State, fuzz
from tests.fuzz.targets import TARGETS

COUNT = 100_000
GUIDED = 10
"""Of so many inputs, one more is guided by coverage."""

JOB = 20_000
"""Inputs of a job."""

HANGS = 60
"""Seconds of CPU in one input after which its process is ended: it heeds no signal."""

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Job:
    """Some inputs of a target, which coverage guides or not."""

    target: str
    first: int
    count: int
    guided: bool
    finds: Path

    @property
    def row(self) -> str:
        """The row of its figures."""
        return f"{self.target}, guided" if self.guided else self.target

    def run(self) -> Figures:
        """Run the job in processes of its own: after an input that ends one, the next goes on behind the input."""
        total, first = Figures(), self.first
        while first < self.first + self.count:
            figures, first = self._process(first)
            total += figures
        return total

    def _process(self, first: int) -> tuple[Figures, int]:
        with tempfile.TemporaryDirectory(prefix="refgen-fuzz-") as folder:
            state = Path(folder) / "state"
            rest = self.first + self.count - first
            arguments = [self.target, str(first), str(rest), str(self.finds), str(state)]
            module = ["tests.fuzz.guided"] if self.guided else ["tests.fuzz", "--job"]
            command = [sys.executable, "-m", *module, *arguments]
            with (Path(folder) / "said").open("w+b") as said:
                process = subprocess.Popen(command, stdout=said, stderr=said)
                ending = _watched(process, state)
                if ending == "" and process.returncode == 0:
                    return Figures(**json.loads(Path(f"{state}.json").read_text())), first + rest
                said.seek(0)
                return self._broken(state, ending or f"ended by itself with {process.returncode}", said.read())

    def _broken(self, state: Path, ending: str, said: bytes) -> tuple[Figures, int]:
        """The find of a process that did not come to its end."""
        tried = state.exists() and state.stat().st_size > 0
        number, data = State.read(state) if tried else (self.first + self.count - 1, b"")  # not one: none would be
        self.finds.mkdir(parents=True, exist_ok=True)
        path = self.finds / f"{self.target}--process--{number}"
        Path(f"{path}.input").write_bytes(data)
        Path(f"{path}.trace").write_bytes(f"{ending}\n".encode() + said[-20_000:])
        return Figures(inputs=tried * (number - self.first + 1), faults={f"the process {ending}": 1}), number + 1


def _watched(process: subprocess.Popen[bytes], state: Path) -> str:
    """Wait for a job, and end it where one input takes too long. Returns how it was ended, "" if it was not."""
    last, since = -1, 0.0
    while process.poll() is None:
        sleep(0.2)
        with suppress(OSError, IndexError, ValueError):
            number, _ = State.read(state)
            used = (
                sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) / _TICKS
            )
            if number != last:
                last, since = number, used
            elif used - since > HANGS:
                process.kill()
                process.wait()
                return f"hung in input {number}"
    return ""


def jobs(names: Sequence[str], count: int, finds: Path) -> Iterator[Job]:
    """The jobs of all targets; where Atheris is there, it guides a tenth more inputs of each."""
    for name in names:
        for first in range(0, count, JOB):
            yield Job(name, first, min(JOB, count - first), False, finds)
        if find_spec("atheris"):
            yield Job(name, 0, max(1, count // GUIDED), True, finds)


@click.command()
@click.option("--count", type=int, default=COUNT, show_default=True, help="Inputs of each target.")
@click.option("--target", "names", multiple=True, type=click.Choice([*TARGETS]), help="These targets alone.")
@click.option("--finds", type=click.Path(path_type=Path), default=Path(tempfile.gettempdir()) / "refgen-fuzz")
@click.option("--write", is_flag=True, help="Write the figures into docs/security.md.")
@click.option("--job", nargs=5, hidden=True)
def main(count: int, names: Sequence[str], finds: Path, write: bool, job: Sequence[str] | None) -> None:
    """Try many inputs of each target."""
    if job:
        target, first, number, folder, state = job
        figures = fuzz(target, int(first), int(number), Path(folder), State(Path(state)), commands=COMMANDS)
        Path(f"{state}.json").write_text(figures.json())
        return
    began, totals = monotonic(), dict[str, Figures]()
    for row, figures in _run(list(jobs(names or [*TARGETS], count, finds))):
        totals[row] = figures
        click.echo(f"{row:24} {line(figures)}")
        if write:
            write_figure("fuzz", row, line(figures))
    inputs, seconds = sum(each.inputs for each in totals.values()), monotonic() - began
    click.echo(f"{inputs:,} inputs in {seconds:,.0f} s on {CORES} cores; finds in {finds}")
    if write:
        write_figure("fuzz", "all", f"{inputs:,} inputs in {seconds / 60:,.0f} min on {CORES} cores")
    sys.exit(any(each.faults for each in totals.values()))


CORES = len(os.sched_getaffinity(0))


def _run(waiting: Sequence[Job]) -> Iterator[tuple[str, Figures]]:
    """The figures of each row, when all its jobs are done."""
    left = Counter(job.row for job in waiting)
    totals: dict[str, Figures] = {}
    with ThreadPoolExecutor(CORES) as pool:
        running = {pool.submit(job.run): job.row for job in waiting}
        for done in as_completed(running):
            row = running[done]
            totals[row] = totals.get(row, Figures()) + done.result()
            left[row] -= 1
            if not left[row]:
                yield row, totals[row]


def line(figures: Figures) -> str:
    """Figures as a line."""
    found = ", ".join(f"{fault} ({count:,})" for fault, count in figures.faults.items()) or "no find"
    commands = f", {figures.commands:,} by command" if figures.commands else ""
    return (
        f"{figures.inputs:,} inputs ({figures.refused / max(1, figures.inputs):.0%} refused{commands}), "
        f"{figures.inputs / max(0.01, figures.seconds):,.0f} a second; "
        f"slowest {figures.slowest:.2f} s, most {figures.megabytes:,.0f} MB; {found}"
    )


if __name__ == "__main__":
    main()
