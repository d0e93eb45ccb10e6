"""The documents of a new game among files: which are taken, in which order, and why the others are left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from refgen.errors import ReadError, SourceError
from refgen.limits import changed_limits
from refgen.proposals.sources import find_sources
from refgen.readers.document import Document
from refgen.readers.read import open_document

RULES = "# {}\n\nRoll 2d6 and add the skill.\n\nLevel | Value\n--|--\nGood | 1\n"
INDEX = "# The Wide Dark\n\n- [Skills](1-skills.md) in short\n- [Combat](2-combat.md)\n- [Ships](10-ships.md)\n"
LICENCE = "# Legal\n\nThis licence covers all contributions. Copyright of trademarks stays with each contributor.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "wide-dark"
    site.mkdir()
    for name, text in {
        "1-skills.md": RULES.format("Skills"),
        "2-combat.md": RULES.format("Combat"),
        "10-ships.md": RULES.format("Ships"),
        "index.md": INDEX,
        "legal.md": LICENCE,
        "notes.pdf": "%PDF",
        ".draft.md": RULES.format("Draft"),
    }.items():
        (site / name).write_text(text, encoding="utf-8")
    return site


def test_a_folder_gives_its_documents_in_their_order_and_the_title_of_its_index(folder: Path) -> None:
    found = find_sources([str(folder)])
    assert found.names == ["1-skills.md", "2-combat.md", "10-ships.md"]
    assert found.left_out == [
        ("index.md", "it is an index of other pages"),
        ("legal.md", "it speaks of licences alone"),
        ("1 .pdf", "refgen does not read such files"),
    ]
    assert found.title == "The Wide Dark"


def test_a_pattern_gives_the_files_that_it_names(folder: Path) -> None:
    found = find_sources([str(folder / "*s.md")])
    assert found.names == ["1-skills.md", "10-ships.md"]
    assert found.title == "Wide Dark"  # of the folder: no index is among the files


def test_files_stay_in_the_order_in_which_they_are_named(folder: Path) -> None:
    found = find_sources([str(folder / "10-ships.md"), str(folder / "1-skills.md"), str(folder / "10-ships.md")])
    assert found.names == ["10-ships.md", "1-skills.md"]


def test_a_single_file_is_a_document_whatever_it_holds(folder: Path) -> None:
    found = find_sources([str(folder / "legal.md")])
    assert (found.names, found.left_out, found.title) == (["legal.md"], [], "Legal")


def test_a_named_file_that_cannot_be_read_is_an_error(folder: Path) -> None:
    with pytest.raises(ReadError, match="does not read: PDF"):
        find_sources([str(folder / "notes.pdf"), str(folder / "legal.md")])
    with pytest.raises(SourceError, match="cannot read"):
        find_sources([str(folder / "missing.md")])


def test_a_link_out_of_the_folder_and_a_pipe_are_no_documents(folder: Path) -> None:
    (folder.parent / "secret.md").write_text(RULES.format("Secret"), encoding="utf-8")
    (folder / "3-secret.md").symlink_to(folder.parent / "secret.md")
    assert "3-secret.md" not in find_sources([str(folder)]).names
    os.mkfifo(folder / "rules.md")
    with pytest.raises(SourceError, match="is not a file"):
        find_sources([str(folder / "rules.md")])


def test_an_index_that_cannot_be_read_gives_no_title_and_is_read_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "README.md").write_bytes("# Ödland\n".encode("latin-1"))
    opened: list[str] = []

    def count(path: Path, name: str, *, typed: bool) -> Document:
        opened.append(name)
        return open_document(path, name, typed=typed)

    monkeypatch.setattr("refgen.proposals.sources.open_document", count)
    found = find_sources([str(folder)])
    assert found.title == "The Wide Dark"
    assert found.left_out[0] == ("README.md", "byte 0xd6 is not UTF-8")
    assert sorted(opened) == sorted({*opened})


def test_a_game_has_a_limit_of_letters(folder: Path) -> None:
    letters = sum(len(path.read_text(encoding="utf-8", errors="replace")) for path in folder.glob("*.md"))
    with changed_limits(["document-letters=150"]), pytest.raises(ReadError) as caught:
        find_sources([str(folder)])
    size = int(caught.value.message.removeprefix("the game has ").removesuffix(" letters").replace(",", ""))
    assert 150 < size <= letters  # of all files at once, and none that could not be read
    for number in (2, 3):
        (folder / f"more-{number}.md").write_text(f"# More\n\n{'word ' * 100}\n", encoding="utf-8")
    with changed_limits(["document-letters=150"]), pytest.raises(ReadError, match=f"the game has {size + 1018:,} l"):
        find_sources([str(folder)])


def test_a_missing_file_is_refused_before_others_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refgen.proposals.sources.open_document", pytest.fail)
    missing = str(folder / "missing.md")
    with pytest.raises(SourceError, match=f"cannot read {missing}: no such file or directory"):
        find_sources([str(folder), missing])


def test_no_rules_at_all_is_an_error(folder: Path) -> None:
    with pytest.raises(SourceError, match="no file is named like"):
        find_sources([str(folder / "*.xml")])
    with pytest.raises(SourceError, match="no file holds rules"):
        find_sources([str(folder / "[il]*.md")])

    (folder / "in.md").write_text("")
    assert find_sources([str(folder / "in.md"), str(folder / "legal.md")]).left_out[0][0] == "in.md"


def test_a_page_of_rules_is_one_whatever_its_name(folder: Path) -> None:
    (folder / "index.md").write_text("# The Wide Dark:\n\nRoll 2d6, as [combat](2-combat.md) says. 10 is a hit.\n")
    found = find_sources([str(folder)])
    assert (found.names[0], found.title) == ("index.md", "The Wide Dark")


def test_what_is_named_is_never_left_out(folder: Path) -> None:
    named = [str(folder / name) for name in ("index.md", "legal.md", "1-skills.md")]
    assert find_sources(named).names == ["index.md", "legal.md", "1-skills.md"]


def test_files_of_a_folder_that_nobody_reads_are_counted(folder: Path) -> None:
    for name in ("a.adoc", "b.adoc", "c.png", "d.css"):
        (folder / name).write_text("Rules")
    assert ("2 .adoc", "refgen does not read such files") in find_sources([str(folder)]).left_out


def test_the_title_is_not_that_of_a_kind_of_folder(tmp_path: Path) -> None:
    folder = tmp_path / "wide-dark" / "raw-html"
    folder.mkdir(parents=True)
    for name in ("a.md", "b.md"):
        (folder / name).write_text(RULES.format("A"))
    assert find_sources([str(folder)]).title == "Wide Dark"
