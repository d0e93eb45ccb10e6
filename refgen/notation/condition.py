"""Conditions on traits as documents print them.

In: "Power - Authority >= +2", "Consent / Power <= Poor", "Tolerance <= Terrible and Prevalence >= Mediocre", and the
ladder that gives level names their numbers. Out: a Condition, and back from it: plain words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from refgen.notation.grammar import Language, parse
from refgen.notation.level import Ladder
from refgen.notation.values import Comparison, Condition, Level, Relation
from refgen.suggestion import typo_of

if TYPE_CHECKING:
    from lark import Token

GRAMMAR = r"""
start: clause (_AND clause)*
clause: side ("/" side)* RELATION side
side: term (_MINUS term)*
?term: WORDS | NUMBER
_AND: /and\b/i
_MINUS: /[-−]/
RELATION: />=|<=|[≥≤<>=]/
NUMBER: /[-+−]?\d{1,4}/
WORDS: /(?!(?:and|or)\b)[^\W\d_][\w']*(?: +(?!(?:and|or)\b)[^\W\d_][\w']*)*/i
%ignore /\s+/
"""
"""A side is a difference; sides parted by "/" are alternatives. Longer numbers than four digits are no levels, and "or"
is no part of a name: whether it parts traits or comparisons would be a guess."""

_PLAIN_RELATION = {"≥": ">=", "≤": "<="}
_MIRRORED: dict[Relation, Relation] = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "="}
_IN_WORDS: dict[Relation, str] = {
    ">=": "at {} or higher",
    "<=": "at {} or lower",
    ">": "above {}",
    "<": "below {}",
    "=": "at exactly {}",
}
_SIGNED_WORD = {True: "plus", False: "minus"}

_Signed = tuple[int, "Token"]


LANGUAGE = Language("condition", 'Write conditions like "Wealth <= Poor", "Power - Authority >= +2", joined by "and".')


def read_condition(text: str, ladder: Ladder) -> Condition:
    """Read a condition. Words that are a level of ``ladder`` are its number, all others are the name of a trait.

    Raises NotationError, whose message names the column, for a text that is no condition, for a comparison without
    a trait, and for words compared with that are nearly a level or start with one, which are typos rather than traits.
    """
    return parse(
        LANGUAGE,
        GRAMMAR,
        text,
        lambda tree: Condition(tuple(tuple(_clause(one, text, ladder)) for one in tree.children)),
    )


def _clause(clause: Any, text: str, ladder: Ladder) -> Iterator[Comparison]:
    """The alternatives of a clause, each compared with the same right side."""
    *alternatives, relation, right = clause.children
    for left in alternatives:
        yield _comparison(_terms(left), _relation(str(relation)), _terms(right), text, ladder)


def _relation(printed: str) -> Relation:
    wanted = _PLAIN_RELATION.get(printed, printed)
    return next(known for known in get_args(Relation) if known == wanted)


def _terms(side: Any) -> list[_Signed]:
    """The terms of a difference with their signs."""
    return [(-1 if number else 1, token) for number, token in enumerate(side.children)]


def _comparison(
    left: Sequence[_Signed], relation: Relation, right: Sequence[_Signed], text: str, ladder: Ladder
) -> Comparison:
    """Traits brought to the left, numbers to the right, and the first trait counted as a plus."""
    traits: Counter[str] = Counter()
    number, constants = 0, []
    for sign, token in (*left, *((-sign, token) for sign, token in right)):
        value = _constant(token, ladder)
        if value is None:
            traits[_same_name(str(token), traits)] += sign
        else:
            number -= sign * value.value
            constants.append(value)
    if len(right) == 1:
        _refuse_nearly_a_level(right[0][1], text, ladder)
    counted = tuple((name, count) for name, count in traits.items() if count)
    if not counted:
        raise LANGUAGE.refused(text, left[0][1].column or 1, "no trait is left in this comparison")
    if counted[0][1] < 0:
        counted, relation, number = tuple((name, -count) for name, count in counted), _MIRRORED[relation], -number
    level = constants[0].name if len(constants) == 1 and constants[0].value == number else ""
    return Comparison(counted, relation, number, level)


def _constant(token: Token, ladder: Ladder) -> Level | None:
    """The level or the number that a term stands for; a plain number is a level without a name."""
    if token.type == "NUMBER":
        return Level("", int(token.replace("−", "-")))
    return ladder.find(" ".join(token.split()))


def _same_name(words: str, known: Counter[str]) -> str:
    """A trait by the name it went by before, for names are compared without case."""
    name = " ".join(words.split())
    return next((trait for trait in known if trait.casefold() == name.casefold()), name)


def _refuse_nearly_a_level(token: Token, text: str, ladder: Ladder) -> None:
    if _constant(token, ladder) is not None:
        return
    names = [*(level.name for level in ladder.levels), *ladder.aliases]
    begins = (name for name in names if token.casefold().startswith(f"{name.casefold()} "))
    if (meant := next(begins, None) or typo_of(token, names)) is not None:
        hint = f'Did you mean {meant}? Where it is a trait, write "… - {token}" and compare with 0.'
        raise LANGUAGE.refused(text, token.column or 1, f'"{token}" is not a level of the ladder', hint)


def in_words(condition: Condition) -> str:
    """A condition in plain words: "Consent or Power at Poor or lower"."""
    return ", and ".join(_clause_in_words(clause) for clause in condition.clauses)


def _clause_in_words(clause: Sequence[Comparison]) -> str:
    limits = [_IN_WORDS[part.relation].format(part.level or signed(part.number)) for part in clause]
    if len(set(limits)) == 1:
        return f"{' or '.join(_sum_in_words(part) for part in clause)} {limits[0]}"
    return ", or ".join(f"{_sum_in_words(part)} {limit}" for part, limit in zip(clause, limits, strict=True))


def signed(number: int) -> str:
    """A value of a trait as a number: "+2", "0", "-3"."""
    return f"{number:+d}" if number else "0"


def _sum_in_words(part: Comparison) -> str:
    words: list[str] = []
    for name, count in part.traits:
        words += [_SIGNED_WORD[count > 0]] if words else []
        words.append(name if abs(count) == 1 else f"{abs(count)} {name}")
    return " ".join(words)
