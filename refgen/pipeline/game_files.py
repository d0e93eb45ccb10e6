"""The files that commands write beside system.toml: errata.toml and pins.toml.

In: the check report of a game, the id of a finding, and the reason why it is accepted; or a game without errors, whose
numbers are pinned that no formula computes. Out: the file, written whole or not at all. The rest of
errata.toml stays as it is. Files of the bundled games are never written.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from refgen.catalog import did_you_mean
from refgen.checks.errata import ERRATA_NAME, ROUNDING, load_errata
from refgen.checks.finding import CheckReport, Finding, FindingKind, Print
from refgen.checks.pins import PINS_NAME, Pins, PinsSpec, load_pins
from refgen.errors import CheckError
from refgen.export.model import toml_string
from refgen.export.toml_text import toml_entry, toml_lines
from refgen.files import bundled_folder, path_inside
from refgen.pipeline.operating_system import write_whole
from refgen.rules.model import Ruleset
from refgen.rules.places import entry_lines


def refuse_bundled(game: str, folder: Path, what: str) -> None:
    """Raises CheckError for a bundled game, whose folder is refgen's own."""
    if folder.resolve().is_relative_to(bundled_folder("content").resolve()):
        hint = f"Copy {folder} into a project of your own."
        raise CheckError(f"{game} is bundled with refgen: its {what} are not yours to write", hint=hint)


SCHEMAS_FOLDER = ".schemas"
"""The folder, in that of the project, of the schemas that the files of the project name for editors."""


def _schema_line(root: Path | None, folder: Path, name: str) -> str:
    """The line by which editors find the schema of a file in ``folder``; "" in a project that keeps no schemas.

    The schema is written into the folder of the schemas of the project in ``root``.
    """
    if root is None or not (root / SCHEMAS_FOLDER).is_dir():
        return ""
    from refgen.pipeline.schemas import SCHEMA_NAMES, schema_bytes  # loads the models of all files

    place = path_inside(root, f"{SCHEMAS_FOLDER}/{SCHEMA_NAMES[name]}.json")
    write_whole(place, schema_bytes(SCHEMA_NAMES[name]))
    return f"#:schema {Path(os.path.relpath(place, folder.resolve())).as_posix()}\n"


ERRATA_HEAD = "# Findings of `refgen check` that are accepted, each with the reason.\n"


def accept(
    report: CheckReport, folder: Path, finding: str, reason: str, prints: Print, root: Path | None = None
) -> Path:
    """Write the erratum of a finding, in place of a lapsed erratum of the same finding.

    A new file names its schema where the project in ``root`` keeps schemas.

    ``finding`` may be "<check>/rounding", for all cells of a check that are rounded otherwise than the rest. Raises
    CheckError for an unknown or accepted finding, and for a bundled game, whose folder is refgen's own.
    """
    refuse_bundled(report.system, folder, "errata")
    found = _named_findings(report, finding)
    path = folder / ERRATA_NAME
    known = path.exists()
    old = path.read_text(encoding="utf-8") if known else _schema_line(root, folder, ERRATA_NAME) + ERRATA_HEAD
    new = _replace_entry(folder, old, finding, _entry(finding, found, reason, prints))
    _refuse_spoilt(report.system, old, new)
    write_whole(path, new.encode())
    return path


_OF_DOCUMENTS = (FindingKind.NUMBER, FindingKind.ROUNDING, FindingKind.STRUCTURE, FindingKind.NAME)
"""The kinds of findings that the author of a document may explain; questions of other kinds can be answered too."""

_TAKEN = (FindingKind.PIN,)
"""The kinds of questions that are answered otherwise than by an erratum."""


def _named_findings(report: CheckReport, finding: str) -> Sequence[Finding]:
    """The findings that an id stands for. Raises CheckError where none of them can be accepted."""
    check, _, last = finding.rpartition("/")
    every = [one for found in report.findings for one in (found, *found.rivals, *found.effects)]
    of_id = [found for found in every if finding in (found.id, *found.also)]
    if last == ROUNDING and not of_id:
        odd = (found for found in report.findings if found.kind is FindingKind.ROUNDING)
        of_id = [found for found in odd if found.id.startswith(f"{check}/")]
    if of_id and all(found.accepted is not None for found in of_id):
        raise CheckError(f"{finding} is accepted already", hint=f"Its erratum stands in {report.system}/{ERRATA_NAME}.")
    can_be = [found for found in of_id if found.kind in _OF_DOCUMENTS or (found.is_asked and found.kind not in _TAKEN)]
    if of_id and not can_be:
        hint = f"`refgen check {report.system} --pin` takes it as it is." if of_id[0].kind in _TAKEN else ""
        raise CheckError(f"{finding} is nothing to accept: mend what it says", span=of_id[0].span, hint=hint)
    if not can_be:
        hint = did_you_mean(finding, [found.id for found in report.open], "`refgen check` shows the findings.")
        raise CheckError(f'{report.system} has no finding "{finding}"', hint=hint)
    return can_be


def _entry(finding: str, found: Sequence[Finding], reason: str, prints: Print) -> str:
    keys: dict[str, Any] = {"finding": finding}
    if finding in (found[0].id, *found[0].also):
        keys |= {"printed": found[0].printed, "computed": found[0].computed}
    else:
        names = [one.id.removeprefix(finding.removesuffix(ROUNDING)) for one in found]
        keys["cells"] = [
            {"cell": name, "printed": one.printed, "computed": one.computed}
            for name, one in zip(names, found, strict=True)
        ]
    keys |= {"reason": reason.strip(), "print": prints}
    return "".join(f"{line}\n" for line in ("[[errata]]", *toml_lines(keys)))


def _replace_entry(folder: Path, old: str, finding: str, entry: str) -> str:
    """The text of the file with an entry in place of the old entry for the same finding, or at the end."""
    spec, source = load_errata(folder)
    for number, erratum in enumerate(spec.errata if source is not None else ()):
        if erratum.finding == finding and source is not None:
            start, end = entry_lines(source, ("errata", number))
            return old[:start] + entry + old[end:]
    return f"{old.rstrip()}\n\n{entry}" if old.strip() else entry


def _refuse_spoilt(system: str, old: str, new: str) -> None:
    """Raise CheckError unless the new text reads back as the entries of the old text and one entry more at most."""
    try:
        before, after = _findings(tomllib.loads(old)), _findings(tomllib.loads(new))
    except tomllib.TOMLDecodeError as error:
        hint = "Write each of its entries under a heading [[errata]] of its own."
        raise CheckError(f"{system}/{ERRATA_NAME} cannot take an entry: {error}", hint=hint) from error
    if not set(before) <= set(after) or len(after) not in (len(before), len(before) + 1):
        raise CheckError(f"{system}/{ERRATA_NAME} cannot take an entry", hint="Add it by hand.")


def _findings(data: Mapping[str, Any]) -> Sequence[str]:
    return [entry["finding"] for entry in data.get("errata", [])]


PINS_HEAD = """\
# The numbers that proof.toml says are pinned, and what stands beside names of rows, as they were last pinned.
# `refgen check {game} --pin` rewrites this file.
"""


def pin(ruleset: Ruleset, folder: Path, root: Path | None = None) -> Path:
    """Write pins.toml again; for another edition of the document, only the pins that differ from the game's own.

    The file names its schema where the project in ``root`` keeps schemas.

    Raises CheckError for a bundled game, whose folder is refgen's own, RulesError for a malformed pins.toml.
    """
    refuse_bundled(ruleset.id, folder, "pins")
    path = folder / PINS_NAME
    write_whole(path, (_schema_line(root, folder, PINS_NAME) + pins_text(ruleset, folder)).encode())
    return path


def pins_text(ruleset: Ruleset, folder: Path) -> str:
    """The whole pins.toml of a game: the pins of the document that was read, and those of other editions."""
    loaded = load_pins(folder)
    pins = (loaded[0] if loaded else PinsSpec()).with_pins(ruleset)
    of_editions = (entry for name, some in pins.editions.items() for entry in _entries(some, f"editions.{name}."))
    return "\n".join((PINS_HEAD.format(game=ruleset.id), *_entries(pins), *of_editions))


def _entries(pins: Pins, before: str = "") -> Iterator[str]:
    if pins.facts:
        yield toml_entry(f"{before}facts", pins.facts)
    for table, rows in pins.tables.items():
        yield toml_entry(f"{before}tables.{table}", {toml_string(name): row for name, row in rows.items()})
