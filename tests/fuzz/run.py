"""Inputs of a target, one after the other: made, tried, and counted; what breaks a promise is kept as a find.

In: the name of a target, the number of its first input, how many, and a folder for finds. Out: Figures; in the folder a
file for each find with its trace beside it; and a State, from which other processes see what is tried.

An input follows from the name of its target and its number alone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

from tests.fuzz import seeds
from tests.fuzz.bounds import Trial, tried
from tests.fuzz.command import run_command
from tests.fuzz.mutations import changed, with_repetition
from tests.fuzz.targets import TARGETS

COMMANDS = 500
"""Of so many inputs of a target, one goes through the command line as well."""

MOST_OF_A_FAULT = 2
"""So many inputs are kept that show the same fault."""

FRESH = 0.5
"""How many of the inputs a grammar makes, where a target has one."""

RARE = 0.01
"""How many of the inputs are made of earlier finds and of large seeds."""

LONG = 500
"""Of so many inputs of a target, one is long: a few of its tokens are repeated."""

SHRINKING = 5.0
"""Seconds in which a find is made smaller."""

WARM = 2
"""Seeds with which modules and games are loaded."""

GROWN = 100
"""Seeds that a grammar makes, beside those of files."""

MEMORY = Path("/dev/shm")  # files of a scratch folder are written for each input


@dataclass(slots=True)
class Figures:
    """What is known of some inputs of a target; ``faults`` counts the inputs of each fault."""

    inputs: int = 0
    refused: int = 0
    commands: int = 0
    seconds: float = 0
    slowest: float = 0
    megabytes: float = 0
    faults: dict[str, int] = field(default_factory=dict)

    def add(self, trial: Trial) -> None:
        """Count an input."""
        self.inputs += 1
        self.refused += trial.refused
        self.seconds += trial.seconds
        self.slowest = max(self.slowest, trial.seconds)
        self.megabytes = max(self.megabytes, trial.megabytes)
        if trial.fault:
            self.faults[trial.fault] = self.faults.get(trial.fault, 0) + 1

    def __add__(self, other: Figures) -> Figures:
        faults = {key: self.faults.get(key, 0) + other.faults.get(key, 0) for key in {**self.faults, **other.faults}}
        return Figures(
            self.inputs + other.inputs,
            self.refused + other.refused,
            self.commands + other.commands,
            self.seconds + other.seconds,
            max(self.slowest, other.slowest),
            max(self.megabytes, other.megabytes),
            faults,
        )

    def json(self) -> str:
        """The figures as a text."""
        return json.dumps(asdict(self))


def scratch_folder() -> TemporaryDirectory[str]:
    """A folder in memory, where the system has one."""
    return TemporaryDirectory(prefix="refgen-fuzz-", dir=MEMORY if MEMORY.is_dir() else None)


class Inputs:
    """The inputs of a target, each by its number."""

    def __init__(self, name: str, *, foreign: bool = True) -> None:
        self.name, self.target = name, TARGETS[name]
        fresh = (self.target.fresh(Random(number)).encode() for number in range(GROWN)) if self.target.fresh else ()
        others = self.target.foreign() if foreign else ()
        self.seeds = [*self.target.seeds(), *fresh, *others]
        self.rare = [*seeds.finds(name).values(), *self.target.large()]
        self.lenders = [*self.seeds, *self.rare]

    def __getitem__(self, number: int) -> bytes:
        random = Random(f"{self.name} {number}")
        if number % LONG == LONG - 1:  # none of the few of `make test`
            return with_repetition(random.choice(self.seeds), random)
        if self.target.fresh and random.random() < FRESH:
            return self.target.fresh(random).encode()
        some = self.rare if self.rare and random.random() < RARE else self.seeds
        return changed(random.choice(some), self.lenders, self.target.changes, random)


class Fuzzer:
    """Tries inputs of a target: ``one`` of them, wherever it is from."""

    def __init__(self, name: str, finds: Path, scratch: Path) -> None:
        self.name, self.target, self.finds, self.scratch = name, TARGETS[name], finds, scratch
        scratch.mkdir(exist_ok=True)
        self.run = self.target.prepare(scratch)
        self.figures = Figures()

    def warm_up(self, some: Sequence[bytes]) -> None:
        """Try a few seeds uncounted: modules are loaded, and games, when they are first needed."""
        for data in some[:WARM]:
            tried(self.run, data)

    def one(self, data: bytes, *, command: bool = False) -> Trial:
        """Try an input; through the command line too, where the target has a ``command``."""
        trial = tried(self.run, data)
        self.figures.add(trial)
        if trial.fault:
            self.keep(data, trial)
        if command and self.target.command and (arguments := self.target.command(self.scratch, data)):
            self.figures.commands += 1
            if fault := run_command(arguments):
                failed = replace(trial, fault=fault, trace=" ".join(map(repr, arguments)))
                self.figures.faults[fault] = self.figures.faults.get(fault, 0) + 1
                self.keep(data, failed)
        return trial

    def keep(self, data: bytes, trial: Trial) -> None:
        """Write a find into the folder of finds, as small as it can be, unless there are enough of its fault."""
        self.finds.mkdir(parents=True, exist_ok=True)
        name = f"{self.name}--{re.sub(r'[^A-Za-z0-9.]+', '-', trial.fault)}"
        if len(list(self.finds.glob(f"{name}--*.input"))) < MOST_OF_A_FAULT:
            path = self.finds / f"{name}--{os.getpid()}-{self.figures.inputs}"
            Path(f"{path}.input").write_bytes(shrunk(self.run, data, trial.fault))
            Path(f"{path}.trace").write_text(f"{trial.fault}\n{trial.trace}", errors="replace")


class State:
    """A file from which others see what input is tried: its number on a line, and its bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_CREAT | os.O_RDWR)

    def write(self, number: int, data: bytes) -> None:
        """Say what is tried now."""
        said = b"%d\n%b" % (number, data)
        os.pwrite(self._file, said, 0)
        os.ftruncate(self._file, len(said))

    @staticmethod
    def read(path: Path) -> tuple[int, bytes]:
        """What is tried now. Raises OSError and ValueError before the first input."""
        number, _, data = path.read_bytes().partition(b"\n")
        return int(number), data


def fuzz(name: str, first: int, count: int, finds: Path, state: State | None = None, *, commands: int = 0) -> Figures:
    """Try some inputs of a target; one of so many ``commands`` by the command line too."""
    inputs = Inputs(name, foreign=state is not None)
    with scratch_folder() as scratch:
        fuzzer = Fuzzer(name, finds, Path(scratch) / "project")
        fuzzer.warm_up(inputs.seeds)
        for number in range(first, first + count):
            if state is not None:
                state.write(number, b"")  # in case that the input cannot be made
            data = inputs[number]
            if state is not None:
                state.write(number, data)
            fuzzer.one(data, command=commands > 0 and number % commands == 0)
        return fuzzer.figures


def shrunk(run: Callable[[bytes], object], data: bytes, fault: str) -> bytes:
    """A shorter input with the same fault: parts are left out as long as the fault stays."""
    size, until = len(data) // 2, process_time() + SHRINKING
    while size and process_time() < until:
        place = 0
        while place < len(data) and process_time() < until:
            shorter = data[:place] + data[place + size :]
            if tried(run, shorter).fault == fault:
                data = shorter
            else:
                place += size
        size //= 2
    return data
