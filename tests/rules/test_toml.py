from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field

from refgen.errors import RulesError
from refgen.rules.toml import Strict, load_toml, locate, renamed_values
from refgen.source import SourceFile

TEXT = """edge = "trait"

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
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("edge",), 1),
        (("panels", 0, "title"), 4),
        (("panels", 0, "blocks", 1), 7),
        (("panels", 0, "blocks", 1, "table"), 8),
        (("panels", 1, "title"), 11),
        (("panels", 1, "blocks", 0, "table"), 13),
        (("panels", 1, "blocks", 0, "heads", "x"), 15),
        (("panels",), 3),
        (("panels", 1, "blocks"), 12),
        (("nowhere",), 1),
    ],
)
def test_a_key_path_is_found_in_its_file(path: tuple[str | int, ...], place: int) -> None:
    assert locate(SourceFile("screen.toml", TEXT), path).line == place


class Ferry(Strict):
    kind: Literal["ferry"]
    seats: int


class Bridge(Strict):
    renamed: ClassVar = {"wide": "width"}
    kind: Literal["toll-bridge"]
    width: int = 1


class River(Strict):
    renamed: ClassVar = {"fords": "crossings"}
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
            'unknown key "crossings.old.ferry.wide"',
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
