// Exact numbers, and how they are printed: as refgen/resolver/dice/arithmetic.py and refgen/notation/figures.py do it.
//
// In: whole numbers and fractions of any size. Out: the same, or their text. A number is {above, below}, both BigInt,
// in lowest terms, with `below` above 0.
"use strict";

// A formula has no answer, for a reason that a person can be told.
class NoAnswer extends Error {}

// Only refgen works it out: the page does not guess.
class Unknown extends Error {}

const MOST_BITS = 14000n;

const absolute = (number) => (number < 0n ? -number : number);

function commonDivisor(left, right) {
  while (right) [left, right] = [right, left % right];
  return left;
}

function fraction(above, below = 1n) {
  if (below < 0n) [above, below] = [-above, -below];
  const divisor = commonDivisor(absolute(above), below);
  return divisor > 1n ? {above: above / divisor, below: below / divisor} : {above, below};
}

// "3", "-1/2", as the program of a sheet has them.
function parsed(text) {
  const [above, below] = text.split("/");
  return {above: BigInt(above), below: below ? BigInt(below) : 1n};
}

// The same: what is exact, as a text.
const exactText = ({above, below}) => (below === 1n ? `${above}` : `${above}/${below}`);

const ZERO = fraction(0n);
const ONE = fraction(1n);
const truth = (holds) => (holds ? ONE : ZERO);
const isWhole = (number) => number.below === 1n;
const isZero = (number) => number.above === 0n;
const bits = (number) => BigInt(absolute(number).toString(2).length);

// The same number, unless it has thousands of digits.
function bounded(number) {
  if (bits(number.above) > MOST_BITS || bits(number.below) > MOST_BITS) {
    throw new NoAnswer(Words.text("formula-thousands"));
  }
  return number;
}

const negated = (number) => ({above: -number.above, below: number.below});
const compared = (left, right) => {
  const difference = left.above * right.below - right.above * left.below;
  return difference < 0n ? -1 : Number(difference > 0n);
};
const larger = (left, right) => (compared(left, right) >= 0 ? left : right);
const smaller = (left, right) => (compared(left, right) <= 0 ? left : right);

function sumOf(left, right) {
  const total = fraction(left.above * right.below + right.above * left.below, left.below * right.below);
  return isWhole(left) && isWhole(right) ? total : bounded(total);
}

const productOf = (left, right) => bounded(fraction(left.above * right.above, left.below * right.below));

function quotientOf(left, right) {
  if (isZero(right)) throw new NoAnswer(Words.text("formula-zero"));
  return bounded(fraction(left.above * right.below, left.below * right.above));
}

// The largest whole number that is not above another: BigInt division goes towards zero.
function floorOf({above, below}) {
  const towardsZero = above / below;
  return above % below < 0n ? towardsZero - 1n : towardsZero;
}

const ceilingOf = (number) => -floorOf(negated(number));

function moduloOf(left, right) {
  if (isZero(right)) throw new NoAnswer(Words.text("formula-rest-zero"));
  const times = fraction(floorOf(quotientOf(left, right)));
  return sumOf(left, negated(productOf(times, right)));
}

function powerOf(base, exponent) {
  const size = [bits(absolute(base.above)), bits(base.below)].reduce((most, one) => (one > most ? one : most)) - 1n;
  const tooLarge = size * absolute(exponent.above) > 2n * MOST_BITS;
  if (!isWhole(exponent) || (isZero(base) && exponent.above < 0n) || tooLarge) {
    throw new NoAnswer(Words.text("formula-power"));
  }
  const times = absolute(exponent.above);
  const found = {above: base.above ** times, below: base.below ** times};
  return bounded(exponent.above < 0n ? fraction(found.below, found.above) : found);
}

function nearestOf(number) {
  const away = floorOf(sumOf(number.above < 0n ? negated(number) : number, fraction(1n, 2n)));
  return fraction(number.above < 0n ? -away : away);
}

const MOST_WHOLE = 10000n;
const MOST_POWERS = 200;

function combinationsOf(total, part) {
  if (!isWhole(total) || !isWhole(part) || total.above < 0n || total.above > MOST_WHOLE) {
    throw new NoAnswer(Words.text("formula-function", { name: "combinations()" }));
  }
  if (part.above < 0n || part.above > total.above) return ZERO;
  return fraction(binomial(total.above, part.above));
}

// In how many ways some of so many things are chosen.
function binomial(total, part) {
  let found = 1n;
  for (let taken = 1n; taken <= part; taken++) found = (found * (total - taken + 1n)) / taken;
  return found;
}

function powersOf(number, base) {
  let power = 0;
  let reached = base;
  while (compared(base, ONE) > 0 && compared(reached, number) <= 0 && power <= MOST_POWERS) {
    power += 1;
    reached = productOf(reached, base);
  }
  if (compared(number, ONE) < 0 || compared(base, ONE) <= 0 || power > MOST_POWERS) {
    throw new NoAnswer(Words.text("formula-function", { name: "powers()" }));
  }
  return fraction(BigInt(power));
}

const DECIMALS = 10n ** 50n;
const MOST_BASE = 10000n;
const MOST_EXPONENT = 1000n;
const MOST_ROOT = 100n;

// The largest whole number whose power `degree` does not exceed another.
function rootOf(number, degree) {
  if (number === 0n) return 0n;
  let guess = 1n << ((bits(number) + degree - 1n) / degree);
  for (;;) {
    const lower = ((degree - 1n) * guess + number / guess ** (degree - 1n)) / degree;
    if (lower >= guess) return guess;
    guess = lower;
  }
}

function brokenPowerOf(base, exponent) {
  const tooLarge =
    base.above > MOST_BASE || base.below > MOST_BASE || absolute(exponent.above) > MOST_EXPONENT || exponent.below > MOST_ROOT;
  if (base.above <= 0n || tooLarge) throw new NoAnswer(Words.text("formula-function", { name: "power()" }));
  const times = absolute(exponent.above);
  let power = {above: base.above ** times, below: base.below ** times};
  if (exponent.above < 0n) power = {above: power.below, below: power.above};
  if (isWhole(exponent)) return bounded(power);
  const scaled = (power.above * DECIMALS ** exponent.below) / power.below;
  return bounded(fraction(rootOf(scaled, exponent.below), DECIMALS));
}

function preferredOf(number, ...series) {
  const least = series.reduce(smaller);
  if (number.above <= 0n || least.above <= 0n) throw new NoAnswer(Words.text("formula-function", { name: "preferred()" }));
  const ten = fraction(10n);
  let tens = ONE;
  while (compared(productOf(least, tens), number) > 0) tens = quotientOf(tens, ten);
  while (compared(productOf(productOf(least, tens), ten), number) <= 0) tens = productOf(tens, ten);
  const near = series.flatMap((member) =>
    [fraction(1n, 10n), ONE, ten].map((step) => productOf(productOf(member, tens), step)));
  const distance = (member) => {
    const between = sumOf(member, negated(number));
    return between.above < 0n ? negated(between) : between;
  };
  return near.reduce((best, member) => {
    const nearer = compared(distance(member), distance(best));
    return nearer < 0 || (nearer === 0 && compared(member, best) > 0) ? member : best;
  });
}

// A number, rounded, in units of its last decimal: 2.345 to two places is 235.
function unitsOf(number, places, rounding) {
  const scaled = {above: number.above * 10n ** BigInt(places), below: number.below};
  const floor = floorOf(scaled);
  const rest = scaled.above - floor * scaled.below;
  switch (rounding) {
    case "ceiling":
      return floor + (rest ? 1n : 0n);
    case "floor":
      return floor;
  }
  if (2n * rest !== scaled.below) return floor + (2n * rest > scaled.below ? 1n : 0n);
  if (rounding === "half-even") return floor + absolute(floor % 2n);
  return floor + (rounding === "half-up" || number.above > 0n ? 1n : 0n);
}

// A figure in units of its last decimal, as a text with a plain hyphen for its minus.
function digitsOf(figure, places) {
  if (!places) return String(figure);
  const digits = String(absolute(figure)).padStart(places + 1, "0");
  return `${figure < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

// A chance as a percentage: what is possible is never 0%, and what is not certain never 100%.
function percentOf(chance, places, rounding) {
  const figure = unitsOf(chance, places + 2, rounding);
  const certain = 100n * 10n ** BigInt(places);
  if (figure === 0n && chance.above > 0n) return `<${digitsOf(1n, places)}%`;
  if (figure === certain && chance.above < chance.below) return `>${digitsOf(certain - 1n, places)}%`;
  return `${digitsOf(figure, places)}%`;
}

// A whole number with its thousands apart.
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

// A number as it is set: a real minus, a plus where it is signed, thousands apart.
function setNumber(text, signed) {
  const [whole, part] = text.replace(/^-/, "").split(".");
  const plus = signed && /[1-9]/.test(whole + (part ?? "")) ? "+" : "";
  const sign = text.startsWith("-") ? "−" : plus;
  return `${sign}${grouped(BigInt(whole))}${part === undefined ? "" : `.${part}`}`;
}
