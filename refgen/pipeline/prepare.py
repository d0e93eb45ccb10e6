"""The aids of a game as data, before any layout.

In: a game, and which kinds of aids are wanted. Out: the aids that could be made, and the errors of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from refgen.aids.kinds import KINDS
from refgen.blocks.spec_file import load_aid_spec
from refgen.checks.errata import load_errata
from refgen.errors import RefgenError, together
from refgen.game.game import Game

SITE, DATA = "site", "data"
"""What a build makes besides aids."""

PRODUCTS = (*KINDS, SITE, DATA)
"""What a build makes: what ``refgen build --only`` takes."""


def of_rules(inputs: Mapping[str, str]) -> dict[str, str]:
    """Of the files of games, those that rules and checks rest on: all but those that describe aids."""
    specs = {kind.spec_name for kind in KINDS.values()}
    return {path: digest for path, digest in inputs.items() if path.partition("/")[2] not in specs}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game with its aids by the names of their kinds, ready to be rendered; ``errors`` are those of aids that fail.

    ``failed`` are the kinds of these. ``others`` are the other games that an aid takes from.
    """

    game: Game
    aids: Mapping[str, Any]
    errors: Sequence[RefgenError]
    others: Mapping[str, frozenset[str]] = field(default_factory=dict)
    failed: Sequence[str] = ()


class Noted(Mapping[str, Game]):
    """Some games, and the ids of those that were asked for."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Game:
        game = self._games[name]
        self.asked.add(game.id)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


NO_INPUTS: Mapping[str, Sequence[Path]] = MappingProxyType({})
"""The files that aids are made of besides their game, by the names of their kinds, where there are none."""


def prepare(
    game: Game,
    folder: Path,
    kinds: Collection[str],
    games: Mapping[str, Game],
    inputs: Mapping[str, Sequence[Path]] = NO_INPUTS,
) -> Prepared:
    """Check a game and make its aids, which may take from other ``games``, and from ``inputs`` by their kinds.

    Raises RefgenError when its tables or checks fail; an aid that fails is only left out.
    """
    if errors := game.check().errors:
        raise together(errors)
    return prepare_aids(game, folder, kinds, games, inputs)


def prepare_aids(
    game: Game,
    folder: Path,
    kinds: Collection[str],
    games: Mapping[str, Game],
    inputs: Mapping[str, Sequence[Path]] = NO_INPUTS,
) -> Prepared:
    """Make the aids of a game, whatever its checks say."""
    aids: dict[str, Any] = {}
    errors: list[RefgenError] = []
    failed: list[str] = []
    others: dict[str, frozenset[str]] = {}
    for name, kind in KINDS.items():
        if name not in kinds or not kind.is_described(folder):
            continue
        noted = Noted(games)
        try:
            aid = kind.make(folder, game, noted, inputs.get(name, ()))
        except RefgenError as error:
            errors.append(error)
            failed.append(name)
        else:
            if aid is not None:
                aids[name] = aid
                others[name] = frozenset(noted.asked - {game.id})
                errors += kind.faults(aid)
    return Prepared(game, aids, errors, others, failed)


def file_errors(folder: Path) -> Iterator[RefgenError]:
    """What is wrong in the files that describe the aids and errata of a game, whatever its rules are."""
    for kind in KINDS.values():
        if kind.spec and kind.has_spec(folder):
            yield from _errors_of(partial(load_aid_spec, folder, kind.spec_name, kind.spec))
    yield from _errors_of(partial(load_errata, folder))


def _errors_of(load: Callable[[], object]) -> Iterator[RefgenError]:
    try:
        load()
    except RefgenError as error:
        yield error
