"""Session sheets: sensible without a word, as session.toml says, filled in for the characters that are given."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from shutil import copytree

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.aids.kinds import KINDS
from refgen.aids.panels.job import estimate_panels
from refgen.aids.session.job import RowsBlock, SessionJob
from refgen.aids.session.model import SessionSheet, make_session
from refgen.characters.character import WrittenValue
from refgen.characters.party import PartyRow, party_parts, turns_of
from refgen.cli import main
from refgen.errors import AidError, RefgenError
from refgen.files import bundled_folder
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.page_format import PageFormat, Paper, Theme
from refgen.layout.sizing import page_area
from refgen.words import ENGLISH
from tests.aids.sheet.sheets import named
from tests.conftest import SYSTEMS, others_in_soak
from tests.layout.tagged import faults

ATARI, FUDGE = "atari-isev", "fudge-1995"
WOUNDS = ("Scratched", "Hurt", "Very Hurt", "Incapacitated", "Near Death")


@cache
def loaded(system: str) -> refgen.Game:
    return refgen.load(system)


def ready(system: str) -> list[Path]:
    """The files of the characters that come with a game."""
    return sorted((bundled_folder("content") / system / "characters").glob("*"))


def session(system: str, *files: Path) -> SessionSheet:
    return make_session(bundled_folder("content") / system, loaded(system), files)


def described(folder: Path, text: str, system: str = ATARI) -> SessionSheet:
    """The session sheet of a game with a session.toml, and of its characters."""
    copytree(bundled_folder("content") / system, folder / system)
    (folder / system / "session.toml").write_text(text, encoding="utf-8")
    return make_session(folder / system, loaded(system), ready(system))


def job(system: str, made: SessionSheet, page_format: PageFormat) -> SessionJob:
    (found,) = KINDS["session"].jobs(loaded(system), made, [page_format])
    assert isinstance(found, SessionJob)
    return found


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["session", *map(str, arguments), "-o", "out", "-q"])


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


# Without session.toml


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "heads", "blank", "tables"),
    [
        (ATARI, ("Initiative", *WOUNDS, "Fudge points"), ("", "☐☐☐", "☐", "☐", "☐", "☐", "☐☐"), {}),
        (
            FUDGE,
            ("Initiative",),
            ("",),
            {
                "A d6 read as a FUDGE die": "",
                "3d6 read as 4dF": "",
                "d% read as 4dF": "",
                "A d6 for an NPC": "",
                "How much worse or better the NPC does (d6)": "",
            },
        ),
        ("harmonies", ("Initiative",), ("",), {}),
        (
            "interactive-history",
            ("Initiative",),
            ("",),
            {"Success values": "Roll: Open-ended.", "Sides of a Fudge die (1dF)": ""},
        ),
        ("polyhedral-fudge", ("Initiative", *WOUNDS), ("", "☐", "☐", "☐", "☐", "☐"), {}),
    ],
)
def test_each_game_has_a_sensible_sheet(
    system: str, heads: tuple[str, ...], blank: tuple[str, ...], tables: Mapping[str, str]
) -> None:
    """Who acts first, the boxes of the sheet, and the tables whose first column covers all that some dice show."""
    made = session(system)
    assert (made.heads, made.blank) == (heads, blank)
    assert {table.title: table.note.partition(" Note")[0] for table in made.tables} == tables
    assert (made.rows, made.rounds, made.combatants, made.party, made.turns) == (8, 12, (), (), ())


@pytest.mark.slow
def test_a_game_without_a_sheet_has_one_too(tmp_path: Path) -> None:
    copytree(bundled_folder("content") / ATARI, tmp_path / ATARI)
    with (tmp_path / ATARI / "system.toml").open("a", encoding="utf-8") as system:
        system.write("\n[aids]\nsheet = false\n")
    game = refgen.load(tmp_path / ATARI)
    made = make_session(tmp_path / ATARI, game)
    assert (made.heads, made.blank) == (("Initiative", *WOUNDS), ("", "☐☐☐", "☐", "☐", "☐", "☐"))
    with pytest.raises(AidError, match="has no sheet for characters"):
        make_session(tmp_path / ATARI, game, ready(ATARI))


# With characters


@pytest.mark.slow
def test_characters_come_first_with_their_own_boxes() -> None:
    made = session(ATARI, *ready(ATARI))
    assert made.combatants == (
        ("Hanno Rill", "0", "☐☐☐☐", "☐☐", "☐", "☐", "☐", "☐☐"),
        ("Ista Venn", "+2", "☐☐", "☐", "☐", "☐", "☐", "☐☐"),
        ("Odrun Half-Hand", "0", "☑☐☐☐", "☐☐", "☐", "☐", "☐", "☐☐"),
    )
    assert [part.title for part in made.party] == ["Attributes", "Skills", "Fighting", "Weapons"]
    assert made.party[0].rows[0] == PartyRow("Health", ("Great", "Poor", "Superb"))


@pytest.mark.slow
def test_who_acts_first_goes_by_what_is_printed() -> None:
    """Two with the same printed value have the same chance, however their exact values differ."""
    game = loaded(ATARI)
    levels = {"attributes.perception.level": "Good", "attributes.agility.level": "Fair"}
    slow = named(ATARI, "Slow", {**levels, "attributes.intuition.level": "Mediocre"})
    quick = named(ATARI, "Quick", {**levels, "attributes.intuition.level": "Fair"})
    turns = turns_of(game.sheet(), [game.fill(slow), game.fill(quick)], ENGLISH)
    dice = refgen.roll("4dF")
    contest = dice.against(dice)
    assert [turn.name for turn in turns] == ["Quick", "Slow"]
    assert (turns[0].before, turns[0].together) == (f"{round(100 * contest.win)}%", f"{round(100 * contest.draw)}%")
    assert (turns[1].before, turns[1].together) == ("", "")


@pytest.mark.slow
def test_what_several_have_stands_side_by_side_and_the_rest_below() -> None:
    game = loaded(FUDGE)
    climber = named(FUDGE, "Ada", {"skills.1.skill": "Climbing", "skills.1.level": "Good", "skills.2.skill": "Lore"})
    sailor = named(
        FUDGE,
        "Ben",
        {"skills.1.skill": "Sailing", "skills.1.level": "Fair", "skills.3.skill": "Climbing", "skills.3.level": "Poor"},
    )
    (skills,) = party_parts(game.sheet(), list(map(game.fill, (climber, sailor))), ["skills"])
    assert skills.rows == (
        PartyRow("Climbing", ("Good, 81%", "Poor, 19%")),
        PartyRow("Others", ("Lore", "Sailing: Fair, 62%")),
    )


def test_boxes_stand_beside_their_values() -> None:
    game = loaded("polyhedral-fudge")
    values: dict[str, WrittenValue] = {
        "damage-rating.damage-capacity": "Great",
        "damage-rating.armor": 3,
        "wounds.scratched.marked": True,
    }
    (wounds,) = party_parts(game.sheet(), [game.fill(named("polyhedral-fudge", "Ada", values))], ["wounds"])
    assert wounds.rows[0] == PartyRow("Scratched", ("10 ☑",))


# As session.toml says


def test_session_toml_says_what_stands_there(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        """
        title = "The {starting-fudge-points} gates"
        rows = 3
        columns = ["Side", { label = "Armour", value = "fighting.armour" }]
        tracks = ["fudge-points"]
        values = ["attributes", "fighting.dodge"]
        rounds = 20
        lines = 5
        tables = ["posture"]
        """,
    )
    assert (made.title, made.rows, made.rounds, made.lines) == ("The 2 gates", 3, 20, 5)
    assert made.heads == ("Side", "Armour", "Fudge points")
    assert made.combatants[2] == ("Odrun Half-Hand", "", "2", "☐☐")
    assert [(part.title, len(part.rows)) for part in made.party] == [("Attributes", 9), ("Fighting", 1)]
    assert [table.title for table in made.tables] == [loaded(ATARI).tables["posture"].title]


def test_what_is_not_wanted_is_left_out(tmp_path: Path) -> None:
    made = described(tmp_path, "rows = 0\ncolumns = []\ntracks = []\nvalues = []\nrounds = 0\nlines = 0\ntables = []\n")
    assert (made.heads, made.blank, made.party) == ((), (), ())
    panels = job(ATARI, made, PageFormat()).panels
    assert [panel.title for panel in panels.panels] == ["Session", "Party"]  # the names, and who acts first


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ('title = "A"\nrow = 3', "row", 2),
        ("rows = -1", "rows", 1),
        ('title = "A"\nvalues = ["attributs"]', 'there is no part or field "attributs" to show', 2),
        ('columns = ["Side", { label = "Dodge", value = "fighting.doge" }]', 'there is no field "fighting.doge"', 1),
        ('tracks = ["wounds", "mana"]', 'there is no track "mana"', 1),
        ('title = "A"\ntables = ["posture", "postures"]', '"postures"', 2),
        ('title = "{nobody}"', "nobody", 1),
    ],
)
def test_what_is_wrong_has_its_place(tmp_path: Path, text: str, message: str, line: int) -> None:
    with pytest.raises(RefgenError) as caught:
        described(tmp_path, text)
    assert message in caught.value.message
    assert caught.value.span is not None
    assert (caught.value.span.file, caught.value.span.line) == (f"{ATARI}/session.toml", line)


def test_a_sheet_with_nothing_on_it_is_refused(tmp_path: Path) -> None:
    copytree(bundled_folder("content") / ATARI, tmp_path / ATARI)
    (tmp_path / ATARI / "session.toml").write_text("rows = 0\nrounds = 0\nlines = 0\n", encoding="utf-8")
    with pytest.raises(AidError, match="nothing on it"):
        make_session(tmp_path / ATARI, loaded(ATARI))


# On paper


@pytest.mark.slow
@pytest.mark.parametrize("page_format", [PageFormat(), PageFormat(Paper.A5), PageFormat(theme=Theme.LARGE_PRINT)])
def test_rows_are_high_enough_to_write_in_and_type_to_read(page_format: PageFormat) -> None:
    made = job(ATARI, session(ATARI, *ready(ATARI)), page_format)
    pages, _, found = estimate_panels(made.panels, page_format, ENGLISH)
    width, _ = page_area(page_format)
    assert not found
    assert min(page.size for page in pages) >= 7.5
    placed = [one.block for panel in made.panels.panels for one in panel.blocks]
    rows = [block for block in placed if isinstance(block, RowsBlock)]
    for block in rows:
        heights = block.row_heights(block.measure().column_widths(width, 7.5), 7.5)
        assert min(heights[-len(block.rows) :]) >= 8 * MILLIMETRE
    assert len(rows) == 3


def party(count: int, name: str = "Bo") -> str:
    return "\n".join(["Name,Player", *(f"{name} {number},Someone" for number in range(count))])


@pytest.mark.slow
def test_free_lines_take_what_the_page_has_left() -> None:
    made = job(FUDGE, session(FUDGE), PageFormat())
    pages, _, _ = estimate_panels(made.panels, made.page_format, ENGLISH)
    assert [page.title for page in pages] == ["Session", "Tables"]
    (column,) = pages[0].columns
    blocks = [placed.panel_block.block for placed in column.blocks]
    assert [block.title for block in blocks] == ["Combatants", "Rounds", "Notes"]
    assert isinstance(blocks[2], RowsBlock)
    more = job(FUDGE, replace(made.aid, lines=len(blocks[2].rows) + 1), PageFormat())
    assert estimate_panels(more.panels, more.page_format, ENGLISH)[0][0].size < pages[0].size == 10


@pytest.mark.slow
@pytest.mark.parametrize("paper", [Paper.A4, Paper.A5])
def test_a_long_party_takes_more_pages(tmp_path: Path, paper: Paper) -> None:
    (tmp_path / "party.csv").write_text(party(60), encoding="utf-8")
    made = job(ATARI, session(ATARI, tmp_path / "party.csv"), PageFormat(paper))
    pages, _, found = estimate_panels(made.panels, made.page_format, ENGLISH)
    assert not found
    blocks = [one.panel_block.block for page in pages for column in page.columns for one in column.blocks]
    names = [row[0].text for block in blocks if isinstance(block, RowsBlock) for row in block.rows]
    assert [name for name in names if name.startswith("Bo")] == [f"Bo {number}" for number in range(60)]


@pytest.mark.slow
def test_what_fits_in_no_way_is_reported(tmp_path: Path) -> None:
    made = described(tmp_path, f"columns = {[f'Incomprehensibilities {number}' for number in range(9)]}")
    found = job(ATARI, made, PageFormat(Paper.A5))
    pages, _, (fault,) = estimate_panels(found.panels, found.page_format, ENGLISH)
    assert '"Session": "Combatants" is too wide by' in fault.message
    assert {page.panel.title for page in pages} == {"Party"}


EVERY_TIME = ((ATARI, Paper.A5), ("polyhedral-fudge", Paper.A4))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "paper"),
    others_in_soak(EVERY_TIME, product(SYSTEMS, (Paper.A4, Paper.A5))),
)
def test_what_is_made_for_characters_says_what_it_should(system: str, paper: Paper) -> None:
    """The HTML and the PDF are read back, and the PDF is PDF/UA-1 with its tables as tables, as builds have it too."""
    found = job(system, session(system, *ready(system)), PageFormat(paper)).make()
    assert (list(found.mismatches), list(found.errors)) == ([], [])
    assert {name.rpartition(".")[2] for name in found.files} == {"pdf", "html"}
    assert found.previews
    with pikepdf.open(io.BytesIO(found.files[f"{system}/session-{paper}.pdf"])) as pdf:
        assert faults(pdf) == []


# The command


@pytest.fixture
def _in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path / "cache"))


@pytest.mark.slow
@pytest.mark.usefixtures("_in")
def test_characters_are_inputs_of_the_sheet() -> None:
    """The sheet follows their files; without them its lines are blank again."""
    sheet = Path("out", ATARI, "session-a4.pdf")
    for name in ("Orlin", "Berra"):
        Path("party.csv").write_text(f"Name\n{name}\n", encoding="utf-8")
        assert command(ATARI, "party.csv", "--paper", "a4").exit_code == 0
        assert name in words_of(sheet)
        before = sheet.stat().st_mtime_ns
        assert command(ATARI, "party.csv", "--paper", "a4").exit_code == 0
        assert sheet.stat().st_mtime_ns == before  # nothing has changed, nothing is made
    assert command(ATARI, "--paper", "a4").exit_code == 0
    assert "Berra" not in words_of(sheet)


@pytest.mark.slow
@pytest.mark.usefixtures("_in")
def test_characters_with_errors_are_reported_and_left_out() -> None:
    Path("party.csv").write_text("Name,attributes.health.level\nOrlin,Great\nBerra,Grand\n", encoding="utf-8")
    result = command(ATARI, "party.csv", "--paper", "a4")
    assert result.exit_code == 2
    assert "party.csv:3:" in result.output
    words = words_of(Path("out", ATARI, "session-a4.pdf"))
    assert "Orlin" in words
    assert "Berra" not in words


@pytest.mark.usefixtures("_in")
def test_characters_are_of_one_game() -> None:
    Path("party.csv").write_text("Name\nOrlin\n", encoding="utf-8")
    result = command(ATARI, FUDGE, "party.csv")
    assert result.exit_code == 2
    assert "characters are of one GAME" in result.output
