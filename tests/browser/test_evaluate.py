"""The one script that works formulas and dice out, under node: the answers of Python, for texts at random."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

from refgen.characters.expression import Expressions, named_data
from refgen.characters.formula import BLANK, FormulaResult, KnownName, compile_formula, number_value
from refgen.characters.sheet import Rule
from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.marks import COMPARING, DASHES, DOTS, SLASHES, TIMES, WAVES
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.readings import ambiguity_notes
from refgen.resolver.dice.distribution import Distribution
from refgen.words import ENGLISH
from tests.browser.random_dice import expressions
from tests.browser.random_formulas import NAMES, formulas
from tests.browser.test_dice import agrees, by_resolver, follows_elsewhere
from tests.conftest import game

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed: Chromium runs the same scripts")

HOW_MANY = [400, pytest.param(10_000, marks=pytest.mark.soak)]

DICE = """(text) => {
  const { outcomes, weights, low, high, residue, moments } = DiceOdds.odds(text);
  const known = moments && [moments.mean, moments.square].map(exactText);
  const [written, left] = [DiceNotation.inOneSpelling(text), [residue.above, residue.below].map(String)];
  const readings = DiceNotation.readings(text);
  return { outcomes, weights: weights.map(String), low, high, residue: left, moments: known, written, readings };
}"""

FORMULA = """([named, step]) => {
  const scope = new Scope(step, named, {});
  try {
    return [exactText(scope.number(step.is)), scope.bound];
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    if (error instanceof Unknown) return "unknown";
    throw error;
  }
}"""

VALUES = [
    {
        "might": number_value(7),
        "grace": number_value(Fraction(-5, 2)),
        "load": number_value(100, ">"),
        "luck": number_value(0),
    },
    {"might": number_value(-3), "grace": number_value(2), "load": number_value(4, "<"), "luck": BLANK},
    {
        "might": number_value(1),
        "grace": number_value(Fraction(1, 3)),
        "load": number_value(0),
        "luck": number_value(2, "~"),
    },
]


def under_node(script: str, names: Sequence[str], asked: Sequence[object]) -> Any:
    """What a function of some scripts gives for each of what it is asked; what it throws is {"error": …}."""
    assert NODE is not None
    sources = [
        (bundled_folder("templates") / "js" / f"{name}.js").read_text(encoding="utf-8") for name in ("words", *names)
    ]
    sources.insert(1, f"Words.load({json.dumps(ENGLISH.for_scripts(''))});")
    each = (
        f"""(one) => {{ try {{ return ({script})(one); }} catch (error) {{ return {{ error: error.message }}; }} }}"""
    )
    asks = f'JSON.parse(require("fs").readFileSync(0, "utf8")).map({each})'
    program = "\n".join([*sources, f"process.stdout.write(JSON.stringify({asks}));"])
    with NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:  # too long for an argument
        file.write(program)
        file.flush()
        done = subprocess.run([NODE, file.name], input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)


TOO_MUCH = "refgen works out at most"


def is_told_otherwise(text: str, said: dict[str, Any], rolled: Distribution | str) -> bool:
    """Whether both refuse a roll at another step, or follow it: the page goes through broken numbers at one go."""
    are_both_too_much = isinstance(rolled, str) and TOO_MUCH in rolled and TOO_MUCH in said.get("error", "")
    return are_both_too_much or follows_elsewhere(text, said, rolled)


@pytest.mark.slow
@pytest.mark.parametrize("count", HOW_MANY)
def test_dice_come_to_what_python_says(count: int) -> None:
    texts = list(expressions(Random(count), count))
    names = ["rational", "evaluate", "roll"]
    names = [
        *(f"formula/{name}" for name in names),
        *(f"dice/{name}" for name in ("notation", "combine", "bounds", "evaluate")),
    ]
    answers = list(zip(texts, under_node(DICE, names, texts), strict=True))
    spelled = [(text, said.pop("written")) for text, said in answers if "written" in said]
    noted = [(text, said.pop("readings")) for text, said in answers if "readings" in said]
    differ = [(text, said) for text, said in answers if not agrees(said, by_resolver(text))]
    assert [(text, said) for text, said in differ if not is_told_otherwise(text, said, by_resolver(text))] == []
    assert len(differ) < count / 500
    assert [(text, written) for text, written in spelled if written != in_one_spelling(text)] == []
    assert [(text, notes) for text, notes in noted if notes != ambiguity_notes(text)] == []
    assert sum("error" in said for _, said in answers) > count / 20


ROWS = [
    "１〜３",
    "1~3",
    "1…3",
    "1...3",
    "01..03",
    "1-3.",
    "3-",
    "≤3",
    "1/2",
    "1&2",
    "1 or 2",
    "1 or 3",
    "1 2",
    "1 to 3",
]
MARKS = (
    [f"2d6{dash}1" for dash in DASHES]
    + [f"3d6 in 7{sign}9" for sign in f"{WAVES}{DOTS}～"]
    + [f"3d6 {sign} 7" for sign in COMPARING]
    + [f"d6{sign}10" for sign in f"{TIMES}·⋅"]
    + [f"floor(3d6{sign}2)" for sign in f"{SLASHES}÷"]
    + [
        "１ｄ６",
        "３Ｄ６－１",
        "3d6 in ７～９",
        "d6+10²",
        "d6+１０²",
        "2³+d6",
        "d6²",
        "1d10²",
        "10⁻²+d6",
        "d6+1½",
        "floor(d6×¹⁄₂)",
        "d6½",
    ]
    + [f'map(d6, "{row}: 1, 9: 2")' for row in ROWS]
)
"""Formulas with each mark of print that is another sign of a keyboard."""


@pytest.mark.slow
def test_every_mark_of_print_is_what_python_takes_it_for() -> None:
    names = [f"formula/{name}" for name in ("rational", "evaluate", "roll")]
    names += [f"dice/{name}" for name in ("notation", "combine", "bounds", "evaluate")]
    answers = list(zip(MARKS, under_node(DICE, names, MARKS), strict=True))
    assert [(text, said) for text, said in answers if not agrees({**said}, by_resolver(text))] == []
    spelled = [(text, said["written"]) for text, said in answers if "written" in said]
    assert [(text, written) for text, written in spelled if written != in_one_spelling(text)] == []


def by_python(text: str) -> tuple[Mapping[str, Any], list[list[str] | None]]:
    """The expression of a formula, and its answer for each of the values; None where there is no answer."""
    own = compile_formula(game("harmonies"), Rule(text), {name: KnownName(name) for name in NAMES}, "random")
    found: list[list[str] | None] = []
    for values in VALUES:
        try:
            answer = own.work_out(values, {})
        except RefgenError:
            found.append(None)
        else:
            found.append([str(answer.value), answer.bound] if isinstance(answer, FormulaResult) else None)
    return Expressions(own, {}).whole(), found


@pytest.mark.slow
@pytest.mark.parametrize("count", HOW_MANY)
def test_formulas_of_a_sheet_come_to_what_python_says(count: int) -> None:
    texts = list(formulas(Random(count), count))
    named = [{name: named_data(value) for name, value in values.items()} for values in VALUES]
    answers = [by_python(text) for text in texts]
    asked = [(values, step) for step, _ in answers for values in named]
    said = under_node(FORMULA, ["formula/rational", "formula/evaluate"], asked)
    expected = [(text, answer) for text, (_, found) in zip(texts, answers, strict=True) for answer in found]
    differ = [
        (text, right, one) for (text, right), one in zip(expected, said, strict=True) if one not in (right, "unknown")
    ]
    assert differ == [], "\n".join(map(str, differ))
    assert said.count("unknown") < len(said) / 10
    assert said.count(None) > len(said) / 50
