"""Tables by subject: the section of the document that each is printed in, or that most of its sources stand in."""

from __future__ import annotations

from refgen.aids.reference_lists import SectionIndex
from tests.conftest import SYSTEMS, game


def groups(system: str) -> dict[str, list[str]]:
    made = game(system)
    return {title: [table.id for table in group] for title, group in SectionIndex(made).grouped(made.tables).items()}


def test_printed_and_computed_tables_stand_under_their_section() -> None:
    found = groups("atari-isev")
    assert found["Initiative"] == ["initiative-attributes", "initiative-traits", "initiative-odds"]
    assert found["Fudge Points"] == ["fudge-uses", "still-ticking"]


def test_subjects_come_in_the_order_of_the_document() -> None:
    titles = [section.title for section in game("fudge-1995").sections]
    found = list(groups("fudge-1995"))
    assert found == sorted(found, key=titles.index)


def test_a_table_that_follows_from_no_print_stands_at_the_end() -> None:
    assert groups("atari-isev")["Other tables"] == ["wound-levels"]
    assert list(groups("atari-isev"))[-1] == "Other tables"


def test_every_table_has_one_subject() -> None:
    for system in SYSTEMS:
        found = [table for group in groups(system).values() for table in group]
        assert sorted(found) == sorted(game(system).tables)
