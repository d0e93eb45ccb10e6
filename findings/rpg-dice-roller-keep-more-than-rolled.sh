#!/usr/bin/env bash
# @dice-roller/rpg-dice-roller 5.5.1 (npm): keeping more dice than were rolled keeps one die, without a word.
#
# "4d6kh4" keeps all four dice, and so does "4d6kl5". "4d6kh5" drops three of the four: the highest is left, and the total is
# at most 6; of "4d6kh6" two are left. One more than was rolled drops what is not there, counted from the wrong end.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" && npm init --yes >/dev/null && npm install --silent --no-audit --no-fund @dice-roller/rpg-dice-roller@5.5.1

cat >roll.mjs <<'PROGRAM'
import {deepEqual} from "node:assert";
import {DiceRoll, NumberGenerator} from "@dice-roller/rpg-dice-roller";
const total = (text) => {
  const faces = [2, 4, 6, 3];
  NumberGenerator.generator.integer = () => faces.shift();
  const roll = new DiceRoll(text);
  console.log(roll.output);
  return roll.total;
};
const totals = Object.fromEntries(["4d6", "4d6kh4", "4d6kh5", "4d6kh6", "4d6kl5"].map((text) => [text, total(text)]));
console.log("rpg-dice-roller 5.5.1:", totals);
deepEqual(totals, {"4d6": 15, "4d6kh4": 15, "4d6kh5": 6, "4d6kh6": 10, "4d6kl5": 15}, "what is kept is other now");
PROGRAM
node roll.mjs
