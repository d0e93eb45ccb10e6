"""Inputs at the limits: for each limit files and a command, made for any number, so that a larger number is too much.

In: a number. Out: files by their paths, and the arguments of a command that reads them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil, isqrt
from pathlib import Path
from types import MappingProxyType

import font_source_sans_pro
from PIL import Image

Files = Mapping[str, str | bytes]
FONT = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Black.ttf"
RULES = "# Rules\n\nRoll 6 dice.\n\n| a | b |\n|---|---|\n| one | 2 |\n"
SYSTEM = """title = "Game"
about = "A game at its limits."
document = "rules.md"
accent = "#123456"
source = "Tests"

[tables]
odds = { title = "Odds", header = ["a", "b"], columns = [{ id = "a" }, { id = "b", type = "number" }] }
"""
SHEET = 'title = "Sheet"\nwho = ["Name", "Notes"]\n'
SITE = ("build", "game", "--only", "site", "-q", "--jobs", "1")


@dataclass(frozen=True, slots=True)
class AtLimit:
    """The files for a number, and the command that reads them; with ``more`` than the limit they are too much."""

    files: Callable[[int], Files]
    command: Callable[[int], Sequence[str]] = lambda _: ("check", "game")
    more: int = 1


def document(name: str, text: Callable[[int], str], more: int = 1) -> AtLimit:
    """A document that is read on its own."""
    return AtLimit(lambda number: {name: text(number)}, lambda _: ("read", name, "--sections"), more)


def odds(dice: Callable[[int], str], more: int = 1) -> AtLimit:
    return AtLimit(lambda _: {}, lambda number: ("odds", dice(number)), more)


def game(system: str = "", rules: str = RULES, files: Files = MappingProxyType({})) -> Files:
    """A game with more in its system.toml, and with other files."""
    return {"refgen.toml": "", "content/game/system.toml": SYSTEM + system, "content/game/rules.md": rules, **files}


def grid(keys: str, rows: str, kind: str = "derived.grid", title: str = "Grid") -> str:
    """A computed table, or an explorer."""
    return f'\n[{kind}]\ntitle = "{title}"\nrule = "A rule."\nrows = [{rows}]\n{keys}\n'


def axis(name: str, high: int) -> str:
    return f'{{ id = "{name}", title = "{name}", low = "1", high = "{high}" }}'


def column(formula: str) -> str:
    return f'{{ id = "c{len(formula)}", title = "C", show = "number", formula = "{formula}" }}'


def table(formula: str, rows: int = 3, keys: str = "") -> str:
    """A computed table of one formula."""
    return grid(f"{keys}\ncolumns = [{column(formula)}]", axis("n", rows))


def computed(formula: Callable[[int], str]) -> AtLimit:
    """A game with a computed table of one formula."""
    return AtLimit(lambda number: game(table(formula(number))))


TWO_COLUMNS = f"columns = [{column('chance(3d6 + {n} >= {m})')}, {column('{n} * {m}')}]"


def cells(number: int) -> str:
    """A table of ten columns, with at least so many cells."""
    return "|a" * 10 + "\n" + "|-" * 10 + "\n" + ("|1" * 10 + "\n") * (ceil(number / 10) - 1)


def marks(number: int) -> str:
    """Paragraphs of nothing but markup, with so many signs."""
    whole, rest = divmod(number, 18)
    return ("*a **b* `c` [d](e) <h> &amp; " * 2 + "\n\n") * whole + "*" * rest


def elements(number: int) -> str:
    """DocBook in which so many elements stand in one another."""
    deep = "<section>" * (number - 2) + "<para>a</para>" + "</section>" * (number - 2)
    return f"<article>{deep * 100}</article>"


def entities(number: int) -> str:
    """DocBook whose entity stands for so many letters, wherever it is named."""
    return f'<!DOCTYPE a [<!ENTITY e "0123456789">]><a><title>A</title><para>{"&e; " * (number // 10)}</para></a>'


def mentions(number: int) -> str:
    """A table whose formula mentions others so often, at any depth."""
    elevens, ones = divmod(number, 11)
    named = {"a": "1", "b": "+".join(["{a}"] * 10), "c": "+".join(["{b}"] * elevens + ["{a}"] * ones)}
    let = ", ".join(f'{name} = "{text}"' for name, text in named.items())
    return table("{c}", keys=f"let = {{ {let} }}")


def sentence(number: int) -> Files:
    """A fact whose sentence names others."""
    names = [f"f{place}" for place in range(number)]
    rest = "".join(f'{name} = {{ title = "{name}" }}\n' for name in names[1:])
    text = " ".join(f"{{{name}}}" for name in names)
    rules = f"{RULES}\n{' '.join(map(str, range(number)))}\n"
    return game(f'\n[facts]\nf0 = {{ title = "F", text = "{text}" }}\n{rest}', rules)


def facts(number: int) -> Files:
    """A system.toml of so many letters, with a fact in each line."""
    lines = [
        f'f{place} = {{ title = "Fact {place}", text = "Roll {{f{place}}} dice" }}\n' for place in range(number // 64)
    ]
    text = "\n[facts]\n" + "".join(lines)
    return game(text + "#" * (number - len(SYSTEM) - len(text)))


def pattern(text: str) -> Files:
    return game(f"\n[facts]\nfact = {{ title = 'Fact', pattern = '{text}' }}\n")


def walk(end: int, move: str, ask: str = "steps(walk)", die: str = "d2", keys: str = "") -> str:
    """A chain from state 0 to an end, and a table that asks it."""
    chain = f'throws = {{ die = "{die}" }}\nstate = {{ at = "0" }}\nnext = {{ at = "{move}" }}\nend = "{{at}} >= {end}"'
    return f'\n[chains.walk]\ntitle = "Walk"\n{chain}\n{keys}\n' + table(ask)


THERE_AND_BACK = "if({die} == 1, max({at} - 1, 0), {at} + 1)"
CHAIN_OF_ANY_LENGTH = """
[chains.walk]
title = "Walk"
throws = { die = "d2" }
let = { n = "1" }
state = { at = "0" }
next = { at = "{at} + {die}" }
end = "{at} >= {n}"
"""


def explored_chains(number: int) -> str:
    rows = f"{axis('n', 50)}, {axis('m', number // 50)}"
    return CHAIN_OF_ANY_LENGTH + grid(f"columns = [{column('steps(walk) + {m}')}]", rows, "explorers.grid")


def track(count: int = 2, low: int = 1) -> str:
    keys = f'boxes = {{ id = "kind", numbers = [1] }}\ncount = "{count}"\nlow = "{low}"'
    shown = 'kind = "track"\ntitle = "Boxes"\nrule = "A rule."\ntrack = "wounds"'
    return f'\n[tracks.wounds]\ntitle = "Wounds"\n{keys}\n[derived.boxes]\n{shown}\n'


def deck(number: int) -> Files:
    counts = [200] * (number // 200) + [number % 200] * bool(number % 200)
    card = '[[cards]]\ntitle = "Card {}"\ncount = {}\nblocks = [{{ text = "Words." }}]\n'
    return game(
        files={"content/game/cards.toml": "".join(card.format(place, count) for place, count in enumerate(counts))}
    )


def characters(text: Callable[[int], str]) -> AtLimit:
    """A game with a spreadsheet of characters."""
    return AtLimit(
        lambda number: game(files={"content/game/sheet.toml": SHEET, "content/game/characters/all.csv": text(number)})
    )


def rows_of_characters(number: int) -> str:
    count = (number - 11) // 256
    text = "Name,Notes\n" + "".join(f"{f'Character {place},':<20}{'notes ' * 39} \n" for place in range(count))
    return text + "\n" * (number - len(text))


def picture(width: int, height: int, *, noise: bool = False) -> bytes:
    """A picture in one colour, or of noise that nothing makes smaller."""
    made = BytesIO()
    image = Image.new("RGB", (width, height))
    if noise:
        image = Image.frombytes("RGB", (width, height), random.Random(1).randbytes(width * height * 3))
    image.save(made, "PNG")
    return made.getvalue()


def look(key: str, name: str, data: Callable[[int], bytes], more: int = 1) -> AtLimit:
    """A game with a font or a picture of its own."""
    return AtLimit(
        lambda number: game(files={"content/game/look.toml": key, f"content/game/{name}": data(number)}), more=more
    )


def template(number: int) -> str:
    head, end = "{% block footer %}", "{% endblock %}"
    words = "{{ page.title }} " * ((number - len(head) - len(end)) // 17)
    return head + words + " " * (number - len(head) - len(end) - len(words)) + end


AT_LIMITS: Mapping[str, AtLimit] = {
    "file_bytes": characters(rows_of_characters),
    "document_letters": document(
        "rules.md",
        lambda number: ("- The quick brown fox rolls 3d6, then adds its *skill* to all.\n" * (number // 60))[:number],
    ),
    "document_lines": document("rules.md", lambda number: "> - > - a\n" * number),
    "document_marks": document("rules.md", marks),
    "entity_letters": document("rules.xml", entities, 10),
    "table_columns": document(
        "rules.md", lambda number: "|a" * number + "\n" + "|-" * number + "\n" + ("|1" * number + "\n") * 90
    ),
    "table_cells": document("rules.md", cells),
    "nesting": document("rules.md", lambda number: ("> " * (number - 1) + "words\n\n") * 5_000),
    "bracket_letters": document("rules.md", lambda number: "[" * isqrt(number), more=10**10),
    "xml_depth": document("rules.xml", elements),
    "value_letters": AtLimit(lambda number: game(rules=RULES + f"| two | {'7' * number} |\n")),
    "toml_letters": AtLimit(facts),
    "toml_depth": AtLimit(lambda number: game("\n[deep]\nkey = " + "[" * (number - 1) + "]" * (number - 1))),
    "title_letters": AtLimit(
        lambda number: game(grid(TWO_COLUMNS, f"{axis('n', 3)}, {axis('m', 3)}", title="t" * number))
    ),
    "pattern_letters": AtLimit(lambda number: pattern("Roll ([0-9]+) dice" + "|" + "x" * (number - 19))),
    "pattern_depth": AtLimit(lambda number: pattern("(?:" * number + "Roll" + ")" * number + " ([0-9]+) dice")),
    "pattern_bytes": AtLimit(
        lambda number: pattern(rf"Roll ([0-9]+) dice(?:\p{{L}}{{{number // 20_000}}})?"), more=2_000_000
    ),
    "sentence_names": AtLimit(sentence),
    "formula_letters": computed(lambda number: ("1" + "+1" * ((number - 1) // 2)).ljust(number)),
    "formula_depth": computed(lambda number: "abs(" * number + "1" + ")" * number),
    "formula_mentions": AtLimit(lambda number: game(mentions(number))),
    "cell_letters": characters(lambda number: "Name,Notes\nSomebody," + "x" * number + "\n"),
    "cards": AtLimit(deck),
    "template_letters": AtLimit(lambda number: game(files={"content/game/templates/screen.html": template(number)})),
    "font_bytes": look(
        '[fonts]\ntitles = "own.ttf"\n', "own.ttf", lambda number: FONT.read_bytes().ljust(number, b"\0")
    ),
    "picture_bytes": look(
        '[pictures]\ncover = "own.png"\n',
        "own.png",
        lambda number: picture(1_000, number // 3_100, noise=True).ljust(number, b"\0"),
    ),
    "picture_pixels": look(
        '[pictures]\ncover = "own.png"\n', "own.png", lambda number: picture(5_000, number // 5_000), more=5_000
    ),
    "dice": odds(lambda number: f"{number}d6"),
    "outcomes": odds(lambda number: f"d{number}"),
    "dice_work": odds(lambda number: f"highest(3, {number // 44_000}d100)", more=2_000_000),
    "throw_outcomes": AtLimit(
        lambda number: game(
            table(
                "chance({a} * {b} * {c} + {a} + {b} + {c} >= {n})",
                keys=f'throws = {{ a = "d100", b = "d100", c = "d{number // 10_000}" }}',
            )
        ),
        more=10_000,
    ),
    "throw_work": AtLimit(
        lambda number: game(
            table(
                "chance({sum} + {a} >= 90)",
                rows=number // 20_000,
                keys='throws = { a = "d100", b = "d100" }\nlet = { sum = "{a} * {b} + {n}" }',
            )
        ),
        more=1_000_000,
    ),
    "axis_entries": AtLimit(lambda number: game(table("{n}", rows=number))),
    "grid_cells": AtLimit(
        lambda number: game(grid(TWO_COLUMNS, f"{axis('n', 1_000)}, {axis('m', number // 4_000)}")), more=4_000
    ),
    "explorer_figures": AtLimit(
        lambda number: game(grid(TWO_COLUMNS, f"{axis('n', 100)}, {axis('m', number // 400)}", "explorers.grid")),
        lambda _: SITE,
        400,
    ),
    "explorer_chains": AtLimit(lambda number: game(explored_chains(number)), lambda _: SITE, 50),
    "chain_states": AtLimit(lambda number: game(walk(number - 1, "{at} + 1"))),
    "chain_moves": AtLimit(lambda number: game(walk(number // 200, "{at} + {die}", die="d200")), more=400),
    "chain_cycle": AtLimit(lambda number: game(walk(number, THERE_AND_BACK))),
    "chain_steps": AtLimit(lambda number: game(walk(100, THERE_AND_BACK, f"within(walk, {number})"))),
    "chain_work": AtLimit(
        lambda number: game(walk(number // 2_000, "{at} + {die} - 1", "within(walk, 1000)")), more=4_000
    ),
    "track_boxes": AtLimit(lambda number: game(track(count=number))),
    "track_points": AtLimit(lambda number: game(track(low=number))),
}

ELSEWHERE: Mapping[str, str] = {
    "pipe_seconds": "tests/test_files.py::test_a_pipe_that_is_typed_is_under_limits_of_bytes_and_seconds",
    "pandoc_seconds": "tests/test_limits.py::test_pandoc_takes_no_more_time_and_memory_than_it_may",
    "pandoc_megabytes": "tests/test_limits.py::test_pandoc_takes_no_more_time_and_memory_than_it_may",
    "step_seconds": "tests/pipeline/executors/test_processes.py::test_a_process_that_hangs_costs_its_own_piece",
    "step_megabytes": (
        "tests/pipeline/executors/test_processes.py::test_a_process_that_takes_too_much_memory_costs_its_own_piece"
    ),
    "index_seconds": "tests/pipeline/test_search_index.py::test_a_program_that_takes_too_long_is_ended",
    "request_seconds": (
        "tests/serve/test_server.py::test_those_who_never_end_are_let_go_though_they_send_a_byte_now_and_then"
    ),
    "connections": "tests/serve/test_server.py::test_idle_connections_shut_nobody_out",
    "change_streams": "tests/serve/test_server.py::test_of_too_many_streams_the_oldest_goes",
}
"""The limits that bound no input but time, memory of others and connections, and the test of each."""
