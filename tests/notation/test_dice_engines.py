"""docs/dice-engines.toml: what other programs roll for the same text. docs/dice.md shows it, `make soak` rolls anew."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
import venv
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from refgen.errors import RefgenError
from refgen.resolver.rolls import roll

DOCS = Path(__file__).resolve().parents[2] / "docs"
DATA: dict[str, Any] = tomllib.loads((DOCS / "dice-engines.toml").read_text(encoding="utf-8"))
ENGINES: dict[str, dict[str, str]] = DATA["engines"]
NOTATIONS: list[dict[str, Any]] = DATA["notations"]
PAGE = (DOCS / "dice.md").read_text(encoding="utf-8")
SAFE = [one["text"] for one in NOTATIONS if all(one[engine] == "same" for engine in ENGINES)]
SAME_OR_REFUSED = [
    one["text"]
    for one in NOTATIONS
    if one["refgen"] != "refused" and all(one[engine] in ("same", "refused") for engine in ENGINES)
]
REACH = 400
"""How far a roll that goes on is followed: no roll of these programs comes near."""


def _shown(cell: str | dict[str, Any]) -> str:
    """A cell of the page: formulas as code, words as words."""
    if isinstance(cell, dict):
        return str(cell["words"])
    return cell if cell in ("same", "refused") else f"`{cell}`"


def _table(*rows: list[str]) -> str:
    head, *body = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body)).replace("| --- ", "|---")


def test_the_page_shows_the_programs_and_what_each_makes_of_a_text() -> None:
    programs = [[name, one["package"], one["registry"], f"`{one['run']}`"] for name, one in ENGINES.items()]
    assert _table(["program", "package", "from", "run as"], *programs) in PAGE
    notations = [[f"`{one['text']}`", *(_shown(one[engine]) for engine in ("refgen", *ENGINES))] for one in NOTATIONS]
    assert _table(["text", "refgen", *ENGINES], *notations) in PAGE


def test_the_page_names_what_is_safe_everywhere() -> None:
    assert f"Safe everywhere are {', '.join(f'`{text}`' for text in SAFE)}." in PAGE
    assert len(SAFE) >= 7


def test_the_page_names_what_is_refused_by_some_and_never_another_roll() -> None:
    listed = [text for text in SAME_OR_REFUSED if text not in SAFE]
    assert f"Refused by some, and never another roll, are {', '.join(f'`{text}`' for text in listed)}." in PAGE


def test_each_program_answers_some_text_with_another_roll() -> None:
    for engine in ENGINES:
        assert any(one[engine] not in ("same", "refused") for one in NOTATIONS)


@pytest.mark.parametrize("notation", NOTATIONS, ids=lambda notation: str(notation["text"]))
def test_refgen_rolls_what_the_data_say(notation: dict[str, Any]) -> None:
    if notation["refgen"] == "refused":
        with pytest.raises(RefgenError):
            roll(notation["text"])
    else:
        ours, said = roll(notation["text"]), roll(notation["refgen"])
        assert ours.outcomes == said.outcomes
        assert [ours.at_least(number) for number in ours.outcomes] == [
            said.at_least(number) for number in ours.outcomes
        ]


PYTHON = """
import json, random, sys
import d20, dice, xdice

def total(text):
    rolled = dice.roll(text)
    return sum(rolled) if isinstance(rolled, list) else int(rolled)

def rolls(function, times, text):
    random.seed(7)
    try:
        return [function(text) for _ in range(times)]
    except Exception:
        return "refused"

engines = {
    "d20": (lambda text: d20.roll(text).total, 400),
    "dice": (total, 100),
    "xdice": (lambda text: int(xdice.roll(text)), 400),
}
texts = json.load(sys.stdin)
print(json.dumps({name: {text: rolls(*engine, text) for text in texts} for name, engine in engines.items()}))
"""
"""Rolls each text with the programs of PyPI; ``dice`` takes a hundredth of a second for a roll."""

NODE = """
import {readFileSync} from "node:fs";
import {DiceRoll, NumberGenerator} from "@dice-roller/rpg-dice-roller";
import parser from "dice-roller-parser";

let state;
const next = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return mixed ^ (mixed >>> 14);
};
NumberGenerator.generator.engine = {next};
const roller = new parser.DiceRoller(() => (next() >>> 0) / 2 ** 32);
const engines = {
  "rpg-dice-roller": (text) => new DiceRoll(text).total,
  "dice-roller-parser": (text) => roller.rollValue(text),
};
const rolls = (roll, text) => {
  state = 7;
  try {
    return Array.from({length: 400}, () => roll(text));
  } catch {
    return "refused";
  }
};
const texts = JSON.parse(readFileSync(0, "utf8"));
const of = (roll) => Object.fromEntries(texts.map((text) => [text, rolls(roll, text)]));
console.log(JSON.stringify(Object.fromEntries(Object.entries(engines).map(([name, roll]) => [name, of(roll)]))));
"""
"""Rolls each text with the programs of npm, with a generator that begins anew for each text."""


def _run(*command: str | Path, folder: Path, text: str = "") -> str:
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _packages(registry: str) -> list[str]:
    return [one["package"] for one in ENGINES.values() if one["registry"] == registry]


def _rolled(folder: Path) -> dict[str, dict[str, list[float] | str]]:
    """What each program rolls for each text, or "refused", after the programs were installed in a folder."""
    texts = json.dumps([one["text"] for one in NOTATIONS])
    venv.create(folder / "python", with_pip=True)
    python = folder / "python" / "bin" / "python"
    _run(python, "-m", "pip", "install", "--quiet", *_packages("PyPI"), folder=folder)
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    _run("npm", "install", "--silent", "--no-audit", "--no-fund", *_packages("npm"), folder=folder)
    (folder / "roll.mjs").write_text(NODE, encoding="utf-8")
    found = json.loads(_run(python, "-c", PYTHON, folder=folder, text=texts))
    return dict(found | json.loads(_run("node", "roll.mjs", folder=folder, text=texts)))


def _fault(rolls: list[float] | str, cell: str | dict[str, Any], ours: str) -> str:
    """How rolls part from what the data say, "" for nothing: at most two by Kolmogorov and Smirnov (one in 1500)."""
    if isinstance(rolls, str) or cell == "refused":
        return "" if rolls == cell else f"{str(rolls)[:60]}, not {cell}"
    number = len(rolls)
    if isinstance(cell, dict):
        far = abs(fmean(rolls) - cell["mean"]) / (stdev(rolls) / sqrt(number))
        inside = cell["low"] <= min(rolls) and max(rolls) <= cell["high"]
        return "" if inside and far < 4 else f"{min(rolls)} to {max(rolls)}, mean {fmean(rolls)}, not {cell}"
    said = roll(ours if cell == "same" else cell, reach=REACH)
    strange = sorted(set(rolls) - set(said.outcomes))
    apart = max(
        abs(sum(one >= outcome for one in rolls) / number - float(said.at_least(outcome))) for outcome in said.outcomes
    )
    return "" if not strange and apart * sqrt(number) < 2 else f"strange: {strange[:9]}, {apart:.3f} apart from {cell}"


def test_rolls_that_part_from_the_data_are_told() -> None:
    """The comparison itself: dice that the data do not mean are seen."""
    pairs = [float(one + other) for one in range(1, 7) for other in range(1, 7)]
    assert _fault(pairs, "same", "2d6") == _fault(pairs, {"low": 2, "high": 12, "mean": 7}, "") == ""
    assert _fault(pairs, "2d6kh1", "2d6").startswith("strange: [7.0, 8.0")
    assert _fault(pairs * 36, "d11+1", "2d6").startswith("strange: [], 0.")
    assert _fault(pairs, {"low": 2, "high": 12, "mean": 9}, "") != ""
    assert _fault(pairs, "refused", "2d6") != "" != _fault("refused", "same", "2d6")


@pytest.mark.soak
def test_each_program_rolls_what_the_data_say(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    rolled = _rolled(tmp_path)
    faults = {
        (engine, one["text"]): fault
        for engine in ENGINES
        for one in NOTATIONS
        if (fault := _fault(rolled[engine][one["text"]], one[engine], one["refgen"]))
    }
    assert faults == {}
