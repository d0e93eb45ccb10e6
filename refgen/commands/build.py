"""``refgen build``: all play aids, the site and the data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from refgen.commands.making import Making, makes_files
from refgen.commands.options import ProjectChoice, echo_lines
from refgen.commands.watching import go_on


class _Only(click.Option):
    """The option that names kinds: the list of all kinds is loaded when somebody asks for help."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from refgen.api import building

        self.help = f"Some of {','.join(building.products())} (default: all)."
        return super().get_help_record(ctx)


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--only", cls=_Only, default="", metavar="KINDS")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="One paper only (default: both).")
@click.option("--base-url", metavar="URL", help="Where the site will be published: it then has a sitemap.")
@click.option("--no-cache", is_flag=True, help="Make everything anew, and keep nothing for the next build.")
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
    making: Making,
) -> None:
    """Make the play aids of GAMES (default: all) and publish them whole.

    What an earlier build made of the same is taken from the cache (REFGEN_CACHE is its folder, or "none"); where
    nothing has changed, nothing is done. `refgen clean` empties it.
    """
    from refgen.api import building

    papers = () if paper is None else (paper,)
    chosen = {} if base_url is None else {"base_url": base_url}
    asked = building.BuildOrder(
        **choice.asked,
        output=str(making.output),
        games=tuple(games),
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        papers=papers,
        chosen=chosen,
    )
    if watch and (explain or check):
        raise click.UsageError("--watch builds: leave --explain and --check out")
    if watch and (making.profile or making.log.for_machines):
        raise click.UsageError("--watch says what happens in lines: leave --profile and --log out")
    if watch:
        go_on(asked, making, cache=not no_cache)
    if explain:
        echo_lines(building.explain(asked, cache=not no_cache))
        return
    make = building.compare if check else building.build
    making.run(partial(make, asked, cache=not no_cache), compares=check)
