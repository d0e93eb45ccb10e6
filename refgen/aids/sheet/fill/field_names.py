"""The names of fields as PDF has them: "wounds.hurt.1" is the field 1 of the group hurt of the group wounds.

In: the names of fields. Out: the groups as objects (ISO 32000-1, 12.7.3.2), and what a field says of its own. A field
that stands on several pages has a widget on each, which has no name of its own (12.7.4): "who.name@2" is on page 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from refgen.aids.sheet.fill.append import GrowingPdf, references, text_string
from refgen.characters.sheet.model import AGAIN

ALL = AGAIN
"""What stands behind the name of a field for all of its widgets together."""


class FieldNames:
    """The groups of some fields, each with its fields and groups in order; "" is the group of all.

    ``widgets`` are those of each field that has several, the first of which is called like the field.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.groups: dict[str, list[str]] = {"": []}
        self.widgets: dict[str, list[str]] = {}
        for name in names:
            field, again, _ = name.partition(AGAIN)
            if again:
                self.widgets.setdefault(field, [field]).append(name)
            else:
                self._add(name)

    def _add(self, name: str) -> None:
        group = name.rpartition(".")[0]
        if group not in self.groups:
            self.groups[group] = []
            self._add(group)
        self.groups[group].append(name)

    def write(self, pdf: GrowingPdf, root: str, text: Callable[[str], str]) -> Mapping[str, int]:
        """Write the groups, that of all with a name of its own, and what the widgets of a field share.

        Returns the numbers of all groups, fields and widgets; ``text`` tells the value of a field.
        """
        names = [name for group in self.groups.values() for name in group]
        names += [name for field, widgets in self.widgets.items() for name in (field + ALL, *widgets[1:])]
        numbers = {"": pdf.reserve()} | {name: pdf.reserve() for name in names}
        for group, members in self.groups.items():
            name = self._named(group, numbers) if group else b"/T" + text_string(root)
            kids = (numbers[name + ALL if name in self.widgets else name] for name in members)
            pdf.put(numbers[group], b"<<%b/Kids[%b]>>" % (name, references(kids)))
        for field, widgets in self.widgets.items():
            each = references(numbers[name] for name in widgets)
            pdf.put(numbers[field + ALL], shared(self._named(field, numbers), each, text(field)))
        return numbers

    def place(self, name: str, numbers: Mapping[str, int]) -> bytes:
        """What a field says of its name, or a widget of its field."""
        field = name.partition(AGAIN)[0]
        return b"/Parent %d 0 R" % numbers[field + ALL] if field in self.widgets else self._named(name, numbers)

    @staticmethod
    def _named(name: str, numbers: Mapping[str, int]) -> bytes:
        group, _, last = name.rpartition(".")
        return b"/T%b/Parent %d 0 R" % (text_string(last), numbers[group])


def shared(named: bytes, kids: bytes, text: str) -> bytes:
    """A field with several widgets, and the text in it."""
    return b"<</FT/Tx%b/Kids[%b]/V%b>>" % (named, kids, text_string(text))
