// Rolls made of rolls: dice that go on, kept dice, the higher of two, a look-up in a table: as refgen/resolver/dice does it.
const DiceCombined = (() => {
  "use strict";
  const {
    MOST_OUTCOMES, Roll, TooMuch, addedMoments, adding, beyond, checkPairs, leastCommonMultiple, listedMoments, minus, momentsOfProduct, openOf,
    plus, power, times, together, total,
  } = DiceRolls;
  const MOST_REROLLS = 400;

  // The sum of many rolls of a die that has a lowest and a highest outcome (J. C. P. Miller's recurrence for powers of
  // polynomials).
  function repeated(die, count) {
    if (count === 1) return die;
    const faces = die.withoutGaps;
    const steps = faces.map((weight, place) => [place, weight]).filter(([place, weight]) => place && weight);
    const powers = [faces[0] ** BigInt(count)];
    for (let number = 1; number <= (faces.length - 1) * count; number += 1) {
      let sum = 0n;
      for (const [place, weight] of steps) {
        if (place > number) break;
        sum += BigInt((count + 1) * place - number) * weight * powers[number - place];
      }
      powers.push(sum / (BigInt(number) * faces[0]));
    }
    return Roll.of(new Map(powers.map((weight, place) => [die.outcomes[0] * count + place, weight])));
  }

  // The sum of the highest few of some equal dice, face by face from the best. The weights of all sums so far stand in
  // one large number for each count of dice that are settled.
  function highestOf(kept, die, count) {
    const faces = die.outcomes.length;
    const slot = BigInt((BigInt(faces) ** BigInt(count)).toString(2).length + 1);
    const raise = (packed, sum) => packed << (slot * BigInt(sum));
    let open = Array(kept).fill(0n);
    let done = 0n;
    open[0] = 1n;
    for (let face = faces - 1; face >= 0; face -= 1) {
      const next = Array(kept).fill(0n);
      open.forEach((packed, settled) => {
        if (!packed) return;
        const left = count - settled;
        const wanted = kept - settled;
        let enough = BigInt(face + 1) ** BigInt(left); // at least as many as are wanted show this face, the others less
        for (let number = 0; number < wanted; number += 1) {
          const ways = binomial(BigInt(left), BigInt(number));
          enough -= ways * BigInt(face) ** BigInt(left - number);
          next[settled + number] += raise(packed * ways, face * number);
        }
        done += raise(packed * enough, face * wanted);
      });
      open = next;
    }
    const { weights, add } = adding();
    const mask = (1n << slot) - 1n;
    for (let sum = 0; sum <= kept * (faces - 1); sum += 1) add(sum + kept * die.outcomes[0], (done >> (slot * BigInt(sum))) & mask);
    return Roll.of(weights);
  }

  // Whenever the highest outcome shows, roll again and add; followed for so many re-rolls.
  function exploding(first, rerolls) {
    const [lowest, top] = [first.outcomes[0], first.outcomes.at(-1)];
    if (top <= 0 || lowest === top) throw new TooMuch(Words.text("dice-explode-positive"));
    const again = first.exactly(top);
    return Roll.of(followed(first, top, rerolls, true), {
      residue: power(again, rerolls + 1),
      high: top * (rerolls + 1) + Math.min(lowest, 0) - 1,
      rising: { start: first.outcomes.at(-2) - top + 1, period: top, ratio: again },
    });
  }

  // Whenever an outcome of `least` or more shows, roll again and add. Sums that go on are taken re-roll by re-roll, each with all
  // ways that lead to it.
  function explodingFrom(first, least, rerolls) {
    const [lowest, top] = [first.outcomes[0], first.outcomes.at(-1)];
    if (least <= Math.max(lowest, 0) || least > top) throw new TooMuch(Words.text("dice-explode-from", { least }));
    if (least > first.outcomes.at(-2)) return exploding(first, rerolls);
    const rises = least * (rerolls + 1) + Math.min(lowest, 0);
    const { weights, add } = adding();
    let goingOn = new Map([[0, first.denominator ** BigInt(rerolls + 1)]]);
    while (goingOn.size) {
      const further = adding();
      for (const [sum, weight] of goingOn) {
        const reached = weight / first.denominator;
        for (const [outcome, own] of first.items()) {
          const ended = sum + outcome;
          if (outcome < least) add(Math.min(ended, rises), reached * own);
          else if (ended + lowest >= rises) add(rises, reached * own);
          else further.add(ended, reached * own);
        }
      }
      goingOn = further.weights;
    }
    const rolled = Roll.of(weights);
    return rolled.withTails([-Infinity, rises], rolled.atLeast(rises), { momentsOf: () => momentsOfExploding(first, least) });
  }

  // Of X = first + (another X, where the first is at least so much): both sides have the same.
  function momentsOfExploding(first, least) {
    const never = minus(ONE, first.atLeast(least));
    const one = first.listedMoments;
    const more = listedMoments(first.items().filter(([outcome]) => outcome >= least), first.denominator);
    const over = (number) => times(number, fraction(never.below, never.above));
    const mean = over(one.mean);
    return { mean, square: over(plus(one.square, times(fraction(2n), times(more.mean, mean)))) };
  }

  // On the highest or lowest outcome roll again; what follows is added only when its sign is the same.
  function opening(first, rerolls) {
    const [top, bottom] = [first.outcomes.at(-1), first.outcomes[0]];
    if (!(bottom < 0 && top > 0)) throw new TooMuch(Words.text("dice-open-sides"));
    const { weights, add } = adding();
    for (const [outcome, weight] of followed(first, top, rerolls, false)) if (outcome > bottom) add(outcome, weight);
    for (const [outcome, weight] of followed(first.negated(), -bottom, rerolls, false)) if (outcome >= -bottom) add(-outcome, weight);
    const [above, below] = [first.exactly(top), first.exactly(bottom)];
    return Roll.of(weights, {
      residue: plus(power(above, rerolls + 1), power(below, rerolls + 1)),
      low: bottom * (rerolls + 1) + 1,
      high: top * (rerolls + 1) - 1,
      rising: { start: 1, period: top, ratio: above },
      falling: { start: 1, period: -bottom, ratio: below },
    });
  }

  // How many re-rolls, each adding at least a step, lead beyond a reach, or so many times as far; fewer when they would cost too much.
  function rerollsTo(outcomes, reach, step, farther) {
    const affordable = Math.max(Math.floor(MOST_OUTCOMES / outcomes), 2);
    return Math.min((Math.floor(Math.max(reach, 0) / step) + 2) * farther, MOST_REROLLS, affordable);
  }

  // The weights of a roll that goes on while `top` shows, out of the denominator to the power of re-rolls + 1.
  function followed(first, top, rerolls, countsBelowZero) {
    const [whole, again] = [first.denominator, first.weight(top)];
    const others = first.items().filter(([outcome]) => outcome !== top);
    const { weights, add } = adding();
    for (let number = 0; number <= rerolls; number += 1) {
      const reached = again ** BigInt(number) * whole ** BigInt(rerolls - number);
      for (const [outcome, weight] of others) add(top * number + (number && !countsBelowZero ? Math.max(outcome, 0) : outcome), reached * weight);
    }
    add(top * (rerolls + 1), again ** BigInt(rerolls + 1));
    return weights;
  }

  // When the lowest outcome shows, roll again: the lowest once more is a fumble, the worst result there is.
  function withSnakeEyes(first, worst = null) {
    const lowest = first.outcomes[0];
    if (first.low !== null) throw new TooMuch(Words.text("dice-snake-lowest"));
    const fumble = worst === null ? lowest - 1 : Math.min(worst, lowest);
    const twice = first.weight(lowest) ** 2n;
    const { weights, add } = adding();
    for (const [outcome, weight] of first.items()) add(outcome, weight * first.denominator);
    add(lowest, -twice);
    add(fumble, twice);
    return withSameTails(first, weights, ONE, { rising: beyond(first.rising, lowest) });
  }

  // A roll of these weights; far out all its chances are so many times those of the first roll.
  function withSameTails(first, weights, scale, series) {
    const { low, high, staysInexact } = first;
    const momentsOf = first.isOpen
      ? (made) => first.moments && addedMoments(made.listedMoments, addedMoments(first.moments, first.listedMoments, negated(ONE)), scale)
      : null;
    return Roll.of(weights, { residue: times(first.residue, scale), low, high, staysInexact, momentsOf, ...series });
  }

  function checkKnown(first, faces, name) {
    const unknown = [...faces].sort((one, other) => one - other).find((face) => !first.isExact(face));
    if (unknown !== undefined) throw new TooMuch(Words.text("dice-not-exact", { name, outcome: unknown }));
  }

  // How the tails go on beyond some outcomes.
  function seriesBeyond({ rising, falling }, faces) {
    const farthest = Math.max(...faces.map(Math.abs));
    return { rising: beyond(rising, farthest), falling: beyond(falling, farthest) };
  }

  // Roll until none of the given outcomes shows.
  function without(first, faces) {
    checkKnown(first, faces, "without");
    const weights = new Map(first.items().filter(([outcome]) => !faces.includes(outcome)));
    if (!weights.size) throw new TooMuch(Words.text("dice-without-none"));
    return withSameTails(first, weights, fraction(first.denominator, total([...weights.values()])), seriesBeyond(first, faces));
  }

  // When one of the given outcomes shows, roll once more and keep the second roll.
  function rerolled(first, faces) {
    checkKnown(first, faces, "reroll");
    const again = total([...new Set(faces)].map((face) => first.weight(face)));
    const weights = new Map(first.items().map(([outcome, weight]) => [outcome, weight * (again + (faces.includes(outcome) ? 0n : first.denominator))]));
    return withSameTails(first, weights, fraction(first.denominator + again, first.denominator), seriesBeyond(first, faces));
  }

  // The higher of two rolls; its moments are those of both, less those of the lower.
  function higher(left, right) {
    const rolled = higherWithoutMoments(left, right);
    if (!rolled.isOpen) return rolled;
    rolled.momentsOf = () => {
      const lower = higherWithoutMoments(left.negated(), right.negated()).negated().moments;
      return left.moments && right.moments && lower && addedMoments(addedMoments(left.moments, right.moments), lower, negated(ONE));
    };
    return rolled;
  }

  // It is at most n when both are.
  function higherWithoutMoments(left, right) {
    const outcomes = [...new Set([...left.outcomes, ...right.outcomes])].sort((one, other) => one - other);
    const [ofLeft, ofRight] = [left, right].map((roll) => roll.denominator);
    let before = 0n;
    const weights = new Map(outcomes.map((outcome) => {
      const to = (ofLeft - left.weightAtLeast(outcome + 1)) * (ofRight - right.weightAtLeast(outcome + 1));
      const own = to - before;
      before = to;
      return [outcome, own];
    }));
    const falls = [[left, right], [right, left]].map(([roll, other]) => (other.bounds[0] <= roll.tailEnds[0] ? roll.tailEnds[0] : -Infinity));
    const rises = [left, right].map((roll) => roll.tailEnds[1]);
    return Roll.of(weights).withTails([Math.max(...falls), Math.min(...rises)], openOf([left, right]), {
      rising: risingBeyond(left, right) ?? risingBeyond(right, left),
      falling: left.falling && right.falling && together(left.falling, right.falling),
      staysInexact: left.staysInexact || right.staysInexact,
    });
  }

  // The series of a roll, where the other roll comes to no such outcome.
  const risingBeyond = ({ rising }, bounded) => (rising && bounded.high === null ? beyond(rising, bounded.outcomes.at(-1)) : null);

  const lower = (left, right) => higher(left.negated(), right.negated()).negated();

  // The smaller of two rolls counts: the first as it is, the second with its sign changed, 0 when they are equal.
  function lesser(left, right) {
    const { weights, add } = adding();
    for (const [roll, other, sign] of [[left, right, 1], [right, left, -1]]) {
      for (const [outcome, weight] of roll.items()) add(sign * outcome || 0, weight * other.weightAtLeast(outcome + 1));
    }
    add(0, left.denominator * right.denominator - total([...weights.values()]));
    const countsBefore = (bounded, { tailEnds: [falls, rises] }) => !bounded.isOpen && falls === -Infinity && bounded.outcomes.at(-1) < rises && rises < Infinity;
    if (countsBefore(left, right) || countsBefore(right, left) || !(left.isOpen || right.isOpen)) return Roll.of(weights);
    return Roll.of(weights).withTails([Infinity, -Infinity], openOf([left, right]), { staysInexact: true });
  }

  function product(left, right) {
    checkPairs(left.outcomes.length, right.outcomes.length);
    const { weights, add } = adding();
    for (const [outcome, weight] of left.items()) for (const [other, factor] of right.items()) add(outcome * other || 0, weight * factor);
    const rolled = Roll.of(weights);
    if (!left.isOpen && !right.isOpen) return rolled;
    const keepsSign = [left, right].every(({ tailEnds: [falls, rises] }) => falls < 0 && rises > 0);
    const tails = keepsSign ? tailsOfProduct(left, right) : [Infinity, -Infinity];
    const staysInexact = left.staysInexact || right.staysInexact;
    const momentsOf = () => momentsOfProduct(left.moments, right.moments);
    return rolled.withTails(tails, openOf([left, right]), { momentsOf, staysInexact, ...seriesOfProduct(left, right) });
  }

  // Of a roll times a number.
  function seriesOfProduct(left, right) {
    const [roll, number] = right.outcomes.length === 1 ? [left, right.outcomes[0]] : left.outcomes.length === 1 ? [right, left.outcomes[0]] : [];
    if (!number) return {};
    const scaled = (series) => series && { ...series, start: series.start * Math.abs(number), period: series.period * Math.abs(number) };
    const [rising, falling] = [scaled(roll.rising), scaled(roll.falling)];
    return number > 0 ? { rising, falling } : { rising: falling, falling: rising };
  }

  // The product of a tail is at least as far from 0 as the tail begins, times the smallest factor on that side.
  function tailsOfProduct(left, right) {
    const ends = [[left, right], [right, left]].flatMap(([roll, other]) =>
      roll.tailEnds.filter(Number.isFinite).flatMap((end) => nearestToZero(other).map((factor) => end * factor)));
    return [Math.max(...ends.filter((end) => end < 0)), Math.min(...ends.filter((end) => end > 0))];
  }

  function nearestToZero(roll) {
    const outcomes = [...roll.outcomes, ...roll.tailEnds];
    const ends = [Math.min(...outcomes.filter((outcome) => outcome > 0)), Math.max(...outcomes.filter((outcome) => outcome < 0))];
    return ends.filter(Number.isFinite);
  }

  const half = (outcome) => (outcome >= 0 ? Math.floor((outcome + 1) / 2) : -Math.floor((1 - outcome) / 2));

  function mapped(roll, result) {
    const { weights, add } = adding();
    for (const [outcome, weight] of roll.items()) add(result(outcome), weight);
    return weights;
  }

  // It rises by 1 whenever a number rises by 2.
  function halfAway(roll) {
    const through = (series) => {
      if (!series) return null;
      const period = leastCommonMultiple(series.period, 2);
      return { start: half(Math.max(series.start, 0)) + 1, period: period / 2, ratio: power(series.ratio, period / series.period) };
    };
    const bounds = (number) => number.map((end) => (Number.isFinite(end) ? half(end) : end));
    return Roll.of(mapped(roll, half)).withTailsOf([roll], bounds, { rising: through(roll.rising), falling: through(roll.falling) });
  }

  const farthest = (table) => Math.max(0, ...table.flatMap(({ low, high }) => [low, high]).filter((end) => end !== null).map(Math.abs));

  // What a table says to each outcome. A tail must lie in a range without an end; it is then known what it leads to.
  function lookedUp(roll, table, name) {
    for (const [tail, end] of [[roll.high, "high"], [roll.low, "low"]]) {
      if (tail !== null && table.filter((row) => row[end] === null).length !== 1) {
        throw new TooMuch(Words.text("dice-map-beyond", { table: name }), Words.text("dice-map-end"));
      }
    }
    const weights = mapped(roll, (outcome) => {
      const results = table.filter(({ low, high }) => (low === null || outcome >= low) && (high === null || outcome <= high));
      if (results.length !== 1) throw new TooMuch(Words.text("dice-map-times", { outcome, times: results.length, table: name }));
      return results[0].result;
    });
    const results = (from, to) => table.filter(({ low, high }) => (high === null || high >= from) && (low === null || low <= to)).map(({ result }) => result);
    return Roll.of(weights).withTailsOf([roll], ([low, high]) => [Math.min(...results(low, high)), Math.max(...results(low, high))]);
  }

  return {
    MOST_REROLLS, exploding, explodingFrom, farthest, halfAway, higher, highestOf, lesser, lookedUp, lower, opening, product, repeated, rerolled,
    rerollsTo, withSnakeEyes, without,
  };
})();
