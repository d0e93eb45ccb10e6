"""No word of English is left on what refgen makes of a game in another language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from lxml import html

import refgen
from refgen.aids.booklet.job import booklet_html
from refgen.aids.booklet.model import make_booklet
from refgen.aids.booklet.planner import BookletPlanner
from refgen.aids.kinds import KINDS
from refgen.aids.sheet.planner import SheetPlanner, sheet_html
from refgen.api.game import Game
from refgen.characters.make_sheet import make_sheet
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from refgen.pipeline.make_aids import make_aid
from refgen.site.comparison import comparison_data, make_comparison
from refgen.site.game_pages import SitePage, make_pages
from refgen.site.html import page_html
from refgen.site.odds import OddsPage
from refgen.site.page import GameSummary, make_home
from refgen.words import file_texts
from tests.words.lighthouse import write_lighthouse

_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = frozenset({"PDF", "HTML", "TOML", "JSON", "CSV", "md", "toml", "refgen"})
"""Names of formats and of refgen, which are the same in all languages."""

_NAMES_OF_SITE = (
    _NAMES | {"Markdown", "TXT", "website", "Foundry", "VTT", "Roll", "Tabletop", "Simulator"} | {"chances", "weather"}
)
"""More names of formats; a word that only machines read; ids of tables, which the game gives."""

_SEEN = ("aria-label", "aria-description", "title", "alt", "placeholder", "content", "data-bookmark", "data-chapter")
_UNSEEN = ("viewport", "color-scheme", "generator", "author")

GERMAN = """
[output]
language = "de"
words = { panel-of = "Blatt {number} von {total}", ladder = "Stufen" }
"""


def english(texts: Sequence[str | None]) -> list[str]:
    """The texts with a word in Latin letters that is no name."""
    return [text.strip() for text in texts if text and {*_WORD.findall(text)} - _NAMES]


def texts_of(page: str) -> list[str | None]:
    """Every text of a page that somebody sees or hears."""
    root = html.document_fromstring(page)
    texts: list[str | None] = []
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag not in ("script", "style"):
            is_unseen = element.get("name") in _UNSEEN or "http-equiv" in element.attrib
            texts += [element.text, *([] if is_unseen else [element.get(name) for name in _SEEN])]
        texts.append(element.tail)
    return texts


def pages(game: Game) -> Iterator[tuple[str, str]]:
    """The HTML of each aid of a game by estimated heights, by the name of its kind."""
    folder, system = game.folder or Path(), SystemInfo.of(game)
    characters = [folder / "characters" / "анна.toml"]
    for name in ("screen", "card", "session"):
        aid = make_aid(KINDS[name], folder, game, {}, characters if name == "session" else []).aid
        first = next(iter(KINDS[name].jobs(game, aid, KINDS[name].options())))
        yield from ((name, data.decode()) for data in first.draft().files.values())
    sheet = make_sheet(folder, game)
    yield "sheet", sheet_html(system, SheetPlanner(sheet, PageFormat(), game.words).pages(), PageFormat())
    *_, form = KINDS["sheet"].jobs(game, sheet, KINDS["sheet"].options())
    yield from (("form", data.decode()) for data in form.draft().files.values())
    yield "booklet", booklet_html(system, BookletPlanner(system, make_booklet(game)).pages())


def site_pages(game: Game) -> Iterator[SitePage]:
    """The pages of the site of a game."""
    yield from make_pages(game, [])
    yield make_home([(GameSummary.of(game), [])], game.words)
    yield make_comparison([comparison_data(game)], game.words)


@cache
def lighthouse(folder: Path, output: str = "") -> Mapping[str, str]:
    """The HTML of the aids of the game in Russian, by kind."""
    project = refgen.project(write_lighthouse(folder, output))
    return dict(pages(project.games["маяк"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lighthouse")


@pytest.mark.parametrize("kind", ["screen", "card", "session", "sheet", "form", "booklet"])
def test_pages_of_a_russian_game_have_no_english_word(kind: str, folder: Path) -> None:
    page = lighthouse(folder)[kind]
    assert english(texts_of(page)) == []
    assert '<html lang="ru"' in page


@pytest.mark.slow
def test_the_site_of_a_russian_game_has_no_english_word(folder: Path) -> None:
    game = refgen.project(write_lighthouse(folder)).games["маяк"]
    for page in site_pages(game):
        left = {word for text in english(texts_of(page_html(page))) for word in _WORD.findall(text)} - _NAMES_OF_SITE
        assert left == set(), page.head.path
        if isinstance(page, OddsPage):
            assert [action["roll"] for action in page.data["actions"]] == ["2к6 + черта, не меньше 8"]


def pattern(text: str) -> str:
    """A text as a regular expression that matches any values."""
    return ".+".join(map(re.escape, re.split(r"\{[a-z]+\}", text)))


@cache
def english_patterns() -> Sequence[re.Pattern[str]]:
    """The English texts that are other texts in German."""
    german = file_texts("de")
    texts = [text for text in file_texts("en").values() if isinstance(text, str) and text not in german.values()]
    return [re.compile(pattern(text)) for text in texts if _WORD.search(re.sub(r"\{[a-z]+\}", "", text))]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["screen", "card", "session", "sheet", "form", "booklet"])
def test_pages_in_german_have_no_text_of_refgen_in_english(kind: str, folder: Path) -> None:
    texts = [text.strip() for text in texts_of(lighthouse(folder, GERMAN)[kind]) if text and text.strip()]
    assert [text for text in texts if any(known.fullmatch(text) for known in english_patterns())] == []
    assert [text for text in texts if _WORD.search(text)] != []
    if kind == "screen":
        assert {"Blatt 1 von 3", "Stufen", "berechnet", "83,3\u00a0%"} <= {*texts}


def spoken(path: Path) -> Iterator[str]:
    """The texts of a PDF besides its pages: title, subject, outline, names of fields, alternative and actual texts."""
    with pikepdf.open(path) as pdf:
        assert pdf.Root.Lang == "ru"
        yield from (str(pdf.docinfo.get(name, "")) for name in ("/Title", "/Subject"))
        for found in pdf.objects:
            if isinstance(found, pikepdf.Dictionary):
                yield from (str(found[name]) for name in ("/TU", "/Alt", "/ActualText") if name in found)
                yield from [str(found.Title)] if "/Dest" in found and "/Title" in found else []


@pytest.mark.slow
def test_pdfs_of_a_russian_game_have_no_english_word(tmp_path: Path) -> None:
    project, output = refgen.project(write_lighthouse(tmp_path)), tmp_path / "build"
    kinds = ["screen", "sheet", "card", "booklet", "session"]
    project.build(refgen.BuildSettings(output=output, only=kinds, papers=["a4"], jobs=1))
    characters = [tmp_path / "content" / "маяк" / "characters" / "анна.toml"]
    project.games["маяк"].fill_sheets(characters, output, merge=output / "все.pdf", editable=False)
    assert len([*output.glob("**/*.pdf")]) == 7
    for path in sorted(output.glob("**/*.pdf")):
        with pypdfium2.PdfDocument(path) as pdf:
            texts = [line for page in pdf for line in page.get_textpage().get_text_range().splitlines()]
        assert english([*texts, *spoken(path)]) == [], path.name


def test_a_check_says_which_texts_a_language_lacks(tmp_path: Path) -> None:
    output = '[output]\nlanguage = "sv"\nwords = { computed = "beräknad" }\n'
    report = refgen.project(write_lighthouse(tmp_path, output)).check("маяк")
    (found,) = (finding for finding in report.findings if finding.id == "words")
    assert found.printed == "sv"
    assert "texts of refgen stand in English: percent, thousands, list, rounded" in found.rule


def test_a_file_to_begin_a_character_with_is_in_russian_and_can_be_read(tmp_path: Path) -> None:
    game = refgen.project(write_lighthouse(tmp_path)).games["маяк"]
    path = game.begin_character("Борис", tmp_path)
    assert english(path.read_text(encoding="utf-8").splitlines()) == []
    assert tomllib.loads(path.read_text(encoding="utf-8"))["дела"]["лодка"] == {"умение": ""}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["screen", "card", "session", "sheet", "booklet"])
def test_what_the_rules_say_is_marked_where_it_is_in_another_language(kind: str, folder: Path) -> None:
    page = html.document_fromstring(lighthouse(folder, GERMAN)[kind])
    assert page.get("lang") == "de"
    marked = [element.text_content() for element in page.xpath("//*[@lang = 'ru']")]
    assert any("Мастер" in text or "Ветер" in text for text in marked)
    assert html.document_fromstring(lighthouse(folder)[kind]).xpath("//body//*[@lang]") == []
