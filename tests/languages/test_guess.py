"""The language of a text is known for sure, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.languages import guess_language

TEXTS = {
    "en": (
        "In this game each player is a person in a story. The referee says how the world is and what they see "
        "there, and the players say what their people do. When it is hard, roll the dice and add the skill of "
        "that person."
    ),
    "de": (
        "In diesem Spiel ist jeder eine Person in einer Geschichte. Der Spielleiter sagt, wie die Welt ist "
        "und was es dort zu sehen gibt, und die Spieler sagen, was ihre Figuren tun. Wenn es nicht leicht "
        "ist, wird gewürfelt."
    ),
    "fr": (
        "Dans ce jeu, chaque joueur est un personnage dans une histoire. Le meneur dit ce qui est dans le "
        "monde, et les joueurs disent ce que font leurs personnages. Quand une action est difficile, on lance "
        "les dés."
    ),
    "es": (
        "En este juego cada jugador es un personaje en una historia. El narrador dice cómo es el mundo y lo "
        "que hay en él, y los jugadores dicen lo que hacen con los suyos. Cuando algo es difícil se tiran los "
        "dados."
    ),
    "pt": (
        "Neste jogo cada jogador é uma pessoa em uma história. O narrador diz como é o mundo e o que há nele, "
        "e os jogadores dizem o que fazem as suas pessoas. Quando algo não é fácil, rolam-se os dados e soma- "
        "se o valor."
    ),
    "ru": (
        "В этой игре каждый игрок — это человек в истории. Ведущий говорит, как устроен мир и что в нем есть, "
        "а игроки говорят, что делают их люди. Если это не так просто, то игрок бросает кубики и прибавляет к "
        "ним умение."
    ),
    "fi": (
        "Tässä pelissä jokainen pelaaja on henkilö tarinassa. Pelinjohtaja kertoo, että maailma on tällainen "
        "ja mitä siellä on, ja pelaajat kertovat, mitä he tekevät. Kun se ei ole helppoa, heitä noppaa ja "
        "lisää taito, jos se voi auttaa, mutta ei muuten."
    ),
}
NEIGHBOURS = {
    "Italian": (
        "In questo gioco ogni giocatore è una persona in una storia. Il narratore dice come è il mondo e che "
        "cosa c'è, e i giocatori dicono che cosa fanno le loro persone. Quando una cosa è difficile si tirano "
        "i dadi."
    ),
    "Dutch": (
        "In dit spel is iedere speler een persoon in een verhaal. De spelleider zegt hoe de wereld is en wat "
        "er te zien is, en de spelers zeggen wat hun personen doen. Als het moeilijk is, wordt er met stenen "
        "gegooid."
    ),
    "Galician": (
        "Neste xogo cada xogador é unha persoa nunha historia. O narrador di como é o mundo e o que hai nel, "
        "e os xogadores din o que fan as súas persoas. Cando algo é difícil tíranse os dados e súmase o "
        "valor."
    ),
    "Catalan": (
        "En aquest joc cada jugador és una persona en una història. El narrador diu com és el món i el que hi "
        "ha, i els jugadors diuen el que fan les seves persones. Quan una cosa és difícil es tiren els daus."
    ),
    "Bulgarian": (
        "В тази игра всеки играч е човек в една история. Водещият казва как изглежда светът и какво има в "
        "него, а играчите казват какво правят на света. Когато нещо не е лесно, се хвърлят зарове за да се "
        "види."
    ),
    "Estonian": (
        "Selles mängus on iga mängija inimene loos. Mängujuht ütleb, milline on maailm ja mida seal on, ja "
        "mängijad ütlevad, mida nende inimesed teevad. Kui see ei ole kerge, siis veeretatakse täringuid."
    ),
    "Swedish": (
        "I det här spelet är varje spelare en person i en berättelse. Spelledaren säger hur världen är och "
        "vad som finns där, och spelarna säger vad deras personer gör. När det är svårt slår man tärningar."
    ),
}


@pytest.mark.parametrize("tag", TEXTS)
def test_prose_shows_its_language(tag: str) -> None:
    assert guess_language(TEXTS[tag]) == tag


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_prose_in_a_language_without_a_file_shows_none(name: str) -> None:
    assert guess_language(NEIGHBOURS[name]) == ""


def test_few_words_two_languages_and_names_show_none() -> None:
    assert guess_language("the sword of the king and the queen") == ""
    assert guess_language(TEXTS["en"] + TEXTS["de"]) == ""
    assert guess_language("Longsword 1d8 Greataxe 1d12 Dagger 1d4 Club 1d4 " * 20) == ""


FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "foreign"


@pytest.mark.originals
@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("cairn/cairn-en.md", "en"),
        ("cairn/cairn-brazilian-portuguese.md", "pt"),
        ("cairn/cairn-russian.md", "ru"),
        ("cairn/cairn-turkish.md", ""),
        ("mausritter-fi/mausritter-fi.md", "fi"),
        ("opend6/opend6.rst", "en"),
    ],
)
def test_documents_full_of_tables_show_their_language(name: str, tag: str) -> None:
    if not FOREIGN.is_dir():
        pytest.skip("the documents of other games are not here")
    assert guess_language((FOREIGN / name).read_text(encoding="utf-8")) == tag
