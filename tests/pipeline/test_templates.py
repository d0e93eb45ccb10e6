"""Templates of a project in a build: they stand on all pages, nothing is made twice, and an error spoils little."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.api.settings import BuildOrder, BuildSettings
from refgen.serve.watch_session import ProjectState
from tests.layout.laid_out import note_layouts
from tests.pipeline.small_builds import build, clean_build, tree

pytestmark = pytest.mark.slow

CROWN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 9V0h9v9z"/></svg>'
SCREEN = (
    '{% block footer %}<img src="{{ files }}crown.svg" alt="A crown" style="height: 1em"/> Night Watch{% endblock %}'
)
CARDS = "{% block back %}Night Watch{% endblock %}"
SITE = "{% block brand %}Night Watch{% endblock %}"


def write(folder: Path, **texts: str) -> None:
    """Write files of a folder ``templates``, named with "_" for the dot."""
    (folder / "templates").mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / "templates" / name.replace("_", ".")).write_text(text, encoding="utf-8")


def text_of(path: str) -> str:
    return Path("build", path).read_text(encoding="utf-8")


def test_templates_stand_on_all_pages_and_a_change_makes_anew_what_rests_on_the_file(
    folder: Path, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build("-q")
    before = tree(folder / "build")
    write(folder, screen_html=SCREEN, cards_html=CARDS, site_html=SITE, crown_svg=CROWN, cards_css="h1 { color: red }")
    said = build().output.splitlines()
    assert [line for line in said if "left out" in line and "fate/cards" in line] == [
        'note: fate/cards.html: back, title: "Four dice" is left out',
    ]
    assert [line for line in said if line.startswith("warning")] == []
    assert '1em"/> Night Watch</footer>' in text_of("fate/gm-screen-a4.html")
    assert all(">Night Watch</a>" in text_of(page) for page in ("index.html", "fate/index.html"))
    assert text_of("fate/templates/crown.svg") == text_of("assets/templates/crown.svg") == CROWN

    del done[:]
    laid_out = note_layouts(monkeypatch, lambda html, _: html)
    assert build("-q").output == ""
    assert done == []
    write(folder, cards_css="h1 { color: blue }")
    build("-q")
    assert "blue" in text_of("fate/templates/cards.css")
    assert laid_out
    assert all("cards.css" in html for html in laid_out)
    assert tree(folder / "build") == clean_build(folder)

    for path in (folder / "templates").iterdir():
        path.unlink()
    build("-q")
    assert tree(folder / "build").keys() == before.keys()


def test_an_error_in_a_template_spoils_no_page_but_those_that_rest_on_the_file(folder: Path) -> None:
    write(folder, screen_html="{% block fooder %}{% endblock %}", site_html="{% if %}", notes_txt="x")
    said = build(code=2).output
    assert 'templates/screen.html:1:10: screen.html has no block "fooder"' in said
    assert "templates/site.html:1:1: Expected an expression, got 'end of statement block'" in said
    assert "refgen has no use for templates/notes.txt" in said
    made = tree(folder / "build")
    assert "fate/cards-a4.pdf" in made
    assert not {"fate/gm-screen-a4.pdf", "index.html"} & {*made}


def test_templates_of_a_game_hide_those_of_its_project(folder: Path) -> None:
    write(folder, site_html=SITE)
    write(folder / "content" / "fate", site_html="{% block brand %}Fate{% endblock %}")
    build("-q", "--only", "site,data")
    brands = {page: text_of(page) for page in ("index.html", "grids/index.html", "fate/index.html")}
    assert [page for page, text in brands.items() if ">Night Watch</a>" in text] == ["index.html", "grids/index.html"]
    assert ">Fate</a>" in brands["fate/index.html"]


def test_a_link_that_leads_out_of_the_folder_is_refused(folder: Path) -> None:
    write(folder)
    secret = folder.parent / f"{folder.name}.svg"
    secret.write_text(CROWN, encoding="utf-8")
    (folder / "templates" / "crown.svg").symlink_to(secret)
    assert f'"templates/crown.svg" leads out of {folder.name}' in build("--only", "site,data", code=2).output


def test_a_picture_that_asks_for_more_is_refused(folder: Path) -> None:
    write(folder, crown_svg='<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    assert "templates/crown.svg asks for more than it holds: <script>" in build("--only", "site,data", code=2).output
    assert not (folder / "build" / "fate" / "templates").exists()


def test_a_changed_template_is_a_change_of_every_game(cold: Path) -> None:
    state = ProjectState(BuildOrder(BuildSettings(output=str(cold / "build")), str(cold)))
    assert not state.look(None)
    write(cold, site_html=SITE)
    assert state.look(frozenset({cold / "templates" / "site.html"})).everything
    assert not state.look(None)
    assert any(cold / "templates" == path for path in state.watched.folders)
