"""The names of fields as PDF has them: "wounds.hurt.1" is the field 1 of the group hurt of the group wounds.

In: the names of fields. Out: the groups as objects (ISO 32000-1, 12.7.3.2), and what a field says of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from refgen.render.fill.append import GrowingPdf, references, text_string


class FieldNames:
    """The groups of some fields, each with its fields and groups in order; "" is the group of all."""

    def __init__(self, names: Iterable[str]) -> None:
        self.groups: dict[str, list[str]] = {"": []}
        for name in names:
            self._add(name)

    def _add(self, name: str) -> None:
        group = name.rpartition(".")[0]
        if group not in self.groups:
            self.groups[group] = []
            self._add(group)
        self.groups[group].append(name)

    def write(self, pdf: GrowingPdf, root: str) -> Mapping[str, int]:
        """Write the groups, that of all with a name of its own. Returns the numbers of all groups and fields."""
        numbers = {"": pdf.reserve()} | {name: pdf.reserve() for names in self.groups.values() for name in names}
        for group, names in self.groups.items():
            own = self.place(group, numbers) if group else b"/T" + text_string(root)
            pdf.put(numbers[group], b"<<%b/Kids[%b]>>" % (own, references(numbers[name] for name in names)))
        return numbers

    @staticmethod
    def place(name: str, numbers: Mapping[str, int]) -> bytes:
        """What a field or group says of its name."""
        group, _, last = name.rpartition(".")
        return b"/T%b/Parent %d 0 R" % (text_string(last), numbers[group])
