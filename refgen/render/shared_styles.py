"""What style sheets have to know of single elements, so that elements which are set alike share it.

In: declarations of CSS, as they come up in a page. Out: a class for each, and the rules of these classes. WeasyPrint
works out the styles of an element with a ``style`` of its own, and of all in it, anew; those of a class it works out
once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup


def inline(declarations: str, classes: str = "") -> Markup:
    """The attributes of an element with these declarations and classes, for a page that shares none."""
    named = Markup(' class="{}"').format(classes) if classes else Markup()
    return named + Markup(' style="{}"').format(declarations)


@dataclass(frozen=True, slots=True)
class SharedStyles:
    """The same as classes; ``names`` has the class of all declarations so far."""

    names: dict[str, str] = field(default_factory=dict)

    def __call__(self, declarations: str, classes: str = "") -> Markup:
        """The attributes of an element."""
        name = self.names.setdefault(declarations, f"set-{len(self.names)}")
        return Markup(' class="{}"').format(f"{classes} {name}".strip())
