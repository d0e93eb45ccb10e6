"""A small sheet of a bundled game, with a field of every kind."""

from __future__ import annotations

from pathlib import Path

from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.game import load_game
from tests.conftest import game

SHEET = """
title = "Adventurer"

[[pages]]
[[pages.parts]]
title = "Who"
fields = ["Name", { label = "Age", type = "number" }, { label = "Left-handed", type = "check" }]

[[pages.parts]]
title = "Attributes"
rows = "attributes.attribute"
ladder = "trait"

[[pages.parts]]
title = "Skills"
lines = 3
inputs = [
  { label = "Skill" },
  { label = "Level", ladder = "trait" },
  { label = "With", part = "attributes" },
  { label = "Both", value = "{level} + {with}", show = "level", ladder = "trait" },
]

[[pages.parts]]
title = "Aspects"
lines = 2
exactly = true
numbered = true

[[pages.parts]]
title = "Mount"
repeat = 2
fields = ["Called", { label = "Load", type = "number" }, { label = "Left", value = "{mount.load.sum} - {load}" }]

[[pages.parts]]
title = "Stance"
fields = [
  { label = "Posture", of = "posture.posture" },
  { label = "To hit", value = "{posture.attack}", show = "signed" },
  { label = "As printed", value = "{posture.defence}", show = "text" },
  { label = "Initiative", value = "({attributes.perception} + {attributes.agility}) / 3", show = "signed" },
  { label = "In thirds", value = "{attributes.strength} / 3", places = 2, rounding = "ceiling" },
  { label = "Trained", value = "{skills.count}" },
]

[[pages.parts]]
title = "Wounds"
tracks = [
  { track = "wounds", level = "{attributes.health}", values = ["penalty"] },
  { label = "Luck", boxes = "{attributes.will} + 3", most = "7" },
]

[[pages.parts]]
title = "Story"
area = 3
"""


RIDES = """\
# Rides

A rider falls in 2.50% of rides.

| Road | Odds |
|---|---|
| 1 | 92% |
| 2 | 8.3% |
| 3 | 50.0% |
"""

RIDES_SYSTEM = """\
title = "Rides"
about = "A game of roads."
document = "rules.md"
accent = "#1d4e79"
source = "Rides"
tables = { rides = { title = "Rides", header = ["Road", "Odds"], columns = [
  { id = "road", type = "number" }, { id = "odds", type = "percent" },
] } }
facts = { falls = { title = "Falls", text = "falls in {falls} of", type = "percent" } }
"""

RIDES_SHEET = """\
title = "Rider"
[[parts]]
title = "Ride"
let = { found = "{rides.odds at {road}}", fall = "{falls}", chosen = "{on.odds}" }
fields = [
  "Name",
  { label = "Road", type = "number" },
  { label = "On", of = "rides.road" },
  { label = "Odds", value = "{rides.odds at {road}}", show = "percent" },
  { label = "To one", value = "{rides.odds at {road}}", show = "percent", places = 1 },
  { label = "Whole", value = "{rides.odds at {road}}", show = "percent", places = 0 },
  { label = "Chosen", value = "{on.odds}", show = "percent" },
  { label = "Chosen to one", value = "{on.odds}", show = "percent", places = 1 },
  { label = "Falls", value = "{falls}", show = "percent" },
  { label = "Found", value = "{found}", show = "percent" },
  { label = "Fall", value = "{fall}", show = "percent", places = 1 },
  { label = "By name", value = "{chosen}", show = "percent" },
  { label = "Half", value = "{rides.odds at {road}} / 2", show = "percent" },
  { label = "Half to one", value = "{on.odds} / 2", show = "percent", places = 1 },
]
"""


def rides_form(folder: Path) -> Form:
    """The form of a small game of its own, whose sheet shows percentages of the document, and others."""
    place = folder / "rides"
    place.mkdir()
    for name, text in (("rules.md", RIDES), ("system.toml", RIDES_SYSTEM), ("sheet.toml", RIDES_SHEET)):
        (place / name).write_text(text, encoding="utf-8")
    own = load_game(place)
    return Form(own, make_sheet(place, own))


def form_of(folder: Path, text: str = SHEET) -> Form:
    """The form of a sheet of Atari Isev that a text describes."""
    place = folder / "atari-isev"
    place.mkdir(exist_ok=True)
    (place / "sheet.toml").write_text(text, encoding="utf-8")
    own = game("atari-isev")
    return Form(own, make_sheet(place, own))
