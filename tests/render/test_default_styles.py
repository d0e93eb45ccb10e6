"""WeasyPrint's default styles without what our pages have none of: less work, and the same PDF to the byte."""

from __future__ import annotations

from typing import Any

import weasyprint
from weasyprint.css import get_all_computed_styles

from refgen.render.default_styles import PageHtml

PAGE = """<!doctype html><html lang="en"><title>Page</title>
<h1>Heading</h1><p>Text<br>on <b>two</b> lines</p><ol><li>one<li>two</ol><ul><li>and <q>this</q></ul>
<form><input name="a" value="b"><select name="c"><option>d</select><textarea name="e">f</textarea></form>"""


def test_markers_of_list_items_are_the_only_pseudo_elements_of_all_elements() -> None:
    html = PageHtml(string="<ol><li>one<li>two</ol><p>Text")
    styled = {(element.tag, pseudo) for element, pseudo in styles_of(html) if pseudo}
    assert styled == {("li", "marker")}


def test_the_pdf_is_the_same() -> None:
    ours, theirs = (
        kind(string=PAGE).write_pdf(pdf_variant="pdf/ua-1", pdf_forms=True) for kind in (PageHtml, weasyprint.HTML)
    )
    assert ours == theirs


def styles_of(html: weasyprint.HTML) -> list[tuple[Any, str | None]]:
    return list(get_all_computed_styles(html, forms=True).get_computed_styles())
