"""Every string of a TOML file that people write is on a page, in the data, or named by an error or a finding."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from refgen.cli import main
from refgen.errors import RefgenError
from refgen.game import SystemSpec
from refgen.pipeline.project import ProjectSpec
from refgen.rules.spec_files import PhrasingSpec
from tests.every_string import FILES, WORD, Field, Place, fields_of, is_named, places_in, reachable, seen, with_word
from tests.figures import SECURITY, write_figure

ROOT = Path(__file__).resolve().parents[1]
SMALL, CONTENT = ROOT / "tests" / "data" / "systems", ROOT / "content"
EVENING = ROOT / "tests" / "data" / "every-string" / "evening"
GAMES = ("harmonies", "fudge-1995", "polyhedral-fudge", "atari-isev", "interactive-history")
BASES = (
    *sorted(SMALL.iterdir()),
    EVENING,
    *sorted((CONTENT / "examples").iterdir()),
    *(CONTENT / name for name in GAMES),
)
"""Games that have all fields together, the quick ones first."""

NOT_SHOWN = {
    ("ColumnSpec", "read", "key"),
    ("FactSpec", "read", "key"),
    ("LadderSpec", "aliases", "key"),
    ("TableSpec", "between", "value"),
    ("DefectSpec", "text", "value"),
    ("DefectSpec", "pattern", "value"),
    ("Pins", "facts", "value"),
    ("Pins", "tables", "key"),
    ("Pins", "tables", "value"),
    ("RowNumbersSpec", "because", "value"),
    ("RowCountSpec", "open", "value"),
    ("LookSpec", "about", "value"),
    ("ChainSpec", "title", "value"),
}
"""What docs/security.md says is looked for, or kept for whoever reads the file."""

MOST_TRIES = 4


def fields() -> set[Field]:
    """All fields of all files that take any text."""
    return _fields_of(SystemSpec, *FILES.values())


def _fields_of(*roots: type[BaseModel]) -> set[Field]:
    models = reachable(*roots)
    return {
        (model.__name__, name, role) for model in models for name, roles in fields_of(model).items() for role in roles
    }


@cache
def places() -> dict[Field, list[Place]]:
    """The places of each field: those where a game has it come first, at most one in a game."""
    found: dict[Field, dict[tuple[bool, Path], Place]] = {}
    for game in BASES:
        for place in places_in(game):
            found.setdefault(place.field, {}).setdefault((place.is_new, place.game), place)
    return {field: [each[key] for key in sorted(each, key=lambda key: key[0])] for field, each in found.items()}


def outcome(folder: Path, place: Place) -> str:
    """Whether a word at a place is shown, named or lost."""
    game = folder / "content" / place.game.name
    copytree(place.game, game)
    (game / place.file).write_text(with_word(place, WORD), encoding="utf-8")
    try:
        return "shown" if WORD in seen(game) else "lost"
    except RefgenError as error:
        return "named" if is_named(error, place, WORD) else "lost"


@pytest.mark.slow
def test_each_field_has_a_place() -> None:
    assert sorted(fields() - places().keys()) == []


def test_the_docs_say_what_is_not_shown() -> None:
    assert NOT_SHOWN.issubset(fields())
    promise = SECURITY.read_text(encoding="utf-8").partition("## Nothing is lost")[2].partition("\n## ")[0]
    said = {*re.findall(r"`(\w+)`", promise)}
    assert [name for model, name, _ in NOT_SHOWN if name not in said and model != "Pins"] == []


PROJECT = {
    ("ProjectSpec", "content", "value"): f'content = "{WORD}"',
    ("OutputSettings", "words", "key"): f'output = {{ words = {{ {WORD} = "Sheet" }} }}',
    ("OutputSettings", "words", "value"): f'output = {{ words = {{ site-overview = "{WORD}" }} }}',
    ("ScreenSettings", "files", "value"): f'screen = {{ files = ["{WORD}.toml"] }}',
    ("SiteSettings", "redirects", "key"): f'site = {{ redirects = {{ "{WORD}.html" = "index.html" }} }}',
    ("SiteSettings", "redirects", "value"): f'site = {{ redirects = {{ "old.html" = "{WORD}.html" }} }}',
}


@pytest.mark.slow
@pytest.mark.parametrize("text", PROJECT.values())
def test_a_word_in_any_field_of_a_project_is_shown_or_named(tmp_path: Path, text: str) -> None:
    copytree(EVENING, tmp_path / "content" / "evening")
    (tmp_path / "refgen.toml").write_text(text, encoding="utf-8")
    built = CliRunner().invoke(main, [*BUILD, str(tmp_path), "-o", str(tmp_path / "build")])
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "build").rglob("*.html")}
    assert WORD in built.output or any(WORD in name + page for name, page in pages.items())


BUILD = ("build", "-q", "--no-cache", "--jobs", "1", "--paper", "a4", "--only", "site", "--project")


def test_each_field_of_a_project_or_of_phrasings_has_a_place() -> None:
    """Phrasings have the places of system.toml; what is theirs alone is tried in tests/rules/test_spec_files.py."""
    assert _fields_of(ProjectSpec) == PROJECT.keys()
    bases = {base.__name__ for model in reachable(SystemSpec) for base in model.mro()}
    own = {field for field in _fields_of(PhrasingSpec) if field[0] not in bases}
    both = {(name, role) for _, name, role in own if name != "about"}  # docs/security.md says that it is not shown
    assert both == {(name, role) for name in ("sections", "restated") for role in ("key", "value")}


SHORT = sorted({field for field in fields() if field[0] in ("SessionSpec", "TermSpec", "LadderSpec")} - NOT_SHOWN)


@pytest.mark.slow
@pytest.mark.parametrize("field", SHORT, ids=".".join)
def test_a_word_in_a_field_of_some_models_is_shown_or_named(tmp_path: Path, field: Field) -> None:
    tried = [place for place in places()[field] if place.game in (EVENING, *SMALL.iterdir())]
    assert outcome(tmp_path, tried[0]) != "lost"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("system.toml", 'value = "value"\n', 'value = "value"\nzero = "Fair"\n', "counted from `zero`"),
        (
            "system.toml",
            'value = "value"\n',
            'value = "value"\naliases = { Ace = "Top" }\n',
            '"Top", which is no level',
        ),
        ("sheet.toml", 'label = "Mood", ', 'label = "Mood", unit = "kg", ', "`unit` is for a field with a `value`"),
        ("sheet.toml", 'dice = "4dF"', 'dice = "4dF luck"', 'cannot read the dice "4dF luck"'),
        ("screen.toml", 'party = ["who"]', 'blocks = ["margins"]', "no panel shows the party of these characters"),
    ],
)
def test_a_string_without_effect_is_an_error(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    game = copytree(EVENING, tmp_path / "content" / "evening")
    text = (game / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (game / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RefgenError, match=re.escape(message)):
        seen(game)


@pytest.mark.soak
def test_a_word_in_any_field_is_shown_or_named(tmp_path: Path) -> None:
    found: dict[Field, str] = {}
    for number, field in enumerate(sorted(fields())):
        for at, place in enumerate(places()[field][:MOST_TRIES]):
            found[field] = outcome(tmp_path / f"{number}-{at}", place)
            if found[field] != "lost":
                break
    lost = {field for field, what in found.items() if what == "lost"}
    counts = Counter("not shown, as this page says" if field in NOT_SHOWN else found[field] for field in found)
    write_figure("lost-in-files", "strings", ", ".join(f"{number} {what}" for what, number in sorted(counts.items())))
    assert sorted(lost - NOT_SHOWN) == []
