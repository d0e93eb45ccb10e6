// The notation of dice: as refgen/notation/formula_parser.py reads it.
//
// In: "4dF", "explode(d6) + 2", "highest(3, 4d6)". Out: a tree of {do, of, …}, as formula/evaluate.js has them, with pools of
// dice. Nothing is rolled here.
const DiceNotation = (() => {
  "use strict";
  const MOST_CHARACTERS = 400;
  const MOST_DEPTH = 50;
  const TOKEN = /\s*(?:(?<dice>\d*d(?:\d+|[f%])(?:(?!!=)(?:k[hl]?\d*|d(?:[hl]\d*|\d+)|!(?:[<>]=?\d*)?|ro?[<>]?=?\d+|cs[<>]?=?\d+))*)|(?<number>\d+)|(?<name>(?![\d_.-])(?:[^\x00-,.\/:-`{-\u00bf×÷\u2000-\u2bff\u3000-\u3003\u3008-\u3020\s-]|[_.-])+)|(?<reference>\{[^\x00-,.\/:-`{-\u00bf×÷\u2000-\u2bff\u3000-\u3003\u3008-\u3020\s-]+(?:[-.][^\x00-,.\/:-`{-\u00bf×÷\u2000-\u2bff\u3000-\u3003\u3008-\u3020\s-]+)*\})|(?<table>"[^"]*")|(?<sign>[><=!]=|\.\.|[-+*/^()!,<>])|(?<end>$)|(?<no>.))/sy;
  const BEHIND_OPERAND = /\s*(?:(?<times>×|x(?=\s*(?:[\d({]|d[\d%f]|[a-z_]+\()))|(?<words>(?:with\s+)?(?:(?:dis)?adv(?:antage)?|dis)\b|(?:keep|drop)\s+(?:the\s+)?(?:highest|lowest)(?:\s+\d+\b)?\b))/y;
  const BEFORE_OPERAND = /\s*(?<words>(?:with\s+)?(?:(?:dis)?adv(?:antage)?|dis))(?:\s+on)?(?=\s+(?:[\d(]|d[\d%f]))/y;
  const VERSUS = /\s+(?:vs\.?|versus|against)\s+(.*)/is;
  const GOAL = /^([-+]?\d{1,9})(\s+(?:with\s+)?(?:(?:dis)?adv(?:antage)?|dis))?$/;
  const DIGITS = /^(44+|66+|88+)$/;
  const SAME_DIGITS = /(?<![\w.])(\d*)d(44+|66+|88+)(?!\w)/g;
  const ADVANTAGE = /^((\d+)d[\d%f]+) (?:with\s+)?(dis)?(?:adv\w*)?$/;
  const SURE_FACTOR = 101n;
  const COMPARED = 3;
  const BINDING = { or: 1, and: 2, in: 3, ">=": 3, "<=": 3, "==": 3, "!=": 3, ">": 3, "<": 3, vs: 3, "+": 4, "-": 4, "*": 5, "/": 5, mod: 5 };
  const AFTER_RANGE = ["end", ")", ",", "and", "or"];
  const OPERATORS = { or: "or", and: "and", in: "in", mod: "mod", not: "not", vs: "vs", "vs.": "vs" };
  const ENDS_OPERAND = ["dice", "number", "reference", ")", "!", "words"];
  const COMPARES = ["in", "..", "vs", ">=", "<=", "==", "!=", ">", "<"];
  const ENDS_SUM = [...COMPARES, "end", ",", "or", "and", "not", "unclear"];
  const TURNS_ROUND = ["-", "/", "^", "mod", "name"];
  // The signs of print that mean a sign of a keyboard: as refgen/marks.py and refgen/notation/usual_text.py have them.
  const SIGNS = Object.fromEntries(
    [["‐‑‒–—―−⁃˗", "-"], ["〜∼∿〰～…‥", ".."], ["✕✖⨯∗·⋅", "×"], ["∕⁄÷", "/"], ["、", ","], ["≥⩾≧", ">="], ["≤⩽≦", "<="], ["≠", "!="], ["“”„‟", '"'], ["\u00ad\u200b\u200c\u200d\u2060\ufeff", ""]]
      .flatMap(([written, sign]) => Array.from(written, (one) => [one, sign])),
  );
  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const FRACTION = `(?:[¼-¾⅐-⅞]|[${RAISED}]{1,3}[⁄/][₀-₉]{1,3})`;
  const EXPONENT = new RegExp(`[⁺⁻]?[${RAISED}]+`, "u");
  const PIECE = new RegExp(`\\{[^\\s{}]*|(?<![A-Za-z0-9_.])(?:\\p{Nd}*${FRACTION}|\\p{Nd}+[⁺⁻]?[${RAISED}]+)|${FRACTION}|.`, "gsu");
  const hintOfDice = () => Words.text("dice-hint");

  // The functions that roll, and those of numbers, with the fewest and the most formulas they take.
  const ROLLING = {
    explode: [1, 2], open: [1, 1], snake: [1, 2], half_away: [1, 1], highest: [2, 2], lowest: [2, 2], lesser: [2, 2],
    times: [2, 2], max: [2, 8], min: [2, 8], reroll: [2, 8], without: [2, 8], repeat: [2, 2], count: [1, 1], map: [1, 1],
    chances: [0, 0],
  };
  const OF_NUMBERS = {
    if: [3, 3], sign: [1, 1], abs: [1, 1], floor: [1, 1], ceiling: [1, 1], nearest: [1, 1], even: [1, 1], clamp: [3, 3],
    combinations: [2, 2], power: [2, 2], powers: [2, 2], preferred: [2, 25],
  };
  const FUNCTIONS = { ...ROLLING, ...OF_NUMBERS };
  const WITH_NAME = ["map", "chances"];

  // A text that is no dice.
  class NotDice extends Error {
    constructor(message, hint = hintOfDice()) {
      super(message);
      this.hint = hint;
    }
  }

  const isFigure = (code) => /^\p{Nd}$/u.test(String.fromCodePoint(code));

  // The figures of each script stand together, from 0 to 9.
  function figureOf(character) {
    const code = character.codePointAt(0);
    let zero = code;
    while (isFigure(zero - 1)) zero -= 1;
    return String((code - zero) % 10);
  }

  // Full-width and small forms of ASCII are ASCII; figures of all scripts are 0 to 9, and blanks of print one blank.
  function usualCharacter(written) {
    if (written <= "\x7f") return written.toLowerCase();
    if (isFigure(written.codePointAt(0))) return figureOf(written);
    if (Object.hasOwn(SIGNS, written)) return SIGNS[written];
    const character = /[\ufe50-\ufe6f\uff01-\uff5e]/.test(written) ? written.normalize("NFKC") : written;
    if (Object.hasOwn(SIGNS, character)) return SIGNS[character];
    return character <= "\x7f" ? character.toLowerCase() : character.replace(/\s/, " ");
  }

  const usualCharacters = (text) => Array.from(text, usualCharacter).join("");
  const figures = (raised) => Array.from(raised, (one) => ({ "⁺": "+", "⁻": "-" })[one] ?? RAISED.indexOf(one)).join("");

  // A character, or a number with a raised exponent or a fraction: "10²" is "10^2", and "1½" is "(1+1/2)".
  function usualPiece(piece) {
    const fraction = new RegExp(`${FRACTION}$`, "u").exec(piece);
    if (fraction) {
      const whole = usualCharacters(piece.slice(0, fraction.index));
      return `(${whole && `${whole}+`}${fraction[0].normalize("NFKC").replace("⁄", "/")})`;
    }
    const raised = Array.from(piece).length > 1 ? EXPONENT.exec(piece) : null;
    return raised ? `${usualCharacters(piece.slice(0, raised.index))}^${figures(raised[0])}` : usualCharacter(piece);
  }

  // A text with usual signs, ASCII figures and small letters, and where each character was written: as
  // refgen/notation/usual_text.py does it.
  function usualText(text) {
    let usual = "";
    const places = [];
    let place = 0;
    for (const [piece] of text.matchAll(PIECE)) {
      const isName = piece[0] === "{";
      const written = isName ? piece : usualPiece(piece);
      usual += written;
      for (let at = 0; at < written.length; at += 1) places.push(place + (isName ? at : 0));
      place += Array.from(piece).length;
    }
    return { text: usual, places: [...places, place] };
  }

  function tokensOf(text) {
    const usual = usualText(text);
    const found = [];
    const at = (pattern, place) => {
      pattern.lastIndex = place;
      return pattern.exec(usual.text);
    };
    for (let place = 0; found.at(-1)?.kind !== "end"; ) {
      const beside = ENDS_OPERAND.includes(found.at(-1)?.kind) ? BEHIND_OPERAND : BEFORE_OPERAND;
      const match = at(beside, place) ?? at(TOKEN, place);
      const [named, piece] = Object.entries(match.groups).find(([, part]) => part !== undefined);
      const start = place + match[0].search(/\S|$/);
      const kind = { sign: piece, times: "*" }[named] ?? (Object.hasOwn(OPERATORS, piece) ? OPERATORS[piece] : named);
      place += match[0].length;
      found.push({ kind, text: piece, column: usual.places[start] + 1, start, end: place });
    }
    return sayWordsOfDice(found, usual.text);
  }

  // The tokens with words such as "with advantage" in the text of their dice: as refgen/notation/dice_words.py does it.
  function sayWordsOfDice(found, text) {
    const kinds = found.map(({ kind }) => kind);
    for (const [place, token] of found.entries()) {
      if (token.kind !== "words") continue;
      const isBehind = ENDS_OPERAND.includes(kinds[place - 1]);
      const part = sumBeside(found, place, isBehind ? -1 : 1);
      const dice = diceIn(found, part);
      if (!dice.length) continue;
      const { said, isTurned } = dice.at(isBehind ? -1 : 0);
      if (dice.length > 1 || isTurned) {
        const whole = text.slice(found[part[0]].start, found[part.at(-1)].end);
        Object.assign(token, { kind: "unclear", dice: found[said].text, whole });
        continue;
      }
      found[said].text += ` ${token.text}`;
      token.kind = "";
      Object.assign(found[place + (isBehind ? -1 : 1)], isBehind ? { end: token.end } : { start: token.start });
    }
    return found.filter(({ kind }) => kind);
  }

  // The places of the tokens of the sum that ends before a place (step -1) or begins behind it (1); before a number that is
  // compared, of the sum that is compared.
  function sumBeside(found, from, step) {
    const [opens, closes] = step < 0 ? [")", "("] : ["(", ")"];
    const places = [];
    let [depth, place] = [0, from + step];
    for (; place >= 0 && place < found.length; place += step) {
      const { kind } = found[place];
      if (!depth && (kind === closes || ENDS_SUM.includes(kind) || (kind === "words" && step > 0))) break;
      depth += (kind === opens) - (kind === closes);
      places.push(place);
    }
    const isGoal = step < 0 && COMPARES.includes(found[place]?.kind);
    if (isGoal && places.every((at) => ["number", "-", "+"].includes(found[at].kind))) return sumBeside(found, place, step);
    return places.sort((one, other) => one - other);
  }

  // The dice of which no words are said, and whether a sign or a function changes what is higher.
  function diceIn(found, part) {
    const brackets = [];
    const dice = [];
    for (const place of part) {
      const isTurned = place > 0 && TURNS_ROUND.includes(found[place - 1].kind);
      const { kind, text } = found[place];
      if (kind === "(") brackets.push(isTurned);
      else if (kind === ")") brackets.pop();
      else if (kind === "dice" && !text.includes(" ")) dice.push({ said: place, isTurned: isTurned || brackets.includes(true) });
    }
    return dice;
  }

  const constant = (value) => ({ do: "number", value });
  const call = (name, of, table = "") => ({ do: name, of, table });
  const sum = (terms) => ({ do: "sum", signs: terms.map(([sign]) => sign), of: terms.map(([, term]) => term) });
  const termsOf = (formula) => (formula.do === "sum" ? formula.of.map((term, place) => [formula.signs[place], term]) : [[1, formula]]);

  function joined(sign, left, right) {
    if (sign !== "+" && sign !== "-") return { do: sign, of: [left, right] };
    return sum([...termsOf(left), [sign === "+" ? 1 : -1, right]]);
  }

  // As many dice as there are digits, the first for the highest place: d66 is 11 to 16, 21 to 26, … 66.
  function digitDice(sides) {
    const die = () => ({ do: "pool", count: 1n, sides: BigInt(sides[0]) });
    const tens = Array.from(sides.slice(1), (_, place) => ({ do: "*", of: [constant(10n ** BigInt(sides.length - 1 - place)), die()] }));
    return sum([...tens, die()].map((part) => [1, part]));
  }

  function negatedTimes(formula, times) {
    let found = formula;
    for (let time = 0; time < times; time += 1) found = sum(termsOf(found).map(([sign, term]) => [-sign, term]));
    return found;
  }

  const partsOf = (formula) => (formula.of ?? []).filter((part) => part !== null);

  const isAsked = (formula) => formula.do === "in" || Object.hasOwn(HOLDS, formula.do);
  const rolls = (formula) => formula.do === "pool" || partsOf(formula).some(rolls);
  const depthOf = (formula) => Math.max(0, ...partsOf(formula).map((part) => 1 + depthOf(part)));

  // Dice with at most one modifier, and how refgen writes them: as refgen/notation/dice_notation.py reads them.

  const hintOfModifiers = () => Words.text("dice-modifiers");
  const MOST_REROLLED = 100n;
  const ends = { h: "highest", l: "lowest" };

  function readDie(text) {
    const [, number, sides, behind] = /^(\d*)d(\d+|[f%])(.*)$/s.exec(text);
    const [faces, modifier] = [sides.toUpperCase(), behind.trim()];
    if (!number && DIGITS.test(faces)) {
      if (modifier) throw new NotDice(Words.text("dice-digits", { faces }), Words.text("dice-digits-hint", { faces }));
      return { formula: digitDice(faces), text: `d${faces}` };
    }
    const known = { F: 0n, "%": 100n }[faces];
    const dice = { count: BigInt(number || 1), sides: known ?? BigInt(faces), text: `${number}d${faces}`, faces };
    if (dice.count < 1n || (known === undefined && dice.sides < 1n)) throw new NotDice(Words.text("dice-none", { dice: text }));
    if (!modifier) return { formula: poolOf(dice), text: dice.text };
    for (const [pattern, read] of MODIFIERS) {
      const match = pattern.exec(modifier);
      if (match) return read(dice, ...match.slice(1));
    }
    const hint = /!|ro?[\d<>=]/.test(modifier) && /[kd]|cs/.test(modifier) ? Words.text("dice-not-yet") : hintOfModifiers();
    throw new NotDice(Words.text("dice-one-modifier", { modifier }), hint);
  }

  const poolOf = ({ count, sides }) => ({ do: "pool", count, sides });
  const each = (dice, die) => (dice.count === 1n ? die : call("repeat", [constant(dice.count), die]));
  const facesOf = ({ sides }) => (sides ? [1n, sides] : [-1n, 1n]);

  function kept(dice, end, number) {
    return { formula: call(ends[end], [constant(BigInt(number)), poolOf(dice)]), text: `${dice.text}k${end}${number}` };
  }

  function dropped(dice, end, number) {
    if (BigInt(number) >= dice.count) throw new NotDice(Words.text("dice-dropped", { dice: dice.text, number }), hintOfModifiers());
    return kept(dice, end === "l" ? "h" : "l", dice.count - BigInt(number));
  }

  function exploding(dice, sign, number) {
    const [lowest, highest] = facesOf(dice);
    if (sign && (sign !== ">" || !number)) {
      throw new NotDice(Words.text("dice-part-or-comparison", { text: `!${sign}${number}` }), Words.text("dice-part-hint", { dice: dice.text, sign }));
    }
    const least = number ? BigInt(number) : highest;
    if (least <= lowest || least > highest) throw new NotDice(Words.text("dice-cannot-explode", { dice: dice.text, least }), hintOfModifiers());
    const die = poolOf({ ...dice, count: 1n });
    const from = least === highest ? [] : [constant(least)];
    return { formula: each(dice, call("explode", [die, ...from])), text: `${dice.text}!${from.length ? `>${least}` : ""}` };
  }

  function rolledAgain(dice, name, signs, number) {
    const [lowest, highest] = facesOf(dice);
    const [sign, face] = [signs.slice(0, 1), BigInt(number)];
    const low = sign === "<" || face < lowest ? lowest : face;
    const high = sign === ">" || face > highest ? highest : face;
    const never = sign !== "<" && face > highest;
    const found = never || (sign !== ">" && face < lowest) || low > high ? 0n : high - low + 1n;
    if (!found || (name === "r" && found === highest - lowest + 1n)) {
      throw new NotDice(found ? Words.text("dice-always", { dice: dice.text }) : Words.text("dice-never", { dice: dice.text }), hintOfModifiers());
    }
    if (found > MOST_REROLLED) throw new NotDice(Words.text("dice-faces-again", { number: grouped(found), most: MOST_REROLLED }), hintOfModifiers());
    const again = Array.from({ length: Number(found) }, (_, place) => constant(low + BigInt(place)));
    const formula = call(name === "r" ? "without" : "reroll", [poolOf({ ...dice, count: 1n }), ...again]);
    return { formula: each(dice, formula), text: `${dice.text}${name}${found === 1n ? low : `${sign}=${face}`}` };
  }

  function successes(dice, sign, number) {
    const compared = ["", "="].includes(sign) ? "==" : sign;
    const asked = { do: compared, of: [poolOf(dice), constant(BigInt(number))] };
    return { formula: call("count", [asked]), text: `${dice.text}cs${sign || "="}${BigInt(number)}` };
  }

  const two = (dice) => (dice.count === 1n ? { ...dice, count: 2n, text: `2d${dice.faces}` } : dice);
  const few = (number) => BigInt(number || 1);

  const MODIFIERS = [
    [/^k([hl]?)(\d*)$/, (dice, end, number) => kept(dice, end || "h", few(number))],
    [/^d([hl]?)(\d*)$/, (dice, end, number) => dropped(dice, end || "l", few(number))],
    [/^!(?:([<>]=?)(\d*))?$/, (dice, sign = "", number = "") => exploding(dice, sign, number)],
    [/^(ro?)([<>]?=?)(\d+)$/, rolledAgain],
    [/^cs([<>]?=?)(\d+)$/, successes],
    [/^(?:with\s+)?(?:(dis)?adv(?:antage)?|(dis))$/, (dice, worse, worst) => kept(two(dice), worse || worst ? "l" : "h", 1n)],
    [/^(keep|drop)\s+(?:the\s+)?(highest|lowest)(?:\s+(\d+))?$/, (dice, what, end, number) => (what === "keep" ? kept : dropped)(dice, end[0], few(number))],
  ];

  // The two sides of "d20 vs 2d10", "2d6+1 vs 8" or "d20 vs 15 with advantage", and the number to reach (null: none).
  function sidesOf(text, second = "") {
    const [dice, against = second] = text.split(VERSUS);
    const goal = GOAL.exec(usualText(against.trim()).text);
    return goal ? [dice + (goal[2] ?? ""), "", Number(goal[1])] : [dice, against, null];
  }

  // A text with its dice in one spelling: as refgen/notation/dice_notation.py writes it.
  function inOneSpelling(text) {
    const usual = usualText(text).text;
    let [written, end, before] = ["", 0, null];
    const isTimes = (token) => token?.kind === "*" && token.text !== "*";
    for (const token of tokensOf(text)) {
      const gap = isTimes(token) || isTimes(before) ? "" : usual.slice(end, token.start);
      const piece = { dice: () => readDie(token.text).text, vs: () => ">=", "*": () => "*" }[token.kind];
      written += gap + (piece ? piece() : token.text);
      [end, before] = [token.end, token];
    }
    return written;
  }

  // A text with d for the letters that stand for dice as well: as refgen/notation/printed_numbers.py has it.
  function withUsualDice(text, letters = "") {
    const all = letters + Array.from(letters, (letter) => (letter <= "\x7f" ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : "")).join("");
    const dice = new RegExp(`(?<![\\p{L}\\p{N}_])(?:\\p{Nd}*[${all}](?=[\\p{Nd}%％])|\\p{Nd}+[${all}](?=f(?![\\p{L}\\p{N}_])))`, "giu");
    return letters ? text.replace(dice, (die) => `${die.slice(0, -1)}d`) : text;
  }

  // How to write each of the two meanings of unclear words.
  function hintOfWords({ text, dice, whole }) {
    if (/^(keep|drop)/.test(text)) return Words.text("dice-unclear-keep", { words: text, dice });
    return Words.text(text.includes("dis") ? "dice-unclear-worse" : "dice-unclear-better", { words: text, dice, whole });
  }

  // Reads one text from left to right: what binds closest is read deepest.
  class Parser {
    constructor(text) {
      if (text.length > MOST_CHARACTERS) throw new NotDice(Words.text("dice-too-long", { number: text.length, most: MOST_CHARACTERS }));
      this.text = text;
      this.tokens = tokensOf(text);
      this.place = 0;
    }

    parsed() {
      let brackets = 0;
      for (const { kind } of this.tokens) this.checkDepth((brackets += (kind === "(") - (kind === ")")), MOST_CHARACTERS / 2);
      const formula = this.formula(0);
      this.take("end");
      this.checkDepth(depthOf(formula), MOST_DEPTH);
      return formula;
    }

    checkDepth(levels, most) {
      if (levels > most) throw new NotDice(Words.text("dice-too-deep", { most }), Words.text("dice-name-parts"));
    }

    get next() {
      return this.tokens[this.place];
    }

    take(kind) {
      const token = this.next;
      if (kind && token.kind !== kind) this.unexpected();
      this.place += 1;
      return token;
    }

    unexpected() {
      if (this.next.kind === "unclear") throw this.refused(this.next, Words.text("dice-unclear", { words: this.next.text, dice: this.next.dice, whole: this.next.whole }), hintOfWords(this.next));
      throw this.refused(this.next, this.next.kind === "end" ? Words.text("dice-ends-early") : Words.text("dice-not-expected"));
    }

    refused(token, reason, hint) {
      return new NotDice(Words.text("dice-cannot-read", { dice: this.text, column: token.column, reason }), hint);
    }

    formula(least) {
      let left = this.operand(least);
      let isCompared = false;
      while ((BINDING[this.next.kind] ?? -1) >= least) {
        const binding = BINDING[this.next.kind];
        if (binding === COMPARED && isCompared) this.unexpected();
        isCompared = binding === COMPARED;
        const sign = this.take().kind;
        if (sign === "in") left = this.within(left);
        else if (sign === "vs") left = this.versus(left);
        else if (isCompared) left = { do: sign, of: [left, this.formula(binding + 1)] };
        else left = joined(sign, left, this.formula(binding + 1));
      }
      return left;
    }

    // What stands between two signs, with the signs before it; a power binds before a sign.
    operand(least) {
      if (this.next.kind === "not" && least <= COMPARED) {
        this.take();
        return call("not", [this.formula(COMPARED)]);
      }
      const minus = this.signs();
      let formula = this.atom();
      if (this.next.kind === "^") {
        this.take();
        const below = this.signs();
        formula = { do: "^", of: [formula, negatedTimes(this.atom(), below)] };
      }
      return negatedTimes(formula, minus);
    }

    signs() {
      let minus = 0;
      while (this.next.kind === "-" || this.next.kind === "+") minus += Number(this.take().kind === "-");
      return minus;
    }

    atom() {
      const token = this.take();
      let found;
      if (token.kind === "number") found = constant(BigInt(token.text));
      else if (token.kind === "dice") found = this.dice(token);
      else if (token.kind === "reference") throw this.refused(token, Words.text("dice-braces"));
      else if (token.kind === "name") found = this.call(token);
      else if (token.kind === "(") {
        found = this.formula(0);
        this.take(")");
      } else {
        this.place -= 1;
        this.unexpected();
      }
      while (this.next.kind === "!") {
        this.take();
        found = call("explode", [found]);
      }
      return found;
    }

    dice(token) {
      try {
        return readDie(token.text).formula;
      } catch (error) {
        throw error instanceof NotDice ? this.refused(token, error.message, error.hint) : error;
      }
    }

    // What must be reached stands after "vs": 2d6+1 vs 8 is at least 8.
    versus(formula) {
      const place = this.next;
      const goal = this.formula(COMPARED + 1);
      if (rolls(goal)) throw this.refused(place, Words.text("dice-after-vs"), Words.text("dice-two-rolls"));
      return { do: ">=", of: [formula, goal] };
    }

    // The range after "in": "3..5", "3..", "..5".
    within(formula) {
      if (this.next.kind === "reference" && AFTER_RANGE.includes(this.tokens[this.place + 1].kind)) this.atom();
      const low = this.next.kind === ".." ? null : this.formula(COMPARED + 1);
      this.take("..");
      const high = low !== null && AFTER_RANGE.includes(this.next.kind) ? null : this.formula(COMPARED + 1);
      return { do: "in", of: [formula, low, high] };
    }

    // A function with what stands in its brackets: formulas, and perhaps a table.
    call(name) {
      const formulas = [];
      const tables = [];
      this.take("(");
      for (;;) {
        if (this.next.kind === "table" || (this.next.kind === "name" && this.tokens[this.place + 1].kind !== "(")) tables.push(this.take());
        else formulas.push(this.formula(0));
        if (this.next.kind !== ",") break;
        this.take();
      }
      this.take(")");
      this.checkCall(name, formulas, tables);
      return call(name.text, formulas, tables.map(({ text }) => text).join(""));
    }

    checkCall(name, formulas, tables) {
      if (!Object.hasOwn(FUNCTIONS, name.text)) {
        throw this.refused(name, Words.text("dice-no-function", { name: name.text }), Words.text("dice-known", { names: Object.keys(FUNCTIONS).sort().join(", ") }));
      }
      const [fewest, most] = FUNCTIONS[name.text];
      if (formulas.length < fewest || formulas.length > most) {
        const wanted = fewest === most ? fewest : Words.text("dice-from-to", { fewest, most });
        const hint = ["highest", "lowest"].includes(name.text) ? Words.text("dice-keep-hint") : undefined;
        throw this.refused(name, Words.text("dice-takes", { name: name.text, wanted, number: formulas.length }), hint);
      }
      const isUncounted = name.text === "count" && !isAsked(formulas[0]);
      if (tables.length !== Number(WITH_NAME.includes(name.text)) || isUncounted) {
        throw this.refused(name, Words.text("dice-not-like-that", { name: name.text }), Words.text("dice-write-like"));
      }
      for (const table of tables) {
        if (table.kind === "table" && name.text !== "map") throw this.refused(table, Words.text("dice-takes-table", { name: name.text }));
        if (table.kind === "table") this.checkTable(table);
      }
    }

    checkTable(table) {
      try {
        readTable(table.text);
      } catch (error) {
        throw error instanceof NotDice ? this.refused(table, error.message) : error;
      }
    }
  }

  // The table in a string such as "3-4: -4, 5: -3": ranges, null for an open end, and their results.
  function readTable(text) {
    return text.replace(/^"+|"+$/g, "").split(",").map((row) => {
      const [outcomes, ...results] = row.split(":");
      const result = results.join(":");
      if (!/^\s*[-+]?\d+\s*$/.test(result)) throw new NotDice(Words.text("dice-map-row", { row: row.trim() }));
      return { ...readRange(outcomes.trim()), result: Number(result) };
    });
  }

  const END = "[-+]?\\d+";
  const last = (end) => (/^00+$/.test(end) ? 10 ** end.length : Number(end));
  const THOUSANDS = /(?<!\d)[1-9]\d{0,2}(?:[ '’]\d{3})+(?!\d)/g;
  const isSpaced = /(?<=\d) +(?=\d)/;

  function readRange(text) {
    const plain = text.replace(THOUSANDS, (number) => number.replace(/[ '’]/g, ""));
    const most = plain.replace(/(?<=\d),? +(?:or|and) +(?:less|lower|fewer|below|under|down)$/i, "-");
    const least = most.replace(/(?<=\d),? +(?:or|and) +(?:more|higher|greater|above|over|up)$/i, "+");
    const joined = least.replace(/(?<=\d) +(?:to|through|and) +(?=[-+]?\d+$)/, "..").replace(/(?<=\d) +or +(?=[-+]?\d+$)/, "&");
    const waves = joined.replace(/(?<=\d)\.(?=\s*(?:[-~]|$))/g, "").replace(/(?<=\d)\s*(?:~|\.{3})\s*(?=[-+]?\d)/g, "..");
    const compact = isSpaced.test(waves) ? waves : waves.replaceAll(" ", "");
    const matched = (pattern) => new RegExp(`^${pattern}$`).exec(compact);
    let match = matched(`(${END})?\\.\\.(${END})?`);
    if (match) return between(text, match[1] ? Number(match[1]) : null, match[2] ? last(match[2]) : null);
    match = matched(`(${END})-(${END})`);
    if (match) return between(text, Number(match[1]), last(match[2]));
    match = matched(`(${END})([-+])`);
    if (match) return match[2] === "+" ? { low: Number(match[1]), high: null } : { low: null, high: Number(match[1]) };
    match = matched(`([<>])(=?)(${END})`);
    if (match) {
      const end = Number(match[3]);
      const beside = match[2] ? 0 : 1;
      return match[1] === "<" ? { low: null, high: end - beside } : { low: end + beside, high: null };
    }
    const ends = matched(`${END}(?:&${END})*`) ? compact.split("&").map(last) : [];
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    if (ends.length && !text.includes("&") && high - low + 1 === new Set(ends).size) return { low, high };
    throw new NotDice(Words.text("dice-no-range", { text: text ? `"${text}"` : Words.text("dice-blank-cell") }));
  }

  function between(text, low, high) {
    if (low !== null && high !== null && low > high) throw new NotDice(Words.text("dice-range-order", { text, low, high }));
    return { low, high };
  }

  // Which of two readings a text was given, where people may mean the other: as refgen/notation/readings.py says it.
  function readings(text) {
    const [usual, found] = [usualText(text).text, tokensOf(text)];
    const digits = [...usual.matchAll(SAME_DIGITS)].map(([, count, sides]) => digitsRead(count, sides));
    return [...new Set([...digits, ...sumsRead(new Parser(text).parsed()), ...factorsRead(found, usual), ...advantagesRead(found)])];
  }

  // Numbers before rolls, such as 6 x 4d6kh3, where so many rolls may be meant.
  function factorsRead(found, usual) {
    return found.flatMap(({ kind, text: number }, place) => {
      const isFactor = kind === "number" && found[place + 1].kind === "*" && !["^", "/"].includes(found[place - 1]?.kind);
      if (!isFactor || BigInt(number) < 2n || BigInt(number) >= SURE_FACTOR) return [];
      const rolled = found.slice(place + 2, operandEnd(found, place + 2));
      if (!rolled.some((token) => token.kind === "dice")) return [];
      const roll = inOneSpelling(rolled.length === 1 ? rolled[0].text : usual.slice(rolled[0].start, rolled.at(-1).end));
      return [Words.text("dice-times-or-rolls", { number, roll })];
    });
  }

  // The place behind the operand that begins at a place: dice, a bracket, or a call.
  function operandEnd(found, from) {
    const place = from + (found[from].kind === "name");
    if (found[place].kind !== "(") return place + 1;
    let depth = 0;
    for (let end = place; end < found.length; end += 1) {
      depth += (found[end].kind === "(") - (found[end].kind === ")");
      if (!depth) return end + 1;
    }
    return found.length;
  }

  // Pools that are rolled with advantage, where two rolls of the whole pool may be meant.
  function advantagesRead(found) {
    return found.flatMap(({ text }) => {
      const [, pool, number, worse] = ADVANTAGE.exec(text) ?? [];
      if (!pool || BigInt(number) < 2n) return [];
      return [Words.text(worse ? "dice-advantage-lowest" : "dice-advantage-highest", { words: text, number, dice: inOneSpelling(pool) })];
    });
  }

  function digitsRead(count, sides) {
    const digits = Words.text("dice-read-as-digits", { number: sides.length, faces: sides[0], first: "1".repeat(sides.length), last: sides });
    if (count) return Words.text("dice-digits-of-many", { number: count, sides, digits });
    return Words.text("dice-digits-of-one", { sides, digits });
  }

  function sumsRead(formula) {
    if (formula.do === "count") return [];
    const found = partsOf(formula).flatMap(sumsRead);
    const [pool, ...ends] = formula.of ?? [];
    const isPlain = isAsked(formula) && pool.do === "pool" && pool.count > 1n;
    if (!isPlain || ends.some((end) => end && end.do !== "number")) return found;
    const dice = `${pool.count}d${pool.sides || "F"}`;
    const asked = `${formula.do} ${ends.map((end) => (end ? end.value : "")).join("..")}`;
    return [Words.text("dice-sum-or-count", { dice, asked }), ...found];
  }

  return { NotDice, ROLLING, call, constant, isAsked, parse: (text) => new Parser(text).parsed(), partsOf, sum, termsOf, inOneSpelling, readTable, readings, sidesOf, withUsualDice };
})();
