"""Free lines: as high as a hand needs in any type, and nothing to somebody who hears the page read."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest

from refgen.blocks.lines_block import LinesBlock
from refgen.layout.lengths import MILLIMETRE
from tests.aids.panels.laid_out import lay_out
from tests.aids.panels.test_job import fitted, panel
from tests.layout.tagged import faults, read_tags


@pytest.mark.parametrize("size", [7.5, 12])
def test_each_line_is_8_mm_high_in_any_column(size: float) -> None:
    measured = LinesBlock("", 5).measure()
    assert [measured.height(width, size) / MILLIMETRE for width in (100, 400)] == pytest.approx([40, 40])


@pytest.mark.slow
def test_lines_are_as_high_as_weasyprint_sets_them() -> None:
    blocks = [LinesBlock("Notes", 3), LinesBlock("", 2, note="Who owes what.")]
    found = lay_out([(block, 300.0, size) for block in blocks for size in (7.5, 10)])
    expected = [block.measure().height(300.0, size) for block in blocks for size in (7.5, 10)]
    assert [one.height for one in found] == pytest.approx(expected, abs=0.1)


@pytest.mark.slow
def test_lines_are_artifacts_of_a_pdf() -> None:
    with pikepdf.open(BytesIO(fitted(panel("Notes", LinesBlock("Tonight", 3))).pdf)) as pdf:
        assert faults(pdf) == []
        (title,) = read_tags(pdf).all("H2")
        (section,) = (tag for tag in read_tags(pdf).all("Sect") if title in tag.tags)
        assert [tag.kind for tag in section.all() if tag.marks] == ["Span"]  # the words of the title
