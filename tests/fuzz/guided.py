"""Inputs of a target that coverage guides: an input that reaches new lines of refgen is changed on.

In: as ``run.fuzz`` has it, from the command line. Out: the same Figures and finds. Atheris (libFuzzer) keeps count of
the lines and picks what is changed; the changes are ours and libFuzzer's by turns. Atheris is there while ``make fuzz``
runs, and is no package of the environment.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

OURS = 0.7
"""How many changes are those of the target; the others are libFuzzer's."""


def main(name: str, first: str, count: str, finds: str, state: str) -> None:
    """Try some inputs of a target. The process ends here: libFuzzer does not return."""
    atheris = import_module("atheris")
    atheris.instrument_imports(include=["refgen"]).__enter__()  # also of what refgen imports later
    from tests.fuzz.mutations import LARGEST
    from tests.fuzz.run import Fuzzer, Inputs, State, scratch_folder

    inputs = Inputs(name)
    scratch = scratch_folder()
    fuzzer = Fuzzer(name, Path(finds), Path(scratch.name) / "project")
    fuzzer.warm_up(inputs.seeds)
    tried = State(Path(state))

    def one(data: bytes) -> None:
        tried.write(int(first) + fuzzer.figures.inputs, data)
        fuzzer.one(data)
        if fuzzer.figures.inputs >= int(count):
            Path(f"{state}.json").write_text(fuzzer.figures.json())
            scratch.cleanup()
            corpus.cleanup()
            os._exit(0)

    def change(data: bytes, most: int, seed: int) -> Any:
        random = Random(seed)
        if random.random() < OURS:
            return random.choice(inputs.target.changes)(data, inputs.lenders, random)[:most]
        return atheris.Mutate(data, most)

    corpus = TemporaryDirectory(prefix="refgen-fuzz-")
    for number, seed in enumerate(inputs.seeds):
        (Path(corpus.name) / str(number)).write_bytes(seed)
    bounds = ["-timeout=1000000", "-rss_limit_mb=0", f"-max_len={2 * LARGEST}"]  # ours are in bounds.py
    options = [*bounds, f"-seed={int(first) + 1}", f"-artifact_prefix={state}-", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, corpus.name], one, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
