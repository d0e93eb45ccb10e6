"""The command line: binds the commands, shows errors as ``file:line:column: message`` with a hint, and ends on signals.

In: the arguments of the process. Out: its exit code: 0 all is well, 1 there are findings, 2 bad input or something
could not be made. Ctrl-C, TERM and a closed terminal end a command within two seconds, with 128 and the number of the
signal. JSON and results go to stdout, progress and messages to stderr.
"""

from __future__ import annotations

import atexit
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from refgen.catalog import did_you_mean
from refgen.commands.options import BAD_INPUT, show_error
from refgen.errors import RefgenError, reason_of
from refgen.gc_tuning import tune_gc

COMMANDS = {
    **dict.fromkeys(("build", "clean", "serve"), "build"),
    **dict.fromkeys(("screen", "sheet", "cards", "session"), "aids"),
    **dict.fromkeys(("tables", "export", "conditions", "read", "schema"), "rules"),
    "check": "check",
    "doctor": "doctor",
    "init": "init",
    "look": "look",
    "odds": "odds",
}
"""The module of each command, which has a function of the command's name."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Why standard output takes no more; that its reader has gone is no fault."""

GRACE = 1.5
"""Seconds to tidy up in; what is not tidied up then, the next build does."""

_PAUSE = 0.01
"""Seconds between two looks at whether the import of a module is done."""

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Windows has no SIGHUP, and no timer that sends a signal."""


class _Refgen(click.Group):
    """Commands that are loaded when they are named.

    Never a traceback for bad input, nor for output that cannot be written.
    """

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"refgen.commands.{COMMANDS[cmd_name]}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            begins = f" `refgen init {name}` begins a game from rules." if Path(name).exists() else ""
            ctx.fail(f'There is no command "{name}".{begins or f" {did_you_mean(name, COMMANDS)}"}')
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.filename is not None:  # standard output has none
                show_error(RefgenError(f"{error.filename}: {reason_of(error)}"))
                sys.exit(BAD_INPUT)
            if error.errno not in _FULL:
                raise
            sys.stdout = None  # what waits to be written is not tried again
            with suppress(OSError):  # standard error may be as full
                show_error(RefgenError(f"cannot write the output: {reason_of(error)}"))
            sys.exit(BAD_INPUT)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with stops_on_signals():
                return super().invoke(ctx)
        except RefgenError as error:
            show_error(error)
            ctx.exit(BAD_INPUT)
        except RecursionError:  # where a limit was raised beyond what Python calls in one another
            hint = "Write fewer parts in one another, or raise limits less."
            show_error(RefgenError("too much stands in one another", hint=hint))
            ctx.exit(BAD_INPUT)
        except StopSignal as stopped:
            ctx.exit(stopped.code)


@click.group(cls=_Refgen, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="refgen")
def main() -> None:
    """Rule documents in; checked GM screens, sheets, cards, data and a site out."""
    tune_gc()


class StopSignal(KeyboardInterrupt):
    """The command is to end, with the exit code ``code``."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


@contextmanager
def stops_on_signals() -> Iterator[None]:
    """Raise StopSignal at the first signal; a second signal ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = _signal_handlers()
    stops: list[_Stop] = []

    def begin_stop(number: int, frame: FrameType | None) -> None:
        stops.append(_Stop(number))
        stops[0].begin(frame)

    for number in before:
        signal.signal(number, begin_stop)
    try:
        yield
    except Exception:
        if not stops:  # pydantic makes an error of its own of one that is raised while it builds a model
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if stops:  # also where the command ended with an import
        stops[0].raise_signal()


def _signal_handlers() -> dict[signal.Signals, Any]:
    """The handlers of the signals that end a command, without those that are ignored, as under nohup."""
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    return {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}


class _Stop:
    """The end of a command by a signal: StopSignal is raised once, and GRACE seconds later the process ends.

    It is not raised while a module is imported: some written in C (nanobind's) abort the process at an exception.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.end = time.monotonic() + GRACE
        self.is_raised = False

    def begin(self, frame: FrameType | None) -> None:
        """Raise StopSignal in this frame, or when its import is done."""
        for each in _SIGNALS:
            signal.signal(each, self._exit)
        atexit.register(_end, 128 + self.number)  # taking Python apart takes long, and nothing of it is needed
        sys.unraisablehook = lambda _unraisable: None  # a callback of a library loses the error: the timer ends it
        if not hasattr(signal, "setitimer"):
            self.raise_signal()
        signal.signal(signal.SIGALRM, self._go_on)
        self._go_on(signal.SIGALRM, frame)

    def raise_signal(self) -> NoReturn:
        self.is_raised = True
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, max(self.end - time.monotonic(), _PAUSE))
        raise StopSignal(self.number)

    def _go_on(self, number: int, frame: FrameType | None) -> None:
        if self.is_raised or time.monotonic() >= self.end:
            self._exit(number, frame)
        if not _is_importing(frame):
            self.raise_signal()
        signal.setitimer(signal.ITIMER_REAL, _PAUSE)

    def _exit(self, _number: int, _frame: FrameType | None) -> NoReturn:
        os._exit(128 + self.number)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported at a signal that came in this frame."""
    while frame and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def _end(code: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
