"""What becomes of every number of a document."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from refgen.checks.coverage import NumberCoverage, Status
from refgen.cli import main
from refgen.files import bundled_folder
from refgen.game import load_game
from tests.checks.small import CHECKS, write

IGNORED = """
[ignored]
remark = ["Two rivers"]
example = "of 9 rowers"
"""


def covered(folder: Path, *changes: tuple[str, str], checks: str = CHECKS) -> NumberCoverage:
    return load_game(write(folder, *changes, checks=checks)).coverage()


def by_text(found: NumberCoverage) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    return {entry.text: (", ".join(entry.of), entry.status.value, entry.by) for entry in found.entries}


def test_every_number_has_an_entry_in_the_order_of_the_text(tmp_path: Path) -> None:
    found = covered(tmp_path)
    assert [entry.text for entry in found.entries] == [
        *("2d6", "2", "12", "7", "58%", "Two", "3", "6", "1d6+1d6"),
        *("-1", "25%", "0", "50%", "+1", "75%"),
        *("2", "5", "1", "6", "8", "2", "9", "12", "3"),
    ]
    assert sum(found.counts.values()) == len(found.entries)


def test_what_is_compared_names_its_checks_and_what_they_rest_on_is_a_source(tmp_path: Path) -> None:
    found = by_text(covered(tmp_path))
    assert found["58%"] == ("chance", "compared", ("chance",))
    assert found["75%"] == ("odds.odds", "compared", ("mirror", "rising"))
    assert found["7"] == ("goal", "source", ("chance",))
    assert found["2d6"] == ("dice", "source", ("chance", "range", "planks", "cover"))
    assert found["-1"] == ("odds.margin", "source", ("mirror",))


def test_what_nothing_checks_is_read_until_it_is_said_to_be_pinned(tmp_path: Path) -> None:
    bare = covered(tmp_path / "bare", checks="")
    assert {entry.status for entry in bare.entries} == {Status.READ}
    assert bare.open == bare.entries
    said = '[pinned]\n"" = ["depths.step"]\n"as the river is" = ["goal"]\n'
    found = load_game(write(tmp_path / "said", checks=said)).coverage()
    pinned = [(*entry.of, entry.text, entry.by) for entry in found.entries if entry.status is Status.PINNED]
    assert pinned == [
        ("goal", "7", ("as the river is",)),
        *(("depths.step", number, ()) for number in ("1", "2", "3")),
    ]


def test_a_number_that_only_repeats_another_is_quoted(tmp_path: Path) -> None:
    quote = '\n[checks.again]\nkind = "formula"\nfact = "seats"\nformula = "{boats}"\nrule = "as many"\n'
    found = by_text(covered(tmp_path, checks=CHECKS + quote))
    assert found["Two"] == ("boats", "source", ("hold", "again"))
    seats = [entry for entry in covered(tmp_path / "2", checks=CHECKS + quote).entries if entry.of == ("seats",)]
    assert [(entry.status, entry.by) for entry in seats] == [(Status.QUOTED, ("again",))]


def test_a_range_of_which_one_end_is_compared(tmp_path: Path) -> None:
    low = '\n[checks.low]\nkind = "formula"\nfact = "range"\nformula = "2"\npart = "low"\nrule = "two dice"\n'
    found = covered(tmp_path, checks=low)
    assert [(entry.text, entry.status.value) for entry in found.entries if entry.of == ("range",)] == [
        ("2", "compared"),
        ("12", "read"),
    ]


def test_what_no_table_and_no_fact_reads_is_unlisted_or_explained_by_a_sentence(tmp_path: Path) -> None:
    more = ("## Crossing\n", "## Crossing\n\nTwo rivers meet here, each of 9 rowers or 10.\n")
    assert [(e.text, e.words) for e in covered(tmp_path / "1", more).entries if e.status is Status.UNLISTED] == [
        ("Two", "Two rivers meet here, each of 9"),
        ("9", "Two rivers meet here, each of 9 rowers or 10."),
        ("10", "here, each of 9 rowers or 10."),
    ]
    found = covered(tmp_path / "2", more, checks=CHECKS + IGNORED)
    assert [(e.text, e.status.value, e.by) for e in found.entries[:3]] == [
        ("Two", "remark", ("Two rivers",)),
        ("9", "example", ("of 9 rowers",)),
        ("10", "unlisted", ()),
    ]
    assert found.unfound == ()


def test_a_sentence_that_explains_nothing_is_reported_with_its_place(tmp_path: Path) -> None:
    found = covered(tmp_path, checks=CHECKS + IGNORED)
    assert [(each.kind, each.sentence) for each in found.unfound] == [
        ("example", "of 9 rowers"),
        ("remark", "Two rivers"),
    ]
    proof = (tmp_path / "crossing" / "proof.toml").read_text(encoding="utf-8").splitlines()
    assert [proof[each.span.line - 1].partition(" ")[0] for each in found.unfound] == ["example", "remark"]


def test_numbers_in_the_head_of_a_table_are_a_heading(tmp_path: Path) -> None:
    system = write(tmp_path, ("Rolls | Step", "2d6 Rolls | Step"))
    spec = (system / "system.toml").read_text(encoding="utf-8").replace('"Rolls", "Step"', '"2d6 Rolls", "Step"')
    (system / "system.toml").write_text(spec, encoding="utf-8")
    (head,) = (entry for entry in load_game(system).coverage().entries if entry.status is Status.HEADING)
    assert (head.text, head.by) == ("2d6", ("depths",))


LADDER = """
[ladders.depth]
table = "depths"
level = "depth"
value = "step"
"""


def test_a_level_in_words_is_a_mention_where_no_typed_cell_and_no_fact_has_it(tmp_path: Path) -> None:
    found = covered(tmp_path, ("cross the river,", "cross the river, a Chasm or a stream,"), checks=CHECKS + LADDER)
    mentions = [(entry.span.line, entry.text, entry.of) for entry in found.entries if entry.status is Status.MENTION]
    assert mentions == [(3, "Chasm", ())]
    assert found.is_complete


STRAY = {
    "read: 3 (attributes.meaning), not checked": ("Health: recovering from", "Health: recovering in 3 days from"),
    "unlisted: 3, in ": ("Two things recommend it:", "Two things recommend it, or 3:"),
}


@pytest.mark.slow
def test_a_stray_number_is_reported_by_the_command_and_fails_when_strict(tmp_path: Path) -> None:
    rules = copytree(bundled_folder("content") / "atari-isev", tmp_path / "content" / "atari-isev") / "mechanics.txt"
    (tmp_path / "refgen.toml").touch()
    command = ["check", "--project", str(tmp_path), "--coverage"]
    assert CliRunner().invoke(main, [*command, "--strict"]).exit_code == 0
    text = rules.read_text(encoding="utf-8")
    for told, (words, stray) in STRAY.items():
        rules.write_text(text.replace(words, stray), encoding="utf-8")
        checked = CliRunner().invoke(main, [*command, "--strict"])
        assert (checked.exit_code, told in checked.stdout) == (1, True)
    assert CliRunner().invoke(main, command).exit_code == 0
