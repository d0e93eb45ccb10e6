"""PDFs that grow: what is written behind a base is read by others, and so is what was there before."""

from __future__ import annotations

import io

import pikepdf
import pytest

from refgen.aids.sheet.character_book import PageTree, TagTree, graft_pages
from refgen.aids.sheet.growing_pdf import GrowingPdf, compressed_stream, text_string


def base() -> bytes:
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 300))
    pdf.docinfo["/Title"] = "Base"
    data = io.BytesIO()
    pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return data.getvalue()


def test_a_changed_object_takes_the_place_of_the_old_one() -> None:
    data, file = base(), io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        info = pdf.docinfo.objgen[0]
    growing = GrowingPdf(file, data)
    growing.put(info, b"<</Title%b>>" % text_string("Ωμέγα (1)"))
    growing.finish()
    with pikepdf.open(file) as pdf:
        assert str(pdf.docinfo.Title) == "Ωμέγα (1)"
        assert len(pdf.pages) == 1
        assert not pdf.check_pdf_syntax()


def test_it_grows_more_than_once() -> None:
    data = base()
    for _ in range(3):
        file = io.BytesIO()
        growing = GrowingPdf(file, data)
        growing.add_stream(compressed_stream(b"some contents"))
        growing.finish()
        data = file.getvalue()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert [one.read_bytes() for one in pdf.objects if isinstance(one, pikepdf.Stream)].count(b"some contents") == 3


def test_a_number_that_was_reserved_and_never_written_is_free() -> None:
    file = io.BytesIO()
    growing = GrowingPdf(file, base())
    growing.reserve()
    growing.finish()
    with pikepdf.open(file) as pdf:
        assert not pdf.check_pdf_syntax()


def test_a_pdf_of_another_kind_is_refused() -> None:
    data = io.BytesIO()
    pdf = pikepdf.new()
    pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    with pytest.raises(ValueError, match="cross references"):
        GrowingPdf(io.BytesIO(), data.getvalue())


@pytest.mark.parametrize("text", ["plain", "with (brackets) and \\", "Żółw", "日本", "line\nend"])
def test_texts_are_read_as_they_were_written(text: str) -> None:
    assert str(pikepdf.Object.parse(text_string(text))) == text


def test_pages_of_another_pdf_come_with_all_they_need() -> None:
    other = pikepdf.new()
    page = other.add_blank_page(page_size=(100, 150))
    shared = other.make_indirect(pikepdf.Dictionary(Deep=pikepdf.Array([1, True, other.make_stream(b"q Q")])))
    page.Resources = pikepdf.Dictionary(One=shared, Two=shared, Text=pikepdf.String("1 0 R (2 0 R) 100%"))
    page.Contents = other.make_stream(b"0 0 10 10 re f")
    page.StructParents = 3
    document = other.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.Document))
    read = other.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.TH, ID=pikepdf.String("a"), P=document, Pg=page.obj))
    document.K = pikepdf.Array([read])
    numbers = pikepdf.Dictionary(Nums=pikepdf.Array([3, pikepdf.Array([read, None])]))
    other.Root.StructTreeRoot = pikepdf.Dictionary(K=pikepdf.Array([document]), ParentTree=numbers)
    source = io.BytesIO()
    other.save(source)

    data, file = base(), io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        root = pdf.Root.objgen[0]
    growing = GrowingPdf(file, data)
    pages, tags = PageTree(growing), TagTree(growing)
    tags.begin()
    (added,) = graft_pages(source.getvalue(), growing, pages, tags)
    tags.end("Orlin")
    growing.put(root, b"<</Type/Catalog%b%b>>" % (pages.finish(), tags.finish()))
    growing.finish()
    with pikepdf.open(file) as pdf:
        (found,) = pdf.pages
        assert found.Contents.read_bytes() == b"0 0 10 10 re f"
        (section,) = pdf.Root.StructTreeRoot.K[0].K
        (tag,) = section.K
        assert (tag.P.objgen, tag.Pg.objgen, "/ID" in tag) == (section.objgen, (added, 0), False)
        (marks,) = (pair for kid in pdf.Root.StructTreeRoot.ParentTree.Kids for pair in [list(kid.Nums)])
        assert (marks[0], [mark and mark.objgen for mark in marks[1]]) == (found.StructParents, [tag.objgen, None])
        assert found.Resources.One.objgen == found.Resources.Two.objgen
        assert [str(one) for one in list(found.Resources.One.Deep)[:2]] == ["1", "True"]
        assert str(found.Resources.Text) == "1 0 R (2 0 R) 100%"
        assert found.Resources.One.Deep[2].read_bytes() == b"q Q"
