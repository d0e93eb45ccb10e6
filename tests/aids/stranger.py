"""A small game that nobody described aids for: a page of rules in our own words, and a system.toml."""

from __future__ import annotations

from pathlib import Path

from refgen.game import GameModel, load_game

RULES = """\
# Lantern Road

## Characters

### Attributes

| Attribute | Use |
|---|---|
| Might | lifting |
| Wits | noticing |
| Grace | climbing |

### Names

| d6 | Name |
|---|---|
| 1 | Ada |
| 2 | Bo |
| 3 | Cyr |
| 4 | Dee |
| 5 | Eno |
| 6 | Fay |

## Combat

### Weapons

| Weapon | Damage |
|---|---|
| Dagger | d4 |
| Spear | d8 |

### Range modifiers

| Range | Modifier |
|---|---|
| Near | +0 |
| Far | -2 |

### Armour

- Leather: 1
- Mail: 2

## The road

### Finds

| d6 | Find |
|---|---|
| 1–2 | A coin |
| 3–5 | A rope |
| 6 | A lantern |

### Charms

| d6 | Charm | Effect |
|---|---|---|
| 1 | Ember | A small flame burns in the palm until its bearer sleeps or speaks a lie aloud. |
| 2 | Hush | No step of the bearer is heard until the moon has set, be it on gravel or on ice. |
| 3 | Knot | A rope holds whatever hangs from it, however heavy, as long as nobody looks at it. |
| 4 | Lull | Whoever hears the hum sits down and forgets what they came for until noon is past. |
| 5 | Veil | Mist rises round the bearer and follows at a walk; it does not follow at a run. |
| 6 | Wick | A lantern burns all night without oil, and shows footprints that are a day old. |
"""

SYSTEM = """\
title = "Lantern Road"
about = "A game of night roads."
document = "rules.md"
accent = "#1d4e79"
source = "Lantern Road"

[tables.attributes]
title = "Attributes"
header = ["Attribute", "Use"]
columns = ["attribute", "use"]

[tables.names]
title = "Names"
header = ["d6", "Name"]
columns = [{ id = "d6", type = "number" }, "name"]

[tables.weapons]
title = "Weapons"
header = ["Weapon", "Damage"]
columns = ["weapon", { id = "damage", type = "dice" }]

[tables.range]
title = "Range modifiers"
header = ["Range", "Modifier"]
columns = ["range", { id = "modifier", type = "modifier" }]

[tables.armour]
title = "Armour"
section = "Armour"
row = "{label}: {text}"
columns = ["label", { id = "text", type = "number" }]

[tables.finds]
title = "Finds"
header = ["d6", "Find"]
columns = [{ id = "d6", type = "interval" }, "find"]

[tables.charms]
title = "Charms"
header = ["d6", "Charm", "Effect"]
columns = [{ id = "d6", type = "number" }, "charm", "effect"]
"""


def lantern_road(folder: Path, more: str = "") -> GameModel:
    """The game, written into a folder of that name in ``folder``, with ``more`` in its system.toml."""
    root = folder / "lantern-road"
    root.mkdir(parents=True)
    (root / "rules.md").write_text(RULES, encoding="utf-8")
    (root / "system.toml").write_text(f"{SYSTEM}\n{more}", encoding="utf-8")
    return load_game(root)
