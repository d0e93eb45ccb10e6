r"""LaTeX that pandoc loses or misreads, in other markup.

In: the passage of a text. Out: a RewrittenText. A habit of pandoc is a rule: signs before a number (``\textpm 4`` loses
the 4), cells of several lines (``\makecell{a\\b}`` loses the a), lines under some columns (``\cline{2-3}`` is a word),
columns of figures, environments of packages, struck and hidden words, the second head and the foot of a ``longtable``,
footnotes whose words stand elsewhere, heads of several rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from refgen.readers.document import HIDDEN, LEFT_OUT, Note
from refgen.readers.pandoc.rewriting import (
    Pieces,
    RewritingRule,
    RewrittenText,
    follow_rules,
    fraction,
    literal,
    markup_around,
    no_pieces,
    rewrite,
)
from refgen.readers.pandoc.word_places import GROUP
from refgen.source import Passage

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


def _sign(text: Passage, match: re.Match[str]) -> Pieces:
    found = text.group(match)
    sign = _NUMBERED_SIGNS.get(match["number"] or "") if match["number"] else _SIGNS[match["name"]]
    return [found.replaced(sign) if sign else found]


def _replaced_words(text: Passage, match: re.Match[str]) -> Pieces:
    old = text.group(match, "below")
    return [text.group(match, "above"), literal(old, r"\sout"), old]


def _usual_table(text: Passage, match: re.Match[str]) -> Pieces:
    return [text.group(match).replaced(rf"\{match['part']}{{table}}")]


def _inside(text: Passage, match: re.Match[str]) -> Pieces:
    """The words of a group without its braces."""
    return [text.group(match, "words")[1:-1]]


def _one_line(text: Passage, match: re.Match[str]) -> Pieces:
    """The lines of a cell in one line."""
    lines = list(text.group(match, "words").split(re.compile(r"\\\\(?:\[[^\[\]]*\])?|\\newline\b")))
    return [piece for line in lines for piece in (line, literal(line[len(line) :], " "))][:-1]


_AROUND_CELLS = re.compile(r"[<>@!]\{(?:[^{}$]|\{(?:[^{}$]|\{[^{}$]*\})*\})*\}")
"""Commands around the cells of a column, which would take a number in the cell along; formulas stay."""

_COLUMN_OF_FIGURES = re.compile(r"S(?:\[[^\[\]]*\])?|[Dd](?:\{[^{}]*\}){1,3}")


def _columns(text: Passage, match: re.Match[str]) -> Pieces:
    """The start of a table whose columns pandoc knows."""
    name = match["name"]
    columns = _COLUMN_OF_FIGURES.sub("r", _AROUND_CELLS.sub("", match["columns"]))
    if name in ("tabulary", "tblr", "longtblr"):
        columns = columns.lower().replace("j", "l").replace("q", "l").replace("x", "l")
    width = "" if name == "xltabular" else match["width"] or ""
    start = text.group(match)
    made = rf"\begin{{{_ENVIRONMENTS.get(name, name)}}}{match['option'] or ''}{width}{columns}"
    return [start if made == start.text else start.replaced(made)]


def _columns_of_cell(text: Passage, match: re.Match[str]) -> Pieces:
    """The start of a cell over columns, whose width and distances pandoc does not know."""
    columns = text.group(match, "columns")
    return [text[match.start() : match.start("columns")], columns.replaced("{l}")]


def _environment_end(text: Passage, match: re.Match[str]) -> Pieces:
    return [text.group(match).replaced(rf"\end{{{_ENVIRONMENTS[match['name']]}}}")]


_RULES = (
    RewritingRule("phantom", re.compile(rf"\\[hv]?phantom(?P<words>{GROUP})"), no_pieces, HIDDEN),
    RewritingRule(
        "\\iffalse", re.compile(r"\\iffalse\b(?P<words>(?:(?!\\iffalse).)*?)\\fi\b", re.DOTALL), no_pieces, HIDDEN
    ),
    RewritingRule(
        "\\",
        re.compile(rf"\\(?:deleted|[bhx]?cancel|xout)(?:\[[^\[\]]*\])?(?P<words>{GROUP})"),
        markup_around(r"\soutwords"),
    ),
    RewritingRule("\\added", re.compile(rf"\\added(?:\[[^\[\]]*\])?(?P<words>{GROUP})"), markup_around("words")),
    RewritingRule(
        "\\replaced",
        re.compile(rf"\\replaced(?:\[[^\[\]]*\])?(?P<above>{GROUP})(?P<below>{GROUP})"),
        _replaced_words,
    ),
    RewritingRule(
        "\\",
        re.compile(
            rf"\\(?:ding\{{(?P<number>\d+)\}}|(?P<name>{'|'.join(_SIGNS)})(?![a-zA-Z])(?:\{{\}}|[ \t]*(?=[\d.,]))?)"
        ),
        _sign,
    ),
    RewritingRule(
        "frac", re.compile(rf"\\(?:nicefrac|sfrac|xfrac)(?P<above>{GROUP}|\d)(?P<below>{GROUP}|\d)"), fraction
    ),
    RewritingRule(
        "{",
        re.compile(rf"\\(?:makecell|thead|shortstack|Centerstack|specialcell)\*?(?:\[[^\[\]]*\])*(?P<words>{GROUP})"),
        _one_line,
    ),
    RewritingRule(
        "{",
        re.compile(r"\\cline\{[^{}]*\}|\\c(?:mid|hd)rule(?:\[[^\[\]]*\])?(?:\([^()]*\))?\{[^{}]*\}"),
        no_pieces,
    ),
    RewritingRule(
        "\\begin",
        re.compile(
            rf"\\begin\{{(?P<name>{_TABLE})\}}(?P<option>\[[^\[\]]*\])?"
            rf"(?P<width>(?<=[*xy]\}}){GROUP}|(?<=xltabular\}}){GROUP})?[ \t]*(?P<columns>{GROUP})"
        ),
        _columns,
    ),
    RewritingRule(r"\noalign", re.compile(r"\\noalign\{\}"), no_pieces),
    RewritingRule(r"\multicolumn", re.compile(rf"\\multicolumn\{{\d+\}}[ \t]*(?P<columns>{GROUP})"), _columns_of_cell),
    RewritingRule("\\end", re.compile(rf"\\end\{{(?P<name>{'|'.join(_ENVIRONMENTS)})\}}"), _environment_end),
    RewritingRule("box", re.compile(rf"\\resizebox\*?{GROUP}{GROUP}(?P<words>{GROUP})"), _inside),
    RewritingRule(
        "box", re.compile(rf"\\(?:scale|adjust|rotate)box(?:\[[^\[\]]*\])?{GROUP}(?P<words>{GROUP})"), _inside
    ),
    RewritingRule(
        "\\",
        re.compile(
            rf"\\begin\{{adjustbox\}}{GROUP}|\\begin\{{(?:threeparttable|landscape)\}}(?:\[[^\[\]]*\])?"
            r"|\\end\{(?:adjustbox|threeparttable|landscape)\}"
        ),
        no_pieces,
    ),
    RewritingRule(
        "sidewaystable", re.compile(r"\\(?P<part>begin|end)\{sidewaystable\*?\}(?:\[[^\[\]]*\])?"), _usual_table
    ),
)

_LONG_TABLE = re.compile(
    rf"\\begin\{{longtable\*?\}}(?:\[[^\[\]]*\])?[ \t]*{GROUP}"
    r"(?P<rows>(?:(?!\\begin\{longtable).)*?)\\end\{longtable\*?\}",
    re.DOTALL,
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
        head = [first, literal(first, r"\endhead ")] if first is not None else []
        start = text[match.start() : match.start("rows")]
        foot = [last] if last is not None and _has_words(last) else []
        return [start, *head, rows[position:], *foot, text[match.end("rows") : match.end()]]

    return rewrite(text, _LONG_TABLE, pieces)


_MARK = re.compile(r"\\footnotemark(?:\[(?P<number>[^\[\]]*)\])?(?![a-zA-Z])|\\tnote\{(?P<label>[^{}]*)\}")
_TEXT = re.compile(rf"\\footnotetext(?:\[(?P<label>[^\[\]]*)\])?(?P<words>{GROUP})")
_NOTE_LIST = re.compile(r"\\begin\{tablenotes\}(?:\[[^\[\]]*\])?(?:(?!\\begin\{).)*?\\end\{tablenotes\}", re.DOTALL)
_ITEM = re.compile(
    r"\\item\s*\[(?P<label>[^\[\]]*)\](?P<words>(?:(?!\\item\b).)*?)(?=\\item\b|\\end\{tablenotes\})", re.DOTALL
)


def _notes_of(text: Passage) -> Iterator[tuple[str, int, Passage]]:
    """The label of each footnote whose words stand apart, the place of these words, and the words."""
    for note in _TEXT.finditer(text.text):
        yield note["label"] or "", note.start(), text.group(note, "words")[1:-1]
    for found in _NOTE_LIST.finditer(text.text):
        for note in _ITEM.finditer(text.text, *found.span()):
            yield note["label"], note.start(), text.group(note, "words").strip()


def _join_footnotes(text: Passage) -> Passage:
    """LaTeX in which each footnote stands at its mark; a mark without a note stays."""
    notes: dict[str, list[tuple[int, Passage]]] = {}
    for label, place, note in _notes_of(text):
        notes.setdefault(label, []).append((place, note))
    if not notes:
        return text

    def pieces(text: Passage, match: re.Match[str]) -> Pieces:
        known = notes.get(match["label"] or match["number"] or "", [])
        words = next((note for start, note in known if start > match.start()), known[-1][1] if known else None)
        if words is None:
            return [text.group(match)]
        return [literal(words, r"\footnote{"), words, literal(words[len(words) :], "}")]

    marks = {match["label"] or match["number"] or "" for match in _MARK.finditer(text.text)}

    def without_used(text: Passage, match: re.Match[str]) -> Pieces:
        labels = {label for label, _, _ in _notes_of(text.group(match))}
        return [] if labels <= marks else [text.group(match)]

    text = rewrite(text, _MARK, pieces)
    for texts in (_NOTE_LIST, _TEXT):
        text = rewrite(text, texts, without_used)
    return text


_LATEX_TABLE = re.compile(
    rf"\\begin\{{(?P<name>{_TABLE})\}}(?:\[[^\[\]]*\])?(?:{GROUP})*(?P<rows>(?:(?!\\begin\{{(?P=name)).)*?)\\end\{{(?P=name)\}}",
    re.DOTALL,
)
_LATEX_RULE = re.compile(r"\\(?:hline|midrule|endhead|Xhline|hhline)(?![a-zA-Z])")
_LATEX_ROW = re.compile(r"(?<!\\)\\\\")
_CAPTION = re.compile(rf"\\caption(?:\[[^\[\]]*\])?{GROUP}\s*(?:\\\\)?")
_HEAD_ROWS = 3


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


def rewrite_latex(text: Passage) -> RewrittenText:
    """LaTeX that pandoc reads without losses, as far as its habits are known."""
    notes: list[Note] = []
    text = follow_rules(_RULES, text, notes)
    text = _join_footnotes(_open_long_tables(text, notes))
    return RewrittenText(text, notes, dict(_latex_heads(text)))
