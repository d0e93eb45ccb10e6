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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

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
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    received: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        received.append(number)
        _stop(number)

    for number in _SIGNALS:
        if before[number] is not signal.SIG_IGN:  # nohup
            signal.signal(number, stop)
    try:
        yield
    except Exception:
        if received:  # pydantic makes an error of its own of one that is raised while it builds a model
            raise StopSignal(received[0]) from None
        raise
    finally:
        for number in _SIGNALS:
            signal.signal(number, before[number])


def _stop(number: int) -> NoReturn:
    def end_here(_number: int, _frame: FrameType | None) -> NoReturn:
        os._exit(128 + number)

    for each in _SIGNALS:
        signal.signal(each, end_here)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, end_here)
        signal.setitimer(signal.ITIMER_REAL, GRACE)
    atexit.register(_end, 128 + number)  # taking Python apart takes long, and nothing of it is needed
    sys.unraisablehook = lambda _unraisable: None  # in a callback of a library the error is lost: the timer ends it
    raise StopSignal(number)


def _end(code: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
