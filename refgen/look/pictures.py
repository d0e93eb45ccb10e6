"""Pictures that authors name: the kind of a picture by its bytes, and the refusal of a picture that is not safe.

In: the bytes of a file. Out: the suffix of the picture; RulesError for what is no picture, is too large, or asks for
more than it holds.
"""

from __future__ import annotations

from io import BytesIO

from refgen.errors import RefgenError, RulesError
from refgen.limits import limit_hint, limits


def picture_kind(data: bytes, name: str) -> str:
    """The suffix of a picture by its bytes. Raises RulesError for what is no picture, or too large."""
    if len(data) > limits().picture_bytes:
        raise RulesError(f"the picture {name} has {len(data):,} bytes", hint=limit_hint("picture_bytes"))
    if data.lstrip()[:5] in (b"<?xml", b"<svg ") or data.lstrip().startswith(b"<!--"):
        _check_drawing(data, name)
        return "svg"
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
            if width * height > limits().picture_pixels:
                raise RulesError(f"{name} has {width:,} x {height:,} pixels", hint=limit_hint("picture_pixels"))
            picture.load()
            return "png" if picture.format == "PNG" else "jpg"
    except (RefgenError, MemoryError):
        raise
    except Exception as error:  # of a damaged one, Pillow raises errors of every kind
        raise RulesError(f"{name} is no picture in PNG, JPEG or SVG", hint="Save it in one of these.") from error


def _check_drawing(data: bytes, name: str) -> None:
    """Refuse an SVG that is broken, or that asks for anything outside of itself."""
    from lxml import etree

    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError as error:
        raise RulesError(f"{name} is no well-formed SVG: {error}", hint="Save it again.") from error
    subset = root.getroottree().docinfo.internalDTD
    before = [node for node in root.itersiblings(preceding=True) if node.tag is etree.ProcessingInstruction]
    if before or (subset is not None and [*subset.iterentities(), *subset.iterelements()]):  # which a browser follows
        raise RulesError(f"{name} asks for more than it holds: <?…?> or <!…>", hint="Save it as a plain SVG.")
    for element in root.iter():
        tag = etree.QName(element).localname if isinstance(element.tag, str) else ""
        texts = [("style", "".join(element.itertext()))] if tag == "style" else []
        texts += [(str(key).rpartition("}")[2], str(value)) for key, value in element.attrib.items()]
        if tag in ("script", "foreignObject") or any(_leads_out(*each) for each in texts):
            raise RulesError(f"{name} asks for more than it holds: <{tag}>", hint="Save it as a plain SVG.")


def _leads_out(name: str, text: str) -> bool:
    """Whether an attribute, or the text of a style, runs a script or names anything outside of the drawing."""
    if name == "href":
        return not text.startswith("#")
    animated = name == "attributeName" and text.rpartition(":")[2].lower() in ("href", "style")
    hidden = "@import" in text.lower() or (name == "style" and "\\" in text)  # CSS may write u\72l( for url(
    places = [place.lstrip("\"' ") for place in text.lower().split("url(")[1:]]
    return animated or hidden or name.startswith("on") or any(not place.startswith("#") for place in places)
