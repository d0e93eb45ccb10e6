"""A small sheet of a bundled game, with a field of every kind."""

from __future__ import annotations

from pathlib import Path

from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
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


def form_of(folder: Path, text: str = SHEET) -> Form:
    """The form of a sheet of Atari Isev that a text describes."""
    place = folder / "atari-isev"
    place.mkdir(exist_ok=True)
    (place / "sheet.toml").write_text(text, encoding="utf-8")
    own = game("atari-isev")
    return Form(own, make_sheet(place, own))
