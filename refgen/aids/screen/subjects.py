"""The subjects that referees look up on a screen, by the beginnings of their words in some languages.

In: the words of a table and of its section. Out: how much a referee looks the table up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_ACTING = (
    "action difficult modifier result success task opposed chance odds "  # English
    "schwierig modifikator probe erfolg aktion "  # German
    "vaike muunnin onnistu "  # Finnish
    "dificuldade modificador sucesso teste "  # Portuguese
    "сложност модификатор успех проверк "  # Russian
)

_FIGHTING = (
    "combat attack damage cover range initiative wound injur condition death heal morale reaction hit scar "
    "kampf angriff schaden deckung reichweite wunde zustand zustände heil tod moral reaktion "
    "taistel hyökkäy vaurio vahin suoja vamma tila paranem kuole moraali reaktio "
    "combate ataque dano alcance iniciativa ferimento condiç morte cura reaç cicatri "
    "бой боя атак урон укрыт ранен состоян смерт лечен мораль реакц шрам "
)

_GEAR = (
    "weapon armor armour equipment gear price cost travel weather encounter light "
    "waffe rüstung ausrüstung preis reise wetter begegnung licht "
    "ase aseet haarnisk varuste hinta matka sää valo "
    "arma armadura equipamento preço viagem clima encontro "
    "оруж брон снаряж цен путешеств погод встреч "
)

_STARTING = (
    "name names surname background birth career homeworld draft retirement aging appearance "
    "herkunft aussehen laufbahn "
    "taust nimi nimet synnyin väri kuvio ulkonä "
    "nome sobrenome antecedente aparência "
    "имена имя фамил предыстор внешност "
)

SUBJECTS: Sequence[tuple[Sequence[str], int]] = (
    (_ACTING.split(), 3),
    (_FIGHTING.split(), 3),
    (_GEAR.split(), 2),
    (_STARTING.split(), -3),
)
"""The beginnings of words of each subject, and what a table of the subject is worth on a screen.

What is needed only to make characters is looked up before play, and is worth less than nothing.
"""

_WORD = re.compile(r"[^\W\d_]+")


def is_about_acting(text: str) -> bool:
    """Whether a title speaks of how actions succeed."""
    return _speaks_of(text, _ACTING.split())


def is_about_fighting(text: str) -> bool:
    """Whether a title speaks of fights, of wounds, or of how others meet the characters."""
    return _speaks_of(text, _FIGHTING.split())


def worth(texts: Iterable[str]) -> int:
    """How much referees look a table up, by its titles: the worth of every subject that these name."""
    joined = " ".join(texts)
    return sum(value for words, value in SUBJECTS if _speaks_of(joined, words))


def _speaks_of(text: str, beginnings: Sequence[str]) -> bool:
    return any(word.startswith(tuple(beginnings)) for word in _WORD.findall(text.casefold()))
