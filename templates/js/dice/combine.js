// Rolls made of rolls: dice that go on, kept dice, the higher of two, a look-up in a table: as refgen/resolver/dice does it.
const DiceCombined = (() => {
  "use strict";
  const { MOST_OUTCOMES, NOWHERE, Roll, TooMuch, adding, checkPairs, eitherOpen, power, shifted, times, total } = DiceRolls;
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

  // Whenever the highest outcome shows, roll again and add.
  function exploding(first, reach) {
    const [lowest, top] = [first.outcomes[0], first.outcomes.at(-1)];
    if (top <= 0 || lowest === top) throw new TooMuch(Words.text("dice-explode-positive"));
    const rerolls = rerollsTo(first.outcomes.length, reach - Math.min(lowest, 0), top);
    const again = first.exactly(top);
    return Roll.of(followed(first, top, rerolls, true), {
      residue: power(again, rerolls + 1),
      high: top * (rerolls + 1) + Math.min(lowest, 0) - 1,
      rising: { start: first.outcomes.at(-2) - top + 1, period: top, ratio: again },
    });
  }

  // Whenever an outcome of `least` or more shows, roll again and add.
  function explodingFrom(first, least, reach) {
    const [lowest, top] = [first.outcomes[0], first.outcomes.at(-1)];
    if (least <= Math.max(lowest, 0) || least > top) throw new TooMuch(Words.text("dice-explode-from", { least }));
    if (least > first.outcomes.at(-2)) return exploding(first, reach);
    const rerolls = rerollsTo(first.outcomes.length, reach - Math.min(lowest, 0), least);
    const part = (meets) => Roll.of(new Map(first.items().filter(([outcome]) => meets(outcome))));
    const [ends, again] = [part((outcome) => outcome < least), part((outcome) => outcome >= least)];
    const { weights, add } = adding();
    let reached = new Roll([0], [1n]);
    for (let number = 0; number <= rerolls; number += 1) {
      const scale = first.denominator ** BigInt(rerolls - number);
      for (const [outcome, weight] of reached.plus(ends).items()) add(outcome, weight * scale);
      reached = reached.plus(again);
    }
    for (const [outcome, weight] of reached.items()) add(outcome, weight);
    const residue = fraction(reached.denominator, first.denominator ** BigInt(rerolls + 1));
    return Roll.of(weights, { residue, high: least * (rerolls + 1) + Math.min(lowest, 0) - 1 });
  }

  // On the highest or lowest outcome roll again; what follows is added only when its sign is the same.
  function opening(first, reach) {
    const [top, bottom] = [first.outcomes.at(-1), first.outcomes[0]];
    if (!(bottom < 0 && top > 0)) throw new TooMuch(Words.text("dice-open-sides"));
    const rerolls = Math.max(...[top, -bottom].map((end) => rerollsTo(first.outcomes.length, reach, end)));
    const { weights, add } = adding();
    for (const [outcome, weight] of followed(first, top, rerolls, false)) if (outcome > bottom) add(outcome, weight);
    for (const [outcome, weight] of followed(first.negated(), -bottom, rerolls, false)) if (outcome >= -bottom) add(-outcome, weight);
    const [above, below] = [first.exactly(top), first.exactly(bottom)];
    const open = [power(above, rerolls + 1), power(below, rerolls + 1)];
    return Roll.of(weights, {
      residue: fraction(open[0].above * open[1].below + open[1].above * open[0].below, open[0].below * open[1].below),
      low: bottom * (rerolls + 1) + 1,
      high: top * (rerolls + 1) - 1,
      rising: { start: 1, period: top, ratio: above },
      falling: { start: 1, period: -bottom, ratio: below },
    });
  }

  // How many re-rolls, each adding at least a step, lead beyond a reach; fewer when they would cost too much.
  function rerollsTo(outcomes, reach, step) {
    const affordable = Math.max(Math.floor(MOST_OUTCOMES / outcomes), 2);
    return Math.min(Math.floor(Math.max(reach, 0) / step) + 2, MOST_REROLLS, affordable);
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
    const rising = first.rising && shifted(first.rising, Math.max(0, lowest + 1 - first.rising.start));
    return Roll.of(weights, { residue: first.residue, high: first.high, rising });
  }

  function checkKnown(first, faces, name) {
    const unknown = [...faces].sort((one, other) => one - other).find((face) => !first.isExact(face));
    if (unknown !== undefined) throw new TooMuch(Words.text("dice-not-exact", { name, outcome: unknown }));
  }

  // How a tail goes on beyond some outcomes.
  const beyond = (series, faces) => series && shifted(series, Math.max(0, ...faces.map((face) => Math.abs(face) + 1 - series.start)));
  const endsBeyond = ({ low, high, rising, falling }, faces) => ({ low, high, rising: beyond(rising, faces), falling: beyond(falling, faces) });

  // Roll until none of the given outcomes shows.
  function without(first, faces) {
    checkKnown(first, faces, "without");
    const weights = new Map(first.items().filter(([outcome]) => !faces.includes(outcome)));
    if (!weights.size) throw new TooMuch(Words.text("dice-without-none"));
    const residue = times(first.residue, fraction(first.denominator, total([...weights.values()])));
    return Roll.of(weights, { residue, ...endsBeyond(first, faces) });
  }

  // When one of the given outcomes shows, roll once more and keep the second roll.
  function rerolled(first, faces) {
    checkKnown(first, faces, "reroll");
    const again = total([...new Set(faces)].map((face) => first.weight(face)));
    const weights = new Map(first.items().map(([outcome, weight]) => [outcome, weight * (again + (faces.includes(outcome) ? 0n : first.denominator))]));
    const residue = times(first.residue, fraction(first.denominator + again, first.denominator));
    return Roll.of(weights, { residue, ...endsBeyond(first, faces) });
  }

  // A roll that leaves something out only when it is inexact somewhere.
  const limited = (weights, residue, low, high) => Roll.of(weights, { residue: low !== null || high !== null ? residue : ZERO, low, high });

  // The higher of two rolls: it is at most n when both are.
  function higher(left, right) {
    const outcomes = [...new Set([...left.outcomes, ...right.outcomes])].sort((one, other) => one - other);
    const [ofLeft, ofRight] = [left, right].map((roll) => roll.denominator);
    let before = 0n;
    const weights = new Map(outcomes.map((outcome) => {
      const to = (ofLeft - left.weightAtLeast(outcome + 1)) * (ofRight - right.weightAtLeast(outcome + 1));
      const own = to - before;
      before = to;
      return [outcome, own];
    }));
    const highs = [left.high, right.high].filter((end) => end !== null);
    const lows = [[left, right], [right, left]]
      .filter(([roll, other]) => roll.low !== null && (other.low !== null || other.outcomes[0] < roll.low))
      .map(([roll]) => roll.low);
    return limited(weights, eitherOpen(left, right), lows.length ? Math.max(...lows) : null, highs.length ? Math.min(...highs) : null);
  }

  const lower = (left, right) => higher(left.negated(), right.negated()).negated();

  // The smaller of two rolls counts: the first as it is, the second with its sign changed, 0 when they are equal.
  function lesser(left, right) {
    const { weights, add } = adding();
    for (const [roll, other, sign] of [[left, right, 1], [right, left, -1]]) {
      for (const [outcome, weight] of roll.items()) add(sign * outcome || 0, weight * other.weightAtLeast(outcome + 1));
    }
    add(0, left.denominator * right.denominator - total([...weights.values()]));
    const countsBefore = (bounded, rising) => !bounded.isOpen && rising.low === null && rising.high !== null && bounded.outcomes.at(-1) <= rising.high;
    if (countsBefore(left, right) || countsBefore(right, left) || !(left.isOpen || right.isOpen)) return Roll.of(weights);
    return Roll.of(weights, { residue: eitherOpen(left, right), ...NOWHERE });
  }

  function product(left, right) {
    checkPairs(left.outcomes.length, right.outcomes.length);
    const { weights, add } = adding();
    for (const [outcome, weight] of left.items()) for (const [other, factor] of right.items()) add(outcome * other || 0, weight * factor);
    if (!left.isOpen && !right.isOpen) return Roll.of(weights);
    const keepsSign = [left, right].every(({ low, high }) => (low === null || low <= 0) && (high === null || high >= 0));
    const { low, high } = keepsSign ? productLimits(left, right) : NOWHERE;
    return limited(weights, eitherOpen(left, right), low, high);
  }

  // The product of a tail is at least as far from 0 as the tail begins, times the smallest factor on that side.
  function productLimits(left, right) {
    const above = [];
    const below = [];
    for (const [roll, other] of [[left, right], [right, left]]) {
      for (const [tail, sign] of [[roll.high, 1], [roll.low, -1]]) {
        if (tail !== null) for (const factor of nearestToZero(other)) (factor * sign > 0 ? above : below).push((tail + sign) * factor);
      }
    }
    return { low: below.length ? Math.max(...below) + 1 : null, high: above.length ? Math.min(...above) - 1 : null };
  }

  function nearestToZero(roll) {
    const ends = [roll.low, roll.high].filter((end) => end !== null);
    const outcomes = [...roll.outcomes.filter((outcome) => roll.isExact(outcome)), ...ends.map((end) => end + (end === roll.high ? 1 : -1))];
    const [positive, negative] = [outcomes.filter((outcome) => outcome > 0), outcomes.filter((outcome) => outcome < 0)];
    return [...(positive.length ? [Math.min(...positive)] : []), ...(negative.length ? [Math.max(...negative)] : [])];
  }

  const half = (outcome) => (outcome >= 0 ? Math.floor((outcome + 1) / 2) : -Math.floor((1 - outcome) / 2));

  function mapped(roll, result) {
    const { weights, add } = adding();
    for (const [outcome, weight] of roll.items()) add(result(outcome), weight);
    return weights;
  }

  function halfAway(roll) {
    const low = roll.low === null ? null : half(roll.low - 1) + 1;
    const high = roll.high === null ? null : half(roll.high + 1) - 1;
    return Roll.of(mapped(roll, half), { residue: roll.residue, low, high });
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
    const covers = [-farthest(table), farthest(table)].every((end) => roll.isExact(end));
    return Roll.of(weights, roll.isOpen && !covers ? { residue: roll.residue, ...NOWHERE } : {});
  }

  return {
    MOST_REROLLS, exploding, explodingFrom, farthest, halfAway, higher, highestOf, lesser, lookedUp, lower, opening, product, repeated, rerolled,
    rerollsTo, withSnakeEyes, without,
  };
})();
