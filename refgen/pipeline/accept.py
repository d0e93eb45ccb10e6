"""Accept a finding: write it to the errata.toml of its game.

In: the report of a game, the id of a finding, and why it is accepted. Out: the file, with one entry more; all else in
it stays as it is. It is written whole or not at all.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from refgen.checks.errata import ERRATA_NAME, ROUNDING, load_errata
from refgen.checks.finding import CheckReport, Finding, FindingKind, Print
from refgen.errors import CheckError
from refgen.export.toml_text import toml_string
from refgen.pipeline.game_file import refuse_bundled, write_whole
from refgen.rules.toml import entry_lines
from refgen.suggestion import did_you_mean

HEAD = "# Findings of `refgen check` that are accepted, each with the reason.\n"


def accept(report: CheckReport, folder: Path, finding: str, reason: str, prints: Print) -> Path:
    """Write the erratum of a finding; that of one which lapsed is replaced.

    ``finding`` may be "<check>/rounding", for all its cells that are rounded otherwise than the rest. Raises CheckError
    for a finding that is not there, or accepted already, and for a bundled game, whose folder is refgen's own.
    """
    refuse_bundled(report.system, folder, "errata")
    found = _found(report, finding)
    path = folder / ERRATA_NAME
    old = path.read_text(encoding="utf-8") if path.exists() else HEAD
    new = _replaced(folder, old, finding, _entry(finding, found, reason, prints))
    _refuse_spoilt(report.system, old, new)
    write_whole(path, new)
    return path


def _found(report: CheckReport, finding: str) -> Sequence[Finding]:
    """The findings that an id stands for. Raises CheckError when there is none to accept."""
    check, _, last = finding.rpartition("/")
    every = [one for found in report.findings for one in (found, *found.rivals, *found.effects)]
    of_id = [found for found in every if finding in (found.id, *found.also)]
    if last == ROUNDING and not of_id:
        odd = (found for found in report.findings if found.kind is FindingKind.ROUNDING)
        of_id = [found for found in odd if found.id.startswith(f"{check}/")]
    if of_id and all(found.accepted is not None for found in of_id):
        raise CheckError(f"{finding} is accepted already", hint=f"Its erratum stands in {report.system}/{ERRATA_NAME}.")
    can_be = [
        found for found in of_id if found.kind in (FindingKind.NUMBER, FindingKind.ROUNDING, FindingKind.STRUCTURE)
    ]
    if of_id and not can_be:
        raise CheckError(f"{finding} is nothing to accept: mend what it says", span=of_id[0].span)
    if not can_be:
        hint = did_you_mean(finding, [found.id for found in report.open], "`refgen check` shows the findings.")
        raise CheckError(f'{report.system} has no finding "{finding}"', hint=hint)
    return can_be


def _entry(finding: str, found: Sequence[Finding], reason: str, prints: Print) -> str:
    lines = ["[[errata]]", f"finding = {toml_string(finding)}"]
    if finding in (found[0].id, *found[0].also):
        lines += [f"printed = {toml_string(found[0].printed)}", f"computed = {toml_string(found[0].computed)}"]
    else:
        check = finding.removesuffix(ROUNDING)
        cells = (
            f"  {{ cell = {toml_string(one.id.removeprefix(check))}, printed = {toml_string(one.printed)}, "
            f"computed = {toml_string(one.computed)} }},"
            for one in found
        )
        lines += ["cells = [", *cells, "]"]
    return "\n".join([*lines, f"reason = {toml_string(reason.strip())}", f"print = {toml_string(prints)}"]) + "\n"


def _replaced(folder: Path, old: str, finding: str, entry: str) -> str:
    """The text of the file with an entry in the place of that for the same finding, or at its end."""
    spec, source = load_errata(folder)
    for number, erratum in enumerate(spec.errata if source is not None else ()):
        if erratum.finding == finding and source is not None:
            start, end = entry_lines(source, ("errata", number))
            return old[:start] + entry + old[end:]
    return f"{old.rstrip()}\n\n{entry}" if old.strip() else entry


def _refuse_spoilt(system: str, old: str, new: str) -> None:
    """Whatever is written must read back as what was there, and the entry. Raises CheckError otherwise."""
    try:
        before, after = _findings(tomllib.loads(old)), _findings(tomllib.loads(new))
    except tomllib.TOMLDecodeError as error:
        hint = "Write each of its entries under a heading [[errata]] of its own."
        raise CheckError(f"{system}/{ERRATA_NAME} cannot take an entry: {error}", hint=hint) from error
    if not set(before) <= set(after) or len(after) not in (len(before), len(before) + 1):
        raise CheckError(f"{system}/{ERRATA_NAME} cannot take an entry", hint="Add it by hand.")


def _findings(data: Mapping[str, Any]) -> Sequence[str]:
    return [entry["finding"] for entry in data.get("errata", [])]
