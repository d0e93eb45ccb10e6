"""A project's templates replace blocks of ours by name, add style sheets, and can do nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from refgen.aids.panels.job import panels_html
from refgen.aids.panels.model import USUAL_FORMAT
from refgen.blocks.text_blocks import TextBlock
from refgen.errors import RenderError
from refgen.files import bundled_folder
from refgen.layout import extending
from refgen.layout.extending import BLOCKS, GIVEN, extension_faults
from refgen.layout.templates import EXTENDED
from refgen.look.look import USUAL
from refgen.template_files import TemplateFiles
from tests.figures import write_figure
from tests.layout.made_pages import SYSTEM, page

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "templates.md"
PANEL = page(0, "Panel", (TextBlock("Rules", ("one",)),))


def files(**texts: str) -> TemplateFiles:
    """Files of a project, by their names with "_" for the dot."""
    found = {name.replace("_", "."): text.encode() for name, text in texts.items()}
    return TemplateFiles(found, {name: f"templates/{name}" for name in found}, "game/templates")


def screen(**texts: str) -> str:
    return panels_html(
        replace(SYSTEM, look=replace(USUAL, templates=files(**texts))), "gm-screen", [PANEL], USUAL_FORMAT
    )


def footer(text: str) -> str:
    """The footer of a panel, in place of which stands a block of this text."""
    made = screen(screen_html=f"{{% block footer %}}{text}{{% endblock %}}", crown_svg="<svg/>")
    (found,) = re.findall("<footer>(.*?)</footer>", made)
    return str(found)


def error(text: str) -> str:
    """The error of a footer of this text, on the second line of its template."""
    return fault(screen_html=f"\n{{% block footer %}}{text}{{% endblock %}}")


def fault(**texts: str) -> str:
    with pytest.raises(RenderError) as raised:
        screen(**texts)
    return str(raised.value)


def faults(**texts: str) -> list[tuple[str, str]]:
    return [(str(each), each.hint) for each in extension_faults(files(**texts))]


# What a project may say


def test_a_block_stands_in_place_of_ours_and_may_hold_ours() -> None:
    assert footer("Night <b>Watch</b>") == "Night <b>Watch</b>"
    assert footer("Night Watch · {{ super() }}") == "Night Watch · Source."


def test_a_block_shows_what_it_is_given_escaped() -> None:
    assert footer("{{ page.title | upper }}, {{ system.source }}") == "PANEL, Source &amp; more"
    assert footer("{% if page.title == 'Panel' %}yes{% endif %}") == "yes"


def test_a_picture_is_a_file_of_the_project() -> None:
    assert footer('<img src="{{ files }}crown.svg" alt="A crown"/>') == (
        '<img src="../game/templates/crown.svg" alt="A crown"/>'
    )


def test_the_frame_of_a_block_has_blocks_too() -> None:
    made = screen(block_html="{% block above %}<hr/>{% endblock %}{% block title %}~ {{ super() }} ~{% endblock %}")
    assert '<section class="block block-text">\n<hr/><h2>~ Rules ~</h2>' in made


def test_a_style_sheet_comes_after_ours_and_the_page_has_a_version_of_all_that_it_may_load() -> None:
    texts = {"screen_css": '@import "common.css"; p { background: url(crown.svg) }', "crown_svg": "<svg/>"}

    def head(common: str, cards: str = "") -> str:
        return screen(**texts, common_css=common, cards_css=cards).partition("</head>")[0]

    assert head("p {}").endswith('<link rel="stylesheet" href="../game/templates/screen.css"/>\n')
    assert head("p {}") == head("p {}", cards="p {}") != head("b {}")


def test_without_files_nothing_is_added() -> None:
    assert "version" not in screen()


# What a project may not say


REFUSED = {
    "{{ ''.__class__.__mro__ }}": 'the block is not given "….__class__.__mro__"',
    "{{ page.__class__ }}": 'the block is not given "page.__class__"',
    "{{ page.panel }}": 'the block is not given "page.panel"',
    "{{ '{0.__class__}'.format(page) }}": "a template of a project may not say this (call)",
    "{{ '%s' % page.title }}": "a template of a project may not say this (mod)",
    "{{ page.title | attr('__class__') }}": 'a template of a project has no filter "attr"',
    "{{ page.title | safe }}": 'a template of a project has no filter "safe"',
    "{{ system['title'] }}": "a template of a project may not say this (getitem)",
    "{{ content_of }}": 'the block is not given "content_of"',
    "{{ self.footer() }}": "a template of a project may not say this (call)",
    "{{ super.super() }}": "a template of a project may not say this (call)",
    "{{ lipsum(9) }}": "a template of a project may not say this (call)",
    "{% include '/etc/passwd' %}": "a template of a project may not say this (include)",
    "{% import 'blocks/table.html' as ours %}": "a template of a project may not say this (import)",
    "{% from 'blocks/table.html' import table %}": "a template of a project may not say this (fromimport)",
    "{% extends 'site/layout.html' %}": "a template of a project may not say this (extends)",
    "{% set text = page.title %}": "a template of a project may not say this (assign)",
    "{% macro more() %}{% endmacro %}": "a template of a project may not say this (macro)",
    "{% autoescape false %}{% endautoescape %}": "a template of a project may not say this (scope)",
    "{% block more %}{% endblock %}": "a template of a project may not say this (block)",
    "{% for n in range(999999999) %}{% endfor %}": "a template of a project may not say this (for)",
    "{% for a in page.title %}{{ a }}{% endfor %}": "a template of a project may not say this (for)",
    "{{ 'a' * 10 ** 10 }}": "a template of a project may not say this (mul)",
    "{{ [page.title] }}": "a template of a project may not say this (list)",
    "{{ " + "(" * 9999 + "1" + ")" * 9999 + " }}": "too much stands in one another",
    "{% if 1 %}" * 200 + "{% endif %}" * 200: "too much stands in one another",
    "a" * 100_001: "the template has more than 100,000 letters",
    "{{ page.titel }}": 'the block is not given "page.titel"',
    "{{ page.title | truncate('a') }}": (
        "this cannot be worked out: '>=' not supported between instances of 'str' and 'int'"
    ),
    "{{ page.title + 1 }}": "a template of a project may not say this (add)",
    "{{ page.title": "expected token 'end of print statement', got '{'",
    "<script>alert(1)</script>": 'the block "footer" may not hold <script>',
    "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>": 'the block "footer" may not hold <script>',
    "<style>p {}</style>": 'the block "footer" may not hold <style>',
    "<iframe/>": 'the block "footer" may not hold <iframe>',
    "<{{ 'script' }}>1</{{ 'script' }}>": 'the block "footer" may not hold <script>',
    "<p onclick='f()'>p</p>": 'the block "footer" may not say onclick="…"',
    "<p data-frame='x'>p</p>": 'the block "footer" may not say data-frame="…"',
    "<!-- note -->": 'the block "footer" may hold no comment and no declaration of XML',
    "<![CDATA[ ><script>f()</script> ]]>": 'the block "footer" may hold no comment and no declaration of XML',
    "<img src='https://example.invalid/a.png' alt='a'/>": (
        'the block "footer" loads "https://example.invalid/a.png", which is no file in templates/'
    ),
    "<img src='../../../etc/passwd' alt='a'/>": (
        'the block "footer" loads "../../../etc/passwd", which is no file in templates/'
    ),
    "<img src='{{ files }}crown.svg'/>": 'the block "footer" has a picture without alt="…"',
    "<p style='background: url(//example.invalid/a)'>p</p>": (
        'the block "footer" loads "//example.invalid/a", which is no file in templates/'
    ),
    "<table background='https://example.invalid/a.png'><tr/></table>": 'the block "footer" may not say background="…"',
    "<a href='java\nscript:f()'>a</a>": 'the block "footer" has a link to "java script:f()"',
    "<a href='javascript:f()'>a</a>": 'the block "footer" has a link to "javascript:f()"',
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=[text[:40] for text in REFUSED])
def test_all_else_is_refused_with_its_line(text: str, message: str) -> None:
    where, _, what = error(text).partition(": ")
    assert what == message
    assert re.fullmatch(r"templates/screen.html:[12]:\d+", where)


@pytest.mark.soak
def test_no_block_of_any_template_says_more() -> None:
    statements = [text for text, message in REFUSED.items() if "may not say this" in message]
    tried = [(name, block, text) for name, blocks in BLOCKS.items() for block in blocks for text in statements]
    for name, block, text in tried:
        assert faults(**{f"{name}_html": f"{{% block {block} %}}{text}{{% endblock %}}"}) != []
    write_figure("templates", "statements of Jinja in each block", f"{len(tried)} tried, all refused")


def test_html_that_is_not_well_formed_is_refused() -> None:
    assert error("<b>open").startswith(
        'templates/screen.html:2:10: the block "footer" is not well formed: Opening and ending tag mismatch'
    )


def test_an_unknown_name_has_its_column_and_the_nearest_known() -> None:
    assert faults(screen_html="{% block footer %}\n{{ page.titel }}{% endblock %}") == [
        (
            'templates/screen.html:2:9: the block is not given "page.titel"',
            "Did you mean page.title, page.foot or page.place?",
        )
    ]
    assert faults(screen_html="{% block fooder %}{% endblock %}") == [
        ('templates/screen.html:1:10: screen.html has no block "fooder"', "Did you mean footer?")
    ]
    assert faults(screeen_html="", scren_css="") == [
        (
            "templates/screeen.html:1:1: no page rests on screeen.html",
            "Did you mean screen.html, sheet.html or site.html?",
        ),
        ("templates/scren.css:1:1: no page rests on scren.css", "Did you mean screen.css, site.css or sheet.css?"),
    ]


def test_words_outside_of_blocks_and_the_name_of_a_parent_are_refused() -> None:
    assert fault(screen_html="hello") == "templates/screen.html:1:1: this stands in no block"
    named = fault(screen_html='{% extends "screen.html" %}')
    assert named == "templates/screen.html:1:1: this stands in no block"


def test_a_renamed_block_is_refused_with_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extending, "RENAMED_BLOCKS", {"screen/foot": "footer", "panel": "screen"})
    assert faults(screen_html="{% block foot %}{% endblock %}", panel_html="") == [
        ('templates/screen.html:1:10: "foot" is called "footer" now', 'Write "footer" in its place.'),
        ("templates/panel.html:1:1: no page rests on panel.html", "It is called screen.html now."),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "p { background: url(https://example.invalid/a.png) }",
            '"https://example.invalid/a.png" is no file in templates/',
        ),
        ("p { background: url(../../etc/passwd) }", '"../../etc/passwd" is no file in templates/'),
        ("p { background: image-set('a.png' 1x) }", '"a.png" is no file in templates/'),
        ("p { background: u\\72l(a.png) }", '"a.png" is no file in templates/'),
        ("p { x: " + "(" * 9999 + "url(a.png)", '"a.png" is no file in templates/'),
        ('@import "other.css";', '"other.css" is no file in templates/'),
        ("p {}\n}", "this is no style: EOF reached before {} block for a qualified rule."),
    ],
)
def test_a_style_sheet_loads_nothing_but_files_of_the_project(text: str, message: str) -> None:
    place, _, what = fault(screen_css=text).partition(": ")
    assert (what, place.rpartition(":")[0]) == (message, f"templates/screen.css:{len(text.splitlines())}")


# The guide


def documented() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Each block of the guide: its file, its name, and what it is given."""
    given = frozenset[str]()
    for line in GUIDE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith("`"):
            given = given if cells[3] == "the same" else frozenset(re.findall(r"`(.*?)`", cells[3]))
            yield cells[0].strip("`"), cells[1].strip("`"), given


def test_the_guide_has_each_block_and_what_the_block_is_given() -> None:
    known = [(name, block, frozenset(given)) for name, blocks in BLOCKS.items() for block, given in blocks.items()]
    assert [*documented()] == known
    assert all(f"`{name}`" in GUIDE.read_text(encoding="utf-8") for name in (*GIVEN, *extending.FILTERS))


def test_our_templates_have_each_block() -> None:
    ours = {name: path for path, name in EXTENDED.items() if path != "sheet/continuation.html"}
    ours |= {"block": "blocks/frame.html", "site": "site/layout.html"}
    for name, blocks in BLOCKS.items():
        text = (bundled_folder("templates") / ours[name]).read_text(encoding="utf-8")
        assert {*re.findall(r"{% block (\w+)", text)} >= {*blocks}, name
