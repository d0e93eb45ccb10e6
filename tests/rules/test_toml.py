import pickle
from collections.abc import Iterator
from typing import Annotated, Literal

import pytest
from pydantic import Field, StringConstraints

import refgen.pipeline.schemas  # noqa: F401  # all models of files that people write
from refgen.errors import FileErrors, RulesError, each_error
from refgen.limits import changed_limits
from refgen.rules import toml
from refgen.rules.places import locate
from refgen.rules.toml import Strict, load_toml, read_toml, renamed_values
from refgen.source import SourceFile

TEXT = """edge_scale = "trait"

[[panels]]
title = "One"
[[panels.blocks]]
table = "a"
[[panels.blocks]]
table = "b"

[[panels]]
title = "Two"
[[panels.blocks]]
table = "c"
  [panels.blocks.heads]
  x = "y"
  "a\tb" = "c"
  "\\U0001F3B2" = "d"
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("edge_scale",), 1),
        (("panels", 0, "title"), 4),
        (("panels", 0, "blocks", 1), 7),
        (("panels", 0, "blocks", 1, "table"), 8),
        (("panels", 1, "title"), 11),
        (("panels", 1, "blocks", 0, "table"), 13),
        (("panels", 1, "blocks", 0, "heads", "x"), 15),
        (("panels", 1, "blocks", 0, "heads", "a\tb"), 16),
        (("panels", 1, "blocks", 0, "heads", "🎲"), 17),
        (("panels",), 3),
        (("panels", 1, "blocks"), 12),
        (("nowhere",), 1),
    ],
)
def test_a_key_path_is_found_in_its_file(path: tuple[str | int, ...], place: int) -> None:
    assert locate(SourceFile("screen.toml", TEXT), path).line == place


OLD_KEYS = toml.RENAMED


@pytest.fixture(autouse=True)
def _renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml, "RENAMED", {"Bridge": {"wide": "width"}, "River": {"fords": "crossings"}})


class Ferry(Strict):
    kind: Literal["ferry"]
    seats: int


class Bridge(Strict):
    kind: Literal["toll-bridge"]
    width: int = 1


class River(Strict):
    crossings: dict[
        str,
        Annotated[Ferry | Bridge, Field(discriminator="kind"), renamed_values("kind", {"bridge": "toll-bridge"})],
    ] = {}
    depth: int


@pytest.mark.parametrize(
    ("title", "text", "place", "message", "hint"),
    [
        (
            "a key",
            "depth = 3\nfords = {}",
            "2:1",
            '"fords" is called "crossings" now',
            'Write "crossings" in its place.',
        ),
        ("a table", "depth = 3\n[fords.old]\nseats = 2", "2:1", '"fords" is called "crossings" now', '"crossings"'),
        ("a key while another is missing", "fords = {}", "1:1", '"fords" is called "crossings" now', '"crossings"'),
        (
            "a value",
            'depth = 3\n[crossings.old]\nkind = "bridge"',
            "3:1",
            '"bridge" is called "toll-bridge" now',
            'Write "toll-bridge" in its place.',
        ),
        (
            "a key of one kind",
            'depth = 3\n[crossings.old]\nkind = "toll-bridge"\nwide = 2',
            "4:1",
            '"wide" is called "width" now',
            'Write "width" in its place.',
        ),
        (
            "a key that another kind never had",
            'depth = 3\n[crossings.old]\nkind = "ferry"\nwide = 2\nseats = 3',
            "4:1",
            'unknown key "crossings.old.wide"',
            "",
        ),
        (
            "a value that never was",
            'depth = 3\n[crossings.old]\nkind = "tunnel"',
            "3:1",
            '"crossings.old": there is no kind "tunnel"',
            "There are ferry",
        ),
    ],
)
def test_an_old_name_is_refused_with_the_new_one(title: str, text: str, place: str, message: str, hint: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_toml(SourceFile("river.toml", text), River)
    assert str(caught.value.span) == f"river.toml:{place}", title
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_the_schema_of_a_file_knows_new_names_only() -> None:
    assert "bridge" not in str(River.model_json_schema()).replace("toll-bridge", "")
    assert list(River.model_json_schema()["properties"]) == ["crossings", "depth"]


class Seats(Strict):
    """For the tests of values: one of each sort."""

    name: str = ""
    count: int = 1
    share: float = Field(0.5, ge=0, le=1)
    open: bool = False
    rows: list[int] = Field([], max_length=2)
    side: Literal["left", "right"] = "left"
    color: Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")] = "#000000"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 3", '"name": this is no text: write it in quotes'),
        ('count = "many"', '"count": this is no whole number'),
        ("count = 1.5", '"count": this is no whole number'),
        ('share = "half"', '"share": this is no number'),
        ("share = 2.0", '"share": this may be at most 1.0'),
        ("share = -1.0", '"share": this must be at least 0.0'),
        ('open = "perhaps"', '"open": this is neither true nor false'),
        ("rows = 3", '"rows": this is no list: write it in [ ]'),
        ("rows = [1, 2, 3]", '"rows": there may be at most 2'),
        ('rows = ["x"]', '"rows.0": this is no whole number'),
        ('side = "top"', '"side": this is not "left" or "right"'),
        ('color = "red"', '"color": this is no colour: write it like "#1d4e79"'),
    ],
)
def test_a_wrong_value_is_reported_in_our_words(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_toml(SourceFile("seats.toml", text), Seats)
    assert caught.value.message == message


def test_all_that_is_wrong_is_reported_at_once() -> None:
    with pytest.raises(FileErrors) as caught:
        load_toml(SourceFile("seats.toml", 'name = 3\ncuont = 2\nside = "top"\n'), Seats)
    assert [str(error) for error in each_error(caught.value)] == [
        'seats.toml:1:1: "name": this is no text: write it in quotes',
        'seats.toml:3:1: "side": this is not "left" or "right"',
        'seats.toml:2:1: unknown key "cuont"',
    ]
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("title", "text", "message", "place"),
    [
        ("a number of 5,000 digits", "count = 1\nshare = " + "9" * 5000, "a number of thousands of digits", "2:9"),
        ("lists 10,000 deep", "rows = " + "[" * 10_000, "lists or tables stand too deep in one another", "1:1"),
    ],
)
def test_what_would_break_the_parser_is_an_error(title: str, text: str, message: str, place: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_toml(SourceFile("seats.toml", text), Seats)
    assert (caught.value.message, str(caught.value.span)) == (message, f"seats.toml:{place}"), title


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.a.a.a = 1", "1:1"),
        ("name = 'x'\n  a . b.\"c.d\".\t'e' = 1", "2:3"),
        ("[a.a.a.a]", "1:2"),
        ("[[ a.a.a.a ]]", "1:4"),
        ("rows = [{ a.a.a.a.a.a = 1 }]", "1:11"),
        ("name = 3\ncolor = '''x\ny'''\na.b.c.d.e.f = 1", "4:1"),
    ],
)
def test_keys_of_more_parts_than_tables_may_be_deep_are_refused_before_the_file_is_parsed(
    text: str, place: str
) -> None:
    with changed_limits(["toml-depth=2"]), pytest.raises(RulesError) as caught:
        read_toml(SourceFile("seats.toml", text))
    assert str(caught.value) == f"seats.toml:{place}: lists or tables stand too deep in one another"
    assert caught.value.hint == "The limit toml-depth is 2; --limit toml-depth=NUMBER changes it."


@pytest.mark.parametrize(
    "text",
    [
        "a.a.a = 1",
        "name = 'a.a.a.a'",
        r'name = "a.\"a.a.a.a"',
        "name = 1 # a.a.a.a",
        'name = """\n\\"""a.a.a.a\n"a.a.a.a"""',
        "name = '''a.a.a.a\n'a.a.a.a'''",
        'name = ""\ncolor = ""\nb = "x" # "a.a.a.a.a"',
    ],
)
def test_dots_in_texts_and_comments_part_no_keys(text: str) -> None:
    with changed_limits(["toml-depth=2"]):
        assert read_toml(SourceFile("seats.toml", text))


FACTS = """[facts]
dice = { text = "roll {dice}", type = "dice" }
title = { title = "Title", text = "{title} titles" }
text = { title = "Text" }
bonus.title = "Bonus"
bonus.text = "add {bonus}"
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("facts", "title"), (3, 1)),
        (("facts", "text"), (4, 1)),
        (("facts", "dice", "type"), (2, 32)),
        (("facts", "dice", "title"), (2, 1)),
        (("facts", "title", "text"), (3, 28)),
        (("facts", "bonus"), (5, 1)),
        (("facts", "bonus", "text"), (6, 7)),
    ],
)
def test_a_key_of_a_table_in_one_line_is_looked_for_in_that_line(path: tuple[str, ...], place: tuple[int, int]) -> None:
    span = locate(SourceFile("system.toml", FACTS), path)
    assert (span.line, span.column) == place


def models(base: type[Strict] = Strict) -> Iterator[type[Strict]]:
    for model in base.__subclasses__():
        yield model
        yield from models(model)


def test_every_old_key_is_that_of_a_model_and_its_new_name_one_of_its_keys_or_in_proof_toml() -> None:
    known = {model.__name__: {*model.model_fields} for model in models() if model.__module__.startswith("refgen.")}
    for name, keys in OLD_KEYS.items():
        for old, new in keys.items():
            assert old not in known[name], (name, old)
            assert new.partition(" ")[0] in known[name] or new.endswith("in proof.toml"), (name, new)
