// The distribution of a roll, exact, its questions and sums: as refgen/resolver/dice/distribution.py has it.
//
// `outcomes` go from lowest to highest, `weights` are whole numbers of any size. Between `low` and `high` (null: no
// limit) every chance is exact; where low is more than high, none is. `residue` is the chance of rolls that were still
// open when they were no longer followed. `rising` and `falling` say how the chances of a tail go on: from the outcome
// `start` on, the chance of an outcome `period` higher is `ratio` times as large. `momentsOf` works out mean and mean
// square from other rolls; without it they follow from the tails. `staysInexact`: the limits stay where they are,
// however far the dice are followed.
const DiceRolls = (() => {
  "use strict";
  const MOST_WORK = 6000000;
  const MOST_OUTCOMES = 50000;
  const FEW_PAIRS = 3000;
  const WIDEST_GAPS = 4;
  const NOWHERE = { low: 1, high: 0 };
  const ANYWHERE = [-Infinity, Infinity];
  const FAR = 1e100; // farther from zero than any outcome

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
  const plus = (left, right) => fraction(left.above * right.below + right.above * left.below, left.below * right.below);
  const shifted = (series, by) => series && { ...series, start: series.start + by };
  const beyond = (series, outcome) => series && { ...series, start: Math.max(series.start, outcome + 1) };

  // The series of the chance that two rolls both come so far.
  function together(left, right) {
    const period = leastCommonMultiple(left.period, right.period);
    const ratio = times(power(left.ratio, period / left.period), power(right.ratio, period / right.period));
    return { start: Math.max(left.start, right.start), period, ratio };
  }

  function checkPairs(left, right) {
    if (left * right > MOST_WORK) throw tooMuch(Words.text("formula-pairs", { left: grouped(left), right: grouped(right) }), grouped(MOST_WORK));
  }

  class Roll {
    constructor(outcomes, weights, { residue = ZERO, low = null, high = null, rising = null, falling = null, momentsOf = null, staysInexact = false } = {}) {
      Object.assign(this, { outcomes, weights, residue, low, high, rising, falling, momentsOf, staysInexact });
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
      const [falls, rises] = this.tailEnds;
      return falls < outcome && outcome < rises;
    }

    get isOpen() {
      return this.low !== null || this.high !== null;
    }

    get isNowhereExact() {
      return this.low !== null && this.high !== null && this.low > this.high;
    }

    // Up to which number there is a tail below, and from which on above; infinities for none.
    get tailEnds() {
      if (this.isNowhereExact) return [Infinity, -Infinity];
      return [this.low === null ? -Infinity : this.low - 1, this.high === null ? Infinity : this.high + 1];
    }

    // The ranges in which the outcomes of tails lie.
    get tails() {
      const [falls, rises] = this.tailEnds;
      if (falls >= rises) return [ANYWHERE];
      return [[-Infinity, falls], [rises, Infinity]].filter(([low, high]) => low < falls || high > rises);
    }

    // The ends between which all outcomes lie.
    get bounds() {
      return [this.low === null ? this.outcomes[0] : -Infinity, this.high === null ? this.outcomes.at(-1) : Infinity];
    }

    // The roll with a tail below up to a number, and one above from a number on; an infinity where there is none.
    withTails([falls, rises], residue, others = {}) {
      if (falls === -Infinity && rises === Infinity) return this;
      const low = falls === -Infinity ? null : Math.ceil(falls) + 1;
      const high = rises === Infinity ? null : Math.floor(rises) - 1;
      return new Roll(this.outcomes, this.weights, { residue, ...(falls >= rises ? NOWHERE : { low, high }), ...others });
    }

    // The roll as a function of independent rolls; `bounds` tells where it lands from the bounds of each.
    withTailsOf(rolls, bounds, others = {}) {
      const { tails, stays } = tailsOf(bounds, rolls, [this.outcomes[0], this.outcomes.at(-1)]);
      return this.withTails(tails, openOf(rolls), { staysInexact: stays, ...others });
    }

    get mean() {
      return (this.moments ?? this.listedMoments).mean;
    }

    get variance() {
      const { mean, square } = this.moments ?? this.listedMoments;
      return minus(square, times(mean, mean));
    }

    // Mean and mean square of the outcomes that are listed.
    get listedMoments() {
      return listedMoments(this.items(), this.denominator);
    }

    // Mean and mean square, tails and all; null where they are not known.
    get moments() {
      this.known ??= { moments: this.isOpen ? this.momentsOf?.(this) ?? momentsByTails(this) : this.listedMoments };
      return this.known.moments;
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
        momentsOf: this.momentsOf && (() => this.moments && { mean: negated(this.moments.mean), square: this.moments.square }),
        staysInexact: this.staysInexact,
      });
    }

    plus(other) {
      checkPairs(this.outcomes.length, other.outcomes.length);
      let found = null;
      if (this.rising && other.falling && this.low === null && other.high === null) found = endlessDifference(this, other.negated());
      else if (this.falling && other.rising && this.high === null && other.low === null) found = endlessDifference(other, this.negated());
      return found ?? (this.isOpen ? sumOfTwo(this, other) : sumOfTwo(other, this));
    }
  }

  // Where the result of a function of rolls has tails, and whether one stays where it is when those of the rolls begin much farther
  // out. What lands on one number, wherever in a tail the roll is, is known exactly.
  function tailsOf(bounds, rolls, listed) {
    let [falls, rises, stays] = [-Infinity, Infinity, false];
    rolls.forEach((roll, place) => roll.tails.forEach((tail) => {
      const landing = (own) => bounds(...rolls.map((other, at) => (at === place ? own : other.bounds)));
      const [low, high] = landing(tail);
      if (low === high) return;
      const isAbove = low > -Infinity && (high === Infinity || low > listed[0]);
      const isBelow = high < Infinity && (low === -Infinity || high < listed[1]);
      if (isAbove || !isBelow) rises = Math.min(rises, low);
      if (!isAbove) falls = Math.max(falls, high);
      const farther = landing(tail[1] === Infinity ? [Math.max(tail[0], FAR), Infinity] : [-Infinity, Math.min(tail[1], -FAR)]);
      stays ||= tail === ANYWHERE || (farther[0] === low && farther[1] === high);
    }));
    return { tails: [falls, rises], stays };
  }

  // Of outcomes and their weights; `denominator` is the weight of all outcomes.
  function listedMoments(items, denominator) {
    const part = (power) => items.reduce((sum, [outcome, weight]) => sum + BigInt(outcome) ** power * weight, 0n);
    return { mean: fraction(part(1n), denominator), square: fraction(part(2n), denominator) };
  }

  // The sum of both with so many times the other.
  function addedMoments(left, right, share = ONE) {
    return { mean: plus(left.mean, times(share, right.mean)), square: plus(left.square, times(share, right.square)) };
  }

  // Of the outcomes with exact chances, and of tails whose last period is among them: Σ ratio^k over all k from 1 on is
  // r / (1 - r), Σ k · ratio^k is r / (1 - r)², and Σ k² · ratio^k is r · (1 + r) / (1 - r)³.
  function momentsByTails(roll) {
    const exact = roll.items().filter(([outcome]) => roll.isExact(outcome));
    const [falls, rises] = roll.tailEnds;
    let found = listedMoments(exact, roll.denominator);
    for (const [sign, end, series] of [[1, rises, roll.rising], [-1, -falls, roll.falling]]) {
      if (end === Infinity) continue;
      if (!series || end - series.period < series.start) return null;
      const { period, ratio } = series;
      const last = exact.map(([outcome, weight]) => [sign * outcome, weight]).filter(([outcome]) => outcome >= end - period);
      const rest = minus(ONE, ratio);
      const over = (number) => fraction(number.above * rest.below, number.below * rest.above);
      const once = over(ratio);
      const steps = times(over(once), fraction(BigInt(period)));
      const squares = times(times(over(steps), plus(ONE, ratio)), fraction(BigInt(period)));
      const near = listedMoments(last, roll.denominator);
      const share = fraction(total(last.map(([, weight]) => weight)), roll.denominator);
      const mean = plus(times(once, near.mean), times(steps, share));
      const square = plus(plus(times(once, near.square), times(times(fraction(2n), steps), near.mean)), times(squares, share));
      found = addedMoments(found, { mean: sign > 0 ? mean : negated(mean), square });
    }
    return found;
  }

  function momentsOfSum(left, right) {
    if (!left || !right) return null;
    const twice = times(fraction(2n), times(left.mean, right.mean));
    return { mean: plus(left.mean, right.mean), square: plus(plus(left.square, twice), right.square) };
  }

  const momentsOfProduct = (left, right) => left && right && { mean: times(left.mean, right.mean), square: times(left.square, right.square) };

  // The chance that at least one of some rolls was still open.
  const openOf = (rolls) => minus(ONE, rolls.reduce((all, { residue }) => times(all, minus(ONE, residue)), ONE));

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

  // The sum of two rolls; if only one is open-ended, the left. A series goes on as it does if the right roll has an end.
  function sumOfTwo(left, right) {
    const sum = Roll.of(added(left, right));
    if (!left.isOpen) return sum;
    const [lowest, highest] = [right.outcomes[0], right.outcomes.at(-1)];
    return sum.withTailsOf([left, right], (one, other) => [one[0] + other[0], one[1] + other[1]], {
      rising: right.isOpen ? null : shifted(left.rising, highest),
      falling: right.isOpen ? null : shifted(left.falling, -lowest),
      momentsOf: () => momentsOfSum(left.moments, right.moments),
    });
  }

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
    const { ratio } = together(left.rising, right.rising);
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
    ANYWHERE, FAR, MOST_OUTCOMES, MOST_WORK, Roll, TooMuch, WIDEST_GAPS, addedMoments, adding, beyond, checkPairs, leastCommonMultiple,
    listedMoments, minus, momentsOfProduct, openOf, plus, power, shifted, times, together, tooMuch, total,
  };
})();
