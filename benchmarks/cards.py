"""500 distinct cards on sheets with backs, against WeasyPrint on one page of them (goals: linear, at most a third)."""

from __future__ import annotations

import gc
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import refgen
from refgen.aids.cards.deck_format import USUAL_SIZE, CardPaper, CardStyle, DeckFormat, SheetFormat
from refgen.aids.cards.imposition import impose
from refgen.aids.cards.job import FittedDeck, fit_deck
from refgen.aids.cards.model import CardDeck, make_deck
from refgen.game import SystemInfo, load_game
from refgen.layout.engine import warm_up
from refgen.layout.engine.pages import BASE_URL, FileFetcher
from refgen.layout.templates import assets

COUNT = 500
STYLE = CardStyle(USUAL_SIZE)
SHEET = SheetFormat("cards", CardPaper.A4, DeckFormat())


@dataclass(frozen=True)
class _Deck:
    """A deck of a system, to be made."""

    name: str
    system: SystemInfo
    deck: CardDeck

    def of(self, count: int) -> _Deck:
        return replace(self, deck=replace(self.deck, cards=self.deck.cards[:count]))

    def fitted(self) -> FittedDeck:
        return fit_deck(self.system, self.deck, STYLE, "cards")

    def sheets(self) -> bytes:
        fitted = self.fitted()
        return impose(fitted.pdf, fitted.faces, SHEET)


def run(project: refgen.Project | None = None, count: int = COUNT) -> Iterator[str]:
    """All in one process, in processor time: cards made from rows of a table, and the five games' own, varied."""
    warm_up()
    for deck in (_rows(count), _varied(project or refgen.project(bundled=True), count)):
        deck.of(9).sheets()
        seconds = {part: _seconds(deck.of(part).sheets) for part in (count // 4, count // 2, count)}
        times = ", ".join(f"{part}: {taken:.1f} s" for part, taken in seconds.items())
        html = deck.fitted().html
        with _as_python_is():
            naive = _seconds(partial(_naive, html))
        yield f"{deck.name}: {times}; WeasyPrint alone {naive:.1f} s: {seconds[count] / naive:.2f} x"
    yield from _again(deck, count)


def _again(deck: _Deck, count: int) -> Iterator[str]:
    """The same card often, and other papers."""
    once, *_ = deck.deck.cards
    often = replace(deck, deck=replace(deck.deck, cards=(replace(once, count=2 * count // 5),)))
    alone, repeated = _seconds(deck.of(1).sheets), _seconds(often.sheets)
    yield f"one card once {alone * 1e3:.0f} ms, {2 * count // 5} times {repeated * 1e3:.0f} ms"
    fitted = deck.fitted()
    for paper in CardPaper:
        taken = _seconds(partial(impose, fitted.pdf, fitted.faces, replace(SHEET, paper=paper)))
        yield f"{count} cards on {paper}, once they are laid out: {taken * 1e3:.0f} ms"


@contextmanager
def _as_python_is() -> Iterator[None]:
    """Garbage is looked for as often as Python does by itself."""
    ours = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*ours)


def _seconds(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def _naive(html: str) -> bytes:
    """The same cards and a back for each in one page, nine on a sheet, every element with a style of its own."""
    import weasyprint

    head, body = re.split("<body>", _with_own_styles(html))
    *fronts, back = re.findall("<article.*?</article>", body, re.DOTALL)
    backs = (re.sub('id="back-1"', f'id="back-{number}"', back) for number, _ in enumerate(fronts))
    sides = chain.from_iterable(zip(_nines(fronts), _nines(list(backs)), strict=True))
    sheets = "".join(f'<section class="sheet">{"".join(side)}</section>' for side in sides)
    page = f"{head.replace('</head>', f'<style>{_ON_SHEETS}</style></head>')}<body>{sheets}</body></html>"
    return bytes(weasyprint.HTML(string=page, base_url=BASE_URL, url_fetcher=FileFetcher(assets())).write_pdf())


def _nines(faces: Sequence[str]) -> Iterator[Sequence[str]]:
    return (faces[start : start + 9] for start in range(0, len(faces), 9))


_ON_SHEETS = """
@page { size: 210mm 297mm; margin: 0 }
.sheet { break-after: page; display: grid; grid-template-columns: repeat(3, 63mm); padding: 16mm 10mm; height: 297mm }
.sheet > .card { break-after: auto; width: 63mm; height: 88mm; padding: 0; --bleed: 0mm; overflow: hidden }
"""


def _with_own_styles(html: str) -> str:
    """A page of cards without what they share."""
    rules = dict(re.findall(r"^\.(set-\d+) \{ (.*) \}$", html, re.MULTILINE))
    return re.sub(r'class="([^"]*?) ?(set-\d+)"', lambda found: f'class="{found[1]}" style="{rules[found[2]]}"', html)


def _varied(project: refgen.Project, count: int) -> _Deck:
    """The cards of all games of a project, over and over with other titles."""
    games = [*project.games.values()]
    cards = chain.from_iterable(game.deck().cards for game in games)
    many = enumerate(islice(cycle(cards), count), start=1)
    varied = (replace(card, number=number, count=1, title=f"{card.title} {number}", back="") for number, card in many)
    return _Deck(f"cards of {len(games)} games", SystemInfo.of(games[-1]), CardDeck(tuple(varied)))


def _rows(count: int) -> _Deck:
    """A game with a table of spells, and a card of each."""
    words = _EFFECT.split()
    effects = (" ".join((words * 3)[number % 7 : 12 + number % 31]) for number in range(count))
    rows = (
        f"| Spell {n} | {n % 9 + 1} | {n % 40 + 5} m | {n % 6} rounds | {said}. |" for n, said in enumerate(effects)
    )
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "spells"
        game.mkdir()
        heads = "| Spell | Level | Range | Lasts | Effect |\n|---|---|---|---|---|\n"
        (game / "rules.md").write_text("# Magic\n\n## Spells\n\n" + heads + "\n".join(rows) + "\n")
        (game / "system.toml").write_text(_SYSTEM)
        (game / "cards.toml").write_text(_CARDS)
        loaded = load_game(game)
        return _Deck("cards of rows", SystemInfo.of(loaded), make_deck(game, loaded))


_EFFECT = "a bolt of cold light strikes all who stand within its reach and throws them down unless they hold on"

_SYSTEM = """title = "Magic"
about = "A game."
document = "rules.md"
accent = "#5b3f8c"
source = "Magic"
[tables.spells]
title = "Spells"
section = "Spells"
header = ["Spell", "Level", "Range", "Lasts", "Effect"]
columns = [
  { id = "spell", title = "Spell", type = "text" },
  { id = "level", title = "Level", type = "number" },
  { id = "range", title = "Range", type = "text" },
  { id = "lasts", title = "Lasts", type = "text" },
  { id = "effect", title = "Effect", type = "text" },
]
"""

_CARDS = """[kinds.spell]
icon = "star"
colour = "#5b3f8c"
[[cards]]
each = "row"
table = "spells"
kind = "spell"
title = "{spell}"
[[cards.blocks]]
facts = ["level", "range", "lasts"]
[[cards.blocks]]
text = "{effect}"
"""
