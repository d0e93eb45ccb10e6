// What stands on the sheet of a character: as refgen/characters/filling.py fills it.
//
// In: the program of a sheet, and what is written in its fields, by their keys: a text or an exact number, which is 1
// for a tick, and for a row of boxes how many are ticked. Out: the texts of the computed fields, how many
// boxes each row has, and what has no answer.
"use strict";

// Where a key stands: its pattern, and the list and the number of its line ("" and 0 for none).
function lineOf(program, key) {
  const parts = key.split(".");
  for (const [place, part] of parts.entries()) {
    const pattern = [...parts.slice(0, place), "#", ...parts.slice(place + 1)].join(".");
    if (/^\d+$/.test(part) && program.fields[pattern]) {
      return {pattern, list: parts.slice(0, place).join("."), number: Number(part)};
    }
  }
  return {pattern: key, list: "", number: 0};
}

const fieldOf = (program, key) => program.fields[lineOf(program, key).pattern];

function fill(program, written) {
  const filling = new Filling(program);
  filling.write(written);
  for (const step of program.steps) filling.compute(step);
  for (const track of program.tracks) filling.mark(track, written.get(track.key));
  return filling.filled;
}

// What a name stands for that is a mere number, as the program has it.
const numbered = (written) => ({n: exactText(written)});

class Filling {
  constructor(program) {
    this.program = program;
    this.filled = {texts: new Map(), boxes: new Map(), faults: new Map(), unknown: new Set()};
    this.all = {values: {}, words: {}};
    this.lists = {};
  }

  // What a row of a list knows, or what is known beside all lists.
  row(list, number) {
    if (!list) return this.all;
    const rows = (this.lists[list] ??= new Map());
    if (!rows.has(number)) rows.set(number, {values: {}, words: {}});
    return rows.get(number);
  }

  // What is chosen among other fields comes last, for it has their values.
  write(written) {
    const entries = [...written].map(([key, value]) => ({...lineOf(this.program, key), value}));
    const isLater = ({pattern}) => Boolean(this.program.fields[pattern].keys);
    for (const entry of entries.filter((one) => !isLater(one))) this.writeOne(entry);
    for (const entry of entries.filter(isLater)) this.writeOne(entry);
  }

  writeOne({pattern, list, number, value}) {
    const field = this.program.fields[pattern];
    const row = this.row(list, number);
    if (typeof value !== "string") {
      row.values[pattern] = numbered(value);
    } else if (field.keys) {
      const found = this.all.values[field.keys[value]];
      if (found) row.values[pattern] = found;
    } else if (field.domain === undefined) {
      row.values[pattern] = BLANK;
    } else {
      row.words[pattern] = value;
      for (const [ending, byWord] of Object.entries(this.program.domains[field.domain].values)) {
        if (byWord[value]) row.values[pattern + ending] = byWord[value];
      }
    }
  }

  // Work a computed field out, on every line that something is written on.
  compute(step) {
    for (const key of step.totals ?? []) this.all.values[key] ??= this.total(key);
    if (!step.list) {
      const row = {values: {...step.entry, ...this.all.values}, words: this.all.words};
      this.put(step, step.key, row, this.all);
      return;
    }
    for (const [number, row] of this.lists[step.list] ?? []) {
      this.put(step, step.key.replace("#", number), row, row);
    }
  }

  total(key) {
    const [, base, asked] = key.match(/^(.*)\.(count|sum)$/);
    if (asked === "count") return {n: String(this.lists[base]?.size ?? 0)};
    const [, list, own] = base.match(/^(.*)\.([^.]*)$/);
    const found = [...(this.lists[list]?.values() ?? [])].map((row) => row.values[`${list}.#.${own}`]);
    if (found.some((named) => named?.unknown)) return UNKNOWN;
    const numbers = found.filter((named) => named?.n !== undefined).map((named) => parsed(named.n));
    return {n: exactText(numbers.reduce(sumOf, ZERO))};
  }

  // What a step wants, by its names; null where something is missing.
  wanted(step, row) {
    const named = {};
    for (const [name, [key, inRow, isOptional]] of Object.entries(step.wants ?? {})) {
      const found = (inRow ? row : this.all).values[key];
      if (!found && !isOptional) return null;
      named[name] = found ?? BLANK;
    }
    return new Scope(step, named, {...this.all.words, ...row.words});
  }

  // Write a field down, and let later formulas know it.
  put(step, key, row, known) {
    const scope = this.wanted(step, row);
    if (!scope) return;
    try {
      if (step.show === "text") {
        const text = scope.look(step.is).t;
        if (text === undefined) throw new Unknown();
        this.filled.texts.set(key, text);
        known.values[step.key] = BLANK;
        return;
      }
      const number = scope.number(step.is);
      known.values[step.key] = {n: exactText(number), ...(scope.bound ? {b: scope.bound} : {})};
      this.filled.texts.set(key, shown(this.program, step, number, scope.bound, printedPlaces(step, scope, number)));
    } catch (error) {
      if (error instanceof NoAnswer) {
        this.filled.faults.set(key, error.message);
      } else if (error instanceof Unknown) {
        known.values[step.key] ??= UNKNOWN;
        this.filled.unknown.add(key);
      } else {
        throw error;
      }
    }
  }

  // How many boxes a row of a track has, and the points that mark them.
  mark(track, ticked) {
    const found = track.boxes ?? this.boxesOf(track);
    if (!found) return;
    const [count, points] = found;
    this.filled.boxes.set(track.key, count);
    if (points) this.filled.texts.set(`${track.key}.points`, points);
    if (ticked && ticked.above > BigInt(count)) {
      this.filled.faults.set(track.key, Words.text("sheet-too-many-ticked", { boxes: count, ticked: ticked.above }));
    }
  }

  boxesOf(track) {
    const scope = this.wanted(track, this.all);
    try {
      const number = scope?.number(track.is);
      if (!number || !isWhole(number)) return null;
      if (!track["by-level"]) return [Number(number.above), ""];
      const found = track["by-level"][String(number.above)];
      if (!found) throw new NoAnswer(Words.text("sheet-no-track"));
      return found;
    } catch (error) {
      if (error instanceof NoAnswer) this.filled.faults.set(track.key, error.message);
      else if (!(error instanceof Unknown)) throw error;
      return null;
    }
  }
}

// The decimals with which the document prints a percentage; undefined where it does not.
function printedPlaces(step, scope, number) {
  const name = step["printed-of"];
  return name ? scope.look({do: "name", name}).p : step.printed?.[exactText(number)];
}

// How a number is shown, rounded by the rule that its field names. The document prints it with so many decimals
// (printed), if it prints it: of these stand no more than the field has.
function shown(program, step, number, bound, printed) {
  const places = printed === undefined ? step.places ?? 0 : Math.min(printed, step.places ?? printed);
  switch (step.show) {
    case "yes":
      return isZero(number) ? "–" : Words.text("yes");
    case "percent":
      return Words.figure(percentOf(number, places, step.rounding));
    case "level": {
      const name = program.ladders[step.ladder][String(unitsOf(number, 0, step.rounding))];
      if (name === undefined) throw new Unknown(); // farther beyond the ladder than refgen wrote down
      return name;
    }
  }
  const text = digitsOf(unitsOf(number, places, step.rounding), places);
  return `${bound}${Words.figure(setNumber(text, step.show === "signed"))} ${step.unit}`.trimEnd();
}
