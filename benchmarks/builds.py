"""Builds: cold, after an edit, with nothing changed, of many games; against weasyprint once for each of the same files.

``python -m benchmarks.builds 200`` builds 200 games, in place of 10, in how the time and memory of many are found.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, rmtree
from statistics import median

import refgen
from benchmarks.measure import BIN, Run
from benchmarks.measure import run as measure
from refgen.aids.booklet.job import booklet_html, fit_booklet
from refgen.aids.booklet.model import make_booklet
from refgen.aids.booklet.pages import ABOVE, BELOW, LAID_OUT, SIDE
from refgen.aids.kinds import KINDS
from refgen.aids.sheet.planner import fit_sheet
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import BOOKLET_PAPERS, PAPER_SIZES, USUAL_PAPERS, PageFormat, Paper

TIMES = 3
GAMES = 10
EDITED = Path("interactive-history/details.md")
CELL = re.compile(r"(?<=\| )500,0\d\d(?= +\| 200,000)")
"""A cell of a table that is on a panel and on a card."""


def run(games: int = GAMES, content: Path | None = None, times: int = TIMES) -> Iterator[str]:
    """Each way in turns, so that what else the machine does strikes all alike; the goals are in brackets."""
    content = content or bundled_folder("content")
    with _project(content) as folder:
        rounds = [_round(folder, number) for number in range(times)]
        yield from _ratios(rounds)
        cold, processor = (median(times[name] for times in rounds) for name in ("cold", "processor"))
        yield _peer(folder, cold, processor)
    yield from _many(content, games)


def _round(folder: Path, number: int) -> dict[str, float]:
    """The seconds of each way: on the clock, or of the processor in one process."""
    times = {}
    for jobs in (1, 2):
        _forget(folder)
        cold = _build(folder, jobs)
        times["cold" if jobs == 2 else "one process"] = cold.seconds
        if jobs == 1:
            times["processor"] = cold.processor
            times["nothing, processor"] = _build(folder, 1).processor
            _edit(folder, 2 * number)
            times["edit, processor"] = _build(folder, 1).processor
    times["nothing"] = _build(folder, 2).seconds
    _edit(folder, 2 * number + 1)
    times["edit"] = _build(folder, 2).seconds
    return times


def _ratios(rounds: Sequence[dict[str, float]]) -> Iterator[str]:
    def of(name: str, whole: str) -> str:
        return f"{100 * median(times[name] / times[whole] for times in rounds):.1f}%"

    def seconds(name: str) -> str:
        return f"{median(times[name] for times in rounds):.2f} s"

    faster = median(times["one process"] / times["cold"] for times in rounds)
    yield f"cold                 {seconds('cold')} with two processes, {faster:.2f} x as fast as with one [1.7]"
    for name, title, goal in (("nothing", "nothing changed", "0.5 s, 3%"), ("edit", "a cell edited", "15%")):
        clock, processor = of(name, "cold"), of(f"{name}, processor", "processor")
        yield f"{title:<20} {seconds(name)}, {clock} of cold [{goal}]; of the processor's time {processor}"


def _peer(folder: Path, ours: float, processor: float) -> str:
    """One process after the other, each with the page that one of our PDFs was made of."""
    output = folder / "build"
    _write_pages(folder, output)
    runs = [
        measure([BIN / "weasyprint", _page_of(made), folder / "peer.pdf"]) for made in sorted(output.glob("*/*.pdf"))
    ]
    theirs, used = sum(run.seconds for run in runs), sum(run.processor for run in runs)
    ratios = f"{theirs / ours:.2f} x cold [3]; of the processor's time {used / processor:.2f} x"
    return f"weasyprint           {theirs:.1f} s, once for each of {len(runs)} PDFs: {ratios}"


def _page_of(made: Path) -> Path:
    """The page of a PDF; of a sheet of cards, that of its deck, one card a page.

    That is no more than the sheet has: a back stands on the page of a deck once, on sheets behind each card.
    """
    page = made.with_suffix(".html")
    return page if page.exists() else made.with_name("cards.html")


def _write_pages(folder: Path, output: Path) -> None:
    """The pages of the sheets and booklets as they are printed, which a build does not keep."""
    for name, game in refgen.project(folder).games.items():
        system = SystemInfo.of(game)
        booklet = booklet_html(system, fit_booklet(system, make_booklet(game), name).pages)
        for paper in USUAL_PAPERS:
            page_format = PageFormat(paper)
            sheet = fit_sheet(system, game.sheet(), page_format, name)
            half = BOOKLET_PAPERS[paper]
            pages = {
                KINDS["sheet"].names.of(page_format): sheet.html,
                KINDS["booklet"].names.of(PageFormat(half)): _on_paper(booklet, half),
            }
            for page, html in pages.items():
                (output / name / f"{page}.html").write_text(html, encoding="utf-8")


def _on_paper(booklet: str, paper: Paper) -> str:
    """The page of a booklet on another paper, with the same text area in its middle."""
    (width, height), (over, above) = PAPER_SIZES[paper], _margins(paper)
    margins = f"{ABOVE + above}mm {SIDE + over}mm {BELOW + above}mm"
    return booklet.replace(
        "</head>", f"<style>@page {{ size: {width}mm {height}mm; margin: {margins} }}</style></head>"
    )


def _margins(paper: Paper) -> tuple[float, float]:
    """How much wider and higher the margins are than those that were laid out."""
    (width, height), (laid_width, laid_height) = PAPER_SIZES[paper], PAPER_SIZES[LAID_OUT]
    return (width - laid_width) / 2, (height - laid_height) / 2


def _many(content: Path, games: int) -> Iterator[str]:
    """Half as many games, and all: time grows as they do, memory does not."""
    half, whole = (_copies(content, count) for count in (games // 2, games))
    seconds, processor = whole.seconds / half.seconds, whole.processor / half.processor
    yield f"{games} games, no cache   {seconds:.2f} x the time of half of them, {processor:.2f} x the processor's [2]"
    yield f"                     {whole.megabytes:.0f} MB at most, half of them {half.megabytes:.0f} MB [1000 MB]"


def _copies(content: Path, count: int) -> Run:
    """Build so many games, copies of the bundled ones in turn."""
    sources = sorted(path.parent for path in content.glob("*/system.toml"))
    with tempfile.TemporaryDirectory() as many:
        for number in range(count):
            source = sources[number % len(sources)]
            copytree(source, Path(many) / f"{source.name}-{number // len(sources) + 1}")
        with _project(Path(many)) as folder:
            return measure([*_command(folder, 2), "--no-cache"], memory=True)


@contextmanager
def _project(content: Path) -> Iterator[Path]:
    """A project with some games, and a cache of its own."""
    before = os.environ.get("REFGEN_CACHE")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copytree(content, folder / "content")
        (folder / "refgen.toml").write_text("")
        os.environ["REFGEN_CACHE"] = str(folder / "cache")
        try:
            yield folder
        finally:
            os.environ.pop("REFGEN_CACHE")
            os.environ |= {"REFGEN_CACHE": before} if before is not None else {}


def _command(folder: Path, jobs: int) -> list[str | Path]:
    return [BIN / "refgen", "build", "-q", "--jobs", str(jobs), "--project", folder, "--output", folder / "build"]


def _build(folder: Path, jobs: int) -> Run:
    return measure(_command(folder, jobs))


def _edit(folder: Path, number: int) -> None:
    document = folder / "content" / EDITED
    text = document.read_text(encoding="utf-8")
    document.write_text(CELL.sub(f"500,0{number + 1:02}", text, count=1), encoding="utf-8")
    if document.read_text(encoding="utf-8") == text:
        raise SystemExit(f"{EDITED} has no such cell")


def _forget(folder: Path) -> None:
    for name in ("cache", "build"):
        rmtree(folder / name, ignore_errors=True)


if __name__ == "__main__":
    for line in run(int(sys.argv[1]) if sys.argv[1:] else GAMES):
        print(line, flush=True)
