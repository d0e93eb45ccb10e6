// What dice come to, exactly, and what that costs before anything is rolled: as refgen/resolver/dice does it.
//
// In: the tree of a text. Out: a Roll, or TooMuch for dice that are not worked out, and why.
const DiceOdds = (() => {
  "use strict";
  const { ROLLING, call, constant, parse, partsOf, readTable } = DiceNotation;
  const {
    MOST_OUTCOMES, MOST_REROLLS, MOST_WORK, NOWHERE, Roll, TooMuch, checkPairs, exploding, farthest, grouped, halfAway, higher,
    highestOf, leastCommonMultiple, lesser, lookedUp, lower, opening, product, repeated, rerolled, tooMuch, withSnakeEyes,
  } = DiceRolls;
  const REACH = 40;
  const MOST_TRIES = 3;
  const MOST_DICE = 2000n;
  const MOST_KEPT_WORK = 100000n;
  const MOST_FOLLOWED_WORK = 25000000;
  const FOLLOWED = { explode: [60, 3], open: [200, 10] };
  const MOST_CONSTANT = 1000000n;
  const MOST_TOGETHER = 200000;
  const MOST_REPEATED = 100n;
  const MOST_EFFORT = 8000000; // what a browser does within a second or two, in steps of numbers of some hundred digits
  const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

  // Dice that refgen knows, and a page does not.
  class Outside extends Error {}

  const isNumber = (formula) => formula.do === "constant";
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

  const hasDice = once((formula) => formula.do === "pool" || (formula.do === "call" && formula.name === "chances") || partsOf(formula).some(hasDice));

  // Whether it always comes to a whole number.
  const isWholeFormula = once((formula) => {
    if (["compare", "in"].includes(formula.do)) return true;
    if (formula.do === "binary" && ["and", "or"].includes(formula.sign)) return true;
    if (formula.do === "binary" && ["/", "^"].includes(formula.sign)) return false;
    if (formula.do === "call" && formula.name === "if") return formula.of.slice(1).every(isWholeFormula);
    if (formula.do === "call" && !["max", "min", "abs", "clamp"].includes(formula.name)) return isWholeFunction(formula.name);
    return partsOf(formula).every(isWholeFormula);
  });

  // Arithmetic: a formula parted into its rolls, and what is done with an outcome of each.

  const SIGNS = { "*": productOf, "/": quotientOf, "^": powerOf, mod: moduloOf };
  const COMPARED = {
    ">=": (order) => order >= 0, "<=": (order) => order <= 0, ">": (order) => order > 0, "<": (order) => order < 0,
    "==": (order) => order === 0, "!=": (order) => order !== 0,
  };
  const WORK = {
    not: (number) => truth(isZero(number)),
    sign: (number) => fraction(BigInt(compared(number, ZERO))),
    abs: (number) => (number.above < 0n ? negated(number) : number),
    floor: (number) => fraction(floorOf(number)),
    ceiling: (number) => fraction(ceilingOf(number)),
    nearest: nearestOf,
    even: (number) => truth(isWhole(number) && number.above % 2n === 0n),
    clamp: (number, low, high) => larger(low, smaller(number, high)),
    combinations: combinationsOf,
    power: brokenPowerOf,
    powers: powersOf,
    preferred: preferredOf,
    max: (...numbers) => numbers.reduce(larger),
    min: (...numbers) => numbers.reduce(smaller),
  };

  const pointwise = once((formula) => {
    const rolls = [];
    const roll = (part) => {
      const place = rolls.push(part) - 1;
      return (outcomes) => outcomes[place];
    };
    const each = (part) => {
      if (isNumber(part)) return () => fraction(part.value);
      return hasDice(part) && isWholeFormula(part) ? roll(part) : ofParts(part);
    };
    const ofParts = (part) => {
      if (part.do === "sum") return sum(part);
      if (part.do === "binary" || part.do === "compare") return pair(part);
      if (part.do === "in") return inRange(part);
      return part.do === "call" ? ofCall(part) : each(part);
    };
    const sum = ({ terms }) => {
      const rolled = terms.filter(([, term]) => hasDice(term) && isWholeFormula(term));
      const others = terms.filter((term) => !rolled.includes(term)).map(([sign, term]) => [sign, each(term)]);
      if (rolled.length) others.push([1, roll({ do: "sum", terms: rolled })]);
      return (outcomes) => bounded(others.map(([sign, part]) => (sign > 0 ? part(outcomes) : negated(part(outcomes)))).reduce(sumOf, ZERO));
    };
    const pair = ({ sign, of }) => {
      const [left, right] = of.map(each);
      if (sign === "and") return (outcomes) => truth(!isZero(left(outcomes)) && !isZero(right(outcomes)));
      if (sign === "or") return (outcomes) => truth(!isZero(left(outcomes)) || !isZero(right(outcomes)));
      if (SIGNS[sign]) return (outcomes) => SIGNS[sign](left(outcomes), right(outcomes));
      return (outcomes) => truth(COMPARED[sign](compared(left(outcomes), right(outcomes))));
    };
    const inRange = ({ of: [inner, ...ends] }) => {
      const [of, low, high] = [inner, ...ends].map((end) => end && each(end));
      return (outcomes) => {
        const number = of(outcomes);
        return truth((!low || compared(low(outcomes), number) <= 0) && (!high || compared(number, high(outcomes)) <= 0));
      };
    };
    const ofCall = (part) => {
      const { name, of } = part;
      if (name === "if") {
        const [test, then, otherwise] = of.map(each);
        return (outcomes) => (isZero(test(outcomes)) ? otherwise : then)(outcomes);
      }
      if (isRolling(name) && !["max", "min"].includes(name)) return roll(part);
      const parts = of.map(each);
      return (outcomes) => WORK[name](...parts.map((found) => found(outcomes)));
    };
    const evaluate = ofParts(formula);
    return { rolls, evaluate };
  });

  let effort = 0;

  const bitsOf = ({ count, sides }) => Number(count) * Math.log2(Number(sides || 3n));
  const longer = (bits) => 1 + bits / 2000;

  // What a formula costs: its lowest and highest outcome (of an open one, those of its first roll), how many outcomes
  // there are, and about how many of an open one are followed.

  const sizeOf = once((formula) => {
    if (isNumber(formula)) return constantSize(formula.value);
    if (formula.do === "pool") return poolSize(formula);
    if (isWholeFormula(formula)) {
      if (formula.do === "sum") return sumSize(formula.terms.map(([sign, term]) => [sign, sizeOf(term)]));
      if (formula.do === "call" && isRolling(formula.name)) return callSize(formula);
      const asked = rolledOnce(formula);
      if (asked) {
        sizeOf(asked);
        return { low: 0n, high: 1n, outcomes: 2, followed: 0 };
      }
    }
    return pointwiseSize(formula);
  });

  // The roll whose outcome answers a question; nothing where outcomes must be gone through.
  const rolledOnce = once((asked) => {
    if (asked.do === "compare" && asked.of.every(isWholeFormula)) return { do: "sum", terms: [[1, asked.of[0]], [-1, asked.of[1]]] };
    if (asked.do !== "in") return null;
    const [inner, ...ends] = asked.of;
    return ends.every((end) => end === null || isNumber(end)) && isWholeFormula(inner) ? inner : null;
  });

  function constantSize(value) {
    if (value > MOST_CONSTANT) throw tooMuch(`the number ${grouped(value)}`, grouped(MOST_CONSTANT));
    return { low: value, high: value, outcomes: 1, followed: 0 };
  }

  function pointwiseSize(formula) {
    let outcomes = 1;
    for (const rolled of pointwise(formula).rolls) {
      outcomes *= sizeOf(rolled).outcomes;
      if (outcomes > MOST_TOGETHER) throw tooMuch(`more than ${grouped(MOST_TOGETHER)} outcomes of all its rolls together`, grouped(MOST_TOGETHER));
    }
    if (["compare", "in"].includes(formula.do)) return { low: 0n, high: 1n, outcomes: 2, followed: 0 };
    return { low: -MOST_CONSTANT, high: MOST_CONSTANT, outcomes, followed: 0 };
  }

  // What repeat() adds up: larger pools, or the same roll some times.
  const repeatedSum = once(({ of: [number, rolled] }) => {
    if (!isNumber(number)) throw new TooMuch("repeat() takes how often, and what is rolled, such as repeat(3, d6 + 1)");
    if (number.value > MOST_REPEATED) throw new TooMuch(`${number.value} rolls are not added up; refgen adds at most ${MOST_REPEATED}`);
    if (!number.value) return constant(0n);
    if (rolled.do === "pool") return { ...rolled, count: number.value * rolled.count };
    return { do: "sum", terms: Array(Number(number.value)).fill([1, rolled]) };
  });

  function sumSize(terms) {
    let sum = { low: 0n, high: 0n, outcomes: 1 };
    let [work, followed] = [0, 0];
    for (const [sign, size] of terms) {
      checkPairs(sum.outcomes, size.outcomes);
      if (size.followed) {
        work += Math.max(followed, 1) * size.followed;
        followed += size.followed;
      }
      if (work > MOST_FOLLOWED_WORK) throw tooMuch("too many open-ended dice to add", `about ${grouped(MOST_FOLLOWED_WORK)} pairs of their outcomes`);
      const [low, high] = sign > 0 ? [size.low, size.high] : [-size.high, -size.low];
      sum = sizeWithin(sum.low + low, sum.high + high, sum.outcomes * size.outcomes);
    }
    effort += work;
    return { ...sum, followed };
  }

  function callSize({ name, of, table }) {
    if (["highest", "lowest"].includes(name) && isNumber(of[0]) && of[1].do === "pool") {
      const [{ value: kept }, { count, sides }] = of;
      if (count * smallest([kept, count]) * (sides || 3n) > MOST_KEPT_WORK) {
        throw tooMuch(`${grouped(kept)} dice to keep of ${grouped(count)}`, `${grouped(MOST_KEPT_WORK)} of dice times kept times sides`);
      }
      const [dice, faces] = [Number(kept), Number(sides || 3n)];
      effort += (faces ** 2 * dice ** 3 * bitsOf(of[1])) / 5000;
      return poolSize(of[1]);
    }
    if (name === "chances") return { low: 0n, high: 0n, outcomes: 1, followed: 0 };
    if (name === "repeat") return sizeOf(repeatedSum({ of }));
    if (name === "count") return sizeOf(of[0].of[0]);
    const sizes = of.map(sizeOf);
    if (FOLLOWED[name]) {
      const [fewest, times] = FOLLOWED[name];
      return { ...sizes[0], followed: Math.max(fewest, times * sizes[0].outcomes) };
    }
    if (name === "top") return sizes[0];
    return name === "times" ? productSize(...sizes) : joinedSize(sizes);
  }

  function productSize(left, right) {
    checkPairs(left.outcomes, right.outcomes);
    effort += left.outcomes * right.outcomes;
    const corners = [left.low, left.high].flatMap((end) => [right.low, right.high].map((other) => end * other));
    return sizeWithin(smallest(corners), largest(corners), left.outcomes * right.outcomes);
  }

  function joinedSize(sizes) {
    let outcomes = 1;
    for (const size of sizes) {
      checkPairs(outcomes, size.outcomes);
      outcomes += size.outcomes - 1;
    }
    const joined = sizeWithin(smallest(sizes.map(({ low }) => low)), largest(sizes.map(({ high }) => high)), outcomes);
    return { ...joined, followed: Math.max(...sizes.map(({ followed }) => followed)) };
  }

  function sizeWithin(low, high, most) {
    const outcomes = Number(smallest([BigInt(most), high - low + 1n]));
    if (outcomes > MOST_OUTCOMES) throw tooMuch(`${grouped(outcomes)} different outcomes`, grouped(MOST_OUTCOMES));
    if (largest([high, -low]) > MOST_EXACT) throw new Outside("outcomes of more than fifteen digits");
    return { low, high, outcomes, followed: 0 };
  }

  function poolSize({ count, sides }) {
    if (count > MOST_DICE) throw tooMuch(`${grouped(count)} dice`, grouped(MOST_DICE));
    const faces = sides || 3n;
    const outcomes = count * (faces - 1n) + 1n;
    if (outcomes > MOST_OUTCOMES) throw tooMuch(`${grouped(outcomes)} different outcomes`, grouped(MOST_OUTCOMES));
    if (count > 1n && outcomes * faces > MOST_WORK) throw tooMuch(`${grouped(count)} dice of ${grouped(faces)} sides`, `${grouped(MOST_WORK)} outcomes times sides`);
    if (count > 1n) effort += Number(outcomes * faces) * longer(bitsOf({ count, sides }));
    return { low: sides ? count : -count, high: sides ? count * sides : count, outcomes: Number(outcomes), followed: 0 };
  }

  // What a formula comes to, its open-ended parts followed far enough.

  const known = new WeakMap(); // rolls by formula and reach

  function followed(formula, wanted) {
    let reach = wanted;
    let rolled = rollOf(formula, wanted);
    for (let tried = 0; tried < MOST_TRIES; tried += 1) {
      const above = rolled.high === null ? 0 : wanted - rolled.high;
      const below = rolled.low === null ? 0 : wanted + rolled.low;
      const missing = Math.max(above, below);
      if (missing <= 0 || rolled.isNowhereExact) break;
      reach = 4 * reach + missing;
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
    if (["compare", "in"].includes(formula.do)) return answered(formula, reach);
    if (isWholeFormula(formula)) {
      if (formula.do === "sum") return sumRoll(formula, reach);
      if (formula.do === "binary" && formula.sign === "*") return product(rollOf(formula.of[0], reach), rollOf(formula.of[1], reach));
      if (formula.do === "call" && isRolling(formula.name)) return ROLLS[formula.name](formula, reach);
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
      const text = `${broken.above}/${broken.below}`;
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
    if (asked.do === "compare") {
      const [above, equal] = [rolled.weightAtLeast(1), rolled.weight(0)];
      const sides = [[1, above], [0, equal], [-1, rolled.denominator - above - equal]];
      const met = sides.filter(([side]) => COMPARED[asked.sign](side)).reduce((sum, [, weight]) => sum + weight, 0n);
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
  function sumRoll({ terms }, reach) {
    const partsFor = (far) => terms.map(([sign, term]) => (sign > 0 ? rollOf(term, far) : rollOf(term, far).negated()));
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
  function boundedRoll({ name, of: [rolled] }, reach) {
    const found = rollOf(rolled, reach);
    if (found.isOpen) throw new TooMuch(`${name}() needs a roll with a lowest and a highest outcome`);
    return found;
  }

  // Only dice explode: what is added to them is added once.
  function explode(formula, reach) {
    const [rolled] = formula.of;
    const constants = rolled.do === "sum" ? rolled.terms.filter(([, term]) => isNumber(term)) : [];
    if (!constants.length) return exploding(boundedRoll(formula, reach), reach);
    const dice = { do: "sum", terms: rolled.terms.filter((term) => !constants.includes(term)) };
    return sumRoll({ terms: [[1, call("explode", [dice])], ...constants] }, reach);
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

  function keep({ name, of: [kept, pool] }) {
    if (!isNumber(kept) || pool.do !== "pool" || kept.value < 1n || kept.value > pool.count) {
      throw new TooMuch(`${name}() takes a number and a pool with at least that many dice`);
    }
    const [number, count, die] = [Number(kept.value), Number(pool.count), oneDie(pool)];
    return name === "highest" ? highestOf(number, die, count) : highestOf(number, die.negated(), count).negated();
  }

  // The whole number that a formula always is; undefined for one that rolls.
  const numberOf = (formula, reach) => (hasDice(formula) ? undefined : rollOf(formula, reach).outcomes[0]);

  const pairwise = (combine) => ({ of }, reach) => of.map((part) => rollOf(part, reach)).reduce(combine);

  function reroll({ of: [again, ...outcomes] }, reach) {
    const faces = outcomes.map((outcome) => numberOf(outcome, reach));
    if (faces.includes(undefined)) throw new TooMuch("reroll() takes a roll and the outcomes that are rolled again, such as reroll(d6, 1)");
    return rerolled(followed(again, Math.max(reach, ...faces.map(Math.abs))), faces);
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
    explode, snake, top, reroll, count, map,
    open: (formula, reach) => opening(boundedRoll(formula, reach), reach),
    half_away: ({ of: [rolled] }, reach) => halfAway(rollOf(rolled, reach)),
    highest: keep,
    lowest: keep,
    lesser: pairwise(lesser),
    max: pairwise(higher),
    min: pairwise(lower),
    times: pairwise(product),
    repeat: (formula, reach) => rollOf(repeatedSum(formula), reach),
  };

  function callsWithTables(formula) {
    const own = formula.do === "call" && formula.table && !formula.table.startsWith('"') ? [formula] : [];
    return [...own, ...partsOf(formula).flatMap(callsWithTables)];
  }

  // The odds of a text. Throws NotDice, TooMuch, NoAnswer, or Outside for what refgen alone works out.
  function odds(text) {
    const formula = parse(text);
    effort = 0;
    sizeOf(formula);
    if (effort > MOST_EFFORT) throw new Outside("more than a browser works out at once");
    for (const { name, table } of callsWithTables(formula)) throw unknownTable(name, table);
    return followed(formula, REACH);
  }

  return { Outside, odds };
})();
