r"""Markup that pandoc loses or misreads, written in a way that pandoc reads.

In: the passage of a text. Out: a RewrittenText, whose passage says the same in other markup; each character keeps its
place. A habit of pandoc is a row of a table below.

- LaTeX: signs before a number (``\textpm 4`` loses the 4), cells of several lines (``\makecell{a\\b}`` loses the a),
  lines under some columns (``\cline{2-3}`` is a word), columns of figures, environments of packages, the second head
  and the foot of a ``longtable``, footnotes whose words stand elsewhere.
- MediaWiki: the second use of a footnote, and heads of several rows, which lose their spans.
- Org: heads of several rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from refgen.readers.document import LEFT_OUT, Format, Note
from refgen.source import Passage

_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}"
"""What stands between two braces of LaTeX, with braces inside."""

_SIGNS = {
    "textpm": "±",
    "textminus": "−",
    "texttimes": "×",
    "textdiv": "÷",
    "dag": "†",
    "ddag": "‡",
    "textperthousand": "‰",
    "textcelsius": "°C",
    "textasteriskcentered": "*",
    "textbar": "|",
    "textendash": "–",
    "textemdash": "—",
    "textnumero": "№",
    "texteuro": "€",
    "EUR": "€",
    "textleftarrow": "←",
    "textrightarrow": "→",
    "textuparrow": "↑",
    "textdownarrow": "↓",
    "textonesuperior": "¹",
    "texttwosuperior": "²",
    "textthreesuperior": "³",
    "checkmark": "✓",
}
_NUMBERED_SIGNS = {"51": "✓", "52": "✓", "55": "✗", "56": "✗", "72": "★", "73": "☆", "170": "♥"}
"""Signs of the font Dingbats, by the numbers of the package pifont."""

_ENVIRONMENTS = {"tabulary": "tabularx", "xltabular": "longtable", "tblr": "tabular", "longtblr": "longtable"}
_TABLE = r"tabular\*?|tabularx|longtable|array|tabulary|xltabular|tblr|longtblr"


@dataclass(frozen=True, slots=True)
class RewrittenText:
    """A text in other markup, notes on words that are left out of it, and where tables with several rows of head stand.

    ``heads`` has, by the offsets between which a table stands, the number of the rows of its head.
    """

    text: Passage
    notes: Sequence[Note] = ()
    heads: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def head_rows(self, start: int, otherwise: int) -> int:
        """The rows of the head of the table around an offset; ``otherwise`` where nothing is known."""
        return next((rows for (first, last), rows in self.heads.items() if first <= start < last), otherwise)


Pieces = Sequence[Passage]
"""The passages that stand in place of markup."""


@dataclass(frozen=True, slots=True)
class RewritingRule:
    """Markup that is rewritten: ``sign`` stands in every text that ``pattern`` matches."""

    sign: str
    pattern: re.Pattern[str]
    pieces: Callable[[Passage, re.Match[str]], Pieces]


def _literal(place: Passage, text: str) -> Passage:
    return place[:0].replaced(text)


def _sign(text: Passage, match: re.Match[str]) -> Pieces:
    found = text.group(match)
    sign = _NUMBERED_SIGNS.get(match["number"] or "") if match["number"] else _SIGNS[match["name"]]
    return [found.replaced(sign) if sign else found]


def _fraction(text: Passage, match: re.Match[str]) -> Pieces:
    above, below = (text.group(match, name).strip("{}") for name in ("above", "below"))
    return [above, _literal(below, "/"), below]


def _one_line(text: Passage, match: re.Match[str]) -> Pieces:
    """The lines of a cell in one line."""
    lines = list(text.group(match, "words").split(re.compile(r"\\\\(?:\[[^\[\]]*\])?|\\newline\b")))
    return [piece for line in lines for piece in (line, _literal(line[len(line) :], " "))][:-1]


_COLUMN_OF_FIGURES = re.compile(r"S(?:\[[^\[\]]*\])?|[Dd](?:\{[^{}]*\}){1,3}")


def _columns(text: Passage, match: re.Match[str]) -> Pieces:
    """The start of a table whose columns pandoc knows."""
    name = match["name"]
    columns = _COLUMN_OF_FIGURES.sub("r", match["columns"])
    if name in ("tabulary", "tblr", "longtblr"):
        columns = columns.lower().replace("j", "l").replace("q", "l").replace("x", "l")
    width = "" if name == "xltabular" else match["width"] or ""
    start = text.group(match)
    made = rf"\begin{{{_ENVIRONMENTS.get(name, name)}}}{match['option'] or ''}{width}{columns}"
    return [start if made == start.text else start.replaced(made)]


def _environment_end(text: Passage, match: re.Match[str]) -> Pieces:
    return [text.group(match).replaced(rf"\end{{{_ENVIRONMENTS[match['name']]}}}")]


_LATEX = (
    RewritingRule(
        "\\",
        re.compile(
            rf"\\(?:ding\{{(?P<number>\d+)\}}|(?P<name>{'|'.join(_SIGNS)})(?![a-zA-Z])(?:\{{\}}|[ \t]*(?=[\d.,]))?)"
        ),
        _sign,
    ),
    RewritingRule(
        "frac", re.compile(rf"\\(?:nicefrac|sfrac|xfrac)(?P<above>{_GROUP}|\d)(?P<below>{_GROUP}|\d)"), _fraction
    ),
    RewritingRule(
        "{",
        re.compile(rf"\\(?:makecell|thead|shortstack|Centerstack|specialcell)\*?(?:\[[^\[\]]*\])*(?P<words>{_GROUP})"),
        _one_line,
    ),
    RewritingRule(
        "{",
        re.compile(r"\\cline\{[^{}]*\}|\\c(?:mid|hd)rule(?:\[[^\[\]]*\])?(?:\([^()]*\))?\{[^{}]*\}"),
        lambda _text, _match: (),
    ),
    RewritingRule(
        "\\begin",
        re.compile(
            rf"\\begin\{{(?P<name>{_TABLE})\}}(?P<option>\[[^\[\]]*\])?"
            rf"(?P<width>(?<=[*xy]\}}){_GROUP}|(?<=xltabular\}}){_GROUP})?[ \t]*(?P<columns>{_GROUP})"
        ),
        _columns,
    ),
    RewritingRule("\\end", re.compile(rf"\\end\{{(?P<name>{'|'.join(_ENVIRONMENTS)})\}}"), _environment_end),
    RewritingRule(
        "threeparttable", re.compile(r"\\(?:begin|end)\{threeparttable\}(?:\[[^\[\]]*\])?"), lambda _text, _match: ()
    ),
)

_LONG_TABLE = re.compile(
    rf"\\begin\{{longtable\*?\}}(?:\[[^\[\]]*\])?[ \t]*{_GROUP}(?P<rows>.*?)\\end\{{longtable\*?\}}", re.DOTALL
)
_FURTHER = "this is printed where the table goes on, on a further page"
_LONG_TABLE_PART = re.compile(r"\\end(?P<part>firsthead|head|foot|lastfoot)(?![a-zA-Z])")
_WORD = re.compile(r"[^\W_]")
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?(?:\([^()]*\))?|\\multicolumn\{\d+\}\{[^{}]*\}")


def _has_words(part: Passage) -> bool:
    return _WORD.search(_COMMAND.sub("", part.text)) is not None


def _open_long_tables(text: Passage, notes: list[Note]) -> Passage:
    r"""Tables over pages with the head and foot that are printed once: ``\endfirsthead`` and ``\endlastfoot``."""

    def pieces(text: Passage, match: re.Match[str]) -> Pieces:
        rows = text.group(match, "rows")
        parts, position = dict[str, Passage](), 0
        for part in _LONG_TABLE_PART.finditer(rows.text):
            parts[part["part"]] = rows[position : part.start()]
            position = part.end()
        if set(parts) <= {"head"}:
            return [text.group(match)]
        first, last = parts.get("firsthead", parts.get("head")), parts.get("lastfoot", parts.get("foot"))
        further = (part.strip() for part in parts.values() if part not in (first, last) and _has_words(part))
        notes.extend(Note(_FURTHER, part.span, LEFT_OUT) for part in further)
        head = [first, _literal(first, r"\endhead ")] if first is not None else []
        start = text[match.start() : match.start("rows")]
        foot = [last] if last is not None and _has_words(last) else []
        return [start, *head, rows[position:], *foot, text[match.end("rows") : match.end()]]

    return _rewrite(text, _LONG_TABLE, pieces)


_MARK = re.compile(r"\\footnotemark(?:\[(?P<number>[^\[\]]*)\])?(?![a-zA-Z])|\\tnote\{(?P<label>[^{}]*)\}")
_NOTE = re.compile(
    rf"\\footnotetext(?:\[(?P<number>[^\[\]]*)\])?(?P<words>{_GROUP})"
    r"|\\item\s*\[(?P<label>[^\[\]]*)\](?P<note>(?:(?!\\item\b).)*?)(?=\\item\b|\\end\{tablenotes\})",
    re.DOTALL,
)
_NOTE_LIST = re.compile(r"\\begin\{tablenotes\}(?:\[[^\[\]]*\])?.*?\\end\{tablenotes\}", re.DOTALL)


def _join_footnotes(text: Passage) -> Passage:
    """LaTeX in which each footnote stands at its mark; a mark without a note stays."""
    notes: dict[str, list[tuple[int, Passage]]] = {}
    for match in _NOTE.finditer(text.text):
        label = match["label"] if match["words"] is None else match["number"] or ""
        words = text.group(match, "words")[1:-1] if match["words"] else text.group(match, "note").strip()
        notes.setdefault(label, []).append((match.start(), words))
    if not notes:
        return text

    def pieces(text: Passage, match: re.Match[str]) -> Pieces:
        known = notes.get(match["label"] or match["number"] or "", [])
        words = next((note for start, note in known if start > match.start()), known[-1][1] if known else None)
        if words is None:
            return [text.group(match)]
        return [_literal(words, r"\footnote{"), words, _literal(words[len(words) :], "}")]

    marks = {match["label"] or match["number"] or "" for match in _MARK.finditer(text.text)}

    def without_used(text: Passage, match: re.Match[str]) -> Pieces:
        labels = {note["label"] or note["number"] or "" for note in _NOTE.finditer(match[0])}
        return [] if labels <= marks else [text.group(match)]

    text = _rewrite(text, _MARK, pieces)
    for texts in (_NOTE_LIST, re.compile(rf"\\footnotetext(?:\[[^\[\]]*\])?{_GROUP}")):
        text = _rewrite(text, texts, without_used)
    return text


_REFERENCE = re.compile(
    r"<ref\b(?P<named>[^<>]*?)(?:/>|>(?P<words>(?:(?!</ref).)*)</ref\s*>)", re.IGNORECASE | re.DOTALL
)
_NAME = re.compile(r"\bname\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'/>]+))", re.IGNORECASE)


def _repeat_references(text: Passage) -> Passage:
    """MediaWiki in which a footnote that is named a second time has its words there as well."""

    def name_of(match: re.Match[str]) -> str:
        name = _NAME.search(match["named"])
        return next(filter(None, name.groups()), "") if name else ""

    full: dict[str, Passage] = {}
    for match in _REFERENCE.finditer(text.text):
        if match["words"] and (name := name_of(match)):
            full.setdefault(name, text.group(match))

    def pieces(text: Passage, match: re.Match[str]) -> Pieces:
        again = full.get(name_of(match))
        return [again] if again is not None and not match["words"] else [text.group(match)]

    return _rewrite(text, _REFERENCE, pieces) if full else text


_WIKI_TABLE = re.compile(r"^[ \t]*\{\|(?:(?!\{\|).)*?^[ \t]*\|\}", re.MULTILINE | re.DOTALL)
_WIKI_ROW = re.compile(r"^[ \t]*\|-[^\n]*\n", re.MULTILINE)
_WIKI_CELL = re.compile(r"^[ \t]*(?P<sign>[|!])(?![-}+])", re.MULTILINE)
_WIKI_HEAD_MARK = re.compile(r"^(?P<before>[ \t]*)!|!!", re.MULTILINE)


def _lower_wiki_heads(text: Passage) -> tuple[Passage, dict[tuple[int, int], int]]:
    """MediaWiki in which heads of several rows are cells, whose spans pandoc keeps; and how many rows are head."""
    heads: dict[tuple[int, int], int] = {}
    pieces, position = [text[:0]], 0
    for table in _WIKI_TABLE.finditer(text.text):
        count, end = 0, table.start()
        bounds = [table.start(), *(row.end() for row in _WIKI_ROW.finditer(text.text, *table.span())), table.end()]
        for start, stop in pairwise(bounds):
            signs = [cell["sign"] for cell in _WIKI_CELL.finditer(text.text, start, stop)]
            if "|" in signs:
                break
            count, end = count + bool(signs), stop
        if count > 1:
            heads[table.span()] = count
            pieces.append(text[position : table.start()])
            pieces.append(_rewrite(text[table.start() : end], _WIKI_HEAD_MARK, _as_cells))
            position = end
    return Passage.joined([*pieces, text[position:]]), heads


def _as_cells(text: Passage, match: re.Match[str]) -> Pieces:
    sign = text.group(match)
    return [sign.replaced("||" if sign.text == "!!" else f"{match['before']}|")]


_ORG_TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LATEX_TABLE = re.compile(
    rf"\\begin\{{(?P<name>{_TABLE})\}}(?:\[[^\[\]]*\])?(?:{_GROUP})*(?P<rows>.*?)\\end\{{(?P=name)\}}", re.DOTALL
)
_LATEX_RULE = re.compile(r"\\(?:hline|midrule|endhead|Xhline|hhline)(?![a-zA-Z])")
_LATEX_ROW = re.compile(r"(?<!\\)\\\\")
_CAPTION = re.compile(rf"\\caption(?:\[[^\[\]]*\])?{_GROUP}\s*(?:\\\\)?")
_HEAD_ROWS = 3


def _org_heads(text: Passage) -> Iterator[tuple[tuple[int, int], int]]:
    """The tables of Org whose head has several rows: all above the first line of dashes."""
    for table in _ORG_TABLE.finditer(text.text):
        lines = table[0].splitlines()
        rows = next((number for number, line in enumerate(lines) if line.lstrip().startswith("|-")), 0)
        if 1 < rows <= _HEAD_ROWS and rows + 1 < len(lines):
            yield table.span(), rows


def _latex_heads(text: Passage) -> Iterator[tuple[tuple[int, int], int]]:
    """The tables of LaTeX with several rows of head: all above a rule, with cells over columns, or under a toprule."""
    for table in _LATEX_TABLE.finditer(text.text):
        lines = _CAPTION.sub("", table["rows"])
        first = _LATEX_ROW.search(lines)
        rule = _LATEX_RULE.search(lines, first.end()) if first else None
        head = lines[: rule.start()] if rule else ""
        rows = len(_LATEX_ROW.findall(head))
        is_head = r"\multi" in head or (r"\toprule" in head and lines.count(r"\midrule") == 1)
        if is_head and 1 < rows <= _HEAD_ROWS:
            yield table.span(), rows


def _rewrite(text: Passage, pattern: re.Pattern[str], pieces: Callable[[Passage, re.Match[str]], Pieces]) -> Passage:
    made, position = [text[:0]], 0
    for match in pattern.finditer(text.text):
        made += [text[position : match.start()], *pieces(text, match)]
        position = match.end()
    return Passage.joined([*made, text[position:]]) if position else text


def rewrite_markup(text: Passage, document_format: Format) -> RewrittenText:
    """A text in markup that pandoc reads without losses, as far as its habits are known."""
    notes: list[Note] = []
    match document_format:
        case Format.LATEX:
            for rule in _LATEX:
                text = _rewrite(text, rule.pattern, rule.pieces) if rule.sign in text.text else text
            text = _join_footnotes(_open_long_tables(text, notes))
            return RewrittenText(text, notes, dict(_latex_heads(text)))
        case Format.MEDIAWIKI:
            text, heads = _lower_wiki_heads(_repeat_references(text))
            return RewrittenText(text, notes, heads)
        case Format.ORG:
            return RewrittenText(text, notes, dict(_org_heads(text)))
        case _:
            return RewrittenText(text)
