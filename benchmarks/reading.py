"""Reading: time grows with the size of a document, not faster (goal: twice the size takes about twice the time)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from markdown_it import MarkdownIt

from refgen.readers.document import Format
from refgen.readers.read import read_document
from refgen.source import SourceFile

ROWS = 5_000
TIMES = 5


def _markdown(rows: int) -> str:
    return "# Odds\n\nRoll | Result | Effect\n-----|--------|-------\n" + "".join(
        f"{row} | {row % 7:+d} | something happens to *{row}*\n" for row in range(rows)
    )


def _plaintext(rows: int) -> str:
    return "Odds\n\nRoll     Result   Effect\n" + "".join(
        f"{row:<8} {row % 7:<+8d} something happens\n" for row in range(rows)
    )


def _flattened(rows: int) -> str:
    return " ".join(
        f"---------- 3.{row} Odds ---------- Roll. "
        f"[TABLE] Rolled: | 1 | 2 --------|---|--- Result: | {row} | 0 [END TABLE]"
        for row in range(rows // 5)
    )


def _docbook(rows: int) -> str:
    body = "".join(f"<row><entry>{row}</entry><entry>{row % 7:+d}</entry></row>\n" for row in range(rows))
    return f'<chapter><title>Odds</title><table><tgroup cols="2"><tbody>{body}</tbody></tgroup></table></chapter>'


def _html(rows: int) -> str:
    body = "".join(f"<tr><td>{row}</td><td>{row % 7:+d}</td></tr>\n" for row in range(rows))
    return f"<h1>Odds</h1><table><tr><th>Roll</th><th>Result</th></tr>{body}</table>"


def _csv(rows: int) -> str:
    return "Roll,Result\n" + "".join(f'{row},"{row % 7:+d}"\n' for row in range(rows))


DOCUMENTS: dict[Format, Callable[[int], str]] = {
    Format.MARKDOWN: _markdown,
    Format.PLAINTEXT: _plaintext,
    Format.FLATTENED: _flattened,
    Format.DOCBOOK: _docbook,
    Format.HTML: _html,
    Format.CSV: _csv,
}


def run(rows: int = ROWS, times: int = TIMES) -> Iterator[str]:
    """Read each format at one size and at twice that size; for Markdown, beside the parser it stands on."""
    for form, make in DOCUMENTS.items():
        small, large = (_seconds(partial(_read, make(size), form), times) for size in (rows, 2 * rows))
        a_megabyte = large / len(make(2 * rows)) * 1e6
        growth = large / small
        yield f"{form:<12} {small:.2f} s, twice the size {large:.2f} s: {growth:.2f} x   ({a_megabyte:.2f} s/MB)"
    text = _markdown(rows)
    peer = _seconds(partial(MarkdownIt("commonmark").enable("table").parse, text), times)
    ours = _seconds(partial(_read, text, Format.MARKDOWN), times)
    yield f"markdown-it-py alone on the smaller Markdown {peer:.2f} s; refgen {ours / peer:.2f} x"


def _read(text: str, form: Format) -> None:
    read_document(SourceFile("rules", text), form)


def _seconds(work: Callable[[], object], times: int) -> float:
    measured = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        measured.append(time.perf_counter() - start)
    return median(measured)
