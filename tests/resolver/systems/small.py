"""Small systems made for the tests: each a page of rules in our own words, and a system.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shutil import copytree

from refgen.game import GameRules, SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from refgen.rules.model import RuleTable
from refgen.span import Span

FOLDER = Path(__file__).resolve().parents[2] / "data" / "systems"


@cache
def small(system: str) -> GameRules:
    """A small system, loaded."""
    return load_ruleset(FOLDER / system, SystemSpec)


@cache
def derived(system: str) -> Mapping[str, RuleTable]:
    """Its computed tables."""
    return ComputedTables(small(system))


def printed(system: str, spans: tuple[Span, ...]) -> list[str]:
    """What stands at some places of a small system's document."""
    text = small(system).document.text
    return [text[span.start : span.end] for span in spans]


def project(folder: Path, *systems: str) -> Path:
    """A project with some of the small systems."""
    for system in systems:
        copytree(FOLDER / system, folder / "content" / system)
    (folder / "refgen.toml").write_text("", encoding="utf-8")
    return folder
