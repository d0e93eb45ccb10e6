"""Used lengths, rounded corners, backgrounds and the heights of lines, found once for each style.

In: a box, and what its percentages refer to. Out: the same box, with its lengths. WeasyPrint works them out anew for
every box, and for every copy of it, though the styles of a page are few and most of their lengths absolute.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from weasyprint.css.functions import check_math
from weasyprint.draw.color import get_color
from weasyprint.formatting_structure.boxes import LineBox
from weasyprint.layout import background
from weasyprint.layout.absolute import AbsolutePlaceholder
from weasyprint.layout.background import layout_box_backgrounds
from weasyprint.layout.float import avoid_collisions
from weasyprint.layout.percent import adjust_box_sizing, resolve_percentages, resolve_radii_percentages
from weasyprint.text.line_break import strut

_SIDES = ("top", "right", "bottom", "left")
_LENGTHS = (
    *(f"{kind}_{side}" for kind in ("margin", "padding") for side in _SIDES),
    *(f"{which}{axis}" for which in ("", "min_", "max_") for axis in ("width", "height")),
)
_BORDERS = tuple(f"border_{side}_width" for side in _SIDES)
_CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")
_SHARP = {f"border_{corner}_radius": (0, 0) for corner in _CORNERS}


def _set(box: Any, values: dict[str, Any]) -> None:
    """Set attributes of a box, or of the one that a placeholder stands for."""
    vars(box._box if type(box) is AbsolutePlaceholder else box).update(values)


def quick_resolve_percentages(box: Any, containing_block: Any) -> None:
    """``resolve_percentages``: the used lengths of a box."""
    style = box.style
    try:
        known = style.absolute
    except AttributeError:
        known = style.absolute = _absolute(style)
    if known is None or _has_collapsed_borders(box, known):
        resolve_percentages(box, containing_block)
    else:
        _set(box, known)


def _absolute(style: Any) -> dict[str, Any] | None:
    """All used lengths of boxes with a style; None where some depend on what a box stands in."""
    known = {name: _pixels(name, style[name]) for name in _LENGTHS}
    if None in known.values():
        return None
    box = SimpleNamespace(style=style, **known, **{name: style[name] for name in _BORDERS})
    adjust_box_sizing(box, "width")
    adjust_box_sizing(box, "height")
    del box.style
    return vars(box)


def _pixels(name: str, value: Any) -> Any:
    """A used length; None where it is relative."""
    if value == "auto":
        return 0 if name in {"min_width", "min_height"} else "auto"
    return value.value if getattr(value, "unit", None) == "px" else None


def _has_collapsed_borders(box: Any, known: dict[str, Any]) -> bool:
    """Whether a table gave a box other borders than those of its style."""
    return box.style["border_collapse"] == "collapse" and any(
        getattr(box, name, known[name]) != known[name] for name in _BORDERS
    )


def quick_resolve_radii(box: Any) -> None:
    """``resolve_radii_percentages``: the used radii of the corners of a box."""
    if _is_sharp(box.style):
        _set(box, _SHARP)
    else:
        resolve_radii_percentages(box)


def _is_sharp(style: Any) -> bool:
    try:
        return bool(style.is_sharp)
    except AttributeError:
        style.is_sharp = all((0, "px") in style[name] for name in _SHARP)
        return bool(style.is_sharp)


def quick_layout_box_backgrounds(
    page: Any, box: Any, get_image_from_uri: Any, layout_children: bool = True, style: Any = None
) -> None:
    """``layout_box_backgrounds``: what is painted behind a box and those in it."""
    if style is not None or box is page or not _is_bare(box.style):
        layout_box_backgrounds(page, box, get_image_from_uri, layout_children, style)
        return
    _set(box, _SHARP)
    box.background = None
    if layout_children:
        for child in box.all_children():
            background.layout_box_backgrounds(page, child, get_image_from_uri)


def _is_bare(style: Any) -> bool:
    """Whether nothing is painted behind boxes with a style, and their corners are sharp."""
    try:
        return bool(style.is_bare)
    except AttributeError:
        style.is_bare = (
            _is_sharp(style)
            and style["border_image_source"][0] == style["mask_border_source"][0] == "none"
            and style["visibility"] != "hidden"
            and all(kind == "none" for kind, _ in style["background_image"])
            and get_color(style, "background_color").alpha == 0
            and not style["box_shadow"]
        )
        return bool(style.is_bare)


def quick_strut(style: Any) -> Any:
    """``strut``: the height and the baseline of a line."""
    try:
        return style.strut
    except AttributeError:
        style.strut = strut(style)
        return style.strut


def quick_avoid_collisions(
    context: Any, box: Any, containing_block: Any, outer: bool = True
) -> tuple[float, float, float]:
    """``avoid_collisions``: where a line begins beside what floats, and how wide it may be. Mostly nothing floats."""
    beside = context.excluded_shapes or box.margin_left or box.margin_right or box.margin_top
    if outer or beside or not isinstance(box, LineBox) or containing_block.style["direction"] != "ltr":
        found: tuple[float, float, float] = avoid_collisions(context, box, containing_block, outer)
        return found
    left = containing_block.content_box_x()
    return left, box.position_y, left + containing_block.width - left


def quick_check_math(token: Any) -> Any:
    """``check_math``: whether a value is, or has in it, a function of mathematics. Most are words or numbers."""
    kind = type(token)
    if kind is str or kind is int or kind is float:
        return None
    return check_math(token)


REPLACED = (
    (resolve_percentages, quick_resolve_percentages),
    (resolve_radii_percentages, quick_resolve_radii),
    (layout_box_backgrounds, quick_layout_box_backgrounds),
    (strut, quick_strut),
    (avoid_collisions, quick_avoid_collisions),
    (check_math, quick_check_math),
)
