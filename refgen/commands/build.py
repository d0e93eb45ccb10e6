"""``refgen build``: all play aids, the site and the data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

import refgen
from refgen.commands.making import makes_files, run

KINDS = ("screen", "sheet", "card", "site", "data")


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--only", default="", metavar="KINDS", help=f"Some of {','.join(KINDS)} (default: all).")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="One paper only (default: both).")
@makes_files
def build(
    games: Sequence[str],
    only: str,
    paper: str | None,
    folder: Path | None,
    documents: Sequence[str],
    output: Path,
    jobs: int | None,
    strict: bool,
    quiet: bool,
) -> None:
    """Make the play aids of GAMES (default: all) and publish them whole."""
    project = refgen.project(folder, documents)
    kinds, papers = _kinds(only), [paper] if paper else []
    run(
        lambda progress: project.build(output, games, only=kinds, papers=papers, jobs=jobs, progress=progress),
        output,
        strict=strict,
        quiet=quiet,
    )


def _kinds(only: str) -> Sequence[str]:
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in KINDS:
            raise click.BadParameter(f'"{name}" is not one of {", ".join(KINDS)}', param_hint="--only")
    return names
