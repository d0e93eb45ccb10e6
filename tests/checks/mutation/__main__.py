"""``python -m tests.checks.mutation``: make every change, and tell what became of them.

In: names of documents (all, when none is named). Out: figures on stdout, escapes in a folder, docs/checks.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import click

from tests.checks.mutation.figures import DOCS, faults, updated
from tests.checks.mutation.front_door import documents
from tests.checks.mutation.mutations import Size
from tests.checks.mutation.run import Judged, Task, edit_tasks, mutation_tasks, run
from tests.checks.mutation.verdict import Verdict

EDITS = 100
"""Author's edits of each document: a thousand of all."""


SOME = 60
"""So many mutations of other kinds does a quick run make of each document."""


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME.EDITION]...")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True)
@click.option("--size", "sizes", multiple=True, type=click.Choice([str(size) for size in Size]))
@click.option("--count", type=int, help="So many mutations of each document, picked by chance.")
@click.option("--edits", default=EDITS, show_default=True, help="So many author's edits of each document.")
@click.option("--escapes", type=click.Path(path_type=Path), help="Folder for the lists of what was not caught.")
@click.option("--quick", is_flag=True, help="By one unit only what is compared, and sixty of all other mutations.")
@click.option("--write", is_flag=True, help="Write the figures of a whole run into docs/checks.md.")
def main(
    names: Sequence[str],
    jobs: int,
    sizes: Sequence[str],
    count: int | None,
    edits: int,
    escapes: Path | None,
    quick: bool,
    write: bool,
) -> None:
    """Change every number, word for a number, level and dice of the documents, and check each.

    Exits with 1 when refgen crashed, and when docs/checks.md was written and its figures do not reach what they must.
    """
    if write and (quick or sizes or count is not None):
        raise click.UsageError("--write keeps the figures of a whole run; --quick, --size and --count run samples.")
    crashes: list[Judged] = []
    for name in names or documents():
        chosen = [Size(size) for size in sizes] or tuple(Size)
        mutations = quick_tasks(name) if quick else mutation_tasks(name, chosen, count)
        tasks = [*mutations, *edit_tasks(name, edits)]
        judged = list(run(tasks, jobs))
        _tell(name, judged)
        crashes += [one for one in judged if one.verdict is Verdict.CRASHED]
        if escapes is not None:
            escapes.mkdir(parents=True, exist_ok=True)
            lines = [str(one) for one in judged if not one.verdict.is_caught and not one.exception]
            (escapes / f"{name}.txt").write_text("\n".join([*sorted(lines, key=_line), ""]), encoding="utf-8")
        if write:
            DOCS.write_text(updated(DOCS.read_text(encoding="utf-8"), {name: judged}), encoding="utf-8")
    if crashes:
        raise click.ClickException("\n".join(["refgen crashed:", *map(str, crashes)]))
    if write and (wrong := faults(DOCS.read_text(encoding="utf-8"))):
        raise click.ClickException("; ".join(wrong))


def quick_tasks(name: str) -> Sequence[Task]:
    """Every mutation by one unit of what is compared, and some of the others that the figures count."""
    every = mutation_tasks(name, [Size.UNIT], derivable=True)
    others = [task for task in mutation_tasks(name, counted=True) if task not in set(every)]
    return [*every, *Random(name).sample(others, min(SOME, len(others)))]


def _line(text: str) -> tuple[int, int]:
    line, column = text.split(":")[:2]
    return int(line), int(column)


def _tell(name: str, judged: Sequence[Judged]) -> None:
    click.echo(f"{name}: {len(judged)}")
    told = [one for one in judged if not one.exception]
    counts = Counter((str(one.size or "edit"), str(one.standing), str(one.verdict)) for one in told)
    for key in sorted({key[:2] for key in counts}):
        row = {verdict: number for (*head, verdict), number in counts.items() if tuple(head) == key}
        click.echo(f"  {' '.join(key)}: {row}")
    edits = [one for one in judged if one.size is None]
    click.echo(f"  edits that show something else in silence: {sum(one.is_hidden for one in edits)} of {len(edits)}")


if __name__ == "__main__":
    main()
