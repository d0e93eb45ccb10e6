"""``refgen build``, ``serve`` and ``clean``: all play aids, site and data, built once or whenever a file changes.

In: options, and the events of a watched project. Out: the output folder, and lines on stderr.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import strftime
from typing import TYPE_CHECKING, NoReturn

import click

import refgen
from refgen.catalog import counted, first_of
from refgen.commands import completion
from refgen.commands.build_runner import BuildRunner, makes_files
from refgen.commands.options import ProjectChoice, echo_lines, reads_rules, show_error

if TYPE_CHECKING:
    from refgen.api.settings import BuildOrder
    from refgen.serve.watch_session import SessionEvent


class _Only(click.Option):
    """The option that names kinds: the list of all kinds is loaded when somebody asks for help."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from refgen.api import building

        self.help = f"Some of {','.join(building.products())} (default: all)."
        return super().get_help_record(ctx)


@click.command(short_help="Make the play aids, site and data of games.")
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=completion.GAMES)
@click.option("--only", cls=_Only, default="", metavar="KINDS", shell_complete=completion.KINDS)
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="One paper only (default: both).")
@click.option("--base-url", metavar="URL", help="Where the site will be published: it then has a sitemap.")
@click.option("--no-cache", is_flag=True, help="Make everything again, and keep nothing for the next build.")
@click.option("--explain", is_flag=True, help="Say what there is to do, and why; make nothing.")
@click.option("--check", is_flag=True, help="Compare only: exit with 1 when the output is not what the content says.")
@click.option("--watch", is_flag=True, help="Go on, and build again whenever something changes, until Ctrl-C.")
@makes_files
def build(
    games: Sequence[str],
    only: str,
    paper: str | None,
    base_url: str | None,
    no_cache: bool,
    explain: bool,
    check: bool,
    watch: bool,
    choice: ProjectChoice,
    runner: BuildRunner,
) -> None:
    """Make the play aids of GAMES (default: all) and publish them whole.

    What an earlier build made of the same is taken from the cache (REFGEN_CACHE is its folder, or "none"); where
    nothing has changed, nothing is done. `refgen clean` empties it.
    """
    if watch and (explain or check):
        raise click.UsageError("--watch builds: leave --explain and --check out")
    if watch and (runner.profile or runner.log.for_machines):
        raise click.UsageError("--watch says what happens in lines: leave --profile and --log out")
    order = runner.order(
        choice,
        cache=not no_cache,
        games=tuple(games),
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        papers=() if paper is None else (paper,),
        base_url=base_url,
    )
    if watch:
        _watch(order, quiet=runner.quiet)
    if explain:
        from refgen.api.building import explain as plan_lines

        echo_lines(plan_lines(order))
        return
    runner.build(order, compares=check)


@click.command(short_help="Show a project in a browser while you edit it.")
@click.argument(
    "project", required=False, metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False, exists=True)
)
@reads_rules
@click.option("--port", type=click.IntRange(1, 65535), help="The port on 127.0.0.1 (default: a free one).")
@click.option("--open", "opens", is_flag=True, help="Open the first page in the browser.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("build"), show_default=True)
@click.option("--jobs", type=click.IntRange(1, 64), default=None, help="Processes (default: one for each core).")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but the address and errors.")
def serve(
    project: Path | None,
    choice: ProjectChoice,
    port: int | None,
    opens: bool,
    output: Path,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Build the project in DIR (default: that of --project), show the pages, and renew them when a file changes.

    Whatever is saved is seen in the browser at once, what is wrong too; the PDFs and the other files follow. The page
    GAME/gallery.html has a block of each kind, for whoever tries a look or templates. Only browsers of this machine
    are answered. Ctrl-C ends it.
    """
    if project is not None and (choice.folder is not None or choice.bundled):
        raise click.UsageError("name the project as DIR or with --project, not both, and leave --bundled out")
    _refuse_without_posix()
    from refgen.serve.served_pages import ServedPages
    from refgen.serve.server import Server
    from refgen.serve.watch_session import WatchSession

    settings = refgen.BuildSettings(output=str(output), jobs=jobs)
    order = with_fixed_folder(replace(choice, folder=project or choice.folder).order(settings))
    pages = ServedPages(Path(order.target))
    session = WatchSession(order, _event_teller(quiet=quiet), pages)
    server = Server(pages, port or 0)
    with server.running():
        click.echo(f"serving {server.url} (Ctrl-C ends it)")
        if opens and click.launch(server.url) != 0:
            click.echo(f"no browser could be opened: open {server.url} yourself", err=True)
        session.run()


@click.command(short_help="Empty the cache.")
def clean() -> None:
    """Empty the cache. What was built stays where it is; the next build makes everything again."""
    from refgen.api.building import clear_cache

    removed = clear_cache()
    click.echo("the cache is empty" if removed is None else f"removed {removed}")


MOST_CHANGED = 3
"""Changed games and screens that a line names."""


def with_fixed_folder(order: BuildOrder) -> BuildOrder:
    """The order with the folder of its project written out: a watched project keeps its folder."""
    return order if order.root is None else replace(order, folder=str(order.root.absolute()))


def _refuse_without_posix() -> None:
    if not hasattr(os, "fork"):
        hint = "On Windows they run in WSL (the Windows Subsystem for Linux); `refgen build` makes the same pages."
        raise refgen.RefgenError("serve and --watch run on Linux and macOS alone", hint=hint)


def _watch(order: BuildOrder, *, quiet: bool) -> NoReturn:
    """Build, and build again whenever something changes."""
    _refuse_without_posix()
    from refgen.serve.watch_session import WatchSession

    WatchSession(with_fixed_folder(order), _event_teller(quiet=quiet)).run()


def _event_teller(*, quiet: bool) -> Callable[[SessionEvent], None]:
    """The function that tells the events of a watched project as lines, each note once; with ``quiet``, only errors."""
    known: set[str] = set()

    def tell(event: SessionEvent) -> None:
        from refgen.serve.builder import OrderResult
        from refgen.serve.watch import FolderGone
        from refgen.serve.watch_session import ErrorsChanged, PartsChanged

        match event:
            case ErrorsChanged(errors):
                for error in errors:
                    show_error(error)
                if not errors and not quiet:
                    _say("no errors any more")
            case FolderGone(folder):
                _say(f"{folder} is gone; what it held is built again when it is back")
            case PartsChanged(names) if not quiet:
                _say(f"changed: {first_of(names, MOST_CHANGED)}")
            case OrderResult(_, result, seconds) if result.files and not quiet:
                findings = sum(result.findings.values())
                _say(
                    f"{len(result.made)} of {len(result.made) + len(result.kept)} aids made, "
                    f"{counted(findings, 'open finding')} ({seconds:.2f} s)"
                )
                _say_new(result.notes, known)

    return tell


def _say_new(notes: Sequence[str], known: set[str]) -> None:
    """Show the notes that were not shown before."""
    for note in dict.fromkeys(notes):
        if note not in known:
            _say(note)
    known.update(notes)


def _say(text: str) -> None:
    click.echo(f"{strftime('%H:%M:%S')} {text}", err=True)
