r"""Dialects of Markdown: the signs of programs and plugins beside CommonMark and GitHub's tables.

In: the passage of a document. Out: a passage in plain Markdown, each of whose characters keeps its place, and Notes on
words that are left out. A sign of a dialect is a row of ``RULES``: its pattern, and the words in its place. Code keeps
its signs.

- Any dialect: ``~~struck~~`` and ``<del>``, ``10^2^`` and ``<sup>``, ``H~2~O`` and ``<sub>``, ``$10^2$``.
- Obsidian: ``%%hidden%%``, ``[[note|words]]``, ``![[embedded]]``, ``==marked==``, ``^id`` behind a block.
- Homebrewery and GM Binder: ``{{boxes}}``, ``\page``, ``\column``, ``term :: meaning``.
- MkDocs and mdBook: ``!!! note``, ``=== "Tab"`` and their indented text, code fences with ``admonish``.
- Tags of tools: ``{@dice 1d6}``, ``@UUID[…]{words}``, ``[[/r 1d6]]``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from refgen.limits import limits
from refgen.readers.document import HIDDEN, LEFT_OUT, STRUCK, Note
from refgen.readers.formulas import plain_formula
from refgen.readers.word_settings import lower_words, raise_words
from refgen.source import Passage


@dataclass(frozen=True, slots=True)
class DialectRule:
    """A sign of a dialect; ``sign`` stands in every text that ``pattern`` matches.

    ``words`` gives the words in place of a match; None takes the group "words". ``reason`` says why words are left out.
    """

    sign: str
    pattern: re.Pattern[str]
    words: Callable[[re.Match[str]], str] | None = None
    reason: str = ""


def _words(match: re.Match[str]) -> str:
    return match["words"] or ""


_LINE = re.MULTILINE
_PROSE = r"(?:[^\n]|\n(?![ \t]*\n))"
"""A character of a paragraph: no blank line."""

RULES: Sequence[DialectRule] = (
    DialectRule(
        "%%",
        re.compile(rf"%%(?!%){_PROSE}{{1,2000}}?%%(?!%)" r"|^%%[ \t]*\n(?:.*\n){1,200}?%%[ \t]*$", _LINE),
        str,
        HIDDEN,
    ),
    DialectRule("~~", re.compile(r"(?<![~\\])~~(?![~\s])(?:[^~\n]|\n(?![ \t]*\n)){1,2000}~~(?!~)"), str, STRUCK),
    DialectRule(
        "</", re.compile(rf"<(?P<tag>del|strike|s)\b[^<>]*>{_PROSE}{{0,2000}}?</(?P=tag)>", re.IGNORECASE), str, STRUCK
    ),
    DialectRule("<sup", re.compile(r"<sup>(?P<words>[^<>\n]{1,40})</sup>"), lambda found: raise_words(_words(found))),
    DialectRule("<sub", re.compile(r"<sub>(?P<words>[^<>\n]{1,40})</sub>"), lambda found: lower_words(_words(found))),
    DialectRule(
        "$",
        re.compile(r"(?<![\\$\w])\$(?P<words>(?![\s$])[^$\n|]{1,200}(?<!\s))\$(?![\d$])"),
        lambda found: plain_formula(_words(found)) if re.search(r"[\\^_=+<>]", _words(found)) else found[0],
    ),
    DialectRule(
        "^", re.compile(r"(?<=[\w)])\^(?P<words>[\w+\-−]{1,8})\^(?![\d^])"), lambda found: raise_words(_words(found))
    ),
    DialectRule(
        "~", re.compile(r"(?<=[\w)])(?<!~)~(?P<words>\w{1,8})~(?![\d~])"), lambda found: lower_words(_words(found))
    ),
    DialectRule("![[", re.compile(r"!\[\[[^\[\]\n]{1,300}\]\]"), str, "this embeds another file"),
    DialectRule(
        "[[/",
        re.compile(
            r"\[\[/(?:gm)?r(?:oll)?\s+(?P<words>[^\[\]\n#]{1,100}?)\s*(?:#[^\[\]\n]*)?\]\]" r"(?:\{[^{}\n]*\})?"
        ),
    ),
    DialectRule("[[", re.compile(r"(?<!\\)\[\[(?:[^\[\]|\n]{1,300}?\\?\|)?(?P<words>[^\[\]|\n]{1,300}?)\]\](?!\()")),
    DialectRule("==", re.compile(r"(?<![=\w])==(?P<words>(?![\s=])[^=\n|]{1,500}(?<!\s))==(?![=\w])")),
    DialectRule("^", re.compile(r"(?:^|(?<=[ \t]))\^(?=[\w-]*[a-zA-Z])[a-zA-Z0-9-]{2,60}[ \t]*$", _LINE), lambda _: ""),
    DialectRule("{@", re.compile(r"\{@\w+ (?P<words>[^{}|\n]{1,200})(?:\|[^{}\n]*)?\}")),
    DialectRule(
        "@",
        re.compile(
            r"@(?:UUID|Compendium|Actor|Item|JournalEntry|RollTable)"
            r"\[[^\[\]\n]{1,200}\]\{(?P<words>[^{}\n]{1,200})\}"
        ),
    ),
    DialectRule("\\", re.compile(r"^\\(?:page|column)(?:break)?[ \t]*$", _LINE), lambda _: ""),
    DialectRule("{{", re.compile(r"^[ \t]*\{\{[\w#.,:;=%\"'()/\- ]*$", _LINE), lambda _: ""),
    DialectRule("}}", re.compile(r"^[ \t]*\}\}[ \t]*$", _LINE), lambda _: ""),
    DialectRule(
        "{{", re.compile(r"\{\{\w[\w#.;=%\"'()/\-]*[,:][\w#.,:;=%\"'()/\-]*(?: (?P<words>[^{}\n]{1,500}))?\}\}")
    ),
    DialectRule("::", re.compile(r"(?<=[\w*)])[ \t]*::[ \t]+(?=\S)"), lambda _: ": "),
    DialectRule("::", re.compile(r"^::[ \t]+(?=\S)", _LINE), lambda _: ""),
)
"""The rules in the order in which they are tried."""

_CODE = re.compile(
    r"^ {0,3}(?:`{3,}|~{3,})[^\n]*\n(?:.*\n)*?(?: {0,3}(?:`{3,}|~{3,})[ \t]*$|\Z)"
    r"|(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)",
    _LINE,
)
_BOX = re.compile(
    r"^(?P<indent>[ \t]*)(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+(?:[\w -]*?[ \t]*)?(?:\"(?P<title>[^\"\n]*)\")?[ \t]*$", _LINE
)
_ADMONISH = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*admonish\b(?:[^\n\"]*\"(?P<title>[^\"\n]*)\")?[^\n]*\n"
    r"(?P<text>(?:.*\n)*?)(?P=fence)[ \t]*$",
    _LINE,
)
_INDENTED = re.compile(r"(?: {4}|\t)")


def plain_markdown(text: Passage) -> tuple[Passage, Sequence[Note]]:
    """A document in plain Markdown, and a note on each stretch of words that is left out."""
    notes: list[Note] = []
    text = _open_boxes(_open_fences(text))
    for rule in RULES:
        if rule.sign in text.text:
            text = _apply(rule, text, notes)
    return text, notes


def _apply(rule: DialectRule, text: Passage, notes: list[Note]) -> Passage:
    pieces, position, is_code = [text[:0]], 0, _code_in(text)
    for match in rule.pattern.finditer(text.text):
        if match.start() < position or is_code(match.start()):
            continue
        pieces.append(text[position : match.start()])
        found = text.group(match)
        if rule.reason:
            notes.append(Note(rule.reason, found.span, LEFT_OUT))
        else:
            pieces.append(_replaced(rule, match, text, found))
        position = match.end()
    return Passage.joined([*pieces, text[position:]]) if position else text


def _replaced(rule: DialectRule, match: re.Match[str], text: Passage, found: Passage) -> Passage:
    """The words in place of a match; as they stand in the text, where they do."""
    if rule.words is None:
        return text.group(match, "words") if match["words"] else found[:0]
    words = rule.words(match)
    return found if words == found.text else found.replaced(words)


def _code_in(text: Passage) -> Callable[[int], bool]:
    """Whether an offset stands in code."""
    if "`" not in text.text and "~~~" not in text.text:
        return lambda _: False
    spans = [match.span() for match in _CODE.finditer(text.text)]
    starts = [start for start, _ in spans]

    def is_code(offset: int) -> bool:
        number = bisect_right(starts, offset) - 1
        return number >= 0 and offset < spans[number][1]

    return is_code


def _open_fences(text: Passage) -> Passage:
    """The text of mdBook's admonish blocks, which stand in fences of code."""
    if "admonish" not in text.text:
        return text
    pieces, position = [text[:0]], 0
    for match in _ADMONISH.finditer(text.text):
        title = [_strong(text.group(match, "title"))] if match["title"] else []
        pieces += [text[position : match.start()], *title, text.group(match, "text")]
        position = match.end()
    return Passage.joined([*pieces, text[position:]])


def _strong(title: Passage) -> Passage:
    """A title as a bold paragraph."""
    return Passage.joined([title[:0].replaced("**"), title, title[len(title) :].replaced("**\n\n")])


def _open_boxes(text: Passage) -> Passage:
    """The text of admonitions and tabs of Python-Markdown, which is indented under a line that names them."""
    for depth in count():
        if depth == limits().nesting or not any(sign in text.text for sign in ("!!!", "???", "===")):
            return text
        opened = Passage.joined(list(_open_lines(text)) or [text])
        if opened.text == text.text:
            return text
        text = opened
    return text


def _open_lines(text: Passage) -> Iterator[Passage]:
    """The stretches of a text whose boxes have lost one indent."""
    lines, inside = text.lines(), False
    ends = [end for _, end in lines.bounds[:-1]]
    is_code = _code_in(text)
    for number, (start, end) in enumerate(lines.bounds):
        line, behind = text[start:end], text[end : lines.bounds[number + 1][0]] if number < len(ends) else text[end:]
        box = None if is_code(start) else _BOX.match(line.text)
        if box and not box["indent"] and _is_followed_by_indent(text, lines.bounds, number):
            inside = True
            if box["title"]:
                yield _strong(line.group(box, "title"))
            else:
                yield line[:0].replaced("\n")
            continue
        indent = _INDENTED.match(line.text) if inside else None
        inside = inside and (bool(indent) or not line.text.strip())
        yield line[indent.end() :] if indent else line
        yield behind


def _is_followed_by_indent(text: Passage, bounds: Sequence[tuple[int, int]], number: int) -> bool:
    """Whether the next line with words is indented."""
    following = (text.text[start:end] for start, end in bounds[number + 1 : number + 4])
    line = next((line for line in following if line.strip()), "")
    return bool(_INDENTED.match(line))
