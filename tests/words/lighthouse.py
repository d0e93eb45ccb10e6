"""A small game of which no word is English: whatever Latin letters stand on its pages, refgen has put them there."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "refgen.toml": """\
[document]
language = "ru"

[screen]
papers = ["a4"]
""",
    "content/маяк/правила.md": """\
# Маяк

Вы смотрители старого маяка. Шторм идёт с севера, а свет не должен погаснуть.

## Проверка

Бросьте 2к6 и прибавьте навык. Если сумма не меньше 8, вам удалось.

| Навык | Удача  |
|------:|-------:|
|     0 | 41,7 % |
|     1 | 58,3 % |
|     2 | 72,3 % |
|     3 | 88,0 % |

| Умение    | Число |
|-----------|------:|
| Мастер    |     3 |
| Опытный   |     2 |
| Обученный |     1 |
| Новичок   |     0 |

## Люди

У смотрителя 5 ран. Носят с собой не больше 1250 монет.

| Дело    | Зачем                     |
|---------|---------------------------|
| Лодка   | грести и править          |
| Лампа   | чинить и беречь свет      |
| Верёвка | лезть, вязать, вытаскивать |

## Погода

Бросьте к6 перед каждой ночью.

| к6 | Погода                     |
|---:|----------------------------|
|  1 | Шторм, никто не спит       |
|  2 | Ветер рвёт ставни          |
|  3 | Туман и чужие колокола     |
|  4 | Дождь                      |
|  5 | Тихо                       |
|  6 | Ясно, видно огни города    |
""",
    "content/маяк/system.toml": """\
title = "Маяк"
about = "Смотрители маяка против шторма."
document = "правила.md"
accent = "#1d4e79"
source = "Маяк, игра на одной странице"

[ladders]
"умение" = { table = "skill-levels", level = "level", value = "value" }

[tables.chances]
title = "Удача, как в книге"
header = ["Навык", "Удача"]
columns = [{ id = "skill", title = "Навык", type = "number" }, { id = "chance", title = "Удача", type = "percent" }]

[tables.skill-levels]
title = "Умения"
header = ["Умение", "Число"]
columns = [{ id = "level", ladder = "умение" }, { id = "value", type = "number" }]

[tables.tasks]
title = "Дела"
page = 34
header = ["Дело", "Зачем"]
columns = [{ id = "task" }, { id = "use" }]

[tables.weather]
title = "Погода"
header = ["к6", "Погода"]
columns = [{ id = "roll", title = "к6", type = "number" }, { id = "weather", title = "Погода" }]

[facts]
dice = { title = "Кости проверки", text = "Бросьте {dice} и прибавьте", type = "dice" }
goal = { title = "Цель проверки", text = "сумма не меньше {goal}, вам" }
wounds = { title = "Раны смотрителя", text = "У смотрителя {wounds} ран" }
coins = { title = "Сколько носят", text = "не больше {coins} монет" }
weather-die = { title = "Кость погоды", text = "Бросьте {weather-die} перед", type = "dice" }

[rolls]
check-roll = { title = "Бросок проверки", roll = "{dice}" }

[actions.check]
title = "Проверка"
roll = "{dice} + {trait} + {modifier}"
at_least = "{goal}"
trait = { id = "trait", title = "Навык", low = "0", high = "3" }

[derived.odds]
title = "Удача"
rule = "{dice} и навык дают {goal} или больше."
rows = [{ id = "skill", title = "Навык", low = "0", high = "3" }]
columns = [
  { id = "chance", title = "Удача", formula = "chance({dice} + {skill} >= {goal})", places = 1 },
  { id = "mean", title = "В среднем", formula = "mean({dice}) + {skill} / 2", show = "number", places = 1 },
]

[derived.floors]
title = "Вниз"
rounding = "floor"
rule = "Половина навыка."
rows = [{ id = "skill", title = "Навык", low = "0", high = "3" }]
columns = [{ id = "half", title = "Половина", formula = "{skill} / 2", show = "number", places = 0 }]

[explorers.odds]
table = "odds"
""",
    "content/маяк/proof.toml": """\
[pinned]
"" = ["goal", "wounds", "coins", "skill-levels", "dice", "weather-die"]

[row_counts]
tasks = { open = "по строке на дело" }

[checks.chances]
kind = "compare"
printed = "chances"
computed = "odds"
key = "skill"
columns = { chance = "chance" }
rule = "{dice} и навык против {goal}"

[checks.weather]
kind = "partition"
table = "weather"
column = "roll"
dice = "{weather-die}"
""",
    "content/маяк/errata.toml": """\
[[errata]]
finding = "chances/2/удача"
printed = "72,3 %"
computed = "72.2%"
reason = "в книге округлили вверх"
print = "both"
""",
    "content/маяк/screen.toml": """\
edge_scale = "умение"
characters = ["characters/анна.toml"]
page_references = true

[[panels]]
title = "Ночь"

[[panels.blocks]]
title = "Что делать"
importance = "core"
steps = ["Скажите, что вы делаете.", "Бросьте {dice} и прибавьте навык.", "От {goal} вам удалось."]

[[panels.blocks]]
table = "odds"
heat = true

[[panels.blocks]]
table = "odds"
columns = ["chance"]
chart = "lines"
title = "Удача, нарисована"

[[panels.blocks]]
table = "odds"
columns = ["chance"]
chart = "bars"
title = ""

[[panels.blocks]]
table = "chances"

[[panels.blocks]]
table = "floors"

[[panels.blocks]]
facts = ["wounds", "coins"]

[[panels.blocks]]
title = "Слова"
glossary = [{ term = "Ночь", text = "от заката до рассвета" }]

[[panels.blocks]]
title = "Заметки"
lines = 3

[[panels]]
title = "Берег"

[[panels.blocks]]
table = "weather"

[[panels.blocks]]
table = "tasks"

[[panels]]
title = "Смотрители"
party = ["дела", "раны"]

[[players]]
title = "Вам видно"

[[players.blocks]]
text = "Свет не должен погаснуть."
""",
    "content/маяк/sheet.toml": """\
title = "Смотритель"

[[pages]]

[[pages.parts]]
title = "Кто"
wide = true
fields = ["Имя", "Откуда"]

[[pages.parts]]
title = "Дела"
rows = "tasks.task"
inputs = [
  { label = "Умение", ladder = "умение" },
  { label = "Удача", value = "chance({dice} + {умение} >= {goal})", show = "percent", places = 1 },
  { label = "Мастер", value = "{умение} >= 3", show = "yes" },
]

[[pages.parts]]
title = "Раны"
tracks = [{ label = "Раны", boxes = "{wounds}" }]

[[pages.parts]]
title = "Кошель"
fields = [{ label = "Монеты", type = "number" }, { label = "Втрое", value = "{монеты} * 3", show = "number" }]

[[pages.parts]]
title = "Вещи"
lines = 4

[[pages.parts]]
title = "Память"
area = 3
""",
    "content/маяк/cards.toml": """\
back = "Короткая справка"
icon = "compass"

[[cards]]
title = "Проверка"
[[cards.blocks]]
table = "odds"

[[cards]]
each = "row"
table = "weather"
title = "{weather}"
[[cards.blocks]]
text = "{weather-die} показывает {roll}."
""",
    "content/маяк/characters/анна.toml": """\
"вещи" = ["Фонарь", "Верёвка", "Нож", "Соль", "Письмо", "Свисток"]
"память" = "Брат ушёл в море и не вернулся."

["кто"]
"имя" = "Анна Вереск"
"откуда" = "С юга"

["дела"."лодка"]
"умение" = "Опытный"

["раны"]
"раны" = 2

["кошель"]
"монеты" = 1250
""",
}


def write_lighthouse(folder: Path, output: str = "") -> Path:
    """The project in a folder, with some lines more in refgen.toml."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + (output if name == "refgen.toml" else ""), encoding="utf-8")
    return folder
