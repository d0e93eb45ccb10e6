"""``refgen``, and ``python -m refgen``: the command line is loaded and run.

In: the arguments of the process. Out: its exit code. Ctrl-C while the command line is loaded ends the process by the
signal, as a shell expects, with no traceback.
"""

from __future__ import annotations

import signal


def start() -> None:
    """Load the command line and run it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where a shell has it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from refgen.cli import main

    main(prog_name="refgen")


if __name__ == "__main__":
    start()
