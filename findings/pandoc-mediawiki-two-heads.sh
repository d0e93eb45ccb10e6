#!/usr/bin/env bash
# pandoc 3.9 (pypandoc_binary 1.17, PyPI), reading MediaWiki: the second row of a head slides under the wrong columns.
#
# A head cell over two rows (rowspan="2") beside a head cell over two columns is the usual head of a wiki's table. Pandoc makes the first
# row alone the head, and cuts the span at its end: "Low | High" then stand under "Level | Odds" instead of "Odds | Odds".
# Nothing warns. With "|" in place of "!" the same cells keep their span.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check pypandoc_binary==1.17

cd "$folder" && v/bin/python - <<'PROGRAM'
import json
import subprocess

import pypandoc

TABLE = """{|
! rowspan="2" | Level
! colspan="2" | Odds
|-
! Low !! High
|-
| Fair || 3 || 4
|}
"""


def spans(text: str) -> tuple[list[tuple[int, int]], str]:
    """The rows and columns that each cell of the first row covers, and what pandoc says."""
    command = [pypandoc.get_pandoc_path(), "--from", "mediawiki", "--to", "json", "--verbose"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    _, _, _, head, bodies, _ = json.loads(done.stdout)["blocks"][0]["c"]
    first = (head[1] or bodies[0][3])[0]
    return [(rows, columns) for _, _, rows, columns, _ in first[1]], done.stderr


heads, said = spans(TABLE)
cells, _ = spans(TABLE.replace("!!", "||").replace("\n!", "\n|"))
print("pandoc", pypandoc.get_pandoc_version(), "as heads:", heads, "as cells:", cells, [said])
assert cells == [(2, 1), (1, 2)]
assert heads == [(1, 1), (1, 2)], "the head keeps its span now"
assert said == "", "pandoc warns now"
PROGRAM
