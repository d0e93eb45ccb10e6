"""The folder of templates: the Jinja2 environment, and the assets that pages refer to.

In: nothing. Out: the one Jinja2 environment (autoescape on, undefined names are errors), and each asset (style sheet,
script, font, drawing) by its path in the output folder. In: a look. Out: its files in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.lengths import CELL_PADDING_BLOCK, FIELD_GAP, STEP_MARGIN, lengths_css
from refgen.layout.metrics import fonts
from refgen.layout.page_format import PAPER_SIZES
from refgen.look.colours import mix_colours, on_dark, token_colour
from refgen.look.look import USUAL, Look, look_in_use
from refgen.words import COMPUTED

DRAWN_IN = "#ffffff"
"""The colour in which the files of drawings are drawn; each asset of a drawing has another in its place."""


EXTENDED: Mapping[str, str] = {
    "panels/panels.html": "screen",
    "sheet/sheet.html": "sheet",
    "sheet/continuation.html": "sheet",
    "sheet/form.html": "form",
    "cards/cards.html": "cards",
    "booklet/booklet.html": "booklet",
}
"""The templates of aids, and the name under which a project extends each (refgen.layout.extending)."""


@cache
def environment() -> Environment:
    """The environment of every page. Content of games comes in as values only, never as templates."""
    made = Environment(
        loader=FileSystemLoader(bundled_folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"accents": accents, "with_links": with_links}
    made.globals |= {
        "FIELD_GAP": FIELD_GAP,
        "COMPUTED": COMPUTED,
        "token_colour": lambda token: look_in_use().colour(token),
        "content_of": content_of,
        "frame_block": frame_block,
        "styled": inline,
        "unbroken_class": unbroken_class,
    }
    return made


def aid_html(template: str, system: SystemInfo, **values: object) -> str:
    """The HTML of an aid, in a folder of the output beside the folder of the assets.

    In the template ``of_rules`` is the attribute of elements whose texts are in another language than the page.
    """
    values |= {"system": system, "look": system.look, "words": system.words, "root": "../"}
    values["of_rules"] = Markup(' lang="{}"').format(system.language) if system.language else ""
    return page_of(template, EXTENDED[template], system.look, values)


def page_of(template: str, name: str, look: Look, values: Mapping[str, Any]) -> str:
    """The HTML of a page, whose template and style sheet a project may extend under a name. Raises RenderError."""
    ours, files = environment().get_template(template), look.templates
    if not files:
        return ours.render(values)
    from refgen.layout.extending import added_styles, extended_html  # loads what most games do not need

    added = added_styles(files, name) if name != "block" else {}
    return extended_html(files, name, ours, {**values, **added}, {**assets(), **look_files(look)})


def content_of(block: Any) -> Any:
    """The macro that sets the content of a block (refgen.blocks), which names its kind or its template."""
    template = environment().get_template(block.template or f"blocks/{block.kind}.html")
    return template.module.content  # type: ignore[attr-defined]


@pass_context
def frame_block(context: Context, block: Any, level: int, content: Markup) -> Markup:
    """The content of a block in its frame: title, note and footnotes."""
    values = {
        "block": block,
        "level": level,
        "content": content,
        "system": context.get("system"),
        "root": context.get("root"),
    }
    made = page_of("blocks/frame.html", "block", context.get("look", USUAL), values)
    return Markup(made)  # noqa: S704  # a page of refgen, in which all text is escaped


def inline(declarations: str, classes: str = "") -> Markup:
    """The attributes of an element with CSS declarations and classes, on a page whose elements share no styles."""
    named = Markup(' class="{}"').format(classes) if classes else Markup()
    return named + Markup(' style="{}"').format(declarations)


_LONG_WORD = re.compile(r"[^\W\d_]{10}")
"""The beginning of a word that style sheets let break (css/tokens.css)."""

_NO_WORD = re.compile(r"\w[./@_\\]\w|\d")
"""The signs and figures within an address, the name of a file, a key or a roll."""


def unbroken_class(text: str) -> Markup:
    """The class of an element in which no word breaks: a hyphen in an address, a key or a roll would be misread."""
    is_whole = any(_LONG_WORD.search(word) and _NO_WORD.search(word) for word in text.split())
    return Markup(' class="whole"') if is_whole else Markup()


def with_links(text: str, *targets: str) -> Markup:
    """A text whose stretches in square brackets are links, each to the next of some targets."""
    before, *stretches = text.split("[")
    made = escape(before)
    for stretch, target in zip(stretches, targets, strict=True):
        linked, _, after = stretch.partition("]")
        made += Markup('<a href="{}">{}</a>{}').format(target, linked, after)
    return made


@dataclass(frozen=True, slots=True)
class SharedStyles:
    """The attributes of elements with CSS declarations, which become classes that elements share.

    WeasyPrint works out the styles of an element with a ``style`` attribute, and of all elements in it, again; it works
    out the styles of a class once. ``names`` has the name of the class for each text of declarations.
    """

    names: dict[str, str] = field(default_factory=dict)

    def __call__(self, declarations: str, classes: str = "") -> Markup:
        """The attributes of an element with CSS declarations and classes."""
        name = self.names.setdefault(declarations, f"set-{len(self.names)}")
        return Markup(' class="{}"').format(f"{classes} {name}".strip())


def accents(accent: str) -> str:
    """The declarations that give an element the accent of a system, for light ground and for dark (css/tokens.css)."""
    return f"--accent-light: {accent}; --accent-dark: {on_dark(accent)}"


@cache
def assets() -> Mapping[str, bytes]:
    """The bytes of every asset by its path in the output. Raises RenderError for a missing font."""
    sheets = sorted(bundled_folder("templates").glob("*/*.css"), key=lambda path: path.name)
    found = {f"assets/css/{path.name}": path.read_bytes() for path in sheets}
    for path in sorted(bundled_folder("templates").glob("js/**/*.js")):
        found[f"assets/{path.relative_to(bundled_folder('templates')).as_posix()}"] = path.read_bytes()
    found |= dict(_drawings("assets", token_colour("paper"), token_colour("ink"), PALE))
    found["assets/css/lengths.css"] = lengths_css(PAPER_SIZES.items()).encode()
    return found | {f"assets/fonts/{name}": font for name, font in fonts().items()}


def _drawings(folder: str, paper: str, ink: str, pale: str) -> Iterator[tuple[str, bytes]]:
    """Each drawing in paper for coloured grounds, in ink, and pale: style sheets cannot colour pictures."""
    for path in sorted(
        path for kind in ("icons", "patterns") for path in bundled_folder("templates").glob(f"{kind}/*.svg")
    ):
        svg, name = path.read_text(encoding="utf-8"), f"{folder}/{path.parent.name}/{path.stem}"
        for suffix, shade in (("", paper), ("-ink", ink), ("-pale", pale)):
            yield f"{name}{suffix}.svg", svg.replace(DRAWN_IN, shade).encode()


@lru_cache(maxsize=8)
def _files_of_look_toml(look: Look) -> Mapping[str, bytes]:
    """The files of a look.toml: style sheet, fonts, pictures, and drawings in its colours."""
    if not look.digest:
        return {}
    look = replace(look, theme="")
    fonts = {
        name: f"{name.lower()}.{'otf' if data.startswith(b'OTTO') else 'ttf'}" for name, data in look.fonts.items()
    }
    roles = {name.rpartition(".")[0]: name for name in look.pictures}
    light, dark, small = (roles.get(f"logo-{role}") for role in ("light", "dark", "small"))
    pictures = {"light": light or dark, "dark": dark or light, "small": small, "emblem": small or light or dark}
    pictures |= {"logo": dark if look.is_dark and dark else light or dark}
    pictures |= {"cover": roles.get("cover"), "backs": roles.get("card-backs")}
    sheet = (
        environment()
        .get_template("look/look.css.jinja")
        .render(look=look, fonts=fonts, pictures=pictures, cell_padding=CELL_PADDING_BLOCK, step_margin=STEP_MARGIN)
    )
    found = {"look.css": sheet.encode(), **look.pictures, **{fonts[name]: data for name, data in look.fonts.items()}}
    paper, ink = look.colour("paper"), look.colour("ink")
    drawn = _drawings(look.folder, paper, ink, mix_colours(paper, ink, 0.12)) if look.light else ()
    return {f"{look.folder}/{name}": data for name, data in found.items()} | dict(drawn)


def look_files(look: Look) -> Mapping[str, bytes]:
    """The files of a look by their paths in the output, with those that extend the templates of refgen."""
    return {**_files_of_look_toml(look), **look.templates.published}


def template_errors(look: Look) -> Sequence[RefgenError]:
    """The errors of the files that extend the templates of refgen."""
    if not look.templates.shown:
        return ()
    from refgen.layout.extending import extension_faults  # loads what most games do not need

    return [*extension_faults(look.templates)]


def loaded_files() -> Mapping[str, bytes]:
    """The files that pages in the look in use may load."""
    return {**assets(), **look_files(look_in_use())}


PALE = "#e5dacf"
"""The colour of large drawings on paper, which no token has: each tint of tokens.css stands for a chance."""
