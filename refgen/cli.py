"""The command line: binds the commands, and shows errors as ``file:line:column: message`` with a hint.

Exit codes: 0 all is well, 1 there are findings, 2 bad input or something could not be made; 130 after Ctrl-C, 143
after TERM. JSON and results go to stdout, progress and messages to stderr.
"""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from refgen.commands.options import BAD_INPUT, show_error
from refgen.commands.stopping import Stopped, stops_on_signals
from refgen.errors import RefgenError
from refgen.gc_tuning import tune_gc

COMMANDS = frozenset(
    (
        *("build", "serve", "clean", "screen", "sheet", "cards", "session"),
        *("check", "tables", "export", "read", "odds", "conditions", "schema"),
    )
)
"""The modules of the commands, each with a function of the same name."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Why standard output takes no more; that its reader has gone is no fault."""


class _Refgen(click.Group):
    """Commands that are loaded when they are named.

    Never a traceback for bad input, nor for output that cannot be written.
    """

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"refgen.commands.{cmd_name}"), cmd_name)
        return command

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.filename is not None or error.errno not in _FULL:  # a file has a name, standard output has none
                raise
            sys.stdout = None  # what waits to be written is not tried again
            with suppress(OSError):  # standard error may be as full
                show_error(RefgenError(f"cannot write the output: {(error.strerror or str(error)).lower()}"))
            sys.exit(BAD_INPUT)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with stops_on_signals():
                return super().invoke(ctx)
        except RefgenError as error:
            show_error(error)
            ctx.exit(BAD_INPUT)
        except Stopped as stopped:
            ctx.exit(stopped.code)


@click.group(cls=_Refgen, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="refgen")
def main() -> None:
    """Rule documents in; checked GM screens, sheets, cards, data and a site out."""
    tune_gc()


if __name__ == "__main__":
    main()
