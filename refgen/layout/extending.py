"""Templates and style sheets of a project, which extend those of refgen: what they may say, and how they are rendered.

In: the TemplateFiles of a game. Out: the HTML of our templates, in which blocks of the same names stand in place of
ours; the style sheet that a page loads after ours; RenderErrors with the place in the file. A template of a project is
trusted less than ours, so it knows little of Jinja: no call but ``super()``, no name but those that its block is given,
no loop in a loop. What a block makes must be well formed, and load nothing but files of the project.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from traceback import walk_tb
from typing import Any
from urllib.parse import unquote, urlsplit

import tinycss2
from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes, pass_context
from jinja2.runtime import BlockReference, Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from lxml import etree
from markupsafe import Markup

from refgen.errors import RefgenError, RenderError
from refgen.source import SourceFile
from refgen.suggestion import did_you_mean
from refgen.template_files import TemplateFiles

BLOCKS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "screen": {name: ["page.title", "page.place", "page.panel.source"] for name in ("header", "place", "footer")},
    "sheet": {name: ["sheet.title", "sheet.character", "page.place"] for name in ("header", "place", "footer")},
    "form": {name: ["form.sheet.title"] for name in ("header", "footer")},
    "cards": {
        "front_title": ["front.title", "front.footer"],
        "front_footer": ["front.title", "front.footer"],
        "back": ["back.words"],
    },
    "booklet": {"cover": ["name", "item.lines"], "chapter": ["item.text"]},
    "block": {name: ["block.title", "block.kind"] for name in ("above", "title", "below")},
    "site": {
        "brand": [],
        "masthead": ["head.title", "head.description"],
        "footer": ["head.game.title", "head.game.source"],
    },
}
"""The blocks of each template that a project may replace, and what each block is given besides GIVEN."""

GIVEN = ("system.title", "system.about", "system.source", "system.rounding", "files")
"""What every block is given; a block of the site ``files`` alone, which leads to the project's own files."""

RENAMED_BLOCKS: Mapping[str, str] = {}
"""Blocks and templates that were renamed: old name to new name, a block with its template ("screen/foot")."""

FILTERS = ("capitalize", "default", "first", "join", "last", "length", "lower", "title", "trim", "truncate", "upper")
LOOP = ("loop.index", "loop.first", "loop.last", "loop.length")

MOST_LETTERS = 100_000
"""The most letters of a template."""

_STATEMENTS = (nodes.Template, nodes.Output, nodes.TemplateData, nodes.Block, nodes.If, nodes.For)
_EXPRESSIONS = (
    *(nodes.Name, nodes.Getattr, nodes.Const, nodes.Call, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand),
    *(nodes.Not, nodes.And, nodes.Or, nodes.CondExpr, nodes.Concat, nodes.Add, nodes.Sub),
)

_ELEMENTS = frozenset(
    "a abbr b bdi br cite code dd div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img li mark ol p q s small "  # noqa: SIM905
    "span strong sub sup table tbody td tfoot th thead time tr u ul wbr svg g path circle ellipse line rect polygon "
    "polyline text tspan defs linearGradient radialGradient stop use".split()
)
"""The elements that a block may make."""

_SCHEMES = ("", "http", "https", "mailto")
"""The schemes of links, which a reader may follow; nothing is loaded from there."""


# Rendering


def extended(
    files: TemplateFiles, name: str, ours: Template, values: Mapping[str, Any], assets: Collection[str] = ()
) -> str:
    """The HTML of a template of ours, extended by the project's template of this name, which may load ``assets`` too.

    Raises RenderError.
    """
    values = {**values, "files": f"{values['root']}{files.output}/"}
    own = f"{name}.html"
    if own not in files.files:
        return ours.render(values)
    template = _compiled(name, files.source(own))
    try:
        return template.render({**ours.globals, **values}, extended_template=ours, loaded={*files.published, *assets})
    except Exception as error:
        places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
        file, line = [place for place in places if place[0].endswith(".html")][-1]
        if isinstance(error, RefgenError) or file != template.filename:
            raise
        raise _error(files.source(own), line, f"this cannot be worked out: {error}") from error


def style_sheet(files: TemplateFiles, name: str) -> str:
    """The path of the style sheet that a kind of page loads after ours, with a version; "" for none.

    The version changes with every file that the page may load, so that kept pages are laid out again. Raises
    RenderError.
    """
    own = f"{name}.css"
    if own not in files.files:
        return ""
    loaded = [each for each in files.files if each == own or not _is_of_page(each)]
    for each in loaded:
        if each.endswith(".css"):
            list(_imported(each, files))
    parts = (part for each in loaded for part in (each.encode(), files.files[each]))
    return f"{files.output}/{own}?{sha256(b' '.join(parts)).hexdigest()[:12]}"


def _is_of_page(name: str) -> bool:
    """Whether a file belongs to one kind of page alone."""
    return name.rpartition(".")[0] in BLOCKS


# Faults


def extension_faults(files: TemplateFiles) -> Iterator[RefgenError]:
    """The errors of all templates and style sheets of a game."""
    yield from files.faults
    imported: set[str] = set()
    for name in files.files:
        try:
            if name.endswith(".css"):
                imported |= {*_imported(name, files)}
            elif name in _known_names(".html"):
                _compiled(name.removesuffix(".html"), files.source(name))
        except RefgenError as error:
            yield error
    for name in files.files:
        suffix = name[name.rindex(".") :]
        if suffix in (".html", ".css") and name not in {*_known_names(suffix), *imported}:
            yield _unknown_file(files.shown[name], name, suffix)


def _known_names(suffix: str) -> Sequence[str]:
    return [f"{name}{suffix}" for name in BLOCKS if (name, suffix) != ("block", ".css")]


def _unknown_file(shown: str, name: str, suffix: str) -> RenderError:
    stem = name.removesuffix(suffix)
    if stem in RENAMED_BLOCKS:
        return _error(SourceFile(shown, ""), 1, f"{name} is called {RENAMED_BLOCKS[stem]}{suffix} now", "Rename it.")
    message = f"there is no template {name} to extend" if suffix == ".html" else f"no page loads {name}"
    return _error(SourceFile(shown, ""), 1, message, did_you_mean(name, _known_names(suffix)))


def _error(source: SourceFile, line: int | None, message: str, hint: str = "", word: str = "") -> RenderError:
    """An error in a line of a file, at a word of the line."""
    span = source.line_span(line or 1) if source.text else source.span(0, 0)
    text = source.text[span.start : span.end]
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)" if word else r"\S", text)
    start = span.start + (found.start() if found else 0)
    return RenderError(message, span=source.span(start, span.end), hint=hint)


# Templates


class _Sandbox(ImmutableSandboxedEnvironment):
    """The environment of one template of a project, whose only parent is a template of ours."""

    def __init__(self, source: SourceFile) -> None:
        super().__init__(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        self.source = source
        self.filters = {name: self.filters[name] for name in FILTERS} | {"checked": self.checked}
        self.globals.clear()

    def is_safe_callable(self, obj: Any) -> bool:
        """Whether a template may call ``obj``: ``super()`` alone."""
        return isinstance(obj, BlockReference)

    @pass_context
    def checked(self, context: Context, made: str, block: str, line: int) -> Markup:
        """What a block has made. Raises RenderError where it is not well formed, or loads what it may not."""
        if fault := next(_html_faults(made, context["root"], context["loaded"]), ""):
            raise _error(self.source, line, f'the block "{block}" {fault}', word=block)
        return Markup(made)  # noqa: S704  # from a template, in which values are escaped


@lru_cache(maxsize=64)
def _compiled(name: str, source: SourceFile) -> Template:
    """A template of a project. Raises RenderError for what no such template may say."""
    sandbox = _Sandbox(source)
    if len(source.text) > MOST_LETTERS:
        raise _error(source, 1, f"the template has more than {MOST_LETTERS:,} letters")
    try:
        tree = sandbox.parse(source.text, name, source.name)
        blocks = [*_blocks(name, tree, source)]
        for block in blocks:
            checked = nodes.Filter(
                None, "checked", [nodes.Const(block.name), nodes.Const(block.lineno)], [], None, None
            )
            block.body = [nodes.FilterBlock(block.body, checked, lineno=block.lineno)]
        tree.body = [nodes.Extends(nodes.Name("extended_template", "load")), *blocks]
        tree.set_environment(sandbox).set_lineno(1)
        code = sandbox.compile(tree, name, source.name)
    except TemplateSyntaxError as error:
        raise _error(source, error.lineno, error.message or "this is no template") from error
    except (RecursionError, SyntaxError, MemoryError) as error:
        raise _error(source, 1, "too much stands in one another") from error
    return Template.from_code(sandbox, code, {})


def _blocks(name: str, tree: nodes.Template, source: SourceFile) -> Iterator[nodes.Block]:
    """The blocks of a template, each checked. Raises RenderError."""
    for node in tree.body:
        if isinstance(node, nodes.Block):
            given = _given(name, node, source)
            for inner in node.body:
                _check(inner, source, given, in_loop=False)
            node.scoped = True
            yield node
        elif isinstance(node, nodes.Extends):
            hint = "Leave the line out: the name of the file says which template it extends."
            raise _error(source, node.lineno, "a template of a project extends no template by name", hint)
        elif not _is_blank(node):
            hint = "Write {% block footer %} and {% endblock %} around it, with the name of its block."
            raise _error(source, node.lineno, "this stands in no block", hint)


def _is_blank(node: nodes.Node) -> bool:
    texts = node.nodes if isinstance(node, nodes.Output) else [node]
    return all(isinstance(text, nodes.TemplateData) and not text.data.strip() for text in texts)


def _given(name: str, block: nodes.Block, source: SourceFile) -> frozenset[str]:
    """The names that a block is given. Raises RenderError for a block that the template does not have."""
    known = BLOCKS[name]
    if new := RENAMED_BLOCKS.get(f"{name}/{block.name}"):
        message, hint = f'the block "{block.name}" is called "{new}" now', f'Write "{new}" in its place.'
        raise _error(source, block.lineno, message, hint, block.name)
    if block.name not in known:
        message = f'{name}.html has no block "{block.name}"'
        raise _error(source, block.lineno, message, did_you_mean(block.name, known), block.name)
    return frozenset({*known[block.name], *(GIVEN if name != "site" else ["files"])})


def _check(node: nodes.Node, source: SourceFile, known: frozenset[str], *, in_loop: bool) -> None:
    """Check a part of a block, in which names are ``known``. Raises RenderError."""
    if isinstance(node, nodes.Name | nodes.Getattr):
        _check_name(node, source, known)
        return
    if isinstance(node, nodes.Call) and node != nodes.Call(nodes.Name("super", "load"), [], [], None, None):
        raise _error(source, node.lineno, "nothing is called here but super()")
    if isinstance(node, nodes.Block) or not isinstance(node, _STATEMENTS + _EXPRESSIONS):
        word = type(node).__name__.lower()
        hint = "A block may say {{ … }}, {% if %} and {% for %}: docs/templates.md."
        raise _error(source, node.lineno, f"a template of a project may not say this ({word})", hint)
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        message = f'a template of a project has no filter "{node.name}"'
        raise _error(source, node.lineno, message, did_you_mean(node.name, FILTERS), node.name)
    if isinstance(node, nodes.For):
        _check_loop(node, source, known, in_loop=in_loop)
    elif not isinstance(node, nodes.Call):
        for inner in node.iter_child_nodes():
            _check(inner, source, known, in_loop=in_loop)


def _check_loop(node: nodes.For, source: SourceFile, known: frozenset[str], *, in_loop: bool) -> None:
    """Check a loop: over a list that is given, and in no other loop."""
    if in_loop or node.recursive or not isinstance(node.target, nodes.Name):
        raise _error(
            source, node.lineno, "a loop stands in no other loop", "Write {% for line in item.lines %}.", "for"
        )
    if not isinstance(node.iter, nodes.Name | nodes.Getattr):
        raise _error(source, node.lineno, "a loop goes over a list that its block is given", word="for")
    _check_name(node.iter, source, known)
    within = known | {node.target.name, *LOOP}
    for inner in (*node.body, *node.else_, *([node.test] if node.test else [])):
        _check(inner, source, within, in_loop=True)


def _check_name(node: nodes.Name | nodes.Getattr, source: SourceFile, known: frozenset[str]) -> None:
    name = _dotted(node)
    if name not in known:
        message = f'the block is not given "{name}"' if name else "a block shows by name what it is given, no more"
        hint = did_you_mean(name, sorted(known))
        raise _error(source, node.lineno, message, hint, name.rpartition(".")[2])


def _dotted(node: nodes.Node) -> str:
    """The name that a node is, such as "page.title"; "" for anything else."""
    if isinstance(node, nodes.Getattr):
        before = _dotted(node.node)
        return f"{before}.{node.attr}" if before else ""
    return node.name if isinstance(node, nodes.Name) else ""


# What blocks make, and what style sheets load


def _html_faults(made: str, root: str, loaded: Collection[str]) -> Iterator[str]:
    """The faults of the HTML that a block has made, in words; ``root`` leads from its page to the output."""
    if "<!" in made or "<?" in made:
        yield "may hold no comment and no declaration of XML"
        return
    try:
        parsed = etree.fromstring(f"<block>{made}</block>", etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        yield f"is not well formed: {error.msg} (write <br/>, and © in place of &copy;)"
        return
    for element in parsed.iterdescendants():
        tag = etree.QName(element).localname
        if tag not in _ELEMENTS:
            yield f"may not hold <{tag}>"
        if tag == "img" and "alt" not in element.attrib:
            yield 'has a picture without alt="…"'
        for name, value in element.attrib.items():
            yield from _attribute_faults(tag, etree.QName(name).localname, value, root, loaded)


def _attribute_faults(tag: str, name: str, value: str, root: str, loaded: Collection[str]) -> Iterator[str]:
    if name.startswith("on") or name in ("srcset", "data", "action", "ping"):
        yield f'may not say {name}="…"'
    if tag == "a" and name == "href":
        if urlsplit(value.strip()).scheme not in _SCHEMES:
            yield f'has a link to "{value}"'
        return
    addresses = [value] if name in ("src", "href") else [address for address, _ in _css_addresses(value)]
    for address in addresses:
        path = posixpath.normpath(address.removeprefix(root))
        if not address.startswith("#") and path not in loaded:
            yield f'loads "{address}", which is no file in templates/'


def _imported(name: str, files: TemplateFiles) -> Iterator[str]:
    """The files that a style sheet loads, by their paths. Raises RenderError for any other address."""
    source = files.source(name)
    for rule in tinycss2.parse_stylesheet(source.text, skip_comments=True, skip_whitespace=True):
        if rule.type == "error":
            raise _css_error(source, rule, f"this is no style: {rule.message}")
    for address, token in _css_addresses(source.text):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(urlsplit(address).path)))
        if address.startswith("#"):
            continue
        if urlsplit(address).scheme or urlsplit(address).netloc or path not in files.files:
            message, hint = f'"{address}" is no file in templates/', did_you_mean(address, files.files)
            raise _css_error(source, token, message, hint)
        yield path


def _css_error(source: SourceFile, token: Any, message: str, hint: str = "") -> RenderError:
    line = source.line_span(token.source_line)
    start = min(line.start + token.source_column - 1, line.end)
    return RenderError(message, span=source.span(start, line.end), hint=hint)


def _css_addresses(text: str) -> Iterator[tuple[str, Any]]:
    """What is imported, and every address, in a style sheet or in some declarations, each with its token."""
    yield from _addresses_in(tinycss2.parse_component_value_list(text, skip_comments=True))


def _addresses_in(tokens: Any) -> Iterator[tuple[str, Any]]:
    importing = False
    for token in tokens:
        if token.type == "url" or (importing and token.type == "string"):
            yield token.value, token
        elif token.type == "function" and token.lower_name in ("url", "src", "image-set", "-webkit-image-set"):
            yield from ((each.value, each) for each in token.arguments if each.type == "string")
        importing = (token.type == "at-keyword" and token.lower_value == "import") or (
            importing and token.type == "whitespace"
        )
        yield from _addresses_in(getattr(token, "content", None) or getattr(token, "arguments", None) or ())
