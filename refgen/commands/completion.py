"""The words with which a shell goes on: games, tables, levels, looks, kinds and findings of the project.

In: a command line as far as it is typed. Out: the names that begin as its last word does; none where a project cannot
be read, for nobody who presses a key wants an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain

import click
from click.shell_completion import CompletionItem

import refgen
from refgen.errors import RefgenError

_Names = Callable[[click.Context, str], Iterable[str | CompletionItem]]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _completer(names: _Names) -> Completer:
    """The names, for a parameter of click."""

    def complete(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        found: list[CompletionItem] = []
        with suppress(RefgenError, OSError):
            every = (
                name if isinstance(name, CompletionItem) else CompletionItem(name) for name in names(context, typed)
            )
            found += (item for item in every if item.value.startswith(typed))
        return found

    return complete


def _project(context: click.Context) -> refgen.Project:
    """The project of the command, or the bundled games."""
    asked = context.params
    documents = asked.get("documents") or ()
    return refgen.project(asked.get("folder"), documents, bundled=bool(asked.get("bundled")), names=["any"])


def _game(context: click.Context) -> refgen.Game:
    """The game that the command names, as far as it can be read."""
    return _project(context).partial[context.params.get("game") or ""]


def _games(context: click.Context, _typed: str) -> Iterable[str]:
    return _project(context).games


def _games_or_files(context: click.Context, typed: str) -> Iterator[str | CompletionItem]:
    yield from _games(context, typed)
    yield CompletionItem(typed, type="file")


def _documents(context: click.Context, _typed: str) -> Iterable[str]:
    return (f"{name}=" for name in _project(context).games)


def _tables(context: click.Context, typed: str) -> Iterator[str]:
    project = _project(context)
    yield from project.games
    game = typed.partition("/")[0]
    if game in project.games:
        yield from (f"{game}/{table}" for table in project.partial[game].tables)


def _actions(context: click.Context, _typed: str) -> Iterable[str]:
    return _game(context).actions


def _traits(context: click.Context, _typed: str) -> Iterable[str]:
    return _words_of_actions(context, "trait")


def _difficulties(context: click.Context, _typed: str) -> Iterable[str]:
    return _words_of_actions(context, "difficulty")


def _words_of_actions(context: click.Context, name: str) -> Iterable[str]:
    """The words on an axis of the action that the command names, or of all actions of its game."""
    game = _game(context)
    chosen = [context.params["action"]] if context.params.get("action") else list(game.actions)
    axes = filter(None, (getattr(game.actions[each], name) for each in chosen))
    return dict.fromkeys(entry.shown.shown for entry in chain.from_iterable(axis.entries for axis in axes))


def _levels(context: click.Context, typed: str) -> Iterable[str]:
    trait = typed.partition("=")[0]
    ladders = _game(context).ladders.values()
    return dict.fromkeys(f"{trait}={level.name}" for ladder in ladders for level in ladder.levels)


def _kinds(_context: click.Context, typed: str) -> Iterable[str]:
    from refgen.api import building

    before = typed[: typed.rfind(",") + 1]
    return (f"{before}{name}" for name in building.products() if name not in before.split(","))


def _looks(_context: click.Context, _typed: str) -> Iterable[CompletionItem]:
    return (CompletionItem(name, help=about) for name, about in refgen.Project.looks().items())


def _findings(context: click.Context, _typed: str) -> Iterator[CompletionItem]:
    project = _project(context)
    for name in project.select(context.params.get("games") or ()):
        report = project.check(name)
        yield from (CompletionItem(one.id, help=one.rule) for one in (*report.open, *report.questions))


def _examples(_context: click.Context, _typed: str) -> Iterable[str]:
    from refgen.api.project import example_names

    return example_names()


def _schemas(context: click.Context, typed: str) -> Iterator[str]:
    from refgen.api.schemas import OF_CHARACTERS, schema_names

    yield from schema_names()
    if typed.startswith(OF_CHARACTERS):
        yield from (f"{OF_CHARACTERS}{name}" for name in _project(context).games)


ACTIONS = _completer(_actions)
DIFFICULTIES = _completer(_difficulties)
DOCUMENTS = _completer(_documents)
EXAMPLES = _completer(_examples)
FINDINGS = _completer(_findings)
GAMES = _completer(_games)
GAMES_OR_FILES = _completer(_games_or_files)
KINDS = _completer(_kinds)
LEVELS = _completer(_levels)
LOOKS = _completer(_looks)
SCHEMAS = _completer(_schemas)
TABLES = _completer(_tables)
TRAITS = _completer(_traits)
