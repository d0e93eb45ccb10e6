"""Changes of a document or file at random: of its bytes, tokens, lines, and of the values of TOML, JSON and archives.

In: seeds (real files, or pieces of these), and a Random. Out: the bytes of one input; the same for the same Random.
"""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence, Sequence
from contextlib import suppress
from copy import deepcopy
from datetime import date, time
from functools import lru_cache
from io import BytesIO
from random import Random
from typing import Any

from lxml import etree

LARGEST = 16_384
"""Bytes of the longest input of text, but for those in which a few tokens are repeated."""

REPEATED = 65_536
"""Bytes of a few tokens that are repeated: what takes a time that grows with the square of a text shows there."""

SELDOM = 0.3
MORE_OFTEN = 0.4
"""How often one more change follows a change."""

Change = Callable[[bytes, Sequence[bytes], Random], bytes]
"""Changes an input; other seeds lend their parts."""

# fmt: off
HOSTILE = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *("", "\0", "\ufeff", "\xa0", "\u2028", "\u202e", "\ud800", "\x1b", "\x0b", "\x85", "\r", "\r\n", "\t"),
        *("e\u0301" * 9, "(" * 400),
        *("İ", "ß", "ﬁ", "½", "²", "٣", "１", "−", "–", "𝟙", "∞", "\U0010ffff", "👩‍👩‍👧", "ı", "\u1e9e"),
        *("0", "-1", "1", "1e999", "-0", "0x7f", "9" * 21, "9" * 400, "1_0", "1.5", "1/0", "nan", "00", "0.1e-9"),
        *("(" * 60, "[" * 60, "{" * 9, ")" * 60, "]]", "}}", "<" * 30, "> " * 30, "* " * 30, "<table>" * 30),
        *("<div>" * 300, "{" * 60),
        *('"', "'", '"""', "\\", "\\n", "|", "||||", "|-", "--", "---", "===", "```", "`", "*", "_", "**", "[^1]"),
        *("[a](b)", "x" * 999),
        *("![", "](", "&", "&lt;", "&#0;", "&#xD800;", "&#1114112;", "&nbsp;", "&x;", "<!--", "-->", "<![CDATA["),
        *("]]>", "--\n"),
        *("<?xml", "<!DOCTYPE", "<!ENTITY a 'b'>", "</", "/>", "<td colspan=9999>", "<td rowspan=9999>", "%", "$"),
        *("[TABLE]", "[END TABLE]", "../", "/etc/passwd", "{{", "}}", "{x}", "{", "}", ":", "::", "=", "..", "..."),
        *(",", ";", "@"),
        *("d6", "4dF", "d%", "d0", "d999999", "9999d6", "d6!", "kh3", "vs", " x ", ">=", "2d6+3 (9%)", "91–00", "+3"),
        *("a|b\n-|-\n", "#", "# ", "{row.x}", "\n\n"),
    )
)
# fmt: on
"""What breaks programs: signs of every format, of encodings and of numbers."""

_TOKEN = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[ \t]+|\s|.", re.DOTALL)


def changed(data: bytes, seeds: Sequence[bytes], changes: Sequence[Change], random: Random) -> bytes:
    """A seed with one change or several; ``seeds`` lend their parts."""
    while True:
        data = random.choice(changes)(data, seeds, random)[: max(LARGEST, len(data))]
        if random.random() > MORE_OFTEN:
            return data


def _run(length: int, random: Random) -> tuple[int, int]:
    """The ends of a run of some parts, mostly few."""
    start = random.randrange(length + 1)
    return start, min(length, start + 1 + int(random.expovariate(0.5)))


def damaged_parts(split: Callable[[bytes], list[bytes]]) -> Change:
    """Parts (bytes, tokens, lines) taken away, doubled, moved, repeated, or replaced by others."""

    def change(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
        parts, other = split(data), split(random.choice(seeds))
        start, end = _run(len(parts), random)
        run, lent = parts[start:end], other[slice(*_run(len(other), random))]
        often = random.choice((9, 99, 999)) if random.random() < SELDOM else 3
        put = random.choice(([], run * 2, run * often, lent, [*run, random.choice(HOSTILE)], [random.choice(HOSTILE)]))
        if random.random() < SELDOM:
            place = random.randrange(len(parts) + 1)
            return b"".join([*parts[:place], *run, *parts[place:]])
        return b"".join([*parts[:start], *put, *parts[end:]])

    return change


def _bytes(data: bytes) -> list[bytes]:
    return [data[place : place + 1] for place in range(len(data))]


def changed_bytes(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """A few bytes with other values."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8)) if made else 0):
        place = random.randrange(len(made))
        width = random.choice((1, 1, 2, 4))
        value = random.choice((0, 1, 127, 128, 255, 2**15, 2**16 - 1, 2**31, 2**32 - 1, random.randrange(2**32)))
        made[place : place + width] = (value % 256**width).to_bytes(width, random.choice(("big", "little")))
    return bytes(made)


def spliced(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """The beginning of an input, and the end of another seed."""
    other = random.choice(seeds)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def with_repetition(data: bytes, random: Random) -> bytes:
    """An input in which a few tokens stand as often as fit in REPEATED bytes."""
    tokens = _TOKEN.findall(data)
    start, end = _run(len(tokens), random)
    run = b"".join(tokens[start:end]) or b" "
    return b"".join([*tokens[:start], run * (REPEATED // len(run)), *tokens[end:]])


LINES = damaged_parts(lambda data: data.splitlines(keepends=True))
TOKENS = damaged_parts(_TOKEN.findall)
BYTES = damaged_parts(_bytes)
TEXT: Sequence[Change] = (LINES, LINES, TOKENS, TOKENS, TOKENS, BYTES, spliced)
BINARY: Sequence[Change] = (changed_bytes, changed_bytes, BYTES, spliced)

# fmt: off
_VALUES: Sequence[Any] = (
    *("", "x", " ", "x" * 300, "{a}", "{", "d6", "4dF + {x}", "1/0", "..", "../x", "a.b", "\x07", "\u2028"),
    *("(" * 500, "9" * 5_000),
    *(0, 1, -1, 2, 100, 10**6, 2**63 - 1, -(2**63), 0.5, 1e308, float("inf"), float("nan"), True, False),
    *(date(2026, 1, 1), time(9)),
    *([], {}, [[]], [{}], [""], {"": ""}, ["a"] * 200, [0, 1], {"kind": "x"}, {"a": {"a": {"a": {}}}}),
)
# fmt: on
"""Values of every type, the smallest and the largest among them."""


def _holders(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each table and list in a value, with each of its keys or indexes."""
    waiting = [value]
    while waiting:  # data may be too deep for a function that calls itself
        holder = waiting.pop()
        for key, part in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            yield holder, key
            if isinstance(part, dict | list):
                waiting.append(part)


def change_value(data: Any, other: Any, random: Random) -> None:
    """Change a value of a table or list, deep inside, by its type; ``other`` lends its values and keys."""
    places, lenders = list(_holders(data)), list(_holders(other))
    if not places:
        return
    holder, key = random.choice(places)
    lender, lent = random.choice(lenders or places)
    value = holder[key]
    match random.randrange(5):
        case 0:
            del holder[key]
        case 1:
            _insert(holder, key, lent, deepcopy(lender[lent]))
        case 2:
            another, at = random.choice(places)
            holder[key] = deepcopy(another[at])
        case 3:
            holder[key] = _nudged(value, random)
        case _:
            others = (random.choice(_VALUES), lender[lent], [value, value], {str(lent): value})
            holder[key] = deepcopy(random.choice(others))


def _insert(holder: MutableMapping[Any, Any] | MutableSequence[Any], key: Any, name: Any, value: Any) -> None:
    if isinstance(holder, MutableMapping):
        holder[str(name)] = value
    else:
        holder.insert(key, value)


def _nudged(value: Any, random: Random) -> Any:
    """A value of the same type, a little different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return random.choice((-value, value + 1, value - 1, value * 1000, value / 2))
    if isinstance(value, str):
        return TOKENS(value.encode(), [value.encode()], random).decode("utf-8", "replace")
    return value * 3 if isinstance(value, list) else value


def changed_toml(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """A TOML file with other values; its first line stays where it is a comment."""
    try:
        values, other = tomllib.loads(data.decode()), _lent_values(random.choice(seeds))
        change_value(values, other, random)
        text = toml_bytes(values)
    except (ValueError, RecursionError):
        return TOKENS(data, seeds, random)
    head = data.partition(b"\n")[0] if data.startswith(b"#") else b""
    return head + b"\n" + text


@lru_cache(maxsize=200)  # seeds lend often
def _lent_values(seed: bytes) -> dict[str, Any]:
    return tomllib.loads(seed.decode())


def changed_json(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """A JSON file with other values."""
    try:
        values, other = (json.loads(each) for each in (data, random.choice(seeds)))
        change_value(values, other, random)
        return json.dumps(values, default=str).encode()
    except (ValueError, RecursionError):
        return TOKENS(data, seeds, random)


def toml_bytes(values: dict[str, Any]) -> bytes:
    """A TOML file with a line for each key at the top."""
    lines = (f"{json.dumps(key)} = {_toml(value)}\n" for key, value in values.items())
    return "".join(lines).encode("utf-8", "replace")


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(part)}" for key, part in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case _:
            return str(value)


TOML: Sequence[Change] = (*[changed_toml] * 6, LINES, TOKENS, BYTES, spliced)
JSON: Sequence[Change] = (changed_json, changed_json, TOKENS, BYTES)


def changed_archive(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """A zip file in which one file is changed, as text; the archive is sound."""
    try:
        files, others = {**_unpacked(data)}, _unpacked(random.choice(seeds))
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, RuntimeError, KeyError, EOFError):
        return data
    if not files:
        return data
    name = max(files, key=lambda name: (name.endswith(("document.xml", "content.xml")), random.random()))
    if random.random() < 0.2:
        name = random.choice([*files])
    files[name] = random.choice(XML)(files[name], [others.get(name, b"")], random)
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, part in files.items():
            archive.writestr(zipfile.ZipInfo(path), part, zipfile.ZIP_DEFLATED)
    return made.getvalue()


@lru_cache(maxsize=200)
def _unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def changed_xml(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """A well-formed XML file with other elements, attributes and texts."""
    try:
        root, other = (etree.fromstring(each, _XML) for each in (data, random.choice(seeds)))
    except (etree.XMLSyntaxError, ValueError):
        return TOKENS(data, seeds, random)
    here, there = ([each for each in tree.iter() if isinstance(each.tag, str)] for tree in (root, other))
    element, lent = random.choice(here), random.choice(there)
    parent = element.getparent()
    match random.randrange(6):
        case 0 if parent is not None:
            parent.remove(element)
        case 1 if parent is not None:
            parent.extend(deepcopy(element) for _ in range(random.choice((1, 1, 2, 30))))
        case 2 if parent is not None:
            parent.replace(element, deepcopy(lent))
        case 3:
            element.insert(random.randrange(len(element) + 1), deepcopy(lent))
        case 4:
            element.tag = lent.tag
            key = random.choice([*element.attrib, *lent.attrib, "x"])
            _with_text(lambda text: element.set(key, text), element.get(key) or lent.get(key), random)
        case _:
            name = random.choice(("text", "tail"))
            _with_text(lambda text: setattr(element, name, text), getattr(element, name), random)
    return bytes(etree.tostring(root, encoding="utf-8"))


_XML = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


def _with_text(write: Callable[[str], object], text: str | None, random: Random) -> None:
    """Write a changed text into a tree, where XML can hold the text."""
    with suppress(ValueError):
        write(TOKENS((text or "").encode(), [b"1", b"a b"], random).decode("utf-8", "replace"))


XML: Sequence[Change] = (changed_xml, changed_xml, changed_xml, LINES, TOKENS, BYTES, spliced)
ARCHIVE: Sequence[Change] = (changed_archive, changed_archive, changed_archive, changed_bytes)
