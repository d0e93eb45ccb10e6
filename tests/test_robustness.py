"""Whatever a document or a system.toml holds, the answer is a result or one of refgen's own errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refgen.aids.cards.model import make_deck
from refgen.aids.screen.kind import screen_of_game
from refgen.characters.make_sheet import make_sheet
from refgen.errors import RefgenError
from refgen.files import bundled
from refgen.game import GameModel, load_game
from refgen.limits import changed_limits
from refgen.readers.document import Format
from refgen.readers.read import READERS, THROUGH_PANDOC, read_document
from refgen.source import SourceFile
from tests.conftest import RICHEST_AND_SOAK, game, ours

DAMAGE = ["", "x", "-1", "99999999", "|", '"', "(", "[TABLE]", "<", "d%", "\u00a0", "\n", "{"]
AIDS: Mapping[str, Callable[[Path, GameModel], object]] = {
    "screen.toml": screen_of_game,
    "sheet.toml": make_sheet,
    "cards.toml": make_deck,
}
"""What is made of the files that change nothing in the rules."""

DOCUMENT = '|-=:\n\r\t >*#1.`<&;"/abT[]E\u00a0'
REUSE_FOLDER = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.slow
@given(st.sampled_from(tuple(READERS)), st.text(alphabet=DOCUMENT, max_size=120))
@settings(max_examples=600)
def test_readers_read_or_refuse(form: Format, text: str) -> None:
    read_or_refuse(form, text)


@pytest.mark.slow
@given(st.sampled_from(sorted(THROUGH_PANDOC)), st.text(alphabet=DOCUMENT + "\\{}%!", max_size=120))
@settings(max_examples=40, deadline=None)
def test_what_pandoc_reads_is_read_or_refused(form: Format, text: str) -> None:
    with changed_limits(["pandoc-seconds=1"]):  # pandoc goes round in circles over some tables; refusing them is right
        read_or_refuse(form, text)


def read_or_refuse(form: Format, text: str) -> None:
    with suppress(RefgenError):
        document = read_document(SourceFile("rules", text), form)
        for section in document.sections:
            for grid in section.grids:
                for row in grid.rows:
                    for cell in row:
                        assert 0 <= cell.span.start <= cell.span.end <= len(text)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["document", "system.toml", *AIDS])
@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
@given(data=st.data())
@REUSE_FOLDER
def test_a_damaged_system_is_loaded_or_refused(tmp_path: Path, system: str, file: str, data: st.DataObject) -> None:
    folder = tmp_path / system
    if not folder.exists():
        copytree(bundled("content") / system, folder)
    name = ours(system).spec.document.file if file == "document" else file
    text = (bundled("content") / system / name).read_text(encoding="utf-8")
    words = [match.span() for match in re.finditer(r"\S+", text)]
    start, end = data.draw(st.sampled_from(words))
    damage = data.draw(st.sampled_from(DAMAGE))
    (folder / name).write_text(text[:start] + damage + text[end:], encoding="utf-8")
    with suppress(RefgenError):
        if make := AIDS.get(file):
            make(folder, game(system))
        else:
            damaged = load_game(folder)
            damaged.check()
            for make in AIDS.values():
                make(folder, damaged)
    (folder / name).write_text(text, encoding="utf-8")
