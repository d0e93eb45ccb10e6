import pytest

from refgen.rules.toml import locate
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
        (("nowhere",), 1),
    ],
)
def test_a_key_path_is_found_in_its_file(path: tuple[str | int, ...], place: int) -> None:
    assert locate(SourceFile("screen.toml", TEXT), path).line == place
