"""The log of a project that is watched: a line for each event, and errors with their places.

In: a session. Out: lines on stderr, until a signal ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import strftime
from typing import TYPE_CHECKING, NoReturn

import click

from refgen.commands.making import Making
from refgen.commands.options import show_error

if TYPE_CHECKING:
    from refgen.api.building import BuildOrder
    from refgen.serve.watch_session import SessionEvent

MOST_NAMED = 3


def pinned(asked: BuildOrder) -> BuildOrder:
    """The same of the project that is found now: while it is watched, it is never another one."""
    return asked if asked.root is None else replace(asked, folder=str(asked.root.absolute()))


def go_on(asked: BuildOrder, making: Making, *, cache: bool) -> NoReturn:
    """Build, and build again whenever something changes."""
    from refgen.serve.builder import BuilderSettings
    from refgen.serve.watch_session import WatchSession

    settings = BuilderSettings(pinned(asked), cache, making.jobs, making.executor)
    WatchSession(settings, teller(quiet=making.quiet)).run()


def teller(*, quiet: bool) -> Callable[[SessionEvent], None]:
    """The function that tells events as lines; with ``quiet``, only errors."""

    def tell(told: SessionEvent) -> None:
        from refgen.serve.builder import OrderResult
        from refgen.serve.watch import FolderGone
        from refgen.serve.watch_session import ErrorsChanged, PartsChanged

        match told:
            case ErrorsChanged(errors):
                for error in errors:
                    show_error(error)
                if not errors and not quiet:
                    _say("no errors any more")
            case FolderGone(folder):
                _say(f"{folder} is gone; what it held is built again when it is back")
            case PartsChanged(names) if not quiet:
                _say(f"changed: {_named(names)}")
            case OrderResult(_, result, seconds) if result.files and not quiet:
                findings = sum(result.findings.values())
                _say(
                    f"{len(result.made)} of {len(result.made) + len(result.kept)} aids made, "
                    f"{findings} findings ({seconds:.2f} s)"
                )

    return tell


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def _say(text: str) -> None:
    click.echo(f"{strftime('%H:%M:%S')} {text}", err=True)
