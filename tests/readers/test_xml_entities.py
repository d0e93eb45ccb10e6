"""Entities that a DocBook document declares: expanded where they are named, and counted before they are expanded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import refgen
from refgen.cli import main
from refgen.errors import ReadError
from refgen.limits import changed_limits
from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.source import SourceFile

THREE_OF_THREE = '<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">'
"""``&c;`` stands for 90 letters, and for 126 with the names that it is made of."""

LATER = '<!ENTITY c "&b;&b;&b;"><!ENTITY b "&a;&a;"><!ENTITY a "0123456789">'
EMPTY = '<!ENTITY a ""><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">'
SYSTEM = 'title = "Game"\nabout = "A game."\nsource = "Tests"\n'


def read(declared: str, inside: str = "", name: str = "rules.xml", attributes: str = "") -> Document:
    text = f"<!DOCTYPE article [{declared}]>\n<article{attributes}><title>A</title><para>x{inside}</para></article>"
    return read_document(SourceFile(name, text))


def words(document: Document) -> Sequence[str]:
    return [paragraph.text for section in document.sections for paragraph in section.paragraphs]


def test_what_no_text_names_is_not_expanded() -> None:
    with changed_limits(["entity-letters=1"]):
        assert words(read(THREE_OF_THREE)) == ["x"]
        assert words(read(THREE_OF_THREE, "<!-- &c;&c; --><![CDATA[&c;]]>")) == ["x&c;"]
        assert words(read(f"{THREE_OF_THREE}<!-- <!ATTLIST para id CDATA '&c;'> --><!ENTITY % p '&c;'>")) == ["x"]


@pytest.mark.parametrize(
    ("declared", "inside", "attributes", "place", "letters"),
    [
        pytest.param(THREE_OF_THREE, " &c;", "", "2:34", 126, id="in each other"),
        pytest.param(LATER, "", ' id="&c;"', "2:14", 87, id="in an attribute"),
        pytest.param(THREE_OF_THREE, "&a;" * 9, "", "2:57", 90, id="one entity, often"),
        pytest.param(EMPTY, "&c;", "", "2:33", 120, id="empty"),
        pytest.param(f"{THREE_OF_THREE}<!ATTLIST para id CDATA '&c;'>", "", "", "1:115", 126, id="usual attribute"),
        pytest.param(THREE_OF_THREE.replace("&a;", "&#38;a;"), "&c;", "", "2:33", 126, id="ampersands by number"),
    ],
)
def test_what_stands_for_too_much_is_refused_where_it_is_named(
    declared: str, inside: str, attributes: str, place: str, letters: int
) -> None:
    with changed_limits([f"entity-letters={letters}"]):
        read(declared, inside, attributes=attributes)
    with changed_limits([f"entity-letters={letters - 1}"]), pytest.raises(ReadError) as caught:
        read(declared, inside, attributes=attributes)
    assert str(caught.value) == f"rules.xml:{place}: up to here entities stand for {letters} letters"
    assert caught.value.hint == (
        f"The limit entity-letters is {letters - 1}; --limit entity-letters=NUMBER changes it."
    )


@pytest.mark.parametrize(
    "command",
    [
        "read content/game/rules.xml",
        "check",
        "tables",
        pytest.param("build --only data --jobs 1", marks=pytest.mark.slow),
        "init content/game/rules.xml -o new",
    ],
)
def test_every_command_that_reads_rules_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "content" / "game").mkdir(parents=True)
    (tmp_path / "refgen.toml").touch()
    document = tmp_path / "content" / "game" / "rules.xml"
    document.write_text(f"<!DOCTYPE a [{THREE_OF_THREE}]><a><title>A</title><para>&c;&c;</para></a>", encoding="utf-8")
    document.with_name("system.toml").write_text(f'{SYSTEM}document = "rules.xml"\n[tables]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(main, [*command.split(), "--limit", "entity-letters=200"])
    assert (refused.exit_code, "entities stand for 252 letters" in refused.stderr) == (2, True)


def test_the_entities_of_all_documents_of_a_game_are_counted_together(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    text = f"<!DOCTYPE a [{THREE_OF_THREE}]><a><title>A</title><para>%s &c;</para></a>"
    for name in ("one", "two"):
        (folder / f"{name}.xml").write_text(text % name, encoding="utf-8")
    (folder / "system.toml").write_text(f'{SYSTEM}documents = ["*.xml"]\n[tables]\n', encoding="utf-8")
    with changed_limits(["entity-letters=252"]):
        assert refgen.load(folder).sections
    with (
        changed_limits(["entity-letters=251"]),
        pytest.raises(ReadError, match="game has 252 letters in the place of e"),
    ):
        refgen.load(folder)


def test_entities_may_name_others_to_a_depth() -> None:
    chain = "".join(f'<!ENTITY e{number} "&e{number - 1};">' for number in range(1, 5))
    with changed_limits(["xml-depth=5"]):
        assert words(read(f"{chain}<!ENTITY e0 'five'>", "&e0;&e1;&e2;&e3;&e4;")) == ["x" + "five" * 5]
    with changed_limits(["xml-depth=4"]), pytest.raises(ReadError) as caught:
        read(f"{chain}<!ENTITY e0 'five'>", "&e0;&e1;&e2;&e3;&e4;")
    assert caught.value.message == "the entities that this entity is made of name each other too deep"
    assert caught.value.hint.startswith("The limit xml-depth is 4;")


@pytest.mark.parametrize("inside", ["&a;", "<emphasis id='&a;'/>", "&b;"])
def test_an_entity_that_names_itself_is_refused(inside: str) -> None:
    declared = '<!ENTITY a "1 &b;"><!ENTITY b "2 &c;"><!ENTITY c "3 &b;">'
    with pytest.raises(ReadError) as caught:
        read(declared, inside)
    assert str(caught.value) == "rules.xml:1:48: this entity stands for itself"
    assert words(read(declared)) == ["x"]


@pytest.mark.parametrize(
    ("declared", "inside", "expected"),
    [
        ("<!ENTITY d 'words]> behind'>", "&d;", "xwords]> behind"),
        ("<!-- <!ENTITY d 'no'> --><?x <!ENTITY d 'no'> ?><!ENTITY d \"one\">", "&d;", "xone"),
        ("<!ENTITY d 'one'><!ENTITY d 'two'>", "&d;", "xone"),
        ("<!ENTITY d '<emphasis role=\"a>b\">one</emphasis> &lt;2'>", "&d;", "xone <2"),
        ("<!ENTITY d '<!-- no'>", " &d;", "x"),
        ("<!ENTITY lt '&#38;#60;'>", " 1 &lt; 2", "x 1 < 2"),
        ("<!ENTITY % d 'no'><!ENTITY d 'one'>", "&d;", "xone"),
        ('<!ENTITY\n  d\n  "one\n two" >', "&d;", "xone two"),
    ],
)
def test_declarations_are_read_as_xml_has_them(declared: str, inside: str, expected: str) -> None:
    assert words(read(declared, inside)) == [expected]


@pytest.mark.parametrize(
    ("declared", "unknown"),
    [
        ("<!ENTITY d SYSTEM 'other.xml'><!ENTITY d 'no'>", "d"),
        ("<!ENTITY d 'one &other; two'><!ENTITY other SYSTEM 'other.xml'>", "other"),
        ("<!ENTITY % more SYSTEM 'more.dtd'>%more;", "d"),
        ("<!ENTITY % more '<!ENTITY d 1>'>%more;", "d"),
        ("<!ENTITY d 'one &e; two'><!ENTITY e 'a &other; b'><!ENTITY % more SYSTEM 'more.dtd'>%more;", "other"),
    ],
)
def test_what_the_document_does_not_say_is_a_fault(declared: str, unknown: str) -> None:
    document = read(declared, " &d;")
    (fault,) = document.faults
    assert fault.message == "the document does not say what this stands for"
    assert f"<!ENTITY {unknown} " in fault.hint
    assert document.printed(fault.span) == "&d;"


def test_usual_attributes_are_not_copied_to_each_element() -> None:
    document = read("<!ATTLIST section id CDATA 'usual'>", "</para><section><title>B</title></section><para>")
    assert [section.id for section in document.sections] == ["", ""]


def test_a_patch_with_entities_is_counted_like_its_file() -> None:
    lines = f"<!DOCTYPE a [\n{THREE_OF_THREE}]>\n<a><title>A</title>\n<para>&c;</para></a>".split("\n")
    patch = "--- /dev/null\n+++ b/rules.xml\n@@ -0,0 +1,4 @@\n" + "".join(f"+{line}\n" for line in lines)
    document = read_document(SourceFile("rules.xml.patch", patch))
    assert words(document) == ["0123456789" * 9]
    assert str(document.sections[0].paragraphs[0].span) == "rules.xml.patch:7:8"
    with changed_limits(["entity-letters=125"]), pytest.raises(ReadError) as caught:
        read_document(SourceFile("rules.xml.patch", patch))
    assert str(caught.value.span) == "rules.xml.patch:7:8"
