"""Faults of values in files that people write, in our words.

In: a fault that pydantic found. Out: the message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from refgen.notation.formula_tree import NAME

_PATTERNS = {
    f"^{NAME}$": "this is no name: write lower-case words and figures, joined by hyphens",
    r"^#[0-9a-f]{6}$": 'this is no colour: write it like "#1d4e79"',
}

_MESSAGES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "string_type": lambda _: "this is no text: write it in quotes",
    "int_type": lambda _: "this is no whole number",
    "int_parsing": lambda _: "this is no whole number",
    "int_from_float": lambda _: "this is no whole number",
    "float_type": lambda _: "this is no number",
    "float_parsing": lambda _: "this is no number",
    "finite_number": lambda _: "this is no number with an end",
    "bool_type": lambda _: "this is neither true nor false",
    "bool_parsing": lambda _: "this is neither true nor false",
    "list_type": lambda _: "this is no list: write it in [ ]",
    "tuple_type": lambda _: "this is no list: write it in [ ]",
    "dict_type": lambda _: "this is no table: write it in { }, or under a heading in [ ]",
    "model_type": lambda _: "this is no table: write it in { }, or under a heading in [ ]",
    "model_attributes_type": lambda _: "this is no table: write it in { }, or under a heading in [ ]",
    "string_too_short": lambda _: "this is empty",
    "string_pattern_mismatch": lambda context: _PATTERNS.get(context["pattern"], "this is not written as it must be"),
    "literal_error": lambda context: f"this is not {_or(context['expected'])}",
    "enum": lambda context: f"this is not {_or(context['expected'])}",
    "too_short": lambda context: (
        f"there must be at least {context['min_length']}, and there are {context['actual_length']}"
    ),
    "too_long": lambda context: f"there may be at most {context['max_length']}",
    "greater_than": lambda context: f"this must be more than {context['gt']}",
    "greater_than_equal": lambda context: f"this must be at least {context['ge']}",
    "less_than": lambda context: f"this must be less than {context['lt']}",
    "less_than_equal": lambda context: f"this may be at most {context['le']}",
    "value_error": lambda context: str(context["error"]),
}


def fault_message(fault: ErrorDetails) -> str:
    """The fault of a value, in words."""
    message = _MESSAGES.get(fault["type"])
    return message(fault.get("ctx", {})) if message else "this is not what belongs here; look at `refgen schema`"


def _or(expected: str) -> str:
    return expected.replace("'", '"')
