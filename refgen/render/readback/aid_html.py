"""The parts of an aid against its HTML.

In: the parts as they were to be shown, and a page. Out: the mismatches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from refgen.render.readback.align import align, normalized
from refgen.render.readback.alternative import alternative_faults
from refgen.render.readback.expected import ExpectedPart, named_once
from refgen.render.readback.html_pages import (
    HtmlField,
    dead_links,
    doubled_ids,
    fields,
    ids,
    parts,
    svgs,
    tab_texts,
    texts,
    texts_beside_parts,
)
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.places import Fault


def html_mismatches(
    model: Sequence[ExpectedPart], named: Sequence[str], root: Any, file: str, files: Collection[str]
) -> Iterator[Mismatch]:
    """What is wrong with a page, as lxml reads it; its tabs are ``named`` so, and links may lead to ``files``."""
    found = parts(root)
    if len(found) != len(model):
        yield Mismatch(file, "", f"{len(found)} parts, but the model has {len(model)}")
        return
    for part, element in zip(model, found, strict=True):
        yield from (Mismatch(file, _joined(part.name, where), what) for where, what in _part(part, element))
    if (shown := tab_texts(root)) != [normalized(name) for name in named]:
        yield Mismatch(file, "", f"the tabs are {', '.join(shown)}, and the panels {', '.join(named)}")
    yield from (Mismatch(file, "", f'"{text}" stands beside all parts') for text in texts_beside_parts(root))
    yield from (Mismatch(file, "", f'two elements have the id "{name}"') for name in doubled_ids(root))
    yield from (
        Mismatch(file, "", f'the link "{link}" leads nowhere')
        for link in dead_links(root, file, files, {file: ids(root)})
    )


def _part(part: ExpectedPart, element: Any) -> Iterator[Fault]:
    """What is wrong with a part; a cell too many or too few is told by its text, if it has one."""
    yield from align([piece for piece in part.pieces if not piece.painted], texts(element)).faults
    yield from _fields(part, fields(element))
    yield from alternative_faults(part.pieces, [svg.findtext("title") for svg in svgs(element)])


def _joined(part: str, where: str) -> str:
    """A place in a part; most places name the part already."""
    return where if f'"{part}"' in where else f'"{part}", {where}' if where else f'"{part}"'


def _fields(part: ExpectedPart, found: Sequence[HtmlField]) -> Iterator[Fault]:
    yield from named_once((field.name for field in part.fields), [field.name for field in found])
    labels = {field.name: field.label for field in part.fields}
    for field in found:
        if field.name in labels and (field.label, field.tooltip) != (labels[field.name], labels[field.name]):
            instead = f'in place of "{labels[field.name]}"'
            yield f'field "{field.name}"', f'label "{field.label}" and tooltip "{field.tooltip}" {instead}'
