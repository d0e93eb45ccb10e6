"""Lines of text: what they are set with is made once for each style, and what is set is kept to be drawn.

In: a style and a text. Out: a Pango layout. WeasyPrint makes a context, a font description and the features of a font
for every line, sets it, throws it all away, and does so again when the line is drawn.
"""

from __future__ import annotations

from typing import Any

from weasyprint.text.constants import PANGO_DIRECTION
from weasyprint.text.ffi import ffi, gobject, pango, unicode_to_char_p
from weasyprint.text.fonts import font_features, get_font_description
from weasyprint.text.line_break import Layout, _font_style_cache_key

Setting = tuple[Any, Any, Any, Any]
"""What the lines of a style are set with: Pango's context, font description, attributes and language."""


class QuickLayout(Layout):  # type: ignore[misc]
    """A ``Layout``: a line of text, or what is to be broken into lines."""

    layout: Any = None
    is_plain = False

    def setup(self, style: Any) -> None:
        """Make ready to set a text."""
        setting = _setting(style)
        self.is_plain = setting is not None
        if setting is None:
            super().setup(style)
            return
        context, description, attributes, self.language = setting
        self.style = style
        self.first_line_direction = 0
        self.ascent = self.underline_position = self.strikethrough_position = None
        self.layout = ffi.gc(pango.pango_layout_new(context), gobject.g_object_unref)
        pango.pango_layout_set_auto_dir(self.layout, False)
        pango.pango_layout_set_font_description(self.layout, description)
        if attributes is not None:
            pango.pango_layout_set_attributes(self.layout, attributes)

    def set_text(self, text: str, justify: bool = False) -> None:
        """Set a text."""
        super().set_text(text, justify)
        if self._stays:
            # As lines are drawn; said later, it would have Pango set the text again.
            pango.pango_layout_set_single_paragraph_mode(self.layout, True)

    def deactivate(self) -> None:
        """After a line is set, and after it is drawn."""
        if not self._stays:
            super().deactivate()

    def reactivate(self, style: Any) -> None:
        """Before it is drawn: in full, without any width."""
        if self.layout is None or style is not self.style or self._is_broken:
            super().reactivate(style)

    @property
    def _stays(self) -> bool:
        """Whether it is drawn as it was set: neither spaced out nor with ends of lines in it."""
        return self.is_plain and not self.justification_spacing and "\n" not in self.text

    @property
    def _is_broken(self) -> bool:
        return bool(pango.pango_layout_get_line_readonly(self.layout, 1) != ffi.NULL)


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
    return context, get_font_description(style), _attributes(style, fonts), language


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


REPLACED = ((Layout, QuickLayout),)
