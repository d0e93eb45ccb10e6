"""WeasyPrint with our functions in place of its own: the same PDF to the byte."""

from __future__ import annotations

from contextlib import nullcontext
from unittest.mock import patch

import pytest
import weasyprint

from refgen.render import pdf
from refgen.render.quick import replaced
from refgen.render.quick.replaced import quickly

CASES = {
    "lengths": """
<style>div { border: 1px solid; padding: 2% 1em; margin: 1mm auto; min-height: 1em }
.narrow { width: 50%; max-height: 20mm }
.calc { width: calc(100% - 3em); padding-left: min(2em, 5%) }
.box { box-sizing: border-box; width: 30mm; height: 9mm; padding: 9mm }
.logical { margin-inline-start: 1cm; padding-block-end: 2mm }
.high { height: 10%; min-width: 4em; max-width: none }</style>
<div class="narrow">a</div><div class="calc">b</div><div class="box">c</div><div class="logical">d</div>
<div style="height: 4cm"><div class="high">e</div></div><div style="margin-left: -3mm; padding: 0">f</div>""",
    "backgrounds": """
<style>p { background: #eee } .round { border-radius: 2mm 10% / 1em; background: red }
.shadow { box-shadow: 1mm 1mm blue }
.hidden { visibility: hidden; background: red } .fade { background: linear-gradient(red, blue) }</style>
<p>a</p><p class="round">b</p><div class="shadow">c</div><p class="hidden">d</p><p class="fade">e <b>f</b></p>
<div style="border-radius: 1mm; border: 1px solid; overflow: hidden">g</div>""",
    "tables": """
<style>table { border-collapse: collapse } td { border-bottom: 2px solid red; padding: 1mm 5% } .bare td { border: 0 }
tr:nth-child(odd) { background: #eee } .apart { border-collapse: separate; border-spacing: 1mm }</style>
<table><tr><td style="border: 4px solid">a</td><td rowspan="2">b</td></tr><tr><td>c</td></tr></table>
<table class="bare" style="table-layout: fixed; width: 100%"><colgroup><col style="width: 30mm"/></colgroup>
<tbody><tr><td>d</td><td>e f g</td></tr></tbody></table><table class="apart"><tr><td>h</td><td>i</td></tr></table>""",
    "text": """
<style>p { width: 40mm } .spaced { letter-spacing: 1mm; word-spacing: 2mm } .lined { text-decoration: underline }
.just { text-align: justify } .kept { white-space: pre-wrap } .broken { overflow-wrap: anywhere }
.cut { hyphens: auto }
.small { font-variant: small-caps; line-height: 2 }
.old { font-variant-numeric: oldstyle-nums; font-kerning: none }</style>
<p>One line</p><p>Words that go on on a second line and on a third, with <b>bold</b> and <i>sloping</i> ones</p>
<p class="spaced">Spaced words over two lines</p><p class="lined">Underlined <b>words</b></p>
<p class="just">Justified words over three lines at the very least, so that one is spaced</p><p class="kept">Lines
as they\tstand
  here</p><p class="broken">Donaudampfschifffahrtsgesellschaft</p>
<p class="cut">Incomprehensibilities of antidisestablishment</p>
<p class="small">Small capitals 12</p><p class="old">AV 1234</p>
<p dir="rtl">שלום עולם and more words for two lines</p>
<p lang="de">Straße</p><p lang="">No language</p><p style="width: 1ch">W i</p>
<p style="text-indent: 2em">Indented</p>""",
    "what stands there often": """
<style>td { width: 12mm } .narrow { width: 9mm } .kept { white-space: nowrap; width: 5mm }
.cut { text-overflow: ellipsis; overflow: hidden; white-space: nowrap; width: 12mm } .two { max-lines: 1;
block-ellipsis: auto; continue: discard }</style>
<table><tr><td>Two words</td><td>Two words</td><td>Two words </td></tr></table><p>Two words</p><p>Two <b>Two</b> Two</p>
<p class="narrow">Two words</p><p class="kept">Two words</p><p class="cut">Two words</p><p class="cut">Two words</p>
<p class="two">Two words and more than fit in the one line that there is for them, which goes on and on and on</p>
<p class="two">Two words</p><p>Two words</p><p style="font-size: 9pt">Two words</p><p dir="rtl">Two words</p>
<p style="text-align: justify; width: 14mm">Two words Two words</p><p style="color: red">Two words</p>""",
    "selectors": """
<style>* { line-height: 1.3 } P { margin: 1mm } #first, .b { color: red }
.b.c, p.c { color: blue } [lang] { width: 9cm }
:lang(de) { font-size: 8pt } p + p::before, div > .b::after { content: "+" } :is(p, div):not(.c) { padding: 2mm }
.c { color: green !important } p#first.b:last-child { color: #333 } @media print { .d { margin: 0 } }</style>
<p id="first" class="b">a</p><p class="c b">b</p><p class="b  c" lang="de">c</p><div lang="fr"><p class="b">d</p>
<p class="d">e</p><span class="b" id="last">f</span></div><div class="c"></div><p lang="de-CH" class="">g</p>""",
    "beside what floats": """
<style>.left { float: left; width: 20mm; height: 9mm; background: red }
.right { float: inline-end; width: 9mm }</style>
<div class="left"></div><p>Words beside a box, and below it where there are so many that they go on and on and on</p>
<div class="right">right</div><p dir="rtl">Words from the right</p><p style="clear: both">Below</p>""",
    "parts of pages": """
<style>@page { @bottom-center { content: counter(page) } margin: 9mm } @page :first { margin: 2cm }
h1 { break-before: page }
.flex { display: flex; gap: 2mm } .grid { display: grid; grid-template-columns: 1fr 2fr; padding: 1% }
.columns { columns: 2 }
.there { position: absolute; right: 10%; bottom: 1em; border: 1px solid } p::first-letter { color: red }
p::first-line { font-weight: 700 }</style>
<h1>One</h1><div class="flex"><p>a</p><p>b</p></div><div class="grid"><p>c</p><p>d</p></div><div class="columns">
<p>e</p><p>f</p></div><p class="there">g</p>
<ol><li>one</li><li>two</li></ol><h1>Two</h1><p>h <a href="#i">to i</a></p>
<p id="i">i <svg width="20" height="10"><text x="3" y="9" letter-spacing="2">4</text></svg></p>
<form><input name="a" value="b"/><textarea>c</textarea></form>""",
}


def page(body: str) -> bytes:
    """A PDF by WeasyPrint alone, with nothing of ours but these functions."""
    html = weasyprint.HTML(string=f'<!doctype html><html lang="en"><title>A page</title><body>{body}')
    document = html.render(pdf_forms=True)
    return bytes(document.write_pdf(pdf_variant="pdf/ua-1"))


@pytest.mark.parametrize("body", CASES.values(), ids=CASES)
@pytest.mark.filterwarnings("ignore")
def test_a_page_is_the_same(body: str) -> None:
    slow = page(body)
    with quickly():
        assert page(body) == slow


def test_ours_work_only_while_we_lay_out_and_write() -> None:
    theirs = [vars(module)[name] for module, name, _ in replaced._replacements()]
    with quickly(), quickly():
        assert [vars(module)[name] for module, name, _ in replaced._replacements()] != theirs
    assert [vars(module)[name] for module, name, _ in replaced._replacements()] == theirs


def test_another_weasyprint_works_with_its_own() -> None:
    replaced._replacements.cache_clear()
    with patch.object(weasyprint, "VERSION", "70.1"):
        assert replaced._replacements() == ()
    replaced._replacements.cache_clear()


def test_this_weasyprint_is_the_one_that_they_stand_for() -> None:
    """Read its new functions, and ours beside them, before you raise the number."""
    assert weasyprint.VERSION == replaced.KNOWN


def test_both_layout_and_writing_are_quick() -> None:
    with patch.object(pdf, "quickly", side_effect=nullcontext) as used:
        pdf.write(pdf.layout("<!doctype html><html lang='en'><title>A</title><p>b</p></html>", "a"), "a")
    assert used.call_count == 2
