"""The measures of fonts, by HarfBuzz and without."""

from __future__ import annotations

import pytest

from refgen.layout.metrics import Face, fonts
from refgen.look.harfbuzz import FontMeasures, PlainMeasures


@pytest.mark.parametrize("data", [fonts()[face] for face in Face], ids=[*Face])
def test_without_harfbuzz_letters_are_as_wide_but_never_closer(data: bytes) -> None:
    exact, plain = FontMeasures(data), PlainMeasures(data)
    assert (plain.characters, plain.ascent, plain.descent) == (exact.characters, exact.ascent, exact.descent)
    assert [plain.width(each) for each in "Mx1,−"] == [exact.width(each) for each in "Mx1,−"]
    text = "The army of a huge society: 500,000 men; AVATAR +1 (19%)"
    assert exact.width(text) < plain.width(text) < 1.02 * exact.width(text)
