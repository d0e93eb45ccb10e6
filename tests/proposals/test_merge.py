"""The merge of a new proposal into the file of an author: who wins, where, and that the file stays valid TOML."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.proposals.merge import merge, merged_lines
from refgen.proposals.toml_units import read_units

BASE = """\
title = "Game"
about = "A game."

# table "Armies", 4 rows
[tables.armies]
title = "Armies"
columns = [
  { id = "size" },
  { id = "force" },
]

# 37 of 38 cells
[tables.odds]
title = "Odds"
unit = "%"
"""


def merged(changes: dict[str, str], proposed: dict[str, str], base: str = BASE) -> str:
    """The merge of the base with changes of the author and of the proposal."""
    mine, theirs = (_replaced(base, part) for part in (changes, proposed))
    return merge(base, mine, theirs).text


def _replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


RULES = '\n[tables.rules]\ntitle = "Rules"\n'


@pytest.mark.parametrize(
    ("title", "changes", "proposed", "expected"),
    [
        (
            "a key beside a key",
            {'title = "Odds"': 'title = "My odds"'},
            {'unit = "%"': 'unit = "percent"'},
            {'title = "Odds"': 'title = "My odds"', 'unit = "%"': 'unit = "percent"'},
        ),
        (
            "a value under new evidence",
            {'title = "Odds"': 'title = "My odds"'},
            {"37 of 38": "38 of 38"},
            {'title = "Odds"': 'title = "My odds"', "37 of 38": "38 of 38"},
        ),
        (
            "lines of one value that do not touch",
            {'{ id = "size" }': '{ id = "size", title = "Host" }'},
            {'{ id = "force" },\n': '{ id = "force" },\n  { id = "cost" },\n'},
            {
                '{ id = "size" }': '{ id = "size", title = "Host" }',
                '{ id = "force" },\n': '{ id = "force" },\n  { id = "cost" },\n',
            },
        ),
        (
            "a new entry at its place",
            {'"A game."': '"Mine."'},
            {"\n# 37": RULES + "\n# 37"},
            {'"A game."': '"Mine."', "\n# 37": RULES + "\n# 37"},
        ),
        (
            "a new top key before the tables",
            {'"A game."\n': '"Mine."\n'},
            {'"A game."\n': '"A game."\nlanguage = "de"\n'},
            {'"A game."\n': '"Mine."\nlanguage = "de"\n'},
        ),
        ("a key that the author deleted", {'unit = "%"\n': ""}, {'unit = "%"': 'unit = "x"'}, {'unit = "%"\n': ""}),
        (
            "a table that the author deleted",
            {BASE[BASE.index("\n# 37") :]: ""},
            {'unit = "%"': 'unit = "x"'},
            {BASE[BASE.index("\n# 37") :]: ""},
        ),
        (
            "a table that the proposal has no more",
            {'"A game."': '"Mine."'},
            {BASE[BASE.index("\n# 37") :]: ""},
            {'"A game."': '"Mine."', BASE[BASE.index("\n# 37") :]: ""},
        ),
        (
            "a changed table that the proposal has no more",
            {'unit = "%"': 'unit = "x"'},
            {BASE[BASE.index("\n# 37") :]: ""},
            {'unit = "%"': 'unit = "x"'},
        ),
        (
            "what the author added stays",
            {'unit = "%"\n': 'unit = "%"\nnote = "Mine."\n'},
            {'"Armies"\n': '"Hosts"\n'},
            {'"Armies"\n': '"Hosts"\n', 'unit = "%"\n': 'unit = "%"\nnote = "Mine."\n'},
        ),
        (
            "both changed it alike",
            {'"Odds"': '"Chances"', '"A game."': '"Mine."'},
            {'"Odds"': '"Chances"'},
            {'"Odds"': '"Chances"', '"A game."': '"Mine."'},
        ),
    ],
)
def test_a_merge(title: str, changes: dict[str, str], proposed: dict[str, str], expected: dict[str, str]) -> None:
    assert merged(changes, proposed) == _replaced(BASE, expected), title


MARKED = """\
title = "My odds"
# >>> refgen proposes now:
# title = "Chances"
# <<<
"""


def test_a_conflict_is_marked_under_the_words_of_the_author() -> None:
    mine, theirs = BASE.replace('"Odds"', '"My odds"'), BASE.replace('"Odds"', '"Chances"')
    found = merge(BASE, mine, theirs)
    assert found.text == mine.replace('title = "My odds"\n', MARKED)
    assert found.conflicts == ("[tables.odds] title",)
    assert tomllib.loads(found.text) == tomllib.loads(mine)


def test_a_conflict_is_marked_once() -> None:
    mine, theirs = BASE.replace('"Odds"', '"My odds"'), BASE.replace('"Odds"', '"Chances"')
    first = merge(BASE, mine, theirs)
    assert merge(theirs, first.text, theirs) == first
    elsewhere = merge(theirs, first.text, theirs.replace('"Game"', '"Trade"'))
    assert elsewhere.text == first.text.replace('"Game"', '"Trade"')
    beside = merge(theirs, first.text, theirs.replace('"%"', '"percent"'))
    assert beside.text == first.text.replace('"%"', '"percent"')
    again = merge(theirs, first.text, theirs.replace('"Chances"', '"Odds of all"'))
    assert again.text == first.text.replace('# title = "Chances"', '# title = "Odds of all"')


@pytest.mark.parametrize("words", ['"My odds"', '"Chances"'])
def test_marks_go_when_the_conflict_is_solved(words: str) -> None:
    mine, theirs = BASE.replace('"Odds"', '"My odds"'), BASE.replace('"Odds"', '"Chances"')
    first = merge(BASE, mine, theirs).text
    agreed = BASE.replace('"Odds"', '"My odds"')
    assert merge(theirs, first, agreed).text == agreed
    assert merge(theirs, first, agreed).conflicts == ()
    solved = BASE.replace('"Odds"', words)
    assert merge(theirs, solved, theirs).text == solved


PANELS = """\
[[panels]]
title = "Fights"

[[panels.blocks]]
table = "armies"

[[panels.blocks]]
table = "odds"
heat = true

[[panels]]
title = "Trade"

[[panels.blocks]]
table = "goods"
"""


def test_elements_of_arrays_are_known_by_their_names() -> None:
    block = '\n[[panels.blocks]]\ntable = "wounds"\n'
    new = PANELS.replace("heat = true\n", "heat = true\n" + block)
    mine = PANELS.replace('"Trade"', '"Goods"').replace('"armies"\n', '"armies"\nfold = true\n')
    expected = new.replace('"Trade"', '"Goods"').replace('"armies"\n', '"armies"\nfold = true\n')
    assert merge(PANELS, mine, new).text == expected


def test_an_element_that_the_author_renamed_is_still_that_element() -> None:
    mine = PANELS.replace('"Fights"', '"War"')
    new = PANELS.replace("heat = true", "heat = false")
    assert merge(PANELS, mine, new).text == mine.replace("heat = true", "heat = false")


COMMENTED = 'title = "Game"\n\n# one of two sentences\n# [facts.dice]\n# text = "Roll {dice}"\n'


def test_an_entry_that_is_commented_out_and_its_author_took_is_one_entry() -> None:
    mine = COMMENTED.replace("# [facts", "[facts").replace("# text", "text")
    assert merge(COMMENTED, mine, COMMENTED.replace('"Game"', '"Trade"')).text == mine.replace('"Game"', '"Trade"')
    conflict = merge(COMMENTED, mine, COMMENTED.replace("one of two", "one of three"))
    assert conflict.conflicts == ("[facts.dice]",)
    assert tomllib.loads(conflict.text) == tomllib.loads(mine)
    sure = COMMENTED.replace("# [facts", "[facts").replace("# text", "text").replace("one of two", "all")
    assert merge(COMMENTED, COMMENTED + "# mine\n", sure).text.count("[facts.dice]") == 2
    assert merge(COMMENTED, COMMENTED.replace('"Game"', '"Mine"'), sure).text == sure.replace('"Game"', '"Mine"')


def test_a_proposal_that_would_break_the_file_stands_as_comments() -> None:
    base = 'title = "Game"\n'
    mine = 'title = "Game"\n\n[facts]\ndice = { text = "Roll {dice}" }\n'
    theirs = 'title = "Game"\n\n[facts.dice]\ntext = "roll {dice}"\n\n[facts.target]\ntext = "{target} or more"\n'
    found = merge(base, mine, theirs).text
    assert tomllib.loads(found)["facts"] == {
        "dice": {"text": "Roll {dice}"},
        "target": {"text": "{target} or more"},
    }
    assert '# [facts.dice]\n# text = "roll {dice}"\n# <<<\n' in found


def test_headings_and_marks_within_texts_are_no_headings() -> None:
    base = 'rule = """\n[a]\n# >>> refgen proposes now:\n# <<<\n"""\nlist = [\n[1],\n["]"], # [b]\n]\n'
    assert [unit.key for unit in read_units(base).children] == [("key", "rule"), ("key", "list")]
    assert merge(base, base.replace("[1]", "[2]"), base + "\n[c]\n").text == base.replace("[1]", "[2]") + "\n[c]\n"


@pytest.mark.parametrize(
    ("title", "mine", "theirs", "expected"),
    [
        ("lines side by side", "A\nb\nc\n", "a\nB\nc\n", "A\nB\nc\n"),
        ("a line before a changed one", "A\nb\nc\n", "x\na\nb\nc\n", "x\nA\nb\nc\n"),
        ("a line after a changed one", "A\nb\nc\n", "a\nx\nb\nc\n", "A\nx\nb\nc\n"),
        ("one line", "A\nb\nc\n", "x\nb\nc\n", None),
        ("lines at one place", "a\nx\nb\nc\n", "a\ny\nb\nc\n", None),
        ("the same change and one more", "A\nb\nc\n", "A\nb\nC\n", "A\nb\nC\n"),
        ("a line within what is gone", "c\n", "a\nx\nb\nc\n", None),
    ],
)
def test_merged_lines(title: str, mine: str, theirs: str, expected: str | None) -> None:
    assert merged_lines("a\nb\nc\n", mine, theirs) == expected, title


VALUES = st.sampled_from(["1", '"two"', "[\n  1,\n  2,\n]", "[\n  1,\n  3,\n]", '"""\n[x]\n# y\n"""', "{ a = 1 }"])
COMMENTS = st.sampled_from(["", "", "# one\n", "# one\n# two\n", "# alone\n\n", "# [t.off]\n# x = 1\n\n"])
STATEMENTS = st.dictionaries(st.sampled_from("pqrs"), st.tuples(COMMENTS, VALUES), max_size=4)
GAPS = st.sampled_from(["", "\n", "\n\n"])


def _statements(written: dict[str, tuple[str, str]]) -> str:
    return "".join(f"{comment}{key} = {value}\n" for key, (comment, value) in written.items())


TABLES = st.dictionaries(st.sampled_from(["t", "t.a", "t.b", "u"]), st.tuples(COMMENTS, STATEMENTS, GAPS), max_size=4)
ELEMENTS = st.lists(st.tuples(COMMENTS, st.sampled_from(["A", "B"]), STATEMENTS, STATEMENTS | st.none()), max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> str:
    parts = [_statements(draw(STATEMENTS))]
    for path, (comment, statements, gap) in draw(TABLES).items():
        parts.append(f"{gap}{comment}[{path}]\n{_statements(statements)}")
    for comment, title, statements, within in draw(ELEMENTS):
        parts.append(f'\n{comment}[[e]]\ntitle = "{title}"\n{_statements(statements)}')
        if within is not None:
            parts.append(f"\n[[e.f]]\n{_statements(within)}")
    return "".join(parts)


@pytest.mark.slow
@given(documents())
def test_a_file_is_read_as_it_stands(text: str) -> None:
    assert read_units(text).render() == text


@pytest.mark.slow
@settings(max_examples=60)
@given(documents(), documents(), documents())
def test_any_merge(base: str, mine: str, theirs: str) -> None:
    assert merge(base, base, theirs).text == theirs
    assert merge(base, mine, base).text == mine
    assert merge(base, mine, mine).text == mine
    first = merge(base, mine, theirs)
    assert tomllib.loads(first.text) is not None
    assert merge(theirs, first.text, theirs) == first
    before, own, result = (_values(tomllib.loads(text)) for text in (base, mine, first.text))
    changed = {path: value for path, value in own.items() if before.get(path) != value}
    assert {path: result.get(path) for path in changed} == changed


def _values(written: object, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    """The values of a file by their paths, but for arrays of tables."""
    if not isinstance(written, dict):
        return {path: written}
    parts = (_values(value, (*path, key)) for key, value in written.items() if key != "e")
    return {found: value for part in parts for found, value in part.items()}


@pytest.mark.slow
@given(documents(), documents())
def test_what_is_new_comes_in(base: str, theirs: str) -> None:
    mine = base + "\n[mine]\nx = 1\n"
    assert tomllib.loads(merge(base, mine, theirs).text) == {**tomllib.loads(theirs), "mine": {"x": 1}}


@pytest.mark.parametrize(
    "line", ["digits = " + "9" * 5_000, "deep = " + "[" * 5_000 + "]" * 5_000, ".".join("a" * 60) + " = 1"]
)
def test_what_no_parser_reads_is_merged_as_it_is(line: str) -> None:
    mine, theirs = f"{line}\n{BASE}", BASE.replace('unit = "%"', 'unit = "percent"')
    assert merge(BASE, mine, theirs).text == f"{line}\n{theirs}"
