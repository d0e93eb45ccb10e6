"""Lines of text: what they are set with is made once for each style, and what is set is kept to be drawn.

In: a style and a text. Out: a Pango layout. WeasyPrint makes a context, a font description and the features of a font
for every line, sets it, throws it all away, and does so again when the line is drawn. And the numbers and labels of
tables stand there often: those that fit in a line are set once for all places.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import Any

from weasyprint.draw.text import draw_text
from weasyprint.text.constants import PANGO_DIRECTION
from weasyprint.text.ffi import ffi, gobject, pango, unicode_to_char_p
from weasyprint.text.fonts import font_features, get_font_description
from weasyprint.text.line_break import Layout, _font_style_cache_key, split_first_line

Line = tuple["QuickLayout", int, None, float, float, float]
"""What ``split_first_line`` gives of a text that fits: its layout, its length, no rest, width, height and baseline."""

MANY = 10_000
"""So many lines of a style are kept."""


@dataclass(slots=True)
class Setting:
    """What the lines of a style are set with, by Pango, and those that were."""

    context: Any
    description: Any
    attributes: Any
    language: Any
    lines: dict[str, Line] = field(default_factory=dict)

    def keep(self, text: str, line: Line) -> None:
        """Keep a text that fits in a line."""
        if len(self.lines) >= MANY:
            self.lines.clear()
        self.lines[text] = line


class QuickLayout(Layout):  # type: ignore[misc]
    """A ``Layout``: a line of text, or what is to be broken into lines."""

    layout: Any = None
    setting: Setting | None = None

    def setup(self, style: Any) -> None:
        """Make ready to set a text."""
        setting = self.setting = _setting(style)
        if setting is None:
            super().setup(style)
            return
        self.style, self.language = style, setting.language
        self.first_line_direction = 0
        self.ascent = self.underline_position = self.strikethrough_position = None
        self.layout = ffi.gc(pango.pango_layout_new(setting.context), gobject.g_object_unref)
        pango.pango_layout_set_auto_dir(self.layout, False)
        pango.pango_layout_set_font_description(self.layout, setting.description)
        if setting.attributes is not None:
            pango.pango_layout_set_attributes(self.layout, setting.attributes)

    def set_text(self, text: str, justify: bool = False) -> None:
        """Set a text."""
        super().set_text(text, justify)
        if self._stays:
            # As lines are drawn; said later, it would have Pango set the text again.
            pango.pango_layout_set_single_paragraph_mode(self.layout, True)

    def deactivate(self) -> None:
        """After a line is set, and after it is drawn."""
        if self._stays:
            self.style = None  # which would keep the page that it is of
        else:
            super().deactivate()

    def reactivate(self, style: Any) -> None:
        """Before it is drawn: in full, without any width."""
        if self.layout is None or _setting(style) is not self.setting or self._is_broken:
            super().reactivate(style)

    def again(self, max_width: float | None) -> QuickLayout:
        """The same line for another place."""
        other = copy(self)
        other.max_width = max_width
        return other

    @property
    def fits(self) -> bool:
        """Whether nothing of it depends on the place it is for."""
        return self._stays and "\t" not in self.text and not self.text.endswith(" ")

    @property
    def _stays(self) -> bool:
        """Whether it is drawn as it was set: neither spaced out nor with ends of lines in it."""
        return self.setting is not None and not self.justification_spacing and "\n" not in self.text

    @property
    def _is_broken(self) -> bool:
        return bool(pango.pango_layout_get_line_readonly(self.layout, 1) != ffi.NULL)


def quick_split_first_line(
    text: str, style: Any, context: Any, max_width: float | None, justification_spacing: float, **others: bool
) -> Any:
    """``split_first_line``."""
    setting = None if justification_spacing else _setting(style)
    if setting is None:
        return split_first_line(text, style, context, max_width, justification_spacing, **others)
    wide_enough = inf if max_width is None or style["white_space"] in {"nowrap", "pre"} else max_width
    if text in setting.lines:
        layout, length, rest, width, *height = setting.lines[text]
        if width <= wide_enough:
            return layout.again(max_width), length, rest, width, *height
    line = split_first_line(text, style, context, max_width, justification_spacing, **others)
    layout, _, rest, width, *_ = line
    if rest is None and layout.text == text and width <= wide_enough and layout.fits:
        setting.keep(text, line)
    return line


def quick_draw_text(stream: Any, box: Any, offset: float, overflow: str, ellipsis: Any) -> None:
    """``draw_text``. A line that may be cut short is set anew, since it changes."""
    if overflow == "ellipsis" or ellipsis != "none":
        box.pango_layout = box.pango_layout.again(box.pango_layout.max_width)
        box.pango_layout.layout = None
    draw_text(stream, box, offset, overflow, ellipsis)


def _is_plain(style: Any) -> bool:
    """Whether Pango has to know no more of a style than font, language and direction."""
    return bool(
        style["text_decoration_line"] == "none"
        and style["letter_spacing"] == "normal"
        and not style["word_spacing"]
        and style["overflow_wrap"] == "normal"
        and style["font_language_override"] == "normal"
        and style["lang"]
    )


def _setting(style: Any) -> Setting | None:
    """What lines of a style are set with; None for a style that is not plain."""
    try:
        return style.setting  # type: ignore[no-any-return]
    except AttributeError:
        style.setting = _shared(style) if _is_plain(style) else None
        return style.setting  # type: ignore[no-any-return]


def _shared(style: Any) -> Setting:
    """The same for all styles that set text alike, as long as their fonts are loaded."""
    known: dict[Any, Setting] = vars(style.font_config).setdefault("settings", {})
    key = (_font_style_cache_key(style), style["font_size"], style["font_kerning"], style["direction"])
    if key not in known:
        known[key] = _make(style)
    return known[key]


def _make(style: Any) -> Setting:
    fonts = style.font_config
    context = ffi.gc(pango.pango_font_map_create_context(fonts.font_map), gobject.g_object_unref)
    pango.pango_context_set_round_glyph_positions(context, False)
    pango.pango_context_set_base_dir(context, PANGO_DIRECTION[style["direction"]])
    pointer, _ = unicode_to_char_p(style["lang"])
    language = pango.pango_language_from_string(pointer)
    pango.pango_context_set_language(context, language)
    return Setting(context, get_font_description(style), _attributes(style, fonts), language)


def _attributes(style: Any, fonts: Any) -> Any:
    """The features of a font, as attributes; None where there are none."""
    variants = ("ligatures", "position", "caps", "numeric", "alternates", "east_asian")
    chosen = (style[f"font_variant_{variant}"] for variant in variants)
    features = font_features(style["font_kerning"], *chosen, style["font_feature_settings"])
    if not features:
        return None
    named = ",".join(f"{key} {value}" for key, value in features.items()).encode()
    if named not in fonts.font_features:
        fonts.font_features[named] = pango.pango_attr_font_features_new(named)
    attributes = pango.pango_attr_list_new()
    pango.pango_attr_list_insert(attributes, fonts.font_features[named])
    return attributes


REPLACED = ((Layout, QuickLayout), (split_first_line, quick_split_first_line), (draw_text, quick_draw_text))
