// The distribution of a roll, exact, its questions and sums: as refgen/resolver/dice/roll.py has it.
//
// `outcomes` go from lowest to highest, `weights` are whole numbers of any size. Between `low` and `high` (null: no
// limit) every chance is exact; where low is more than high, none is. `residue` is the chance of rolls that were still
// open when they were no longer followed. `rising` and `falling` say how the chances of a tail go on: from the outcome
// `start` on, the chance of an outcome `period` higher is `ratio` times as large.
const DiceRolls = (() => {
  "use strict";
  const MOST_WORK = 6000000;
  const MOST_OUTCOMES = 50000;
  const FEW_PAIRS = 3000;
  const WIDEST_GAPS = 4;
  const NOWHERE = { low: 1, high: 0 };

  // Dice that are not worked out, and why.
  class TooMuch extends Error {
    constructor(message, hint = "") {
      super(message);
      this.hint = hint;
    }
  }

  const tooMuch = (what, most) => new TooMuch(Words.text("formula-too-much", { amount: what, most }), Words.text("formula-fewer"));
  const total = (weights) => weights.reduce((sum, weight) => sum + weight, 0n);
  const power = ({ above, below }, times) => ({ above: above ** BigInt(times), below: below ** BigInt(times) });
  const minus = (left, right) => fraction(left.above * right.below - right.above * left.below, left.below * right.below);
  const times = (left, right) => fraction(left.above * right.above, left.below * right.below);
  const shifted = (series, by) => series && { ...series, start: series.start + by };

  function checkPairs(left, right) {
    if (left * right > MOST_WORK) throw tooMuch(Words.text("formula-pairs", { left: grouped(left), right: grouped(right) }), grouped(MOST_WORK));
  }

  class Roll {
    constructor(outcomes, weights, { residue = ZERO, low = null, high = null, rising = null, falling = null } = {}) {
      Object.assign(this, { outcomes, weights, residue, low, high, rising, falling });
    }

    // Of weights by outcome, in any order; outcomes without weight are left out.
    static of(weights, ends) {
      const outcomes = [...weights.keys()].filter((outcome) => weights.get(outcome)).sort((one, other) => one - other);
      return new Roll(outcomes, outcomes.map((outcome) => weights.get(outcome)), ends);
    }

    // As refgen writes one down, as far as it may be asked for: the weights of an outcome and all higher ones, from `low`
    // on. What lies below stands in one outcome, whose own chance is not known.
    static written({ low, denominator, at_least: atLeast, exact: [exactLow, high] }) {
      const fromAbove = [BigInt(denominator), ...atLeast.map(BigInt), 0n];
      const weights = new Map(fromAbove.slice(1).map((weight, place) => [low + place - 1, fromAbove[place] - weight]));
      return Roll.of(weights, { low: weights.get(low - 1) ? Math.max(low, exactLow ?? low) : exactLow, high });
    }

    get denominator() {
      return this.fromAbove[0];
    }

    // The weight of each outcome and all higher ones, and 0 at the end.
    get fromAbove() {
      if (!this.summed) {
        this.summed = [0n];
        for (let place = this.weights.length - 1; place >= 0; place -= 1) this.summed.push(this.summed.at(-1) + this.weights[place]);
        this.summed.reverse();
      }
      return this.summed;
    }

    weightAtLeast(outcome) {
      let [start, end] = [0, this.outcomes.length];
      while (start < end) {
        const middle = (start + end) >> 1;
        if (this.outcomes[middle] < outcome) start = middle + 1;
        else end = middle;
      }
      return this.fromAbove[start];
    }

    weight(outcome) {
      return this.weightAtLeast(outcome) - this.weightAtLeast(outcome + 1);
    }

    exactly(outcome) {
      return fraction(this.weight(outcome), this.denominator);
    }

    atLeast(outcome) {
      return fraction(this.weightAtLeast(outcome), this.denominator);
    }

    // The chance of an outcome from `low` to `high`; null for an open end.
    between(low, high) {
      const above = high === null ? 0n : this.weightAtLeast(high + 1);
      return fraction((low === null ? this.denominator : this.weightAtLeast(low)) - above, this.denominator);
    }

    isExact(outcome) {
      return (this.low === null || outcome >= this.low) && (this.high === null || outcome <= this.high);
    }

    get isOpen() {
      return this.low !== null || this.high !== null;
    }

    get isNowhereExact() {
      return this.low !== null && this.high !== null && this.low > this.high;
    }

    get mean() {
      return fraction(this.outcomes.reduce((sum, outcome, place) => sum + BigInt(outcome) * this.weights[place], 0n), this.denominator);
    }

    get variance() {
      const squares = this.outcomes.reduce((sum, outcome, place) => sum + BigInt(outcome) ** 2n * this.weights[place], 0n);
      return minus(fraction(squares, this.denominator), times(this.mean, this.mean));
    }

    items() {
      return this.outcomes.map((outcome, place) => [outcome, this.weights[place]]);
    }

    // The weight of every number from the lowest outcome to the highest.
    get withoutGaps() {
      const [lowest, highest] = [this.outcomes[0], this.outcomes.at(-1)];
      if (highest - lowest + 1 === this.outcomes.length) return this.weights;
      const found = Array(highest - lowest + 1).fill(0n);
      this.items().forEach(([outcome, weight]) => { found[outcome - lowest] = weight; });
      return found;
    }

    negated() {
      return new Roll(this.outcomes.map((outcome) => -outcome || 0).reverse(), [...this.weights].reverse(), {
        residue: this.residue,
        low: this.high === null ? null : -this.high,
        high: this.low === null ? null : -this.low,
        rising: this.falling,
        falling: this.rising,
      });
    }

    plus(other) {
      checkPairs(this.outcomes.length, other.outcomes.length);
      if (!other.isOpen) return plusBounded(this, other);
      if (!this.isOpen) return plusBounded(other, this);
      if (this.rising && other.falling && this.low === null && other.high === null) return endlessDifference(this, other.negated()) ?? nowhereExact(this, other);
      if (this.falling && other.rising && this.high === null && other.low === null) return endlessDifference(other, this.negated()) ?? nowhereExact(this, other);
      return plusOpen(this, other);
    }
  }

  const eitherOpen = (left, right) => minus(ONE, times(minus(ONE, left.residue), minus(ONE, right.residue)));

  function adding() {
    const weights = new Map();
    return { weights, add: (outcome, weight) => weights.set(outcome, (weights.get(outcome) ?? 0n) + weight) };
  }

  // Σ left[i] · right[n - i] for each n: as one product of two large numbers, with a slot of digits for each weight.
  function convolved(left, right) {
    const [sum, other] = [total(left), total(right)];
    const largest = [sum * other, sum, other].reduce((one, two) => (one > two ? one : two));
    const slot = largest.toString(16).length + 1;
    const packed = (weights) => BigInt(`0x${[...weights].reverse().map((weight) => weight.toString(16).padStart(slot, "0")).join("")}`);
    const length = left.length + right.length - 1;
    const digits = (packed(left) * packed(right)).toString(16).padStart(slot * length, "0");
    return Array.from({ length }, (_, place) => BigInt(`0x${digits.slice(slot * (length - place - 1), slot * (length - place))}`));
  }

  function added(left, right) {
    const [lowest, highest] = [left.outcomes[0] + right.outcomes[0], left.outcomes.at(-1) + right.outcomes.at(-1)];
    const pairs = left.outcomes.length * right.outcomes.length;
    if (pairs > FEW_PAIRS && highest - lowest < WIDEST_GAPS * (left.outcomes.length + right.outcomes.length)) {
      return new Map(convolved(left.withoutGaps, right.withoutGaps).map((weight, place) => [lowest + place, weight]));
    }
    const { weights, add } = adding();
    for (const [outcome, weight] of right.items()) for (const [other, factor] of left.items()) add(outcome + other, weight * factor);
    return weights;
  }

  // The sum with a roll that has a lowest and a highest outcome: tails move by them.
  function plusBounded(left, right) {
    const [lowest, highest] = [right.outcomes[0], right.outcomes.at(-1)];
    return Roll.of(added(left, right), {
      residue: left.residue,
      low: left.low === null ? null : left.low + highest,
      high: left.high === null ? null : left.high + lowest,
      rising: shifted(left.rising, highest),
      falling: shifted(left.falling, -lowest),
    });
  }

  // The sum of two that are open on the same side; on opposite sides no chance is exact.
  function plusOpen(left, right) {
    if (left.low === null && right.low === null) {
      const high = Math.min(left.high + right.outcomes[0], right.high + left.outcomes[0]);
      return Roll.of(added(left, right), { residue: eitherOpen(left, right), high });
    }
    if (left.high === null && right.high === null) return plusOpen(left.negated(), right.negated()).negated();
    return nowhereExact(left, right);
  }

  const nowhereExact = (left, right) => Roll.of(added(left, right), { residue: eitherOpen(left, right), ...NOWHERE });

  function leastCommonMultiple(one, other) {
    return Number((BigInt(one) * BigInt(other)) / commonDivisor(BigInt(one), BigInt(other)));
  }

  // Left minus right, both without a highest outcome; null when they were not followed far enough, or go too far. Once both repeat, each
  // block of products is the one before times a ratio, and the rest of the sum is a geometric series.
  function endlessDifference(left, right) {
    if (left.outcomes.at(-1) - right.outcomes[0] > MOST_OUTCOMES) return null;
    const period = leastCommonMultiple(left.rising.period, right.rising.period);
    const low = left.rising.start - right.high + period - 1;
    const high = left.high - right.rising.start - period + 1;
    const rising = shifted(left.rising, -right.outcomes[0]);
    const falling = shifted(right.rising, -left.outcomes[0]);
    if (left.high - period + 1 < left.rising.start || right.high - period + 1 < right.rising.start) return null;
    if (high - rising.period + 1 < rising.start || -low - falling.period + 1 < falling.start) return null;
    const ratio = times(power(left.rising.ratio, period / left.rising.period), power(right.rising.ratio, period / right.rising.period));
    const [share, whole] = [ratio.below, ratio.below - ratio.above];
    const first = right.outcomes[0];
    const weightsOf = (roll) => new Map(roll.items());
    const [ofLeft, ofRight] = [weightsOf(left), weightsOf(right)];
    const numbers = (from, to, step) => Array.from({ length: Math.max(0, (to - from) / step + 1) }, (_, place) => from + place * step);
    const leftWeights = numbers(first + low, left.high, 1).map((number) => ofLeft.get(number) ?? 0n);
    const rightWeights = numbers(right.high, first, -1).map((number) => ofRight.get(number) ?? 0n);
    const lastOfLeft = leftWeights.slice(-period);
    const sums = convolved(leftWeights, rightWeights);
    const blocks = [
      ...convolved(leftWeights, rightWeights.slice(0, period)).slice(0, leftWeights.length),
      ...convolved(lastOfLeft, rightWeights).slice(lastOfLeft.length),
    ];
    const mixed = sums.map((sum, place) => sum * whole + blocks[place] * (share - whole)).slice(rightWeights.length - 1);
    const weights = new Map(numbers(low, high, 1).map((number, place) => [number, mixed[place]]));
    return withTails(weights, low, high, rising, falling, left.denominator * right.denominator * whole);
  }

  // What lies above is a geometric series as well; the rest of the whole lies below.
  function withTails(weights, low, high, rising, falling, whole) {
    const top = rising.ratio.above;
    const bottom = rising.ratio.below - rising.ratio.above;
    let above = 0n;
    for (let number = high - rising.period + 1; number <= high; number += 1) above += weights.get(number) * top;
    const scaled = new Map([...weights].map(([number, weight]) => [number, weight * bottom]));
    const below = whole * bottom - above - total([...scaled.values()]);
    scaled.set(low - 1, below).set(high + 1, above);
    const found = Roll.of(scaled, { low, high, rising, falling });
    found.residue = fraction(below + above, found.denominator);
    return found;
  }

  return {
    MOST_OUTCOMES, MOST_WORK, NOWHERE, Roll, TooMuch, WIDEST_GAPS, adding, checkPairs, eitherOpen, leastCommonMultiple, power, shifted, times,
    tooMuch, total,
  };
})();
