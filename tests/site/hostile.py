"""A game whose document would do what documents must not."""

from __future__ import annotations

import json
from pathlib import Path

SCRIPT = "<script>window.fault = 1</script>"
PICTURE = "<img src=x onerror='window.fault = 2'>"
TEMPLATE = "{{ 6*7 }}{% if %}{# gone #}"
LINKS = (
    *("javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "file:///etc/passwd", "vbscript:x"),
    *("ftp://example.invalid/x", "tel:+1", "../up.md"),
)
AWAY = ("http://example.invalid/", "https://example.invalid/", "mailto:a@example.invalid")
SYNTAX = r"\\ 3 0 R) /AA << /E << /S /JavaScript /JS (f\(\)) >> >> /Z ("
"""What would be an action, if it stood in a string of a PDF as it is."""

SYSTEM = f"""
title = {json.dumps(f"Trap {SCRIPT} {TEMPLATE}")}
about = {json.dumps(f'A "game" {PICTURE}')}
accent = "#123456"
source = {json.dumps(f"Rules {SCRIPT}")}

[tables.traps]
title = {json.dumps(f"Traps {PICTURE} {TEMPLATE}")}
header = ["Trap", "Harm"]
columns = [{{ id = "trap" }}, {{ id = "harm", type = "number" }}]
"""

MARKDOWN = f"""
# Trap {SCRIPT} {TEMPLATE}

A trap {SCRIPT} and {PICTURE} and {TEMPLATE}.

{SCRIPT}

<div onclick="window.fault = 3"><iframe src="https://example.invalid/"></iframe></div>

- {PICTURE} {TEMPLATE}
- {" ".join(f"[trap {number}]({link})" for number, link in enumerate([*LINKS, *AWAY]))}
- {" ".join(f"<{link}>" for link in [*LINKS, *AWAY])}

| Trap | Harm |
|---|---|
| pit {SCRIPT} {TEMPLATE} | 1 |
| pike {PICTURE} | 2 |
| pole {SYNTAX} | 3 |
| pail [trap]({LINKS[0]}) <a href='{LINKS[0]}'>trap</a> | 4 |
| port [away]({AWAY[0]}) <{AWAY[1]}> | 5 |
"""

HTML = f"""<html><head><title>T</title>{SCRIPT}<base href="https://example.invalid/"></head>
<body onload="window.fault = 4">
<h1>Trap {TEMPLATE}</h1>
<p onclick="window.fault = 5">A trap {SCRIPT} {PICTURE} {TEMPLATE} &lt;script&gt;window.fault = 6&lt;/script&gt;</p>
<form action="https://example.invalid/"><input name="a"><button>Send</button></form>
<ul><li>{" ".join(f'<a href="{link}">trap</a>' for link in LINKS)}</li></ul>
<table><tr><th>Trap</th><th>Harm</th></tr><tr><td>pit {TEMPLATE}</td><td>1</td></tr>
<tr><td>pike {PICTURE}</td><td>2</td></tr></table>
<svg><script>window.fault = 7</script></svg></body></html>
"""

DOCUMENTS = {"rules.md": MARKDOWN, "rules.html": HTML}


def hostile_game(folder: Path, document: str) -> Path:
    """The folder of such a game in a project, with a document of this name."""
    game = folder / "content" / "trap"
    game.mkdir(parents=True)
    (folder / "refgen.toml").write_text("", encoding="utf-8")
    (game / "system.toml").write_text(f'document = "{document}"\n{SYSTEM}', encoding="utf-8")
    (game / document).write_text(DOCUMENTS[document], encoding="utf-8")
    return game


AIDS = {
    "screen.toml": f"""
[[panels]]
title = {json.dumps(f"Panel {SCRIPT}")}
blocks = [
  {{ title = {json.dumps(f"Table {SYNTAX}")}, table = "traps", note = {json.dumps(PICTURE)} }},
  {{ title = {json.dumps(f"Chart {SYNTAX}")}, table = "traps", chart = "bars", across = "trap" }},
]
""",
    "cards.toml": f"""
back = {json.dumps(f"Back {SCRIPT}")}
[[cards]]
title = {json.dumps(f"Card {SCRIPT}")}
blocks = [{{ text = {json.dumps(f"{SYNTAX} <a href='{LINKS[0]}'>trap</a>")} }}]
""",
    "sheet.toml": f"""
title = "Sheet )/JS(x"
[[pages]]
[[pages.parts]]
id = "who"
title = {json.dumps(f"Who {SYNTAX}")}
wide = true
fields = ["Name", {{ id = "age", label = {json.dumps(SYNTAX)}, type = "number" }},
  {{ label = "Left", type = "check" }}, {{ id = "next", label = {json.dumps(SCRIPT)}, value = "{{age}} + 1" }}]
[[pages]]
[[pages.parts]]
id = "gear"
title = "Gear"
lines = 4
[[pages.parts]]
id = "more"
title = "More"
area = 3
""",
    "templates/sheet.html": f'{{% block footer %}}<a href="{AWAY[0]}">away</a> {{{{ super() }}}}{{% endblock %}}',
    "party.csv": f"""Name,who.age,more
"Orlin )>> endobj 3 0 R % (",3,"{SCRIPT}"
"<script>{{{{ 6*7 }}}}< script>",,"{SYNTAX}"
""",
}
"""Aids of such a game, whose titles and texts would be scripts too, and two characters."""


def hostile_aids(folder: Path) -> Path:
    """A project with such a game and its aids."""
    game = hostile_game(folder, "rules.md")
    for name, text in AIDS.items():
        (game / name).parent.mkdir(exist_ok=True)
        (game / name).write_text(text, encoding="utf-8")
    return folder
