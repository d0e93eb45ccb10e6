#!/usr/bin/env bash
# dice-roller-parser 0.1.8 (npm): text behind what can be read is dropped without an error, and another roll is answered.
#
# Roll20's grammar allows a label behind a roll, and everything that the parser cannot read becomes the label: a printed minus
# ("2d6−1", U+2212), capital letters ("4D6KH3" is the number 4), "h3" and a comparison behind a sum. The number is still there.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" && npm init --yes >/dev/null && npm install --silent --no-audit --no-fund dice-roller-parser@0.1.8

cat >roll.mjs <<'PROGRAM'
import {deepEqual} from "node:assert";
import parser from "dice-roller-parser";
const roller = new parser.DiceRoller(() => 0.99);
const texts = ["2d6-1", "2d6−1", "4d6kh3", "4D6KH3", "4d6h3", "2d6+1>=8"];
const totals = Object.fromEntries(texts.map((text) => [text, roller.rollValue(text)]));
console.log("dice-roller-parser 0.1.8, every die a 6:", totals);
deepEqual(
  totals,
  {"2d6-1": 11, "2d6−1": 12, "4d6kh3": 18, "4D6KH3": 4, "4d6h3": 24, "2d6+1>=8": 13},
  "the text is read in another way now",
);
PROGRAM
node roll.mjs
