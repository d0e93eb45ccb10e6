#!/usr/bin/env bash
# pandoc 3.9 (pypandoc_binary 1.17, PyPI), reading LaTeX: a line under some columns becomes words of a cell.
#
# \cline{2-3} is standard LaTeX and prints no words. Before a row whose first cell is blank, as under a head of two rows
# (\multirow, \multicolumn), pandoc reads "2-3" as that first cell, and so with \cmidrule{2-3} of booktabs. Nothing warns.
# Seen: the second row is "2-3 | Low | High"; a reader of data takes 2-3 for a value.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check pypandoc_binary==1.17

cd "$folder" && v/bin/python - <<'PROGRAM'
import subprocess

import pypandoc

TABLE = r"""\begin{tabular}{lrr}
\multirow{2}{*}{Level} & \multicolumn{2}{c}{Odds} \\ RULE
 & Low & High \\ \hline
Fair & 3 & 4 \\
\end{tabular}
"""


def plain(rule: str) -> tuple[str, str]:
    """What pandoc makes of the table, and what it says."""
    command = [pypandoc.get_pandoc_path(), "--from", "latex", "--to", "plain", "--verbose"]
    done = subprocess.run(command, input=TABLE.replace("RULE", rule), capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


cline, said = plain(r"\cline{2-3}")
cmidrule, _ = plain(r"\cmidrule{2-3}")
hline, _ = plain(r"\hline")
print("pandoc", pypandoc.get_pandoc_version(), cline, said, sep="\n")
assert all("High" in text for text in (cline, cmidrule, hline))
assert "2-3" not in hline
assert "2-3" in cline and "2-3" in cmidrule, "the rule is no words any more"
assert "cline" not in said, "pandoc says so now"
PROGRAM
