"""Pages of docs/ that are worked through: their files are written, their commands run, and what they say comes.

In: the text of a page or a section. Out: steps, in the order of the page. A block of code below "`path`:" is a file;
"at the end of `path` stands:" adds to one, "are in `path`:" says that a file has these lines, and "in `path`, `old` is
`new`" changes one. An indented line that begins with "$ refgen" is a command, up to two blanks; the command prints the
lines below it, where "…" is any text.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from click import Context
from click.testing import CliRunner

from refgen.cli import main

_STEP = re.compile(
    r"(?P<adds>at\s+the\s+end\s+of\s+)?(?P<shows>are\s+in\s+)?`(?P<path>[^`\s]+)`(?:\s+stands)?:\n\n```\w+\n(?P<text>.*?)```"
    r"|[Ii]n\s+`(?P<changed>[^`\s]+)`,\s+`(?P<old>[^`]+)`\s+is\s+`(?P<new>[^`]+)`"
    r"|^    \$ refgen (?P<command>\S+(?: \S+)*)(?:  +(?P<remark>[^\n]*))?\n(?P<printed>(?:    (?!\$ )[^\n]+\n)*)",
    re.DOTALL | re.MULTILINE,
)
ENDLESS = ("serve",)
_EXIT_CODE = re.compile(r"exit code (\d)")


@dataclass(frozen=True, slots=True)
class FileStep:
    """A file that a page shows; ``adds`` to what is there."""

    path: str
    text: str
    adds: bool

    def take(self, folder: Path) -> None:
        """Write the file."""
        path = folder / self.path
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if self.adds else ""
        path.write_text(f"{before}\n{self.text}" if self.adds else self.text, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class ShownLines:
    """Lines of a file that refgen has written, as a page shows them."""

    path: str
    lines: Sequence[str]

    def take(self, folder: Path) -> None:
        """Find the lines in the file."""
        there = (folder / self.path).read_text(encoding="utf-8").splitlines()
        assert [line for line in self.lines if line not in there] == [], self.path


@dataclass(frozen=True, slots=True)
class ChangeStep:
    """Words of a file that a page changes."""

    path: str
    old: str
    new: str

    def take(self, folder: Path) -> None:
        """Change the file, which has the old words once."""
        path = folder / self.path
        text = path.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, (self.path, self.old)
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class CommandStep:
    """A command of a page, its exit code, and lines that it prints."""

    arguments: Sequence[str]
    code: int
    printed: Sequence[str]

    def take(self, folder: Path) -> None:
        """Run the command in this process, whose current folder is ``folder``; one without an end is only read."""
        assert Path.cwd() == folder
        name, *arguments = self.arguments
        if name in ENDLESS:
            command = main.get_command(Context(main), name)
            assert command is not None
            command.make_context(name, arguments)
            return
        result = CliRunner().invoke(main, [*self.arguments], catch_exceptions=False)
        assert result.exit_code == self.code, (self.arguments, result.output)
        for told in self.printed:
            assert printed_as_told(told, result.output), (self.arguments, told, result.output)


def printed_as_told(told: str, output: str) -> bool:
    """Whether a line of the output is as a page tells it; "…" is any text."""
    pattern = ".*".join(re.escape(part) for part in told.split("…"))
    return any(re.fullmatch(pattern, line.strip()) for line in output.splitlines())


Step = FileStep | ShownLines | ChangeStep | CommandStep


def steps(text: str) -> list[Step]:
    """The steps of a page or a section."""
    return [_step(match) for match in _STEP.finditer(text)]


def _step(match: re.Match[str]) -> Step:
    if match["path"] and match["shows"]:
        return ShownLines(match["path"], match["text"].splitlines())
    if match["path"]:
        return FileStep(match["path"], match["text"], match["adds"] is not None)
    if match["changed"]:
        return ChangeStep(match["changed"], match["old"], match["new"])
    code = _EXIT_CODE.search(match["remark"] or "")
    printed = [line.strip() for line in match["printed"].splitlines()]
    return CommandStep(shlex.split(match["command"]), int(code[1]) if code else 0, printed)
