#!/usr/bin/env bash
# pandoc 3.9 (pypandoc_binary 1.17, PyPI), reading LaTeX: a sign that it does not know takes the number behind with it.
#
# \textminus and \textpm are signs of standard LaTeX (textcomp, in the kernel since 2020) and take no argument: "\textminus 15" prints −15.
# Seen: "The odds are \textminus 15 here" becomes "The odds are here": sign and number are gone. A message of level INFO, which is
# off by default, says that '\textminus 15' was skipped. A word behind such a sign stays, and so does a number behind \textminus{}.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check pypandoc_binary==1.17

cd "$folder" && v/bin/python - <<'PROGRAM'
import subprocess

import pypandoc


def plain(text: str) -> tuple[str, str]:
    """What pandoc makes of a sentence, and what it says without being asked for more."""
    command = [pypandoc.get_pandoc_path(), "--from", "latex", "--to", "plain"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


number, said = plain(r"The odds are \textminus 15 here.")
braces, _ = plain(r"The odds are \textminus{} 15 here.")
word, _ = plain(r"The odds are \textminus fifteen here.")
print("pandoc", pypandoc.get_pandoc_version(), [number, braces, word], [said])
assert "15" in braces and "fifteen" in word
assert "15" not in number, "the number stays now"
assert said == "", "pandoc warns now"
PROGRAM
