// What dice come to, exactly, and what that costs before anything is rolled: as refgen/resolver/dice does it.
//
// In: the tree of a text. Out: a Roll, or TooMuch for dice that are not worked out, and why.
const DiceOdds = (() => {
  "use strict";
  const { ROLLING, call, constant, isAsked, parse, partsOf, readTable, sum, termsOf } = DiceNotation;
  const {
    MOST_OUTCOMES, MOST_REROLLS, MOST_WORK, NOWHERE, Roll, TooMuch, WIDEST_GAPS, checkPairs, exploding, explodingFrom, farthest, halfAway,
    higher, highestOf, leastCommonMultiple, lesser, lookedUp, lower, opening, product, repeated, rerolled, rerollsTo, tooMuch, withSnakeEyes, without,
  } = DiceRolls;
  const REACH = 40;
  const MOST_TRIES = 3;
  const MOST_DICE = 2000n;
  const MOST_CONSTANT = 1000000n;
  const MOST_REPEATED = 100n;
  const LONG_WEIGHT = 2500;
  const STEPS_OF_ARITHMETIC = 65;
  const STEPS_OF_KEEPING = 4;
  const [DIGIT_BITS, KARATSUBA, STEPS_OF_DIGITS] = [30, 0.585, 0.03];
  const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

  // Dice that refgen knows, and a page does not.
  class Outside extends Error {}

  const isNumber = (formula) => formula.do === "number";
  const isRolling = (name) => Object.hasOwn(ROLLING, name);
  const isWholeFunction = (name) => isRolling(name) || ["not", "sign", "floor", "ceiling", "nearest", "even", "combinations", "powers"].includes(name);
  const smallest = (numbers) => numbers.reduce((one, other) => (one < other ? one : other));
  const largest = (numbers) => numbers.reduce((one, other) => (one > other ? one : other));

  // What is found out once of each part of a formula.
  function once(find) {
    const known = new WeakMap();
    return (formula) => {
      if (!known.has(formula)) known.set(formula, find(formula));
      return known.get(formula);
    };
  }

  const hasDice = once((formula) => ["pool", "chances"].includes(formula.do) || partsOf(formula).some(hasDice));

  // Whether it always comes to a whole number.
  const isWholeFormula = once((formula) => {
    if (isAsked(formula) || ["and", "or", "number", "pool"].includes(formula.do)) return true;
    if (formula.do === "if") return formula.of.slice(1).every(isWholeFormula);
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
      if (part.do === "pool" || (isRolling(part.do) && !["max", "min"].includes(part.do))) return roll(part);
      return { ...part, of: part.of?.map((inner) => inner && each(inner)) };
    };
    const ofSum = (part) => {
      const rolled = termsOf(part).filter(([, term]) => isRolled(term));
      const others = termsOf(part).filter((term) => !isRolled(term[1])).map(([sign, term]) => [sign, each(term)]);
      return sum(rolled.length ? [...others, [1, roll(sum(rolled))]] : others);
    };
    const parted = ofParts(formula);
    const scope = new Scope({});
    const evaluate = (outcomes) => bounded(Object.assign(scope, { named: outcomes }).number(parted));
    return { rolls, evaluate };
  });

  const bitsOf = ({ count, sides }) => Number(count) * Math.log2(Number(sides || 3n));
  const lengthOf = (bits) => 1 + bits / 1000;
  const sumOver = (sizes, key) => sizes.reduce((sum, size) => sum + size[key], 0);
  const rounded = (number, unit) => grouped(Math.round(number / unit) * unit);

  function checkOutcomes(outcomes, bits) {
    if (outcomes > MOST_OUTCOMES) throw tooMuch(`${grouped(outcomes)} different outcomes`, grouped(MOST_OUTCOMES));
    if (bits > LONG_WEIGHT && outcomes * (bits / LONG_WEIGHT) ** 2 > MOST_OUTCOMES) {
      throw tooMuch(`${grouped(outcomes)} outcomes with chances of some ${rounded(bits / Math.log2(10), 100)} digits`, grouped(MOST_OUTCOMES));
    }
  }

  // What a formula costs when it is followed so far: its lowest and highest outcome, how many outcomes there are, how
  // long their weights are, and how many steps it takes.
  const sizes = new WeakMap();

  function sizeOf(formula, reach) {
    if (!sizes.has(formula)) sizes.set(formula, new Map());
    const known = sizes.get(formula);
    if (!known.has(reach)) known.set(reach, checkedSize(formula, reach));
    return known.get(reach);
  }

  function checkedSize(formula, reach) {
    const size = measured(formula, reach);
    checkOutcomes(size.outcomes, size.bits);
    if (size.work > MOST_WORK) throw tooMuch(`about ${rounded(size.work, 100000)} steps of work`, grouped(MOST_WORK));
    return size;
  }

  function measured(formula, reach) {
    if (isNumber(formula)) return constantSize(formula.value);
    if (formula.do === "pool") return poolSize(formula);
    if (isWholeFormula(formula)) {
      if (formula.do === "sum") return sumSize(termsOf(formula).map(([sign, term]) => [sign, sizeOf(term, reach)]));
      if (formula.do === "*") return productSize(...formula.of.map((part) => sizeOf(part, reach)));
      if (isRolling(formula.do)) return callSize(formula, reach);
      const asked = rolledOnce(formula);
      if (asked) return { ...sizeOf(asked, reach), low: 0n, high: 1n, outcomes: 2 };
    }
    return pointwiseSize(formula, reach);
  }

  // The roll whose outcome answers a question; nothing where outcomes must be gone through.
  const rolledOnce = once((asked) => {
    if (!isAsked(asked)) return null;
    if (asked.do !== "in") return asked.of.every(isWholeFormula) ? sum([[1, asked.of[0]], [-1, asked.of[1]]]) : null;
    const [inner, ...ends] = asked.of;
    return ends.every((end) => end === null || isNumber(end)) && isWholeFormula(inner) ? inner : null;
  });

  function constantSize(value) {
    if (value > MOST_CONSTANT) {
      const text = String(value).length <= 40 ? `the number ${grouped(value)}` : `a number of ${String(value).length} characters`;
      throw new TooMuch(`this roll has ${text}; refgen works out at most ${grouped(MOST_CONSTANT)}`, "Take smaller numbers.");
    }
    return { low: value, high: value, outcomes: 1, bits: 0, work: 0 };
  }

  function pointwiseSize(formula, reach) {
    let [outcomes, bits, work] = [1, 0, 0];
    for (const rolled of pointwise(formula).rolls) {
      const size = sizeOf(rolled, reach);
      [outcomes, bits, work] = [outcomes * size.outcomes, bits + size.bits, work + size.work];
      if (outcomes > MOST_OUTCOMES) throw tooMuch(`more than ${grouped(MOST_OUTCOMES)} outcomes of all its rolls together`, grouped(MOST_OUTCOMES));
    }
    work += outcomes * STEPS_OF_ARITHMETIC * lengthOf(bits);
    if (isAsked(formula)) return { low: 0n, high: 1n, outcomes: 2, bits, work };
    return { low: -MOST_CONSTANT, high: MOST_CONSTANT, outcomes, bits, work };
  }

  // What repeat() adds up: larger pools, or the same roll some times.
  const repeatedSum = once(({ of: [number, rolled] }) => {
    if (!isNumber(number)) throw new TooMuch("repeat() takes how often, and what is rolled, such as repeat(3, d6 + 1)");
    if (number.value > MOST_REPEATED) throw new TooMuch(`${number.value} rolls are not added up; refgen adds at most ${MOST_REPEATED}`);
    if (!number.value) return constant(0n);
    if (rolled.do === "pool") return { ...rolled, count: number.value * rolled.count };
    return sum(Array(Number(number.value)).fill([1, rolled]));
  });

  // What explode() goes on with: the dice alone, and what is added to the dice is added once.
  const exploded = once((formula) => {
    const terms = formula.of.length === 1 ? termsOf(formula.of[0]) : [];
    const dice = terms.filter(([, term]) => !isNumber(term));
    if (!dice.length || dice.length === terms.length) return formula;
    return sum([[1, call("explode", [sum(dice)])], ...terms.filter((term) => !dice.includes(term))]);
  });

  function sumSize(terms) {
    let sum = { low: 0n, high: 0n, outcomes: 1, bits: 0, work: 0 };
    for (const [sign, size] of terms) {
      checkPairs(sum.outcomes, size.outcomes);
      const [low, high] = sign > 0 ? [size.low, size.high] : [-size.high, -size.low];
      const outcomes = sum.outcomes * size.outcomes;
      sum = combined(sum.low + low, sum.high + high, outcomes, [sum, size], outcomes > 1 ? workOfAdding(sum, size) : 0);
    }
    return sum;
  }

  function workOfAdding(left, right) {
    const [span, bits] = [Number(left.high - left.low + right.high - right.low), left.bits + right.bits];
    if (span >= WIDEST_GAPS * (left.outcomes + right.outcomes)) return left.outcomes * right.outcomes * lengthOf(bits);
    const digits = [left, right].map(({ outcomes }) => (outcomes * bits) / DIGIT_BITS);
    return Math.max(...digits) * Math.min(...digits) ** KARATSUBA * STEPS_OF_DIGITS + left.outcomes + right.outcomes;
  }

  function callSize(formula, reach) {
    const { do: name, of } = formula;
    if (["highest", "lowest"].includes(name) && isNumber(of[0]) && of[1].do === "pool") return keptSize(of[0].value, of[1]);
    if (name === "chances") return { low: 0n, high: 0n, outcomes: 1, bits: 0, work: 0 };
    if (name === "repeat") return sizeOf(repeatedSum(formula), reach);
    if (name === "count") return of[0].of[0].do === "pool" ? countedSize(of[0].of[0]) : sizeOf(of[0].of[0], reach);
    if (name === "explode" && exploded(formula) !== formula) return sizeOf(exploded(formula), reach);
    const found = of.map((part) => sizeOf(part, reach));
    if (name === "explode") return explodingSize(found[0], reach, found[1]?.high);
    if (name === "open") return openSize(found[0], reach, [found[0].high, -found[0].low]);
    if (name === "top") return found[0];
    return name === "times" ? productSize(...found) : joinedSize(found);
  }

  // A roll that goes on at its highest outcome; or from a number on, and then sums of all rolls are added up.
  function explodingSize(first, reach, least) {
    const size = openSize(first, reach, [least ?? first.high]);
    if (least === undefined) return size;
    return { ...size, work: size.work + (size.bits / Math.max(first.bits, 1)) * workOfAdding(size, first) };
  }

  // A roll that goes on at some ends; of arithmetic, whose highest outcome is not known, as if that were 1.
  function openSize(first, reach, ends) {
    const both = ends.length > 1;
    const wanted = both || first.low >= 0n ? reach : reach - Number(first.low);
    const steps = ends.map((end) => (end === MOST_CONSTANT ? 1 : Math.max(1, Number(end))));
    const rolls = 1 + Math.max(...steps.map((step) => rerollsTo(first.outcomes, wanted, step)));
    const low = both ? first.low * BigInt(rolls) : first.low;
    const [outcomes, bits] = [first.outcomes * rolls, first.bits * rolls];
    return { low, high: first.high * BigInt(rolls), outcomes, bits, work: first.work + outcomes * lengthOf(bits) };
  }

  function productSize(left, right) {
    checkPairs(left.outcomes, right.outcomes);
    const corners = [left.low, left.high].flatMap((end) => [right.low, right.high].map((other) => end * other));
    const pairs = left.outcomes * right.outcomes;
    return combined(smallest(corners), largest(corners), pairs, [left, right], pairs * lengthOf(left.bits + right.bits));
  }

  function joinedSize(found) {
    let outcomes = 1;
    for (const size of found) {
      checkPairs(outcomes, size.outcomes);
      outcomes += size.outcomes - 1;
    }
    const work = found.length * outcomes * lengthOf(sumOver(found, "bits"));
    return combined(smallest(found.map(({ low }) => low)), largest(found.map(({ high }) => high)), outcomes, found, work);
  }

  function combined(low, high, most, parts, work) {
    const outcomes = Number(smallest([BigInt(most), high - low + 1n]));
    checkOutcomes(outcomes, 0);
    if (largest([high, -low]) > MOST_EXACT) throw new Outside("outcomes of more than fifteen digits");
    return { low, high, outcomes, bits: sumOver(parts, "bits"), work: work + sumOver(parts, "work") };
  }

  function checkDice({ count }) {
    if (count > MOST_DICE) throw tooMuch(`${grouped(count)} dice`, grouped(MOST_DICE));
  }

  function keptSize(kept, pool) {
    const size = poolSize(pool);
    const [few, faces] = [Number(smallest([kept, pool.count])), Number(pool.sides || 3n)];
    const work = (Number(pool.count) * few ** 2 * faces ** 2 * lengthOf(size.bits)) / STEPS_OF_KEEPING;
    if (work > MOST_WORK) throw tooMuch(`${grouped(kept)} dice to keep of ${grouped(pool.count)}`, grouped(MOST_WORK));
    return { ...size, work };
  }

  function countedSize(pool) {
    checkDice(pool);
    const [count, sides, bits] = [Number(pool.count), Number(pool.sides), bitsOf(pool)];
    checkOutcomes(sides, 0);
    return { low: 0n, high: pool.count, outcomes: count + 1, bits, work: sides + count * lengthOf(bits) };
  }

  function poolSize(pool) {
    checkDice(pool);
    const { count, sides } = pool;
    const [faces, bits] = [sides || 3n, bitsOf(pool)];
    const outcomes = Number(count * (faces - 1n) + 1n);
    checkOutcomes(outcomes, bits);
    const pairs = outcomes * Number(faces);
    if (count > 1n && pairs > MOST_WORK) throw tooMuch(`${grouped(count)} dice of ${grouped(faces)} sides`, grouped(MOST_WORK));
    const work = count > 1n ? (pairs * lengthOf(bits)) / 2 : 0;
    return { low: sides ? count : -count, high: sides ? count * sides : count, outcomes, bits, work };
  }

  // What a formula comes to, its open-ended parts followed far enough.

  const known = new WeakMap(); // rolls by formula and reach

  function followed(formula, wanted) {
    let reach = wanted;
    sizeOf(formula, reach);
    let rolled = rollOf(formula, wanted);
    for (let tried = 0; tried < MOST_TRIES; tried += 1) {
      const above = rolled.high === null ? 0 : wanted - rolled.high;
      const below = rolled.low === null ? 0 : wanted + rolled.low;
      const missing = Math.max(above, below);
      if (missing <= 0 || rolled.isNowhereExact) break;
      reach = 4 * reach + missing;
      sizeOf(formula, reach);
      rolled = rollOf(formula, reach);
    }
    return rolled;
  }

  function rollOf(formula, reach) {
    if (!known.has(formula)) known.set(formula, new Map());
    const rolls = known.get(formula);
    if (!rolls.has(reach)) rolls.set(reach, newRoll(formula, reach));
    return rolls.get(reach);
  }

  function newRoll(formula, reach) {
    if (isNumber(formula)) return new Roll([Number(formula.value)], [1n]);
    if (formula.do === "pool") return repeated(oneDie(formula), Number(formula.count));
    if (isAsked(formula)) return answered(formula, reach);
    if (isWholeFormula(formula)) {
      if (formula.do === "sum") return sumRoll(formula, reach);
      if (formula.do === "*") return product(rollOf(formula.of[0], reach), rollOf(formula.of[1], reach));
      if (isRolling(formula.do)) return ROLLS[formula.do](formula, reach);
    }
    return oneByOne(formula, reach);
  }

  function oneDie({ sides }) {
    const faces = sides ? Array.from({ length: Number(sides) }, (_, face) => face + 1) : [-1, 0, 1];
    return new Roll(faces, faces.map(() => 1n));
  }

  // All outcomes of all rolls, gone through one by one.
  function oneByOne(formula, reach) {
    const { rolls, evaluate } = pointwise(formula);
    const rolled = rolls.map((part) => rollOf(part, reach));
    const weights = new Map();
    let broken = null;
    const go = (place, outcomes, weight) => {
      if (place < rolled.length) {
        for (const [outcome, own] of rolled[place].items()) go(place + 1, [...outcomes, fraction(BigInt(outcome))], weight * own);
        return;
      }
      const found = evaluate(outcomes);
      if (!isWhole(found)) broken ??= found;
      else if (largest([found.above, -found.above]) > MOST_EXACT) throw new Outside("outcomes of more than fifteen digits");
      else weights.set(Number(found.above), (weights.get(Number(found.above)) ?? 0n) + weight);
    };
    go(0, [], 1n);
    if (broken) {
      const text = exactText(broken);
      const shown = text.length <= 40 ? text : `a number of ${text.length} characters`;
      throw new TooMuch(`dice come to ${shown}, which is no whole number`, "Round it with floor(), ceiling() or nearest().");
    }
    const open = rolled.map(({ residue }) => residue).reduce((closed, residue) => productOf(closed, sumOf(ONE, negated(residue))), ONE);
    const residue = sumOf(ONE, negated(open));
    return Roll.of(weights, isZero(residue) ? {} : { residue, ...NOWHERE });
  }

  // 1 where a comparison holds, or a roll lies in a range, else 0.
  function answered(asked, reach) {
    const roll = rolledOnce(asked);
    if (!roll) return oneByOne(asked, reach);
    const rolled = followed(roll, reach);
    if (asked.do !== "in") {
      const [above, equal] = [rolled.weightAtLeast(1), rolled.weight(0)];
      const sides = [[1, above], [0, equal], [-1, rolled.denominator - above - equal]];
      const met = sides.filter(([side]) => HOLDS[asked.do](side)).reduce((sum, [, weight]) => sum + weight, 0n);
      return trueOrNot(met, rolled, [0, 1]);
    }
    const [low, high] = asked.of.slice(1).map((end) => end && Number(end.value));
    const from = low === null ? rolled.denominator : rolled.weightAtLeast(low);
    const above = high === null ? 0n : rolled.weightAtLeast(high + 1);
    return trueOrNot(largest([0n, from - above]), rolled, [...(low === null ? [] : [low]), ...(high === null ? [] : [high + 1])]);
  }

  function trueOrNot(met, asked, outcomes) {
    const weights = new Map([[0, asked.denominator - met], [1, met]]);
    return Roll.of(weights, outcomes.every((outcome) => asked.isExact(outcome)) ? {} : { residue: asked.residue, ...NOWHERE });
  }

  // A difference of endless rolls is exact when both are followed until they repeat.
  function sumRoll(formula, reach) {
    const partsFor = (far) => termsOf(formula).map(([sign, term]) => (sign > 0 ? rollOf(term, far) : rollOf(term, far).negated()));
    let parts = partsFor(reach);
    const [rising] = parts.map((part) => part.rising).filter(Boolean);
    const [falling] = parts.map((part) => part.falling).filter(Boolean);
    if (rising && falling) {
      const farther = leastCommonMultiple(rising.period, falling.period) + Math.max(rising.start, falling.start, 0);
      if (farther <= MOST_REROLLS && farther > 0) parts = partsFor(reach + farther);
    }
    return parts.reduce((sum, part) => sum.plus(part));
  }

  // The argument of a call that asks for the highest outcome, or for both ends.
  function boundedRoll({ do: name, of: [rolled] }, reach) {
    const found = rollOf(rolled, reach);
    if (found.isOpen) throw new TooMuch(`${name}() needs a roll with a lowest and a highest outcome`);
    return found;
  }

  // Only dice explode: what is added to them is added once.
  function explode(formula, reach) {
    if (formula.of.length > 1) {
      const least = numberOf(formula.of[1], reach);
      if (least === undefined) throw new TooMuch("explode() takes a roll and the number from which on it explodes, such as explode(d6, 5)");
      return explodingFrom(boundedRoll(formula, reach), least, reach);
    }
    const found = exploded(formula);
    return found === formula ? exploding(boundedRoll(formula, reach), reach) : rollOf(found, reach);
  }

  function top({ of: [rolled] }, reach) {
    const found = rollOf(rolled, reach);
    if (found.high !== null) throw new TooMuch("top() needs a roll with a highest outcome");
    return new Roll([found.outcomes.at(-1)], [1n]);
  }

  function snake({ of }, reach) {
    const [first, worst] = of.map((part) => rollOf(part, reach));
    if (worst && worst.outcomes.length > 1) throw new TooMuch("snake() takes dice and the number that a fumble counts as");
    return withSnakeEyes(first, worst ? worst.outcomes[0] : null);
  }

  function keep({ do: name, of: [kept, pool] }) {
    if (!isNumber(kept) || pool.do !== "pool" || kept.value < 1n || kept.value > pool.count) {
      throw new TooMuch(`${name}() takes a number and a pool with at least that many dice`);
    }
    const [number, count, die] = [Number(kept.value), Number(pool.count), oneDie(pool)];
    return name === "highest" ? highestOf(number, die, count) : highestOf(number, die.negated(), count).negated();
  }

  // The whole number that a formula always is; undefined for one that rolls.
  const numberOf = (formula, reach) => (hasDice(formula) ? undefined : rollOf(formula, reach).outcomes[0]);

  const pairwise = (combine) => ({ of }, reach) => of.map((part) => rollOf(part, reach)).reduce(combine);

  // Roll again when one of the given outcomes shows: once, or until none of them does.
  function rollAgain({ do: name, of: [again, ...outcomes] }, reach) {
    const faces = outcomes.map((outcome) => numberOf(outcome, reach));
    if (faces.includes(undefined)) throw new TooMuch(`${name}() takes a roll and the outcomes that are rolled again, such as ${name}(d6, 1)`);
    return (name === "reroll" ? rerolled : without)(followed(again, Math.max(reach, ...faces.map(Math.abs))), faces);
  }

  // How many dice of a pool meet a comparison, or lie in a range.
  function count({ of: [asked] }, reach) {
    const [pool, ...ends] = partsOf(asked);
    if (isNumber(pool) && !pool.value) return new Roll([0], [1n]);
    const numbers = ends.map((end) => numberOf(end, reach));
    if (pool.do !== "pool" || numbers.includes(undefined)) throw new TooMuch("count() takes a pool, a comparison and a number, such as count(6d10 >= 7)");
    const { evaluate } = pointwise({ ...asked, of: [{ ...pool, count: 1n }, ...asked.of.slice(1)] });
    const faces = oneDie(pool).outcomes;
    const met = faces.filter((face) => !isZero(evaluate([fraction(BigInt(face))]))).length;
    return repeated(Roll.of(new Map([[0, BigInt(faces.length - met)], [1, BigInt(met)]])), Number(pool.count));
  }

  function unknownTable(name, table) {
    return new TooMuch(`${name}() names an unknown table "${table}"`, "Known are none here.");
  }

  function map({ of: [rolled], table }, reach) {
    const rows = readTable(table);
    return lookedUp(followed(rolled, Math.max(reach, farthest(rows))), rows, table);
  }

  const ROLLS = {
    explode, snake, top, count, map, reroll: rollAgain, without: rollAgain,
    open: (formula, reach) => opening(boundedRoll(formula, reach), reach),
    half_away: ({ of: [rolled] }, reach) => halfAway(rollOf(rolled, reach)),
    highest: keep,
    lowest: keep,
    lesser: pairwise(lesser),
    max: pairwise(higher),
    min: pairwise(lower),
    times: pairwise(product),
    repeat: (formula, reach) => [formula.of[1], repeatedSum(formula)].map((part) => rollOf(part, reach))[1],
  };

  function callsWithTables(formula) {
    const own = formula.table && !formula.table.startsWith('"') ? [formula] : [];
    return [...own, ...partsOf(formula).flatMap(callsWithTables)];
  }

  // The odds of a text. Throws NotDice, TooMuch, NoAnswer, or Outside for what refgen alone works out.
  function odds(text) {
    const formula = parse(text);
    sizeOf(formula, REACH);
    for (const { do: name, table } of callsWithTables(formula)) throw unknownTable(name, table);
    return followed(formula, REACH);
  }

  return { Outside, odds };
})();
