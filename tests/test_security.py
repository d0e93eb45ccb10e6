"""docs/security.md names a defence and tests for each promise, all of which exist, and has the figures of long runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import figures
from tests.figures import END, HEAD, ROOT, SECURITY, begin, in_block, rows_of, write_figure

TEXT = SECURITY.read_text(encoding="utf-8")
PROMISES = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
del PROMISES["Limits"]  # a table: tests/test_limits.py
ROW = r"\| [^|]+ \| [^|]+ \| 20\d\d-\d\d-\d\d \| [0-9a-f]{8,}\+? \|\n"


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_names_a_defence_and_tests_that_exist(promise: str) -> None:
    defence, tests = re.findall(r"^- (?:Defence|Tests): (.*?)$(?!\n  )", PROMISES[promise], re.MULTILINE | re.DOTALL)
    modules, names = re.findall(r"`(.*?)`", defence), re.findall(r"`(.*?)`", tests)
    assert modules
    assert names
    assert figures.blocks(PROMISES[promise]) != [] or "](#" in PROMISES[promise], "no figure, nor a link to one"
    assert [name for name in modules if not (ROOT / name).is_file()] == []
    assert [name for name in names if not is_test(name)] == []


def is_test(name: str) -> bool:
    """Whether there is a test with this name, "tests/x/test_y.py::test_z"."""
    file, _, function = name.partition("::")
    return (ROOT / file).is_file() and f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


def test_each_block_is_written_by_a_test_and_has_figures_with_date_and_commit() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path.name != "figures.py"]
    written = {name for text in texts for name in re.findall(r"\bwrite_figure\(\s*\"(.+?)\"", text)} - {"example"}
    assert written == {*figures.blocks(TEXT)}
    for block in written:
        assert re.fullmatch(re.escape(HEAD) + f"({ROW})+", in_block(TEXT, block)), block


def test_a_figure_is_written_into_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "commit", lambda: "0123abcd")
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n\n{begin('example')}{END}\nAfter.\n", encoding="utf-8")
    for name, figure in (("two", "2 s"), ("one", "9 s"), ("one", "1 s")):
        write_figure("example", name, figure, page)
    text = page.read_text(encoding="utf-8")
    rows = rows_of(in_block(text, "example"))
    assert [name for name, _ in rows] == ["one", "two"]
    assert all(re.fullmatch(ROW, line) for _, line in rows)
    assert "| one | 1 s |" in text
    assert text.startswith(f"Before.\n\n{begin('example')}{HEAD}| one |")
    assert text.endswith(f"{END}\nAfter.\n")
