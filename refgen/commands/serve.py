"""``refgen serve``: the pages in a browser, as they are now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from refgen.commands.options import ProjectChoice, reads_rules
from refgen.commands.watching import pinned, teller


@click.command()
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
    """Build the project in DIR (default: as of --project), show its pages, and keep them as its files are.

    Whatever is saved is seen in the browser at once, what is wrong too; the PDFs and the other files follow. Only
    browsers of this machine are answered. Ctrl-C ends it.
    """
    if project is not None and (choice.folder is not None or choice.bundled):
        raise click.UsageError("name the project as DIR or with --project, not both, and leave --bundled out")
    from refgen.api.building import BuildOrder
    from refgen.serve.builder import BuilderSettings
    from refgen.serve.pages import ServedPages
    from refgen.serve.server import Server
    from refgen.serve.watch_session import WatchSession

    asked = pinned(BuildOrder(**replace(choice, folder=project or choice.folder).asked, output=str(output)))
    pages = ServedPages(Path(asked.target()))
    session = WatchSession(BuilderSettings(asked, jobs=jobs), teller(quiet=quiet), pages)
    server = Server(pages, port or 0)
    with server.running():
        click.echo(f"serving {server.url} (Ctrl-C ends it)")
        if opens and click.launch(server.url) != 0:
            click.echo(f"no browser could be opened: open {server.url} yourself", err=True)
        session.run()
