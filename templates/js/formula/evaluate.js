// Formulas worked out, of sheets and of dice alike: as refgen/resolver/formula does it.
//
// In: an expression, from the trees that refgen wrote for a sheet or from dice that were typed, and what its names stand
// for; of dice, an outcome of each roll. Out: an exact number; or NoAnswer, or Unknown where only refgen knows. What is
// only a bound stays one: 100 less more than 8 is less than 92.
"use strict";

// What a name stands for that the character does not say.
const BLANK = {};

// What a field stands for that only refgen works out.
const UNKNOWN = {unknown: true};

const TURNED = {"": "", ">": "<", "<": ">", ">=": "<=", "<=": ">=", "~": "~"};

// A formula at work: what its names stand for, and whether what was used so far is only a bound.
class Scope {
  constructor(step, named, words) {
    Object.assign(this, {let: step.let ?? {}, named, words, bound: "", kept: new Map()});
  }

  // The number of an expression, and whether it is a bound; `bound` stays as it was.
  apart(expression) {
    const before = this.bound;
    this.bound = "";
    const number = this.number(expression);
    const bound = this.bound;
    this.bound = before;
    return {number, bound};
  }

  // What is taken off or divided by.
  reversed(expression) {
    const {number, bound} = this.apart(expression);
    if (bound) this.bound = TURNED[bound];
    return number;
  }

  // What an expression stands for that is a name, or a fact.
  look(expression) {
    if (expression.do === "unknown") throw new Unknown();
    const found = expression.do === "name" ? this.named[expression.name] : expression.is;
    if (found.unknown) throw new Unknown();
    if (found.b) this.bound = found.b;
    return found;
  }

  number(expression) {
    const work = WORK[expression.do];
    if (!work) throw new Unknown();
    return work(this, expression, expression.of ?? []);
  }

  // A cell of a table that goes by the words of some fields.
  cell(expression, cells) {
    return cells[expression.by.map((key) => this.words[key] ?? "").join("\n")];
  }
}

function numberIn(named) {
  if (named.n === undefined) throw new NoAnswer(Words.text("formula-no-number"));
  return parsed(named.n);
}

// The ends of a printed range; of anything else the number itself.
function endsOf(named, ends) {
  if (ends) return ends.map((end) => (end === null ? null : parsed(end)));
  const number = numberIn(named);
  return [number, number];
}

const within = (number, [low, high]) =>
  truth((!low || compared(low, number) <= 0) && (!high || compared(number, high) <= 0));

const ofNumbers = (work) => (scope, _, of) => work(...of.map((part) => scope.number(part)));

// Whether a comparison holds, by the order of its sides: -1, 0 or 1.
const HOLDS = {
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  "<": (order) => order < 0,
  "==": (order) => order === 0,
  "!=": (order) => order !== 0,
};
const COMPARISONS = Object.fromEntries(
  Object.entries(HOLDS).map(([sign, holds]) => [sign, ofNumbers((left, right) => truth(holds(compared(left, right))))]),
);

// The terms of a sum, however deep; what is taken off comes last.
function termsOf(sign, expression) {
  if (expression.do !== "sum") return [[sign, expression]];
  return expression.of.flatMap((part, place) => termsOf(sign * expression.signs[place], part)).sort(([one], [other]) => other - one);
}

function totalOf(scope, expression) {
  const found = termsOf(1, expression).map(([sign, part]) => (sign > 0 ? scope.number(part) : negated(scope.reversed(part))));
  return found.reduce(sumOf, ZERO);
}

// The largest or smallest of some numbers. The smaller of 5 and more than 8 is 5, but the larger is a bound.
function extreme(choose, always) {
  return (scope, _, of) => {
    const found = of.map((part) => scope.apart(part));
    const chosen = found.map(({number}) => number).reduce(choose);
    const bounds = found.filter(({number}) => compared(number, chosen) === 0).map(({bound}) => bound);
    if (found.some(({bound}) => bound === always)) scope.bound = always;
    else if (bounds.every(Boolean)) scope.bound = bounds[0];
    return chosen;
  };
}

function endOf(place) {
  return (scope, _, [name]) => {
    const named = scope.look(name);
    const [low, high] = endsOf(named, named.i ?? named.m);
    const end = place ? high : low;
    if (!end) throw new NoAnswer(Words.text("formula-no-end"));
    return end;
  };
}

// The cell of a column in the first row whose key is a number, or is a range that holds it; else what stands last.
function cellAt(scope, {keys, cells}, [asked, otherwise]) {
  const wanted = scope.number(asked);
  const isRowOf = ({n, i}) =>
    (n !== undefined && compared(parsed(n), wanted) === 0) ||
    (i !== undefined && isWhole(wanted) && !isZero(within(wanted, endsOf({}, i))));
  const row = keys.findIndex(isRowOf);
  for (const used of row < 0 ? keys : [keys[row], cells[row]]) scope.bound = used.b ?? scope.bound;
  if (row >= 0) return numberIn(cells[row]);
  if (!otherwise) throw new NoAnswer(Words.text("formula-no-row"));
  return scope.number(otherwise);
}

// Which whole goal is as hard to reach as a broken one.
const GOALS = {">=": ceilingOf, "<": ceilingOf, ">": floorOf, "<=": floorOf};

function chanceOf(scope, expression, [number]) {
  const {sign} = expression;
  const goal = negated(scope.number(number));
  const chances = scope.cell(expression, expression.chances);
  if (!chances) throw new NoAnswer(Words.text("formula-not-rolled"));
  if (!GOALS[sign] && !isWhole(goal)) return truth(sign === "!=");
  const place = Number((GOALS[sign] ?? floorOf)(goal)) - expression.from;
  const end = place < 0 ? chances[0] : chances.at(-1);
  if (place >= 0 && place < chances.length) return parsed(chances[place]);
  if (!GOALS[sign] || !["0", "1"].includes(end)) throw new Unknown(); // farther out than refgen wrote down
  return parsed(end);
}

function inTable(scope, expression) {
  const found = scope.cell(expression, expression.cells);
  if (!found) throw new NoAnswer(Words.text("formula-not-worked-out"));
  if (found.b) scope.bound = found.b;
  return numberIn(found);
}

function kept(scope, {name}) {
  if (!scope.kept.has(name)) scope.kept.set(name, scope.apart(scope.let[name]));
  const {number, bound} = scope.kept.get(name);
  scope.bound = bound || scope.bound;
  return number;
}

const WORK = {
  number: (_, {value}) => ({above: value, below: 1n}),
  outcome: (scope, {place}) => scope.named[place],
  fact: (scope, expression) => numberIn(scope.look(expression)),
  name: (scope, expression) => numberIn(scope.look(expression)),
  let: kept,
  sum: totalOf,
  "*": ofNumbers(productOf),
  "/": (scope, _, [left, right]) => {
    const divided = scope.number(left);
    return quotientOf(divided, scope.reversed(right));
  },
  "^": ofNumbers(powerOf),
  mod: ofNumbers(moduloOf),
  and: (scope, _, of) => truth(of.every((part) => !isZero(scope.number(part)))),
  or: (scope, _, of) => truth(of.some((part) => !isZero(scope.number(part)))),
  ...COMPARISONS,
  in: (scope, _, [asked, ...ends]) => {
    const number = scope.number(asked);
    return within(number, ends.map((end) => end && scope.number(end)));
  },
  "in-printed": (scope, _, [asked, range]) => {
    const number = scope.number(asked);
    const named = scope.look(range);
    return within(number, endsOf(named, named.i));
  },
  if: (scope, _, [test, then, otherwise]) => scope.number(isZero(scope.number(test)) ? otherwise : then),
  default: (scope, _, [name, otherwise]) => {
    const named = scope.look(name);
    const isBlank = [named.n, named.i, named.m, named.v].every((value) => value === undefined);
    return isBlank ? scope.number(otherwise) : numberIn(named);
  },
  low: endOf(0),
  high: endOf(1),
  at: cellAt,
  table: inTable,
  chance: chanceOf,
  max: extreme(larger, ">"),
  min: extreme(smaller, "<"),
  not: ofNumbers((number) => truth(isZero(number))),
  sign: ofNumbers((number) => fraction(BigInt(compared(number, ZERO)))),
  abs: ofNumbers((number) => ({above: absolute(number.above), below: number.below})),
  floor: ofNumbers((number) => fraction(floorOf(number))),
  ceiling: ofNumbers((number) => fraction(ceilingOf(number))),
  nearest: ofNumbers(nearestOf),
  even: ofNumbers((number) => truth(isWhole(number) && number.above % 2n === 0n)),
  clamp: ofNumbers((number, low, high) => larger(low, smaller(number, high))),
  combinations: ofNumbers(combinationsOf),
  power: ofNumbers(brokenPowerOf),
  powers: ofNumbers(powersOf),
  preferred: ofNumbers(preferredOf),
};
