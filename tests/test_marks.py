"""The marks of print are one table, and the scripts of pages have the same."""

from __future__ import annotations

import json
import re

import pytest

from refgen import marks
from refgen.files import bundled_folder
from refgen.marks import plain_marks
from refgen.notation.usual_text import usual_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("2d6", "2d6"),
        ("１ｄ６", "1d6"),
        ("２〜３", "2〜3"),
        ("４～５", "4〜5"),
        ("３－６", "3-6"),
        ("3ー6", "3-6"),
        ("ダメージ", "ダメージ"),
        ("1…3", "1..3"),
        ("1'500", "1500"),
        ("5'", "5'"),
        ("1’500’000", "1500000"),
        ("1\u202f500\u00a0%", "1500 %"),
        ("٣–٦", "3-6"),
        ("1\u200b-\u00ad3", "1-3"),
        ("≥ ８", ">= 8"),
    ],
)
def test_a_text_has_the_marks_of_a_keyboard(text: str, plain: str) -> None:
    assert plain_marks(text) == plain
    assert plain_marks(plain) == plain


def test_the_scripts_of_pages_have_the_same_marks() -> None:
    script = (bundled_folder("templates") / "js" / "dice" / "notation.js").read_text(encoding="utf-8")
    (table,) = re.findall(r"const SIGNS = Object.fromEntries\(\s*(\[\[.*\]\])\n", script)
    pairs = json.loads(table.replace("'\"'", '"\\""'))
    signs = {sign: meaning for written, meaning in pairs for sign in written}
    assert {sign: usual_text(sign).text for sign in signs} == signs
    own = (marks.DASHES, marks.WAVES, marks.DOTS, marks.TIMES, marks.SLASHES, marks.INVISIBLE, *marks.COMPARING)
    assert {*"".join(own)} <= signs.keys()
    assert f'RAISED = "{marks.RAISED}"' in script
