"""``python -m tests.checks.mutation``: make every change, and tell what became of them.

In: names of documents (all, when none is named). Out: figures on stdout, escapes in a folder, docs/checks.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from tests.checks.mutation.front_door import documents
from tests.checks.mutation.mutations import Size
from tests.checks.mutation.run import Judged, edit_tasks, mutation_tasks, run

EDITS = 100
"""Author's edits of each document: a thousand of all."""


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME.EDITION]...")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True)
@click.option("--size", "sizes", multiple=True, type=click.Choice([str(size) for size in Size]))
@click.option("--count", type=int, help="So many mutations of each document, picked by chance.")
@click.option("--edits", default=EDITS, show_default=True, help="So many author's edits of each document.")
@click.option("--escapes", type=click.Path(path_type=Path), help="Folder for the lists of what was not caught.")
def main(
    names: Sequence[str], jobs: int, sizes: Sequence[str], count: int | None, edits: int, escapes: Path | None
) -> None:
    """Change every number, word for a number, level and dice of the documents, and check each."""
    for name in names or documents():
        tasks = [*mutation_tasks(name, [Size(size) for size in sizes] or tuple(Size), count), *edit_tasks(name, edits)]
        judged = list(run(tasks, jobs))
        _tell(name, judged)
        if escapes is not None:
            escapes.mkdir(parents=True, exist_ok=True)
            lines = [str(one) for one in judged if not one.verdict.is_caught and not one.exception]
            (escapes / f"{name}.txt").write_text("\n".join([*sorted(lines, key=_line), ""]), encoding="utf-8")


def _line(text: str) -> tuple[int, int]:
    line, column = text.split(":")[:2]
    return int(line), int(column)


def _tell(name: str, judged: Sequence[Judged]) -> None:
    click.echo(f"{name}: {len(judged)}")
    counts = Counter(
        (str(one.size or "edit"), str(one.standing), str(one.verdict)) for one in judged if not one.exception
    )
    for key in sorted({key[:2] for key in counts}):
        row = {verdict: number for (*head, verdict), number in counts.items() if tuple(head) == key}
        click.echo(f"  {' '.join(key)}: {row}")
    edits = [one for one in judged if one.size is None]
    click.echo(
        f"  edits that show something else in silence: {sum(bool(one.differs) for one in edits)} of {len(edits)}"
    )


if __name__ == "__main__":
    main()
