"""Errata: findings that are accepted, each with its reason, and with what was printed and computed then.

In: the findings of a system, and its errata.toml. Out: the findings, those accepted marked so. An erratum lapses when
the print or the computed number changes; an erratum that accepts nothing is a finding itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from refgen.catalog import did_you_mean
from refgen.checks.comparison import CheckSubject
from refgen.checks.finding import Acceptance, Finding, FindingKind, Print, Severity
from refgen.files import path_inside
from refgen.rules.places import locate
from refgen.rules.toml import Strict, load_toml
from refgen.source import SourceFile, plain_text
from refgen.span import Span

ERRATA_NAME = "errata.toml"

ROUNDING = "rounding"
"""The last part of the id "<check>/rounding", by which all odd roundings of a check are accepted at once."""


OF_FINDINGS = ("chance", "characters", "faults", "key", "names", "order", "row", "rows")
"""The first parts of ids that findings alone have: of these, nothing lists what agrees."""


class CellSpec(Strict):
    """A cell that an erratum of odd roundings accepts: the rest of the id, the print, the text that would agree."""

    cell: str = Field(min_length=1)
    printed: str
    computed: str


class ErratumSpec(Strict):
    """An accepted finding: its id, the printed and computed texts at that time, the reason, and what play aids print.

    "<check>/rounding" accepts all cells of a check that are rounded otherwise than the rest: ``cells`` lists the cells.
    """

    finding: str = Field(min_length=1)
    printed: str | None = None
    computed: str | None = None
    cells: list[CellSpec] = []
    reason: str = Field(min_length=1)
    print: Print = Print.PRINTED

    @model_validator(mode="after")
    def _check_cells(self) -> Self:
        if self.cells and not self.is_of_rounding:
            raise ValueError(f'only the erratum of "<check>/{ROUNDING}" has cells')
        if self.cells and (self.printed is not None or self.computed is not None):
            raise ValueError("each of its cells says what is printed and computed; the erratum does not")
        return self

    @property
    def is_of_rounding(self) -> bool:
        """Whether the erratum accepts all odd roundings of a check."""
        return self.finding.endswith(f"/{ROUNDING}")

    @property
    def pinned(self) -> Mapping[str, tuple[str, str]]:
        """The printed and computed texts of each finding that the erratum accepts, as far as the erratum has them."""
        check = self.finding.removesuffix(ROUNDING)
        if self.printed is None or self.computed is None:
            return {check + cell.cell: (cell.printed, cell.computed) for cell in self.cells}
        return {self.finding: (self.printed, self.computed)}


class ErrataSpec(Strict):
    """A whole errata.toml."""

    errata: list[ErratumSpec] = []


def load_errata(folder: Path) -> tuple[ErrataSpec, SourceFile | None]:
    """The errata of a system; none when its folder has no errata.toml. Raises RulesError for a malformed one."""
    if not (folder / ERRATA_NAME).exists():
        return ErrataSpec(), None
    source = SourceFile.read(path_inside(folder, ERRATA_NAME), f"{folder.name}/{ERRATA_NAME}")
    return load_toml(source, ErrataSpec), source


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """The findings of a system's checks, the ids that a finding can have, and the checks that could not compare.

    ``known`` has, for each id, the place of its number and the places that number follows from; () for a whole table.
    """

    system: str
    findings: Sequence[Finding]
    known: Mapping[str, Sequence[Span]]
    failed: Collection[str] = ()


@dataclass(slots=True)
class _ErrataFaults:
    """The ids of the findings that errata accept so far, and the findings about errata at fault."""

    checked: CheckOutcome
    seen: set[str] = field(default_factory=set)
    about: list[Finding] = field(default_factory=list)

    def add(self, erratum: ErratumSpec, span: Span) -> None:
        if not erratum.pinned:
            self._note(erratum.finding, span, self._unpinned_fault(erratum))
        for name, (printed, _) in erratum.pinned.items():
            if name in self.seen:
                self._note(name, span, f"{name} has two errata; keep one of them")
            elif fault := self._unknown(name):
                self._note(name, span, fault)
            elif self._is_gone(name):
                here = f"{name} agrees with the rules; it was accepted when {printed or 'a blank'} stood here"
                self._note(name, span, f"{name} is no longer found; its erratum can go", here)
            self.seen.add(name)

    def _unpinned_fault(self, erratum: ErratumSpec) -> str:
        name = erratum.finding
        if fault := self._unknown(name):
            return fault
        named = (finding for finding in self.checked.findings if name in (finding.id, *finding.also))
        found = next(named, None)
        if found is not None:
            what = f'add printed = "{found.printed}" and computed = "{found.computed}"'
        elif erratum.is_of_rounding:
            what = f'accept it again with `refgen check {self.checked.system} --accept {name} --reason "…"`'
        else:
            what = "it is no longer found, so it can go"
        return f"the erratum of {name} does not say what was printed and computed: {what}"

    def _is_gone(self, name: str) -> bool:
        """Whether a check that could compare no longer finds what an erratum accepts."""
        is_found = any(name in (finding.id, *finding.also) for finding in self.checked.findings)
        return not is_found and name.partition("/")[0] not in self.checked.failed

    def _unknown(self, name: str) -> str:
        first = name.partition("/")[0]
        if name in self.checked.known or first in self.checked.failed or first in OF_FINDINGS:
            return ""
        hint = did_you_mean(name, sorted(self.checked.known), "`refgen check` shows the findings with their ids.")
        return f'no check can find "{name}", which an erratum accepts. {hint}'.rstrip(".")

    def _note(self, name: str, span: Span, fault: str, here: str = "") -> None:
        """Add the finding about an erratum; ``here`` is its message at the number, which may be at fault instead."""
        ids = {finding.id for finding in self.about}
        once = f"errata/{name}"
        number = next(n for n in range(1, len(ids) + 2) if (once if n == 1 else f"{once}/{n}") not in ids)
        places = tuple(self.checked.known.get(name, ()))
        subject = CheckSubject(once if number == 1 else f"{once}/{number}", name, span)
        kind, system = FindingKind.ERRATUM, self.checked.system
        found = Finding.about(subject, kind, Severity.WARNING, system=system, rule=fault, sources=places)
        rivals = [replace(found, id=name, span=place, rule=here) for place in places[:1] if here]
        self.about.append(replace(found, rivals=tuple(rivals)))


def apply_errata(checked: CheckOutcome, spec: ErrataSpec, source: SourceFile | None) -> list[Finding]:
    """Mark the accepted findings, and add a finding for each erratum at fault."""
    if source is None:
        return list(checked.findings)
    applied = _ErrataFaults(checked)
    for number, erratum in enumerate(spec.errata):
        applied.add(erratum, locate(source, ("errata", number, "finding")))
    return [*_accept_findings(checked.findings, spec), *applied.about]


def _accept_findings(findings: Sequence[Finding], spec: ErrataSpec) -> Iterator[Finding]:
    """The findings, those that an erratum accepts marked so. Of two errata for one finding, the first counts."""
    errata = {name: erratum for erratum in reversed(spec.errata) for name in erratum.pinned}
    for finding in findings:
        name = next((name for name in (finding.id, *finding.also) if name in errata), None)
        if name is None:
            yield finding
        elif lapsed := _lapse_reason(finding, *errata[name].pinned[name]):
            yield replace(finding, lapsed=lapsed)
        else:
            yield replace(finding, accepted=Acceptance(errata[name].reason, errata[name].print))


def _lapse_reason(finding: Finding, printed: str, computed: str) -> str:
    """Why an erratum no longer accepts a finding; "" when it does. Blanks make no difference."""
    if plain_text(finding.printed) != plain_text(printed):
        return f"it accepts {printed or 'a blank'} as printed, and now {finding.printed or 'a blank'} is"
    if plain_text(finding.computed) != plain_text(computed):
        return f"it accepts {computed} as computed, and now {finding.computed} is"
    return ""
