"""A command that watches a project, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.pipeline.small_builds import project_of_a_screen
from tests.waiting import PATIENCE, wait_until

SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'
COMMAND = """
from refgen.cli import main
from refgen import cli
from refgen.serve import builder
cli.GRACE = builder.GRACE = 60
main()
"""
"""The command line, which takes its time to tidy up on a machine that is slow."""


def own_project(folder: Path) -> Path:
    """A project of two small games, one of them with a screen."""
    return project_of_a_screen(folder / "own", SCREEN, "pool")


@dataclass
class Running:
    """The process, what it said, and its parts: ``own`` is the project, ``output`` what is built of it."""

    process: subprocess.Popen[str]
    own: Path
    output: Path
    said: list[str] = field(default_factory=list)
    url: str = ""

    @property
    def rules(self) -> Path:
        return self.own / "content" / "fate" / "rules.md"

    @property
    def screen(self) -> Path:
        return self.own / "content" / "fate" / "screen.toml"

    def awaits(self, what: Callable[[], object]) -> None:
        """Wait until something is so."""

        def is_so() -> object:
            assert self.process.poll() is None, self.said
            return what()

        wait_until(is_so, lambda: self.said, 4 * PATIENCE)

    def says(self, text: str, since: int = 0) -> None:
        self.awaits(lambda: any(text in line for line in self.said[since:]))

    def get(self, path: str) -> str:
        """A page; "" where there is none."""
        host, _, port = self.url.removeprefix("http://").rstrip("/").partition(":")
        with closing(HTTPConnection(host, int(port), timeout=PATIENCE)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode()
            return text if answer.status == 200 else ""

    def hears(self, page: str) -> Iterator[dict[str, Any]]:
        """What a page is told, one thing after the other."""
        host, _, port = self.url.removeprefix("http://").rstrip("/").partition(":")
        with closing(HTTPConnection(host, int(port), timeout=PATIENCE)) as connection:
            connection.request("GET", f"/.refgen/events?page={page}")
            answer = connection.getresponse()
            while line := answer.readline().decode():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def family(self) -> list[int]:
        """The processes that it started, and those that they did."""
        found = [self.process.pid]
        for pid in found:
            for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
                with suppress(OSError):
                    found += map(int, tasks.read_text().split())
        return found[1:]


@contextmanager
def running(folder: Path, *command: str) -> Iterator[Running]:
    """A command of refgen on a project in ``folder``, which ends with this."""
    own = folder / "own" if (folder / "own").exists() else own_project(folder)
    (folder / "tmp").mkdir(exist_ok=True)
    arguments = [sys.executable, "-c", COMMAND, *command, "--project", str(own), "-o", str(folder / "build")]
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(arguments, text=True, env=environment, **pipes) as process:
        found = Running(process, own, folder / "build")
        reader = threading.Thread(target=lambda: found.said.extend(iter(process.stderr.readline, "")))  # type: ignore[union-attr]
        reader.start()
        try:
            if command[0] == "serve" and process.stdout is not None:
                found.url = process.stdout.readline().split()[1]
            yield found
        finally:
            process.kill()
            process.wait()
            reader.join()


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
