"""`refgen check --accept`: one entry more in errata.toml, with what is printed and computed now; all else stays."""

from __future__ import annotations

from pathlib import Path

import pytest

import refgen
from refgen.checks.errata import load_errata
from tests.checks.small import write

WRONG = (("hold 6", "hold 5"), ("58%", "50%"))
HAND_WRITTEN = """\
# Ours, by hand.

[[errata]]
finding = "hold"   # as the ferryman says
printed = "5"
computed = "6"
reason = "One seat is the ferryman's."

# The chance: to be looked at.
"""
ENTRY = """\
[[errata]]
finding = "chance"
printed = "50%"
computed = "58%"
reason = "About \\"half\\"."
print = "computed"
"""


def accepted(folder: Path, finding: str, errata: str = "", *changes: tuple[str, str]) -> str:
    """The errata.toml of the small system once a finding is accepted."""
    system = write(folder / "content", *(changes or WRONG), errata=errata)
    (folder / "refgen.toml").touch()
    file = refgen.project(folder).accept("crossing", finding, 'About "half".', "computed")
    assert file.resolve() == (system / "errata.toml").resolve()
    assert [path.name for path in system.iterdir() if path.name.startswith(".")] == []
    return file.read_text(encoding="utf-8")


def test_the_first_erratum_makes_the_file(tmp_path: Path) -> None:
    assert accepted(tmp_path, "chance").endswith(f"accepted, each with the reason.\n\n{ENTRY}")
    assert [found.id for found in refgen.project(tmp_path).check("crossing").open] == ["hold"]


def test_new_files_name_their_schemas_where_the_project_keeps_schemas(tmp_path: Path) -> None:
    """As `refgen init` writes files; a file that is there stays as it is above the entry."""
    (tmp_path / ".schemas").mkdir()
    errata = accepted(tmp_path, "chance")
    assert errata.startswith("#:schema ../../.schemas/errata.json\n# Findings of")
    project = refgen.project(tmp_path)
    assert project.accept("crossing", "hold", "Again.").read_text(encoding="utf-8").startswith(errata)
    pins = project.pin("crossing").read_text(encoding="utf-8")
    assert pins.startswith("#:schema ../../.schemas/pins.json\n# The numbers")
    assert project.pin("crossing").read_text(encoding="utf-8") == pins
    assert sorted(path.name for path in (tmp_path / ".schemas").iterdir()) == ["errata.json", "pins.json"]
    assert refgen.project(tmp_path).check("crossing").open == ()


def test_another_goes_behind_all_that_is_there(tmp_path: Path) -> None:
    assert accepted(tmp_path, "chance", HAND_WRITTEN) == f"{HAND_WRITTEN}\n{ENTRY}"


def test_one_that_lapsed_is_replaced_where_it_stands(tmp_path: Path) -> None:
    text = accepted(tmp_path, "hold", HAND_WRITTEN, ("hold 6", "hold 4"))
    assert text.startswith('# Ours, by hand.\n\n[[errata]]\nfinding = "hold"\nprinted = "4"\ncomputed = "6"\n')
    assert text.endswith("\n\n# The chance: to be looked at.\n")
    assert refgen.project(tmp_path).check("crossing").open == ()


@pytest.mark.parametrize(
    ("title", "finding", "errata", "message", "hint"),
    [
        ("no such finding", "chanse", "", 'crossing has no finding "chanse"', "Did you mean chance?"),
        ("one that agrees", "range", "", 'crossing has no finding "range"', "`refgen check` shows the findings."),
        ("accepted already", "hold", HAND_WRITTEN, "hold is accepted already", "Its erratum stands in crossing/errata"),
        (
            "the finding of an erratum",
            "errata/steps/shoal",
            HAND_WRITTEN.replace("hold", "steps/shoal"),
            "errata/steps/shoal is nothing to accept",
            "",
        ),
        ("entries in a line", "chance", "errata = []\n", "crossing/errata.toml cannot take an entry", "[[errata]]"),
    ],
)
def test_what_cannot_be_accepted(
    tmp_path: Path, title: str, finding: str, errata: str, message: str, hint: str
) -> None:
    with pytest.raises(refgen.RefgenError) as caught:
        accepted(tmp_path, finding, errata)
    assert message in caught.value.message, title
    assert hint in caught.value.hint
    file = tmp_path / "content" / "crossing" / "errata.toml"
    assert (file.read_text(encoding="utf-8") if file.exists() else "") == errata


@pytest.mark.slow
def test_bundled_games_are_not_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(refgen.RefgenError, match="harmonies is bundled with refgen"):
        refgen.project(bundled=True).accept("harmonies", "odds", "so it is")


def test_all_odd_roundings_of_a_check_are_one_entry(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "content",
        ("Depth  |", "Part | Is\n---|---\n1 | 33%\n2 | 66%\n4 | 16%\n\nDepth  |"),
        checks=(
            '[tables.parts]\ntitle = "Parts"\nheader = ["Part", "Is"]\n'
            'columns = [{ id = "part", type = "number" }, { id = "is", type = "percent" }]\n'
            '[checks.parts]\nkind = "formula"\ntable = "parts"\ncolumn = "is"\n'
            'formula = "if({row.part} <= 2, {row.part} / 3, 1 / 6)"\nrule = "parts"\n'
        ),
    )
    (tmp_path / "refgen.toml").touch()
    refgen.project(tmp_path).accept("crossing", "parts/rounding", "All cut off.")
    spec, _ = load_errata(folder)
    assert [dict(erratum.pinned) for erratum in spec.errata] == [
        {"parts/2/is": ("66%", "67%"), "parts/4/is": ("16%", "17%")}
    ]
    assert refgen.project(tmp_path).check("crossing").open == ()
