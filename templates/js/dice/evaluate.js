// What dice come to, exactly, and what each step of that costs before it is done: as refgen/resolver/formula does it.
//
// In: the tree of a text. Out: a Roll, or TooMuch for dice that are not worked out, and why.
const DiceOdds = (() => {
  "use strict";
  const { ROLLING, constant, isAsked, parse, partsOf, readTable, sum } = DiceNotation;
  const { MOST_OUTCOMES, MOST_WORK, Roll, TooMuch, WIDEST_GAPS, addedMoments, checkPairs, leastCommonMultiple, minus, openOf, tooMuch, total } = DiceRolls;
  const { boundsOf, seriesOf } = DiceBounds;
  const {
    MOST_REROLLS, exploding, explodingFrom, farthest, halfAway, higher, highestOf, lesser, lookedUp, lower, opening, product, repeated, rerolled,
    rerollsTo, withSnakeEyes, without,
  } = DiceCombined;
  const REACH = 40;
  const MOST_TRIES = 3;
  const NEGLIGIBLE = fraction(1n, 1000000n);
  const LIGHT = 32;
  const MOST_DICE = 2000n;
  const MOST_DICE_NUMBER = 10000n;
  const MOST_CONSTANT = 1000000n;
  const MOST_REPEATED = 100;
  const LONG_WEIGHT = 2500;
  const STEPS_OF_ARITHMETIC = 65;
  const STEPS_OF_KEEPING = 4;
  const [DIGIT_BITS, KARATSUBA, STEPS_OF_DIGITS] = [30, 0.585, 0.03];
  const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

  // Dice that refgen knows, and a page does not.
  class Outside extends Error {}

  const isNumber = (formula) => formula.do === "number";
  const isRolling = (name) => Object.hasOwn(ROLLING, name);
  const isDiceFunction = (name) => isRolling(name) && !["max", "min"].includes(name);
  const isWholeFunction = (name) => isRolling(name) || ["not", "sign", "floor", "ceiling", "nearest", "even", "combinations", "powers"].includes(name);
  const largest = (numbers) => numbers.reduce((one, other) => (one > other ? one : other));

  // What is found out once of each part of a formula.
  function once(find) {
    const known = new WeakMap();
    return (formula) => {
      if (!known.has(formula)) known.set(formula, find(formula));
      return known.get(formula);
    };
  }

  const hasDice = once((formula) => formula.do === "pool" || isDiceFunction(formula.do) || partsOf(formula).some(hasDice));

  // Whether it always comes to a whole number.
  const isWholeFormula = once((formula) => {
    if (isAsked(formula) || ["and", "or", "number", "pool"].includes(formula.do)) return true;
    if (formula.do === "if") return formula.of.slice(1).every(isWholeFormula);
    if (formula.do === "^") return isWholeFormula(formula.of[0]) && isNumber(formula.of[1]);
    if (["sum", "*", "mod", "max", "min", "abs", "clamp"].includes(formula.do)) return partsOf(formula).every(isWholeFormula);
    return isWholeFunction(formula.do);
  });

  // A formula parted into its rolls, and what it comes to for an outcome of each.
  const pointwise = once((formula) => {
    const rolls = [];
    const roll = (part) => ({ do: "outcome", place: rolls.push(part) - 1 });
    const isRolled = (part) => hasDice(part) && isWholeFormula(part);
    const each = (part) => (isRolled(part) ? roll(part) : ofParts(part));
    const ofParts = (part) => {
      if (part.do === "sum") return ofSum(part);
      if (part.do === "pool" || isDiceFunction(part.do)) return roll(part);
      return { ...part, of: part.of?.map((inner) => inner && each(inner)) };
    };
    const ofSum = (part) => {
      const terms = termsOf(1, part);
      const rolled = terms.filter(([, term]) => isRolled(term));
      const others = terms.filter((term) => !isRolled(term[1])).map(([sign, term]) => [sign, each(term)]);
      return sum(rolled.length ? [...others, [1, roll(sum(rolled))]] : others);
    };
    const parted = ofParts(formula);
    const scope = new Scope({});
    const evaluate = (outcomes) => bounded(Object.assign(scope, { named: outcomes }).number(parted));
    return { rolls, evaluate, parted };
  });

  const lengthOf = (bits) => 1 + bits / 1000;
  const rounded = (number, unit) => grouped(Math.round(number / unit) * unit);
  const countOf = (roll) => roll.outcomes.length;
  const bitsOf = (roll) => Number(bits(roll.denominator));
  const bitsOfPool = ({ count, sides }) => Number(count) * Math.log2(Number(sides || 3n));
  const shortened = (text) => (text.length <= 40 ? text : `a number of ${text.length} characters`);

  function checkOutcomes(outcomes, length) {
    if (outcomes > MOST_OUTCOMES) throw tooMuch(Words.text("dice-outcomes", { number: grouped(outcomes) }), grouped(MOST_OUTCOMES));
    if (length > LONG_WEIGHT && outcomes * (length / LONG_WEIGHT) ** 2 > MOST_OUTCOMES) {
      throw tooMuch(Words.text("dice-long-chances", { number: grouped(outcomes), digits: rounded(length / Math.log2(10), 100) }), grouped(MOST_OUTCOMES));
    }
  }

  function checkDice({ count }) {
    if (count > MOST_DICE) throw tooMuch(Words.text("dice-count", { number: grouped(count) }), grouped(MOST_DICE));
  }

  // A convolution of the weights of so many outcomes, which are written side by side in two long numbers.
  function workOfAdding(left, right, length) {
    const digits = [left, right].map((outcomes) => (outcomes * length) / DIGIT_BITS);
    return Math.max(...digits) * Math.min(...digits) ** KARATSUBA * STEPS_OF_DIGITS + left + right;
  }

  // How many steps a question takes together: as refgen/resolver/dice/cost.py counts them.
  class Work {
    steps = 0;

    add(steps, outcomes = 0, length = 0) {
      checkOutcomes(outcomes, length);
      this.steps += steps;
      if (this.steps > MOST_WORK) throw tooMuch(Words.text("dice-steps", { number: rounded(this.steps, 100000) }), grouped(MOST_WORK));
    }

    // Whether so little was done that a few times as much is soon done too.
    get isLight() {
      return this.steps < MOST_WORK / LIGHT;
    }

    rollPool(pool) {
      checkDice(pool);
      const [faces, length] = [Number(pool.sides || 3n), bitsOfPool(pool)];
      const outcomes = Number(pool.count) * (faces - 1) + 1;
      checkOutcomes(outcomes, length);
      if (pool.count > 1n && outcomes * faces > MOST_WORK) throw tooMuch(Words.text("dice-of-sides", { number: grouped(pool.count), sides: grouped(faces) }), grouped(MOST_WORK));
      this.add(pool.count > 1n ? (outcomes * faces * lengthOf(length)) / 2 : 0);
    }

    keepDice(kept, pool) {
      const few = Math.min(kept, Number(pool.count));
      const work = (Number(pool.count) * few ** 2 * Number(pool.sides || 3n) ** 2 * lengthOf(bitsOfPool(pool))) / STEPS_OF_KEEPING;
      if (work > MOST_WORK) throw tooMuch(Words.text("dice-to-keep", { kept: grouped(kept), number: grouped(pool.count) }), grouped(MOST_WORK));
      this.add(work);
    }

    countDice(pool) {
      checkDice(pool);
      this.add(Number(pool.sides) + Number(pool.count) * lengthOf(bitsOfPool(pool)), Number(pool.sides));
    }

    countRolls(number, rolled) {
      const length = number * bitsOf(rolled);
      this.add(countOf(rolled) + number * lengthOf(length), number + 1, length);
    }

    sumRolls(left, right) {
      checkPairs(countOf(left), countOf(right));
      const length = bitsOf(left) + bitsOf(right);
      const width = left.outcomes.at(-1) - left.outcomes[0] + right.outcomes.at(-1) - right.outcomes[0];
      const pairs = countOf(left) * countOf(right);
      if (width >= WIDEST_GAPS * (countOf(left) + countOf(right))) this.add(pairs * lengthOf(length), pairs, length);
      else this.add(workOfAdding(countOf(left), countOf(right), length), width + 1, length);
    }

    multiplyRolls(left, right) {
      checkPairs(countOf(left), countOf(right));
      const [pairs, length] = [countOf(left) * countOf(right), bitsOf(left) + bitsOf(right)];
      const ends = [left.outcomes[0], left.outcomes.at(-1)].flatMap((one) => [one * right.outcomes[0], one * right.outcomes.at(-1)]);
      if (Math.max(...ends.map(Math.abs)) > Number.MAX_SAFE_INTEGER) throw new Outside("outcomes of more than fifteen digits");
      this.add(pairs * lengthOf(length), Math.min(pairs, Math.max(...ends) - Math.min(...ends) + 1), length);
    }

    compareRolls(left, right) {
      checkPairs(countOf(left), countOf(right));
      const [outcomes, length] = [countOf(left) + countOf(right), bitsOf(left) + bitsOf(right)];
      this.add(2 * outcomes * lengthOf(length), outcomes, length);
    }

    reroll(first, rerolls) {
      const [outcomes, length] = [countOf(first) * (rerolls + 1), bitsOf(first) * (rerolls + 1)];
      this.add(outcomes * lengthOf(length), outcomes, length);
    }

    explodeFrom(first, least, rerolls) {
      const step = Number(first.outcomes.reduce((one, other) => commonDivisor(one, absolute(BigInt(other))), 0n)) || 1;
      const sums = Math.floor((least * (rerolls + 1) - first.outcomes[0]) / step) + 1;
      const length = bitsOf(first) * (rerolls + 1);
      this.add(sums * countOf(first) * lengthOf(length), sums, length);
    }

    goThrough(rolls) {
      const outcomes = rolls.reduce((all, roll) => all * countOf(roll), 1);
      if (outcomes > MOST_OUTCOMES) throw tooMuch(Words.text("dice-together", { number: grouped(MOST_OUTCOMES) }), grouped(MOST_OUTCOMES));
      const length = rolls.reduce((all, roll) => all + bitsOf(roll), 0);
      this.add(outcomes * STEPS_OF_ARITHMETIC * lengthOf(length), outcomes, length);
    }
  }

  // What a formula comes to: how far open-ended parts are followed, and the work so far, are `at`.

  const reaching = (at, reach) => (reach > at.reach ? { ...at, reach } : at);
  const certain = (number) => new Roll([number], [1n]);
  const NO_DICE = { count: 0n };
  const isBroken = (number) => new TooMuch(Words.text("dice-broken", { number: shortened(exactText(number)) }), Words.text("dice-round"));

  // A formula, its open-ended parts followed until the chances of some numbers are exact, if they can be.
  function followed(formula, at, ...goals) {
    const asked = reaching(at, Math.max(...goals.map((goal) => Math.abs(Math.ceil(goal)))));
    return until((rolled) => answers(rolled, goals), formula, asked);
  }

  // All outcomes of a formula: followed until hardly any roll goes on, and its mean is known; where that takes much work, or cannot
  // be, the roll says what it leaves out.
  function wholly(formula, at) {
    const settled = [];
    const rolled = until((found) => {
      const isAnswered = answers(found, [at.reach, -at.reach]);
      if (isAnswered && isNegligible(found)) settled.push(found);
      if (at.work.isLight) return (settled.length && found.moments) || settled.length > MOST_TRIES;
      return isAnswered || at.reach <= REACH;
    }, formula, at);
    return rolled.moments || !settled.length ? rolled : settled[0];
  }

  const isNegligible = ({ residue }) => compared(residue, NEGLIGIBLE) <= 0;
  const answers = (rolled, goals) => goals.every((goal) => rolled.isExact(goal)) || (rolled.staysInexact && isNegligible(rolled));

  // A formula, followed for twice as many re-rolls each time; until that is enough, is too much, or gains nothing.
  function until(isEnough, formula, at) {
    let [rolled, far] = [rollOf(formula, at), at];
    while (!isEnough(rolled)) {
      far = { ...far, farther: 2 * far.farther };
      const farther = attempted(formula, far);
      if (!farther) break;
      const isSame = [0, 1].every((side) => farther.tailEnds[side] === rolled.tailEnds[side]);
      if (isSame && compared(farther.residue, rolled.residue) >= 0) break;
      rolled = farther;
    }
    return rolled;
  }

  // Null for what is too much work, or comes to numbers that are too large.
  function attempted(formula, at) {
    try {
      return rollOf(formula, at);
    } catch (error) {
      if ([TooMuch, NoAnswer, Outside].some((kind) => error instanceof kind)) return null;
      throw error;
    }
  }

  function rollOf(formula, at) {
    if (!hasDice(formula)) return certain(constantOf(formula));
    if (formula.do === "pool") return rollPool(formula, at);
    if (isAsked(formula)) return answered(formula, at);
    if (["if", "and", "or"].includes(formula.do)) return chosen(formula, at);
    if (!isWholeFormula(formula)) return oneByOne(formula, at);
    if (formula.do === "sum") return sumRoll(formula, at);
    if (formula.do === "*") return joined(formula.of.map((part) => rollOf(part, at)), at.work.multiplyRolls, product, at);
    return isRolling(formula.do) ? ROLLS[formula.do](formula, at) : oneByOne(formula, at);
  }

  // A number beside dice, which may not be too large.
  function constantOf(formula) {
    const number = new Scope({}).number(formula);
    if (compared(number.above < 0n ? negated(number) : number, fraction(MOST_CONSTANT)) > 0) {
      const shown = isWhole(number) && String(number.above).length <= 40 ? Words.text("dice-the-number", { number: grouped(number.above) }) : shortened(exactText(number));
      throw new TooMuch(Words.text("formula-too-much", { amount: shown, most: grouped(MOST_CONSTANT) }), Words.text("dice-smaller"));
    }
    if (!isWhole(number)) throw isBroken(number);
    return Number(number.above);
  }

  function oneDie({ sides }) {
    const faces = sides ? Array.from({ length: Number(sides) }, (_, face) => face + 1) : [-1, 0, 1];
    return new Roll(faces, faces.map(() => 1n));
  }

  function rollPool(pool, at) {
    at.work.rollPool(pool);
    return repeated(oneDie(pool), Number(pool.count));
  }

  // Rolls put together one after the other, each step counted.
  function joined(rolls, count, combine, { work }) {
    return rolls.reduce((left, right) => {
      count.call(work, left, right);
      return combine(left, right);
    });
  }

  // All outcomes of all rolls, gone through one by one.
  function oneByOne(formula, at) {
    const { rolls, evaluate, parted } = pointwise(formula);
    const rolled = rolls.map((part) => rollOf(part, at));
    at.work.goThrough(rolled);
    const weights = new Map();
    let broken = null;
    const go = (place, outcomes, weight) => {
      if (place < rolled.length) {
        for (const [outcome, own] of rolled[place].items()) go(place + 1, [...outcomes, fraction(BigInt(outcome))], weight * own);
        return;
      }
      const found = evaluate(outcomes);
      if (!isWhole(found)) broken ??= found;
      else if (absolute(found.above) > MOST_EXACT) throw new Outside("outcomes of more than fifteen digits");
      else weights.set(Number(found.above), (weights.get(Number(found.above)) ?? 0n) + weight);
    };
    go(0, [], 1n);
    if (broken) throw isBroken(broken);
    const result = Roll.of(weights);
    return rolled.some(({ isOpen }) => isOpen) ? result.withTailsOf(rolled, boundsOf(parted), seriesOf(parted, rolled)) : result;
  }

  // What holds with a test and without it, each with the chance of that; what is never asked for is not worked out.
  function chosen(formula, at) {
    const [test, then, otherwise] = choiceOf(formula);
    if (!hasDice(test)) return rollOf(branchOf([test, then, otherwise]), at);
    if (!isWholeFormula(test) || !isWholeFormula(formula)) return oneByOne(formula, at);
    const asked = followed(test, at, 0);
    const never = asked.weight(0);
    const shares = [[asked.denominator - never, then], [never, otherwise]].filter(([share]) => share);
    const sides = shares.map(([share, side]) => [share, rollOf(side, at)]);
    const common = sides.reduce((all, [, { denominator }]) => (all * denominator) / commonDivisor(all, denominator), 1n);
    const weights = new Map();
    for (const [share, side] of sides) {
      const factor = share * (common / side.denominator);
      for (const [outcome, weight] of side.items()) weights.set(outcome, (weights.get(outcome) ?? 0n) + factor * weight);
    }
    return mixed(weights, asked, sides.map(([, side]) => side));
  }

  // The weights of one roll where a test does not come to 0, and of another where it does, as a roll.
  function mixed(weights, test, sides) {
    const residue = openOf([test, ...sides]);
    const staysInexact = [test, ...sides].some((roll) => roll.staysInexact);
    if (!test.isExact(0)) return Roll.of(weights).withTails([Infinity, -Infinity], residue, { staysInexact });
    const tails = [Math.max(...sides.map(({ tailEnds }) => tailEnds[0])), Math.min(...sides.map(({ tailEnds }) => tailEnds[1]))];
    const none = { mean: ZERO, square: ZERO };
    const momentsOf = () => {
      const [never, one, two] = [test.exactly(0), sides[0].moments, sides.at(-1).moments];
      return one && two && addedMoments(addedMoments(none, one, minus(ONE, never)), two, never);
    };
    return Roll.of(weights).withTails(tails, residue, { momentsOf, staysInexact });
  }

  // The branch to which a test without dice leads.
  const branchOf = ([test, then, otherwise]) => (isZero(new Scope({}).number(test)) ? otherwise : then);

  function choiceOf(formula) {
    if (formula.do === "if") return formula.of;
    const [left, right] = [formula.of[0], { do: "!=", of: [formula.of[1], constant(0n)] }];
    return formula.do === "and" ? [left, right, constant(0n)] : [left, constant(1n), right];
  }

  // 1 where a comparison holds, or a roll lies in a range, else 0.
  function answered(asked, at) {
    const [inner, ...ends] = asked.of;
    if (asked.do !== "in") {
      if (!asked.of.every(isWholeFormula)) return oneByOne(asked, at);
      const margin = followed(sum([[1, inner], [-1, ends[0]]]), at, 0, 1);
      const [isWithin, low, high] = AS_RANGE[asked.do];
      return tested(margin, (outcome) => HOLDS[asked.do](outcome), low, high, isWithin);
    }
    if (ends.some((end) => end && hasDice(end)) || !isWholeFormula(inner)) return oneByOne(asked, at);
    const [low, high] = ends.map((end) => end && new Scope({}).number(end));
    const goals = [...(low ? [Number(ceilingOf(low))] : []), ...(high ? [Number(floorOf(high)) + 1] : [])];
    const rolled = followed(inner, at, ...goals);
    const isIn = (outcome) => within(fraction(BigInt(outcome)), [low, high]) === ONE;
    return tested(rolled, isIn, low ? Number(ceilingOf(low)) : -Infinity, high ? Number(floorOf(high)) : Infinity, true);
  }

  // The comparisons with 0: whether a number must lie within a range, and that range.
  const AS_RANGE = {
    ">=": [true, 0, Infinity], "<=": [true, -Infinity, 0], ">": [false, -Infinity, 0], "<": [false, 0, Infinity], "==": [true, 0, 0], "!=": [false, 0, 0],
  };

  // 1 where an outcome holds, else 0; those hold that lie within a range, or outside.
  function tested(asked, holds, low, high, isWithin) {
    const met = asked.items().filter(([outcome]) => holds(outcome)).reduce((all, [, weight]) => all + weight, 0n);
    const [inside, outside] = isWithin ? [1, 0] : [0, 1];
    const bounds = (number) => {
      if (low <= number[0] && number[1] <= high) return [inside, inside];
      return number[1] < low || high < number[0] ? [outside, outside] : [0, 1];
    };
    return Roll.of(new Map([[0, asked.denominator - met], [1, met]])).withTailsOf([asked], bounds);
  }

  // Dice and numbers of a sum: the numbers are added once.
  function partedSum(formula) {
    const terms = termsOf(1, formula);
    return [terms.filter(([, term]) => hasDice(term)), terms.filter(([, term]) => !hasDice(term))];
  }

  function sumRoll(formula, at) {
    const [rolled, numbers] = partedSum(formula);
    checkRepeated(rolled.length);
    return signedSum(rolled, at).plus(certain(constantOf(sum(numbers))));
  }

  // A difference of endless rolls is exact when both are followed until they repeat.
  function signedSum(terms, at) {
    const partsFor = (far) => terms.map(([sign, term]) => (sign > 0 ? rollOf(term, far) : rollOf(term, far).negated()));
    let parts = partsFor(at);
    const [rising] = parts.map((part) => part.rising).filter(Boolean);
    const [falling] = parts.map((part) => part.falling).filter(Boolean);
    if (rising && falling) {
      const farther = leastCommonMultiple(rising.period, falling.period) + Math.max(rising.start, falling.start, 0);
      parts = partsFor(reaching(at, at.reach + (farther <= MOST_REROLLS ? farther : 0)));
    }
    return joined(parts, at.work.sumRolls, (left, right) => left.plus(right), at);
  }

  function checkRepeated(rolls) {
    if (rolls < 0 || rolls > MOST_REPEATED) throw new TooMuch(Words.text("dice-repeated", { number: rolls, most: MOST_REPEATED }));
  }

  // What dice functions take: a whole number (undefined for a roll), dice, or a roll.

  function numberOf(formula) {
    if (hasDice(formula)) return undefined;
    const number = new Scope({}).number(formula);
    if (!isWhole(number) || absolute(number.above) > MOST_DICE_NUMBER) throw new TooMuch(Words.text("dice-no-whole", { number: shortened(exactText(number)) }));
    return Number(number.above);
  }

  const argument = (formula, at) => (hasDice(formula) ? rollOf(formula, at) : certain(numberOf(formula)));

  // Dice or rolls that are not added up, as functions of single dice ask them: a pool, or a roll some times, of repeat(6, 3d6)
  // six rolls of 3d6; null for what is one number.
  function rollsOf(formula, at) {
    if (formula.do === "pool") return formula;
    if (!hasDice(formula)) return isZero(new Scope({}).number(formula)) ? NO_DICE : null;
    if (formula.do === "if" && !hasDice(formula.of[0])) return rollsOf(branchOf(formula.of), at);
    return formula.do === "repeat" ? repeatedRolls(formula, at) : null;
  }

  // One die some times is a pool, anything else stays rolls by themselves.
  function repeatedRolls({ of: [times, rolled] }, at) {
    const number = numberOf(times);
    const each = rollsOf(rolled, at) ?? argument(rolled, at);
    if (number === undefined) throw new TooMuch(Words.text("dice-repeat-takes"));
    checkRepeated(number);
    if (!number) return NO_DICE;
    if (each.count === 1n) return { ...each, count: BigInt(number) };
    return { number, rolled: each.count ? each : added(each, at) };
  }

  // Dice or rolls added up.
  function added(rolls, at) {
    if (rolls instanceof Roll) return rolls;
    const { number, rolled } = rolls;
    if (number === undefined) return rolls.count ? rollPool(rolls, at) : certain(0);
    if (rolled.count) return rollPool({ ...rolled, count: BigInt(number) * rolled.count }, at);
    return joined(Array(number).fill(rolled), at.work.sumRolls, (left, right) => left.plus(right), at);
  }

  // The argument of a call that asks for the highest outcome, or for both ends.
  function boundedRoll(name, formula, at) {
    const found = argument(formula, at);
    if (found.isOpen) throw new TooMuch(Words.text("dice-needs-ends", { name }));
    return found;
  }

  // Only dice explode: what is added to them is added once.
  function explode({ of: [rolled, least] }, at) {
    const rerolls = (first, step) => rerollsTo(countOf(first), at.reach - Math.min(first.outcomes[0], 0), Math.max(1, step), at.farther);
    if (least) {
      const [first, number] = [boundedRoll("explode", rolled, at), numberOf(least)];
      if (number === undefined) throw new TooMuch(Words.text("dice-explode-takes"));
      at.work.explodeFrom(first, number, rerolls(first, number));
      return explodingFrom(first, number, rerolls(first, number));
    }
    const [dice, numbers] = partedSum(rolled);
    const first = boundedRoll("explode", dice.length ? sum(dice) : rolled, at);
    const times = rerolls(first, first.outcomes.at(-1));
    at.work.reroll(first, times);
    return exploding(first, times).plus(certain(dice.length ? constantOf(sum(numbers)) : 0));
  }

  function open({ of: [rolled] }, at) {
    const first = boundedRoll("open", rolled, at);
    const ends = [first.outcomes.at(-1), -first.outcomes[0]].map((end) => Math.max(1, end));
    const rerolls = Math.max(...ends.map((end) => rerollsTo(countOf(first), at.reach, end, at.farther)));
    at.work.reroll(first, rerolls);
    return opening(first, rerolls);
  }

  function snake({ of }, at) {
    const [first, worst] = of.map((part) => argument(part, at));
    if (worst && worst.outcomes.length > 1) throw new TooMuch(Words.text("dice-snake-takes"));
    return withSnakeEyes(first, worst ? worst.outcomes[0] : null);
  }

  function keep({ do: name, of: [few, dice] }, at) {
    const [kept, pool] = [numberOf(few), rollsOf(dice, at)];
    if (!pool) argument(dice, at);
    if (kept === undefined) throw new TooMuch(Words.text("dice-keep-takes", { name }));
    if (pool?.count === undefined) throw new TooMuch(Words.text("dice-keep-single", { name }), Words.text("dice-keep-hint"));
    if (kept < 1 || kept > pool.count) throw new TooMuch(Words.text("dice-keep-few", { name, kept, number: pool.count }));
    at.work.keepDice(kept, pool);
    const [count, die] = [Number(pool.count), oneDie(pool)];
    return name === "highest" ? highestOf(kept, die, count) : highestOf(kept, die.negated(), count).negated();
  }

  // Rolls put together two by two, each step counted.
  const pairwise = (count, combine, take) => ({ of }, at) => joined(of.map((part) => take(part, at)), Work.prototype[count], combine, at);

  // Rolls that are held against each other: open-ended ones are followed as far as the others go.
  function asFar(parts, at) {
    const rolls = parts.map((part) => rollOf(part, at));
    const ends = rolls.filter(({ isOpen }) => !isOpen).flatMap(({ outcomes }) => [outcomes[0], outcomes.at(-1)]);
    return rolls.map((rolled, place) => (ends.every((end) => rolled.isExact(end)) ? rolled : followed(parts[place], at, ...ends)));
  }

  // Roll again when one of the given outcomes shows: once, or until none of them does.
  function rollAgain({ do: name, of: [again, ...outcomes] }, at) {
    const faces = outcomes.map(numberOf);
    if (faces.includes(undefined)) throw new TooMuch(Words.text("dice-again-takes", { name }));
    const first = followed(again, at, ...faces);
    return (name === "reroll" ? rerolled : without)(first, faces);
  }

  // How many dice of a pool, or rolls of repeat(), meet a comparison with a number, or lie in a range.
  function count({ of: [asked] }, at) {
    const [dice, ...ends] = asked.of;
    if (!hasDice(dice) || ends.some((end) => end && hasDice(end))) throw refusedCount();
    const rolls = rollsOf(dice, at);
    const numbers = ends.map((end) => end && new Scope({}).number(end));
    if (rolls?.count === 0n) return certain(0);
    if (!rolls) throw refusedCount();
    const [number, rolled] = rolls.count ? countedDice(rolls, at) : countedRolls(rolls, at);
    if (rolled.isOpen) throw new TooMuch(Words.text("dice-count-open"), Words.text("dice-count-open-hint"));
    const meets = (outcome) => (asked.do === "in" ? !isZero(within(outcome, numbers)) : HOLDS[asked.do](compared(outcome, numbers[0])));
    const met = total(rolled.items().filter(([outcome]) => meets(fraction(BigInt(outcome)))).map(([, weight]) => weight));
    return repeated(Roll.of(new Map([[0, rolled.denominator - met], [1, met]])), number);
  }

  const refusedCount = () => new TooMuch(Words.text("dice-count-takes"), Words.text("dice-count-hint"));

  function countedDice(pool, { work }) {
    work.countDice(pool);
    return [Number(pool.count), oneDie(pool)];
  }

  function countedRolls({ number, rolled }, at) {
    const roll = added(rolled, at);
    at.work.countRolls(number, roll);
    return [number, roll];
  }

  function unknownTable(name, table) {
    return new TooMuch(Words.text("dice-unknown-table", { name, table }), Words.text("dice-no-tables"));
  }

  function map({ of: [rolled], table }, at) {
    const rows = readTable(table);
    return lookedUp(followed(rolled, at, farthest(rows), -farthest(rows)), rows, table);
  }

  const ROLLS = {
    explode, open, snake, count, map, highest: keep, lowest: keep, reroll: rollAgain, without: rollAgain,
    repeat: (formula, at) => added(repeatedRolls(formula, at), at),
    half_away: ({ of: [rolled] }, at) => halfAway(argument(rolled, at)),
    lesser: pairwise("compareRolls", lesser, argument),
    times: pairwise("multiplyRolls", product, argument),
    max: ({ of }, at) => joined(asFar(of, at), at.work.compareRolls, higher, at),
    min: ({ of }, at) => joined(asFar(of, at), at.work.compareRolls, lower, at),
  };

  function callsWithTables(formula) {
    const own = formula.table && !formula.table.startsWith('"') ? [formula] : [];
    return [...own, ...partsOf(formula).flatMap(callsWithTables)];
  }

  // A text read, for which no game gives tables.
  function formulaOf(text) {
    const formula = parse(text);
    for (const { do: name, table } of callsWithTables(formula)) throw unknownTable(name, table);
    return formula;
  }

  // The odds of a text, exact as far as a number that is asked about. Throws NotDice, TooMuch, NoAnswer, or Outside for what refgen
  // alone works out.
  const odds = (text, asked = 0) => wholly(formulaOf(text), { reach: Math.max(REACH, Math.abs(asked)), farther: 1, work: new Work() });

  // By how much one text comes to more than another.
  const margin = (text, other) => wholly(sum([[1, formulaOf(text)], [-1, formulaOf(other)]]), { reach: REACH, farther: 1, work: new Work() });

  return { Outside, margin, odds };
})();
