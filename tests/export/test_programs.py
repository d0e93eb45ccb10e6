"""Exports in the programs that they are for, or in the public parts of them: on npm and in Debian, with their versions.

``make soak`` runs these; each is skipped where npm or Lua is missing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from refgen.checks.run import check
from refgen.export.deck import deck_data, journal_data, roll_table_data
from refgen.export.roll_tables import ROLL_TEXTS, make_roll_table
from refgen.export.sarif import sarif_report
from refgen.files import bundled_folder
from tests.checks.small import checked
from tests.conftest import SYSTEMS, computed, game, ours, public_game
from tests.sharing import shared

pytestmark = pytest.mark.soak

SARIF = "@microsoft/sarif-multitool@5.7.0"
CLI = "@foundryvtt/foundryvtt-cli@3.0.3"
TYPES, TYPESCRIPT = "fvtt-types@13.346.0-beta.20251209192131", "typescript@5.9.3"
RULES = "Sarif;Ghas"
"""The rules of the standard, and those of GitHub Advanced Security."""


def run(*command: str | Path, folder: Path, text: str = "") -> str:
    """What a program says, which must end without an error."""
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _install(package: str, folder: Path) -> None:
    folder.mkdir()
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    run("npm", "install", "--silent", "--no-audit", "--no-fund", package, folder=folder)


def installed(package: str) -> Path:
    """A folder with a package of npm in its node_modules."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    return shared(package.replace("/", "-"), partial(_install, package))


def roll_tables(form: str) -> Iterator[tuple[str, str]]:
    """All printed tables of the five games that can be rolled on, in a form, each with its place."""
    for system in SYSTEMS:
        loaded = game(system)
        for table in loaded.ruleset.printed_tables:
            if loaded.table_roll(table):
                yield f"{system}/{table.id}", ROLL_TEXTS[form](loaded, table)


def decks() -> Mapping[str, Any]:
    return {system: deck_data(game(system), public_game(system).deck()) for system in SYSTEMS}


def test_sarif_keeps_the_rules_of_the_standard_and_of_github(tmp_path: Path) -> None:
    multitool = installed(SARIF) / "node_modules" / "@microsoft" / "sarif-multitool-linux" / "Sarif.Multitool"
    (tmp_path / "failed").mkdir()
    failed = checked(tmp_path / "failed", ("50%", "half: 50%"))
    reports = [failed, *(check(ours(system), computed(system)) for system in SYSTEMS)]
    folders = {"crossing": tmp_path / "else where" / "crossing"} | {
        system: bundled_folder("content") / system for system in SYSTEMS
    }
    path, judged = tmp_path / "check.sarif", tmp_path / "judged.sarif"
    path.write_text(json.dumps(sarif_report(reports, folders)), encoding="utf-8")
    run(multitool, "validate", path, "--rule-kind", RULES, "--output", judged, folder=tmp_path)
    (judgement,) = json.loads(judged.read_text(encoding="utf-8-sig"))["runs"]
    assert [f"{one['ruleId']}: {one['message']}" for one in judgement["results"]] == []


COMPILED = {
    "files": ["data.mts"],
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "skipLibCheck": True,
        "types": [],
        "module": "nodenext",
        "target": "es2024",
        "lib": ["es2024", "dom", "dom.iterable"],
    },
}


def test_the_types_of_foundry_13_know_roll_tables_and_journals(tmp_path: Path) -> None:
    compiler = installed(TYPESCRIPT) / "node_modules" / "typescript" / "bin" / "tsc"
    packed = run("npm", "pack", "--silent", TYPES, folder=tmp_path).strip()
    with tarfile.open(tmp_path / packed) as archive:
        archive.extractall(tmp_path / "node_modules", filter="data")
    (tmp_path / "node_modules" / "package").rename(tmp_path / "node_modules" / "fvtt-types")
    tables = [*(json.loads(text) for _, text in roll_tables("foundry")), *map(roll_table_data, decks().values())]
    for table in tables:
        for result in table["results"]:
            assert result.pop("text")  # which Foundry 12 has alone
    journals = json.dumps([journal_data(deck) for deck in decks().values()])
    lines = [
        'import type {} from "fvtt-types";',
        f"export const tables: RollTable.CreateData[] = {json.dumps(tables)};",
        f"export const journals: JournalEntry.CreateData[] = {journals};".replace(
            '"format": 1', '"format": CONST.JOURNAL_ENTRY_PAGE_FORMATS.HTML'
        ),
    ]
    (tmp_path / "data.mts").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "tsconfig.json").write_text(json.dumps(COMPILED), encoding="utf-8")
    run("node", compiler, "--project", tmp_path, folder=tmp_path)


PACK = """
import { compilePack, extractPack } from "@foundryvtt/foundryvtt-cli";
await compilePack(process.argv[2], process.argv[3], { log: false });
await extractPack(process.argv[3], process.argv[4], { log: false });
"""


def keyed(data: Mapping[str, Any], kind: str, parts: str, key: str) -> dict[str, Any]:
    """Data as a compendium holds it: each document and its parts with the ids that Foundry gives at an import."""
    inner = [
        {**part, "_id": f"{number:016}", "_key": f"!{kind}.{parts}!{key}.{number:016}"}
        for number, part in enumerate(data[parts])
    ]
    return {**data, parts: inner, "_id": key, "_key": f"!{kind}!{key}"}


def test_a_compendium_of_foundry_holds_roll_tables_and_journals_whole(tmp_path: Path) -> None:
    folder, source, out = installed(CLI), tmp_path / "source", tmp_path / "out"
    source.mkdir()
    documents: Sequence[dict[str, Any]] = [
        *(
            keyed(json.loads(text), "tables", "results", f"table{number:011}")
            for number, (_, text) in enumerate(roll_tables("foundry"))
        ),
        *(
            keyed(roll_table_data(deck), "tables", "results", f"deck{number:012}")
            for number, deck in enumerate(decks().values())
        ),
    ]
    journals = [
        keyed(journal_data(deck), "journal", "pages", f"cards{number:011}")
        for number, deck in enumerate(decks().values())
    ]
    for document in [*documents, *journals]:
        (source / f"{document['_id']}.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "pack.mjs").write_text(PACK, encoding="utf-8")
    run("node", folder / "pack.mjs", source, tmp_path / "pack", out, folder=folder)
    found = [json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*.json")]
    wanted = [*documents, *({**journal, "categories": []} for journal in journals)]
    assert {one["_id"]: one for one in found} == {one["_id"]: one for one in wanted}


TABLETOP = """
local menu, said = {}, {}
self = { addContextMenuItem = function(label, call) menu[label] = call end, getName = function() return "Table" end }
function broadcastToAll(text) said[#said + 1] = text end
local number, total = 0, 0
math.random = function(most) total = most; number = number + 1; return number end
"""
ROLLS = """
onLoad()
for label, call in pairs(menu) do
  repeat call() until number == total
  print(label)
end
for _, text in ipairs(said) do print(text) end
"""


def test_the_script_of_a_notecard_draws_each_row_by_its_weight(tmp_path: Path) -> None:
    if shutil.which("lua5.2") is None:
        pytest.skip("lua5.2 is not installed")
    for place, text in roll_tables("tts"):
        system, _, table = place.partition("/")
        made = make_roll_table(game(system), game(system).tables[table])
        (card,) = json.loads(text)["ObjectStates"]
        label, *said = run("lua5.2", "-", folder=tmp_path, text=TABLETOP + card["LuaScript"] + ROLLS).splitlines()
        assert label == f"Roll {made.formula}"
        rows = Counter({f"Table ({row.results}): {row.words()}": row.weight for row in made.rows})
        assert Counter(said) == rows, place
