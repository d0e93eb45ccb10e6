#!/usr/bin/env bash
# xdice 1.2.1 (PyPI): digits of dice that stand side by side are joined to a larger number, without an error.
#
# "4d6d1" and "4d6dl1" drop a die in most programs. Here the total of 4d6 is written before that of a second die ("d1", or "d"
# with its highest or lowest left out: 0), and the two are read as one number: 14 and 1 are 141. "1d6x10" is 110 to 1210 likewise.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check xdice==1.2.1

cd "$folder" && v/bin/python - <<'PROGRAM'
import random
from importlib.metadata import version

import xdice

random.seed(1)
rolls = {text: [int(xdice.roll(text)) for _ in range(200)] for text in ("4d6", "4d6d1", "4d6dl1", "1d6x10")}
print("xdice", version("xdice"), {text: (min(rolled), max(rolled)) for text, rolled in rolls.items()})
assert all(4 <= one <= 24 for one in rolls["4d6"])
assert all(40 < one <= 241 and one % 10 == 1 for one in rolls["4d6d1"]), "4d6d1 is no longer 4d6 with a 1 behind it"
assert all(40 <= one <= 240 and one % 10 == 0 for one in rolls["4d6dl1"]), "4d6dl1 is no longer 4d6 with a 0 behind it"
assert all(one % 100 == 10 for one in rolls["1d6x10"]), "1d6x10 is no longer a die with 10 behind it"
PROGRAM
