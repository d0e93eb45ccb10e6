// Interval arithmetic: between which ends a formula lies when its rolls lie between some: as
// refgen/resolver/dice/interval_arithmetic.py does it.
//
// In: a formula of outcomes, and the ends of each roll: numbers, or infinities. Out: the ends of the formula as such
// numbers; a part that is not listed may lie anywhere. Within, an end is a fraction, or an infinity.
const DiceBounds = (() => {
  "use strict";
  const { ANYWHERE, plus, power, times } = DiceRolls;
  const isEndless = (end) => end === Infinity || end === -Infinity;
  const endOf = (number) => (isEndless(number) ? number : fraction(BigInt(number)));
  const order = (one, other) => {
    if (one === other) return 0;
    if (isEndless(one)) return one < 0 ? -1 : 1;
    if (isEndless(other)) return other < 0 ? 1 : -1;
    return compared(one, other);
  };
  const signOf = (end) => (isEndless(end) ? Math.sign(end) : compared(end, ZERO));
  const least = (ends) => ends.reduce((one, other) => (order(one, other) <= 0 ? one : other));
  const most = (ends) => ends.reduce((one, other) => (order(one, other) >= 0 ? one : other));
  const minus = (end) => (isEndless(end) ? -end : negated(end));
  const sum = (one, other) => (isEndless(one) ? one : isEndless(other) ? other : plus(one, other));
  const holdsZero = ([low, high]) => signOf(low) <= 0 && signOf(high) >= 0;
  const isKnown = ([low, high]) => order(low, high) === 0;
  const turned = ([low, high]) => [minus(high), minus(low)];

  // Of a function that rises with its first number, without an end; the others are known.
  const rising = (work) => (number, ...others) => {
    if (!others.every(isKnown)) return ANYWHERE;
    try {
      return number.map((end) => (isEndless(end) ? end : work(end, ...others.map(([known]) => known))));
    } catch (error) {
      if (error instanceof NoAnswer) return ANYWHERE;
      throw error;
    }
  };

  function inRange(number, low, high) {
    if (order(low[1], number[0]) <= 0 && order(number[1], high[0]) <= 0) return [ONE, ONE];
    return order(number[1], low[0]) < 0 || order(high[1], number[0]) < 0 ? [ZERO, ZERO] : [ZERO, ONE];
  }

  function product(left, right) {
    const corners = left.flatMap((one) => right.map((other) => {
      if (!signOf(one) || !signOf(other)) return ZERO;
      return isEndless(one) || isEndless(other) ? signOf(one) * signOf(other) * Infinity : times(one, other);
    }));
    return [least(corners), most(corners)];
  }

  function quotient(left, right) {
    if (holdsZero(right)) return ANYWHERE;
    const [low, high] = right.map((end) => (isEndless(end) ? ZERO : fraction(end.below, end.above)));
    return product(left, [high, low]);
  }

  function withoutSign(number) {
    const ends = number.map((end) => (signOf(end) < 0 ? minus(end) : end));
    return [holdsZero(number) ? ZERO : least(ends), most(ends)];
  }

  function raised(base, exponent) {
    const [times] = exponent;
    if (!isKnown(exponent) || isEndless(times) || !isWhole(times)) return ANYWHERE;
    if (times.above < 0n) return quotient([ONE, ONE], raised(base, turned(exponent)));
    if (isZero(times)) return [ONE, ONE];
    return rising(powerOf)(times.above % 2n ? base : withoutSign(base), exponent);
  }

  function rest(number, divisor) {
    if (holdsZero(divisor)) return ANYWHERE;
    if (signOf(divisor[0]) < 0) return turned(rest(turned(number), turned(divisor)));
    return signOf(number[0]) >= 0 && order(number[1], divisor[0]) < 0 ? number : [ZERO, divisor[1]];
  }

  const isNot = ([low, high]) => [plus(ONE, negated(high)), plus(ONE, negated(low))];
  const zero = [ZERO, ZERO];
  const signs = (number) => number.map((end) => fraction(BigInt(signOf(end))));

  // The margin of a comparison, held against 0.
  const ofMargin = (holds) => (left, right) => holds([sum(left[0], minus(right[1])), sum(left[1], minus(right[0]))]);
  const isAbove = (margin) => inRange(margin, zero, [Infinity, Infinity]);
  const isBelow = (margin) => inRange(margin, [-Infinity, -Infinity], zero);
  const isEqual = (margin) => inRange(margin, zero, zero);

  // What either branch of a choice may come to, or the only one to which the test leads.
  function chosen(test, then, otherwise) {
    if (isKnown(test)) return isZero(test[0]) ? otherwise : then;
    return holdsZero(test) ? [least([then[0], otherwise[0]]), most([then[1], otherwise[1]])] : then;
  }

  const isTrue = (number) => isNot(isEqual(number));

  const KNOWN = {
    "*": product, "/": quotient, "^": raised, mod: rest, abs: withoutSign, sign: signs, if: chosen,
    and: (one, other) => chosen(one, isTrue(other), zero),
    or: (one, other) => chosen(one, [ONE, ONE], isTrue(other)),
    not: isEqual,
    even: () => [ZERO, ONE],
    ">=": ofMargin(isAbove), "<=": ofMargin(isBelow), "==": ofMargin(isEqual),
    ">": ofMargin((margin) => isNot(isBelow(margin))), "<": ofMargin((margin) => isNot(isAbove(margin))), "!=": ofMargin(isTrue),
    in: (number, low, high) => inRange(number, low ?? [-Infinity, -Infinity], high ?? [Infinity, Infinity]),
    max: (...numbers) => [0, 1].map((side) => most(numbers.map((ends) => ends[side]))),
    min: (...numbers) => [0, 1].map((side) => least(numbers.map((ends) => ends[side]))),
    clamp: (number, low, high) => [0, 1].map((side) => most([low[side], least([number[side], high[side]])])),
    floor: rising((number) => fraction(floorOf(number))),
    ceiling: rising((number) => fraction(ceilingOf(number))),
    nearest: rising(nearestOf),
    combinations: rising(combinationsOf),
    power: (base, exponent) => (signOf(exponent[0]) >= 0 ? rising(brokenPowerOf)(base, exponent) : ANYWHERE),
    powers: rising(powersOf),
    preferred: rising(preferredOf),
  };

  function endsOf(formula, ends) {
    if (formula.do === "number") return [fraction(formula.value), fraction(formula.value)];
    if (formula.do === "outcome") return ends[formula.place].map(endOf);
    const parts = formula.of.map((part) => part && endsOf(part, ends));
    if (formula.do !== "sum") return KNOWN[formula.do]?.(...parts) ?? ANYWHERE;
    const signed = parts.map((part, place) => (formula.signs[place] > 0 ? part : turned(part)));
    return signed.reduce((one, other) => [sum(one[0], other[0]), sum(one[1], other[1])], zero);
  }

  // The ends of a formula for some ends of its rolls: whole numbers between which it lies.
  const boundsOf = (formula) => (...ends) => {
    const [low, high] = endsOf(formula, ends);
    return [isEndless(low) ? low : Number(floorOf(low)), isEndless(high) ? high : Number(ceilingOf(high))];
  };

  // How the chances of a formula go on beyond those of its only open-ended roll: `rising` and `falling`, null for not known.

  const NOT_KNOWN = { rising: null, falling: null };
  const each = ({ rising, falling }, work) => ({ rising: rising && work(rising), falling: falling && work(falling) });
  const fractions = (series) => series && { ...series, start: fraction(BigInt(series.start)), period: fraction(BigInt(series.period)) };
  const opposite = ({ rising, falling }) => ({ rising: falling, falling: rising });

  function scaled(found, factor) {
    const size = { above: absolute(factor.above), below: factor.below };
    const series = each(found, (own) => ({ ...own, start: times(own.start, size), period: times(own.period, size) }));
    return factor.above < 0n ? opposite(series) : series;
  }

  // Of a function that rises by 1 whenever a number does.
  function through(found, work) {
    const step = (own, round) => ({
      start: plus(round(larger(own.start, ZERO)), ONE),
      period: fraction(own.period.above),
      ratio: power(own.ratio, own.period.below),
    });
    const { rising, falling } = found;
    return { rising: rising && step(rising, work), falling: falling && step(falling, (number) => negated(work(negated(number)))) };
  }

  function ofSum(parts, signs, rolls) {
    const open = parts.findIndex((part) => isOpen(part, rolls));
    if (parts.some((part, place) => place !== open && isOpen(part, rolls))) return NOT_KNOWN;
    const others = parts.filter((_, place) => place !== open);
    const [low, high] = endsOf({ do: "sum", signs: signs.filter((_, place) => place !== open), of: others }, rolls.map(({ bounds }) => bounds));
    const own = seriesIn(parts[open], rolls);
    const { rising, falling } = signs[open] > 0 ? own : opposite(own);
    const moved = (series, by) => series && { ...series, start: plus(series.start, by) };
    return { rising: moved(rising, high), falling: moved(falling, negated(low)) };
  }

  const ROUNDED = { floor: (number) => fraction(floorOf(number)), ceiling: (number) => fraction(ceilingOf(number)), nearest: nearestOf };
  const isOpen = (formula, rolls) => (formula.do === "outcome" ? rolls[formula.place].isOpen : (formula.of ?? []).some((part) => part && isOpen(part, rolls)));

  function seriesIn(formula, rolls) {
    if (formula.do === "outcome") return each(rolls[formula.place], fractions);
    if (formula.do === "sum") return ofSum(formula.of, formula.signs, rolls);
    if (ROUNDED[formula.do]) return through(seriesIn(formula.of[0], rolls), ROUNDED[formula.do]);
    if (!["*", "/"].includes(formula.do)) return NOT_KNOWN;
    const [left, right] = formula.do === "*" && isOpen(formula.of[1], rolls) ? [...formula.of].reverse() : formula.of;
    const factor = endsOf(right, rolls.map(({ bounds }) => bounds));
    if (!isKnown(factor) || isZero(factor[0])) return NOT_KNOWN;
    return scaled(seriesIn(left, rolls), formula.do === "*" ? factor[0] : fraction(factor[0].below, factor[0].above));
  }

  // As `rising` and `falling` of a roll of whole numbers.
  function seriesOf(formula, rolls) {
    const whole = (series) => (isWhole(series.start) && isWhole(series.period) ? { ...series, start: Number(series.start.above), period: Number(series.period.above) } : null);
    return isOpen(formula, rolls) ? each(seriesIn(formula, rolls), whole) : NOT_KNOWN;
  }

  return { boundsOf, seriesOf };
})();
