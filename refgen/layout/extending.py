"""The templates and style sheets by which a project extends those of refgen: their limits, and how they are rendered.

In: the TemplateFiles of a game. Out: the HTML of our templates, in which blocks of the same names stand in place of
ours; the style sheet that a page loads after ours; RenderErrors with the place in the file. A template of a project is
trusted less than ours, and knows little of Jinja: no loop, no call but ``super()``, no name but the names that a block
is given. The HTML of a block is well formed, and loads nothing but files of the project.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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

from refgen.catalog import did_you_mean
from refgen.errors import RefgenError, RenderError
from refgen.limits import limit_hint, limits
from refgen.source import SourceFile
from refgen.template_files import TemplateFiles

BLOCKS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "screen": {name: ["page.title", "page.place", "page.foot"] for name in ("header", "place", "footer")},
    "sheet": {name: ["sheet.title", "sheet.character", "page.place"] for name in ("header", "place", "footer")},
    "form": {name: ["form.sheet.title"] for name in ("header", "footer")},
    "cards": {
        "front_title": ["front.title", "front.footer"],
        "front_footer": ["front.title", "front.footer"],
        "back": ["back.words"],
    },
    "booklet": {"cover": [], "chapter": ["item.text"]},
    "block": {name: ["block.title", "block.kind"] for name in ("above", "title", "below")},
    "site": {
        "brand": [],
        "masthead": ["head.title", "head.description"],
        "footer": ["head.game.title", "head.game.source"],
    },
}
"""The blocks of each template that a project may replace, and what each block is given besides GIVEN."""

GIVEN = ("files", "system.title", "system.about", "system.source", "system.rounding")
"""What every block is given; a block of the site ``files`` alone, which leads to the project's own files."""

RENAMED_BLOCKS: Mapping[str, str] = {}
"""Blocks and templates that were renamed: old name to new name, a block with its template ("screen/foot")."""

FILTERS = ("capitalize", "default", "length", "lower", "title", "trim", "truncate", "upper")

_ALLOWED = (
    *(nodes.Output, nodes.TemplateData, nodes.If, nodes.Name, nodes.Getattr, nodes.Const, nodes.Filter, nodes.Test),
    *(nodes.Compare, nodes.Operand, nodes.Not, nodes.And, nodes.Or, nodes.CondExpr, nodes.Concat),
)
_SUPER = nodes.Call(nodes.Name("super", "load"), [], [], None, None)

_ELEMENTS = frozenset(
    "a abbr b bdi br cite code dd div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img li mark ol p q s small "  # noqa: SIM905
    "span strong sub sup table tbody td tfoot th thead time tr u ul wbr svg g path circle ellipse line rect polygon "
    "polyline text tspan defs linearGradient radialGradient stop use".split()
)
"""The elements that a block may make."""


def extended_html(
    files: TemplateFiles, name: str, ours: Template, values: Mapping[str, Any], assets: Collection[str] = ()
) -> str:
    """The HTML of a template of ours, extended by the project's template of this name, which may load ``assets`` too.

    Raises RenderError.
    """
    own = f"{name}.html"
    if own not in files.files:
        return ours.render(values)
    template = _compile_template(name, files.source(own))
    given = {**ours.globals, **values, "files": f"{values['root']}{files.output}/"}
    try:
        return template.render(given, extended_template=ours, loaded={*files.published, *assets})
    except Exception as error:
        places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
        file, line = [place for place in places if place[0].endswith(".html")][-1]
        if isinstance(error, RefgenError) or file != template.filename:
            raise
        raise _error(files.source(own), line, f"this cannot be worked out: {error}") from error


def added_styles(files: TemplateFiles, name: str) -> Mapping[str, str]:
    """The style sheet that a page loads after ours, and a version of all files that the page may load.

    A page is laid out again where the version has changed. Raises RenderError for a style sheet that loads other files.
    """
    own = f"{name}.css"
    shared = [each for each in files.published_names if each == own or each.rpartition(".")[0] not in BLOCKS]
    for each in shared:
        if each.endswith(".css"):
            list(_loaded_files(each, files))
    version = sha256(b"".join(sha256(files.files[each]).digest() for each in shared)).hexdigest()[:12]
    return {"added_css": f"{files.output}/{own}" if own in shared else "", "added_version": version}


def extension_faults(files: TemplateFiles) -> Iterator[RefgenError]:
    """The errors of all templates and style sheets of a game."""
    yield from files.faults
    loaded: set[str] = set()
    for name in files.files:
        try:
            if name.endswith(".css"):
                loaded |= {*_loaded_files(name, files)}
            elif name.removesuffix(".html") in BLOCKS:
                _compile_template(name.removesuffix(".html"), files.source(name))
        except RefgenError as error:
            yield error
    for name in files.files:
        stem, _, suffix = name.rpartition(".")
        if suffix in ("html", "css") and (stem not in BLOCKS or name == "block.css") and name not in loaded:
            hint = did_you_mean(name, [f"{known}.{suffix}" for known in BLOCKS])
            hint = f"It is called {RENAMED_BLOCKS[stem]}.{suffix} now." if stem in RENAMED_BLOCKS else hint
            yield _error(SourceFile(files.shown[name], " "), 1, f"no page rests on {name}", hint)


def _error(source: SourceFile, line: int | None, message: str, hint: str = "", word: str = "") -> RenderError:
    """An error in a line of a file, at a word of the line."""
    span = source.line_span(line or 1)
    found = re.search(rf"\b{re.escape(word)}\b" if word else r"\S", source.text[span.start : span.end])
    return RenderError(message, span=source.span(span.start + (found.start() if found else 0), span.end), hint=hint)


# Templates


class _Sandbox(ImmutableSandboxedEnvironment):
    """The environment of one template of a project, whose only parent is a template of ours."""

    def __init__(self, source: SourceFile) -> None:
        super().__init__(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        self.source = source
        self.filters = {**{name: self.filters[name] for name in FILTERS}, "checked": self.checked}
        self.globals.clear()

    def is_safe_callable(self, obj: Any) -> bool:
        """Whether a template may call ``obj``: ``super()`` alone."""
        return isinstance(obj, BlockReference)

    @pass_context
    def checked(self, context: Context, made: str, block: str, line: int) -> Markup:
        """The HTML of a block. Raises RenderError where the HTML is not well formed, or loads other files."""
        if fault := next(_html_faults(made, context["root"], context["loaded"]), ""):
            raise _error(self.source, line, f'the block "{block}" {fault}', word=block)
        return Markup(made)  # noqa: S704  # from a template, in which values are escaped


@lru_cache(maxsize=64)
def _compile_template(name: str, source: SourceFile) -> Template:
    """A template of a project. Raises RenderError for what no such template may say."""
    sandbox = _Sandbox(source)
    if len(source.text) > (most := limits().template_letters):
        raise _error(source, 1, f"the template has more than {most:,} letters", limit_hint("template_letters"))
    try:
        tree = sandbox.parse(source.text, name, source.name)
        blocks = [*_blocks(name, tree.body, source)]
        tree.body = [nodes.Extends(nodes.Name("extended_template", "load")), *blocks]
        tree.set_environment(sandbox).set_lineno(1)
        code = sandbox.compile(tree, name, source.name)
    except TemplateSyntaxError as error:
        raise _error(source, error.lineno, error.message or "this is no template") from error
    except (RecursionError, SyntaxError, MemoryError) as error:
        raise _error(source, 1, "too much stands in one another") from error
    return Template.from_code(sandbox, code, {})


def _blocks(name: str, body: Iterable[nodes.Node], source: SourceFile) -> Iterator[nodes.Block]:
    """The blocks of a template, each of which checks what it makes. Raises RenderError."""
    for node in body:
        if isinstance(node, nodes.Block):
            given = _block_names(name, node, source)
            for inner in node.body:
                _check(inner, source, given)
            place = [nodes.Const(node.name), nodes.Const(node.lineno)]
            checked = nodes.Filter(None, "checked", place, [], None, None)
            node.body = [nodes.FilterBlock(node.body, checked, lineno=node.lineno)]
            yield node
        elif "".join(text.data for text in node.find_all(nodes.TemplateData)).strip() or not isinstance(
            node, nodes.Output
        ):
            hint = (
                "A template is {% block footer %}…{% endblock %}, with the names of blocks; its own name says the rest."
            )
            raise _error(source, node.lineno, "this stands in no block", hint)


def _block_names(name: str, block: nodes.Block, source: SourceFile) -> Collection[str]:
    """The names that a block is given. Raises RenderError for a block that the template does not have."""
    known = BLOCKS[name]
    if block.name in known:
        return (*known[block.name], *(GIVEN if name != "site" else GIVEN[:1]))
    new = RENAMED_BLOCKS.get(f"{name}/{block.name}")
    message = f'"{block.name}" is called "{new}" now' if new else f'{name}.html has no block "{block.name}"'
    hint = f'Write "{new}" in its place.' if new else did_you_mean(block.name, known)
    raise _error(source, block.lineno, message, hint, block.name)


def _check(node: nodes.Node, source: SourceFile, given: Collection[str]) -> None:
    """Check a part of a block that is given some names. Raises RenderError."""
    if node == _SUPER:
        return
    if not isinstance(node, _ALLOWED):
        hint = "A block may say {{ … }}, {% if %} and super(): docs/templates.md."
        message = f"a template of a project may not say this ({type(node).__name__.lower()})"
        raise _error(source, node.lineno, message, hint)
    if isinstance(node, nodes.Name | nodes.Getattr):
        if (name := _dotted_name(node)) not in given:
            message = f'the block is not given "{name}"'
            raise _error(source, node.lineno, message, did_you_mean(name, given), name.rpartition(".")[2])
        return
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        message, hint = f'a template of a project has no filter "{node.name}"', did_you_mean(node.name, FILTERS)
        raise _error(source, node.lineno, message, hint, node.name)
    for inner in node.iter_child_nodes():
        _check(inner, source, given)


def _dotted_name(node: nodes.Node) -> str:
    """A name with its attributes, such as "page.title"; anything else is "…"."""
    if isinstance(node, nodes.Getattr):
        return f"{_dotted_name(node.node)}.{node.attr}"
    return node.name if isinstance(node, nodes.Name) else "…"


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
    is_ours = name.startswith("data-") and name != "data-bookmark"  # by which pages are measured
    if is_ours or name.startswith("on") or name in ("srcset", "background", "ping", "name"):
        yield f'may not say {name}="…"'
    if tag == "a" and name == "href":  # a reader may follow it; nothing is loaded from there
        if urlsplit("".join(value.split())).scheme not in ("", "http", "https", "mailto"):
            yield f'has a link to "{value}"'
        return
    for address in [value] if name in ("src", "href") else [token.value for token in _addresses(value)]:
        if not address.startswith("#") and posixpath.normpath(address.removeprefix(root)) not in loaded:
            yield f'loads "{address}", which is no file in templates/'


def _loaded_files(name: str, files: TemplateFiles) -> Iterator[str]:
    """The files that a style sheet loads, by their paths. Raises RenderError for any other address."""
    source = files.source(name)
    for rule in tinycss2.parse_stylesheet(source.text, skip_comments=True, skip_whitespace=True):
        if rule.type == "error":
            raise _css_error(source, rule, f"this is no style: {rule.message}")
    for token in _addresses(source.text):
        parts = urlsplit(token.value)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
        if parts.scheme or parts.netloc or (parts.path and path not in files.files):
            hint = did_you_mean(token.value, files.files)
            raise _css_error(source, token, f'"{token.value}" is no file in templates/', hint)
        yield path


def _css_error(source: SourceFile, token: Any, message: str, hint: str = "") -> RenderError:
    line = source.line_span(token.source_line)
    return RenderError(
        message, span=source.span(min(line.start + token.source_column - 1, line.end), line.end), hint=hint
    )


def _addresses(css: str) -> Iterator[Any]:
    """The tokens of all addresses, imported ones too, in a style sheet or in some declarations."""
    lists = [tinycss2.parse_component_value_list(css, skip_comments=True)]
    while lists:
        importing = False
        for token in lists.pop():
            if token.type == "url" or (importing and token.type == "string"):
                yield token
            elif token.type == "function" and token.lower_name in ("url", "src", "image-set", "-webkit-image-set"):
                yield from (each for each in token.arguments if each.type == "string")
            is_import = token.type == "at-keyword" and token.lower_value == "import"
            importing = is_import or (importing and token.type == "whitespace")
            lists.append(getattr(token, "content", None) or getattr(token, "arguments", None) or [])
