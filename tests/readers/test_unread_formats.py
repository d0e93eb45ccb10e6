"""Files without text, and addresses in place of files: what each is, and the way to its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.errors import ReadError, SourceError
from refgen.proposals.sources import find_sources
from refgen.readers.read import open_document

PNG = b"\x89PNG\r\n\x1a\n\x00\x00"


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("map.png", PNG, "a picture"),
        ("map.JPG", b"\xff\xd8\xff\xe0", "a picture"),
        ("map.svg", b"<svg/>", "a picture"),
        ("rules", PNG, "a picture"),
        ("rules.md", b"\xff\xd8\xff\xe0", "a picture"),
        ("rules.md", b"RIFF\x00\n\x00\x00WEBP", "a picture"),
        ("rules.txt", b"%PDF-1.7\n", "PDF"),
        ("rules.txt", b"PK\x03\x04", "an archive"),
        ("rules.txt", b"RIFF\x00\x00\x00\x00WAVE", "a sound or a film"),
        ("rules.zip", b"PK\x03\x04", "an archive"),
        ("rules.pages", b"PK\x03\x04", "Pages"),
        ("rules.txt", b"\xd0\xcf\x11\xe0", "Word 97"),
    ],
)
def test_a_file_without_text_is_named_for_what_it_is(tmp_path: Path, name: str, raw: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ReadError) as caught:
        open_document(tmp_path / name, name)
    assert caught.value.message == f"{name} is in a format that refgen does not read: {said}"
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["GIFts of the road", "PK is short for pack.", "ID3 is the third", "RIFFs of the bards"]
)
def test_words_that_begin_like_such_a_file_are_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "rules.txt").write_text(f"{text}\n", encoding="utf-8")
    assert open_document(tmp_path / "rules.txt").text.text.startswith(text)


@pytest.mark.parametrize(
    ("address", "said", "hint"),
    [
        ("https://example.org/a/rules.html", "https://example.org/a/rules.html is an address", "Save the page"),
        ("HTTP://example.org/rules.pdf", "http://example.org/rules.pdf is an address", "Save the page"),
        ("www.example.org/rules", "www.example.org/rules is an address", "Save the page"),
        ("file:///tmp/rules.md", "is an address, not a path", "Write the path: /tmp/rules.md."),
    ],
)
def test_an_address_is_no_file(address: str, said: str, hint: str) -> None:
    for read in (lambda: open_document(Path(address)), lambda: find_sources([address])):
        with pytest.raises(SourceError) as caught:
            read()
        assert said in caught.value.message
        assert hint in caught.value.hint


def test_a_folder_may_be_called_like_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "www.rules").mkdir()
    (tmp_path / "www.rules" / "a.md").write_text("# Road\n\nRoll 2d6.\n", encoding="utf-8")
    assert find_sources(["www.rules"]).names == ["a.md"]


def test_a_folder_without_documents_is_told(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(PNG)
    with pytest.raises(SourceError, match="holds no documents"):
        find_sources([str(tmp_path)])
