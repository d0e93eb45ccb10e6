"""The layout cache: what was laid out together is not laid out again, and any pages can be joined."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from refgen.layout.layout_cache import LayoutCache, parts_of
from tests.layout.laid_out import note_layouts

STYLE = "@page { size: 100px; margin: 0 } body { margin: 0 } div { height: 40px } p { width: 120px; margin: 0 }"


def page_of(parts: Mapping[int, str]) -> str:
    """Two parts a page, each a box 40 CSS pixels high; a part is its content."""
    boxes = "".join(f"<div data-fit={number}>{content}</div>" for number, content in parts.items())
    return f"<!doctype html><html lang=en><title>Parts</title><style>{STYLE}</style>{boxes}"


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that WeasyPrint is asked to lay out."""
    return note_layouts(monkeypatch, lambda html, _: html)


def test_a_page_is_known_by_all_the_parts_on_it(layouts: list[str]) -> None:
    cache = LayoutCache(page_of, "parts")
    first, second = cache.layout({0: "a", 1: "b", 2: "c"})
    assert [list(page.parts) for page in (first, second)] == [[0, 1], [2]]
    assert cache.pages([{0: "a", 1: "b"}, {2: "c"}]) == [first, second]
    assert len(layouts) == 1


def test_pages_that_are_not_known_are_laid_out_at_once(layouts: list[str]) -> None:
    cache = LayoutCache(page_of, "parts")
    first, *_ = cache.layout({0: "a", 1: "b", 2: "c", 3: "d", 4: "e"})
    found = cache.pages([{0: "a", 1: "b"}, {2: "C", 3: "d"}, {4: "E"}])
    assert found[0] is first
    assert layouts[1:] == [page_of({2: "C", 3: "d", 4: "E"})]


def test_the_boxes_of_parts_say_whether_they_hold_their_content() -> None:
    cache = LayoutCache(page_of, "parts")
    parts = parts_of(cache.layout({0: "a", 1: "<p>b", 2: "c"}))
    assert {number: part.overflows for number, part in parts.items()} == {0: False, 1: True, 2: False}
    assert parts[1].boxes == ((0, 40, 100, 40),)


class Pages(dict[str, bytes]):
    """What is kept of pages, in memory."""

    def put(self, html: str, data: bytes) -> None:
        self[html] = data


CONTENTS = [{0: "a"}, {1: "b"}]


def page_each(parts: Mapping[int, str]) -> str:
    """One part a page."""
    return page_of(parts).replace("height: 40px", "height: 60px")


def test_a_page_that_was_written_is_neither_laid_out_nor_written_again(layouts: list[str]) -> None:
    kept = Pages()
    first, second = (LayoutCache(page_each, "parts", kept) for _ in range(2))
    data = first.write(CONTENTS)
    assert layouts == [page_each({0: "a", 1: "b"})]
    assert parts_of(second.pages(CONTENTS)) == parts_of(first.pages(CONTENTS))
    assert second.write(CONTENTS) == data
    assert len(layouts) == 1


def test_a_page_that_changes_is_laid_out_alone_and_the_bytes_are_as_if_all_were(layouts: list[str]) -> None:
    kept = Pages()
    LayoutCache(page_each, "parts", kept).write(CONTENTS)
    changed = [{0: "a"}, {1: "B"}]
    found = LayoutCache(page_each, "parts", kept).write(changed)
    assert layouts[1:] == [page_each({1: "B"})]
    assert found == LayoutCache(page_each, "parts").write(changed)


def test_a_page_of_which_only_its_measures_are_kept_is_laid_out_to_be_written(layouts: list[str]) -> None:
    kept = Pages()
    LayoutCache(page_each, "parts", kept).pages(CONTENTS)
    cache = LayoutCache(page_each, "parts", kept)
    cache.pages(CONTENTS)
    assert len(layouts) == 1
    assert cache.write(CONTENTS) == LayoutCache(page_each, "parts").write(CONTENTS)
