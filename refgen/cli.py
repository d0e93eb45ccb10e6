"""The command line: the only place that prints and exits.

Exit codes: 0 all is well, 1 there are findings, 2 bad input or something could not be made. JSON and results go
to stdout, progress and messages to stderr. Commands import what they need when they run: help answers at once.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from refgen.errors import RefgenError
from refgen.garbage import collect_seldom

if TYPE_CHECKING:
    from refgen.pipeline.project import Project
    from refgen.pipeline.run import BuildOptions, Progress

FINDINGS = 1
BAD_INPUT = 2

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Refgen(click.Group):
    """Shows errors as ``file:line:column: message`` with a hint, and never a traceback for bad input."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefgenError as error:
            _show(error)
            ctx.exit(BAD_INPUT)


def _show(error: RefgenError) -> None:
    click.echo(f"{error}", err=True)
    if error.hint:
        click.echo(f"  hint: {error.hint}", err=True)


def _reads_rules(command: _Command) -> _Command:
    """The options of every command that reads rules."""
    for option in (
        click.option(
            "--project",
            "folder",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="The project's folder (default: the nearest refgen.toml upward, else the bundled systems).",
        ),
        click.option(
            "--document",
            "documents",
            multiple=True,
            metavar="SYSTEM=FILE",
            help="Read FILE in place of the system's own document. May be repeated.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class _Making:
    """What all commands that make play aids are told: of which project, where to, in how many processes, how loudly."""

    project: Project
    output: Path
    jobs: int
    strict: bool
    quiet: bool


def _makes_files(command: Callable[..., None]) -> Callable[..., None]:
    """The options of every command that makes play aids, which it gets as a _Making."""

    @_reads_rules
    @wraps(command)
    def made(
        *,
        folder: Path | None,
        documents: tuple[str, ...],
        output: Path,
        jobs: int | None,
        strict: bool,
        quiet: bool,
        **own: Any,
    ) -> None:
        processes = jobs or os.cpu_count() or 1
        command(_Making(_project(folder, documents), output, processes, strict, quiet), **own)

    strict = "Exit with 1 for findings, and for pages that differ from the tables."
    for option in (
        click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
        click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("build"), show_default=True),
        click.option("--strict", is_flag=True, help=strict),
        click.option(
            "--jobs", type=click.IntRange(1, 64), default=None, help="Processes (default: one for each core)."
        ),
    ):
        made = option(made)
    return made


def _project(folder: Path | None, documents: Sequence[str]) -> Project:
    from refgen.pipeline.project import find_project

    return find_project(folder, documents)


@click.group(cls=_Refgen, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="refgen")
def main() -> None:
    """Rule documents in; checked GM screens, sheets, cards, data and a site out."""
    collect_seldom()


@main.command()
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@click.option("--only", default="", metavar="KINDS", help="Some of screen,sheet,card,site,data (default: all).")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="One paper only (default: both).")
@_makes_files
def build(making: _Making, systems: tuple[str, ...], only: str, paper: str | None) -> None:
    """Make the play aids of SYSTEMS (default: all) and publish them whole."""
    from refgen.pipeline.run import BuildOptions
    from refgen.render.page_format import USUAL_PAPERS, Paper

    project = making.project
    papers = [Paper(paper)] if paper else list(USUAL_PAPERS)
    settings = project.settings.model_copy(update={"papers": papers} if paper else {})
    options = BuildOptions(
        project.select(systems),
        _kinds(only),
        papers,
        making.output,
        making.jobs,
        {} if systems else project.screens,
        settings,
    )
    _build(making, options)


def _build(making: _Making, options: BuildOptions) -> None:
    """Build, say what came of it, and exit with what that means."""
    from refgen.pipeline.run import build as run_build

    with _progress(making.quiet) as progress:
        result = run_build(making.project, options, progress)
    for error in result.errors:
        _show(error)
    for mismatch in result.mismatches:
        click.echo(f"warning: {mismatch}", err=True)
    findings = sum(len(report.open) for report in result.reports)
    if not making.quiet:
        found = f"{findings} findings (refgen check shows them)"
        click.echo(f"{len(result.files)} files, {found}: {options.output}/{result.first}")
    if result.errors:
        sys.exit(BAD_INPUT)
    if making.strict and (findings or result.mismatches):
        sys.exit(FINDINGS)


@main.command()
@click.argument("what", nargs=-1, metavar="[SYSTEM|FILE]...")
@click.option("--paper", "papers", type=click.Choice(["a4", "letter", "a5"]), multiple=True, help="May be repeated.")
@click.option("--orientation", type=click.Choice(["landscape", "portrait"]))
@click.option(
    "--imposition", type=click.Choice(["pages", "sheet"]), help="A panel a page, or all side by side to fold."
)
@click.option("--theme", type=click.Choice(["colour", "ink-saving", "large-print"]))
@click.option("--players/--no-players", default=None, help="With the players' side, or without.")
@_makes_files
def screen(making: _Making, what: tuple[str, ...], **chosen: Any) -> None:
    """Make GM screens: of SYSTEMs (default: all), or those that FILEs (.toml) describe.

    What is not chosen here is as [screen] in refgen.toml says; without that, on A4 and Letter, landscape, a panel a
    page, in colour, with the players' side.
    """
    from refgen.pipeline.prepare import Kind
    from refgen.pipeline.project import named_screens
    from refgen.pipeline.run import BuildOptions

    project = making.project
    own = {name: path for name, path in project.screens.items() if name in what or not what}
    files = [Path(name) for name in what if name.endswith(".toml")]
    names = [name for name in what if not name.endswith(".toml") and name not in own]
    settings = project.settings.choosing(**chosen)
    options = BuildOptions(
        project.select(names) if names or not what else [],
        frozenset({Kind.SCREEN}),
        settings.papers,
        making.output,
        making.jobs,
        {**own, **named_screens(files, [*project.systems, *own])},
        settings,
    )
    _build(making, options)


def _kinds(only: str) -> frozenset[Any]:
    from refgen.pipeline.prepare import Kind

    names = [name.strip() for name in only.split(",") if name.strip()]
    known = [kind.value for kind in Kind]
    for name in names:
        if name not in known:
            raise click.BadParameter(f'"{name}" is not one of {", ".join(known)}', param_hint="--only")
    return frozenset(Kind(name) for name in names or known)


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress]:
    """A progress bar on a terminal, a line for each piece of work elsewhere, nothing when quiet."""
    if quiet:
        yield lambda _name, _done, _total: None
        return
    if not sys.stderr.isatty():
        yield lambda name, done, total: click.echo(f"[{done}/{total}] {name}", err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("reading rules", total=None)
        bar.refresh()
        yield lambda name, done, total: bar.update(task, total=total, completed=done, description=name, refresh=True)


@main.command()
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "github"]), default="text", show_default=True
)
@click.option("--strict", is_flag=True, help="Exit with 1 for notes and accepted findings as well.")
@_reads_rules
def check(systems: tuple[str, ...], form: str, strict: bool, folder: Path | None, documents: tuple[str, ...]) -> None:
    """Compare every printed number with the rules. Exits with 1 when findings are open.

    sarif is for code hosts and editors, github for annotations in GitHub Actions.
    """
    from refgen.checks.annotations import github_report
    from refgen.checks.report import json_report, text_report
    from refgen.checks.sarif import sarif_report
    from refgen.pipeline.prepare import load_checked

    project = _project(folder, documents)
    reports = [load_checked(project, system)[2] for system in project.select(systems)]
    if form in ("text", "github"):
        for line in text_report(reports) if form == "text" else github_report(reports, project.systems):
            click.echo(line)
    else:
        data = json_report(reports) if form == "json" else sarif_report(reports, project.systems)
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
    if any(report.findings if strict else report.open for report in reports):
        sys.exit(FINDINGS)


@main.command()
@click.argument("what", required=False, metavar="[SYSTEM[/TABLE]]")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "csv", "markdown"]), default="text", show_default=True
)
@_reads_rules
def tables(what: str | None, form: str, folder: Path | None, documents: tuple[str, ...]) -> None:
    """List the tables of a system, or show one: printed, typed and computed."""
    from refgen.pipeline.show import show_all, show_one

    project = _project(folder, documents)
    system, _, table = (what or "").partition("/")
    names = project.select([system] if system else [])
    if table:
        click.echo(show_one(project, names[0], table, form), nl=False)
    else:
        click.echo(show_all(project, names, form), nl=False)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "toml"]), default="text", show_default=True)
def read(file: Path, form: str) -> None:
    """Show the raw tables and lists that FILE holds, before any system.toml; toml proposes one to edit."""
    from refgen.readers.read import open_document
    from refgen.readers.show import document_data, show_document

    document = open_document(file)
    if form == "json":
        click.echo(json.dumps(document_data(document), ensure_ascii=False, indent=1))
    elif form == "toml":
        from refgen.rules.propose import propose

        click.echo(propose(document), nl=False)
    else:
        for line in show_document(document):
            click.echo(line)


@main.command()
@click.argument("dice", required=False)
@click.option("--at-least", type=int, metavar="N", help="The chance of N or more alone.")
@click.option(
    "--against", default="", metavar="DICE|TRAIT", help="What the other side rolls, or its trait with --system."
)
@click.option("--system", metavar="SYSTEM", help="Ask in the words of a game: --system fudge-1995 --trait Good.")
@click.option("--action", default="", metavar="ACTION", help="One way to act of the game; all of them otherwise.")
@click.option("--trait", default="", metavar="LEVEL", help="The trait that is rolled.")
@click.option("--difficulty", default="", metavar="LEVEL", help="What the roll must reach.")
@click.option("--modifier", type=int, default=0, metavar="N", help="Added to the trait.")
@click.option("--minimum", default="", metavar="LEVEL", help="What an opposed roll must reach to count at all.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@_reads_rules
def odds(
    dice: str | None,
    at_least: int | None,
    system: str | None,
    form: str,
    folder: Path | None,
    documents: tuple[str, ...],
    **asked: Any,
) -> None:
    """The exact odds of DICE, such as 4dF, "explode(d6)" or "highest(3, 4d6)"; or of an action of a game."""
    if (dice is None) == (system is None):
        raise click.UsageError("Give either DICE, or --system with --trait.")
    if system is not None:
        if not asked["trait"] or at_least is not None:
            raise click.UsageError("--system needs --trait, and goes without --at-least.")
        _show_action_odds(_project(folder, documents), system, form, asked)
        return
    if any(value for name, value in asked.items() if name != "against"):
        raise click.UsageError("--action, --trait, --difficulty, --modifier and --minimum need --system.")
    from refgen.resolver.answer import answer, as_json, as_text

    question = answer(dice or "", asked["against"] or None, at_least)
    if form == "json":
        click.echo(json.dumps(as_json(question), ensure_ascii=False, indent=1))
    else:
        for line in as_text(question):
            click.echo(line)


def _show_action_odds(project: Project, system: str, form: str, asked: dict[str, Any]) -> None:
    from refgen.pipeline.ask import Question, show_action_odds

    if asked["difficulty"] and asked["against"]:
        raise click.UsageError("Give either --difficulty or --against.")
    if asked["minimum"] and not asked["against"]:
        raise click.UsageError("--minimum needs --against.")
    (name,) = project.select([system])
    click.echo(show_action_odds(project, name, Question(**asked), form), nl=False)


@main.command()
@click.argument("system")
@click.argument("traits", nargs=-1, metavar="[TRAIT=LEVEL]...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@_reads_rules
def conditions(
    system: str, traits: tuple[str, ...], form: str, folder: Path | None, documents: tuple[str, ...]
) -> None:
    """Which printed conditions a society meets, say Power=Great Authority=-2.

    A level is a name or a number. Traits may be left out; what they would decide is unknown then.
    """
    from refgen.pipeline.conditions import show_conditions

    project = _project(folder, documents)
    (name,) = project.select([system])
    click.echo(show_conditions(project, name, traits, form), nl=False)


@main.command()
@click.argument("name")
def schema(name: str) -> None:
    """Print the JSON Schema of NAME.

    Files that refgen writes: tables, check, odds, action-odds, manifest, read, conditions. Files that people write:
    system, screen, sheet, cards, errata, project.
    """
    from refgen.pipeline.schemas import json_schema

    click.echo(json.dumps(json_schema(name), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
