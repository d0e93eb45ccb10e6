// Any dice, typed: their odds at once, worked out in the browser. What is typed stands in the address.
(() => {
  "use strict";
  const { answered, barred, cell, rowHead } = Answers;
  const { NotDice, inOneSpelling, sidesOf, withUsualDice } = DiceNotation;
  const { TooMuch } = DiceRolls;
  const PLACES = 2;
  const ALL_ROWS = 80;
  const MOST_ROWS = 400;
  const LONGEST = 40; // an exact number of more characters tells nobody anything
  const WAIT = 150; // milliseconds after the last key

  const form = document.getElementById("asking");
  const answer = document.getElementById("answer");
  const wrong = document.getElementById("wrong");
  const heads = [...answer.querySelectorAll("thead th")];
  let waiting = 0;

  const percent = (above, below) => percentOf({ above, below }, PLACES, "half-up");
  const exact = (number) => signed(exactText(number));
  const exactly = (number) => (exact(number).length < LONGEST ? ` (${exact(number)})` : "");
  const inPercent = (number) => Words.figure(percentOf(number, PLACES, "half-up"));
  const less = (left, right) => DiceRolls.minus(left, right);
  const more = (left, right) => DiceRolls.plus(left, right);
  const decimal = (number) => Words.figure(digitsOf(unitsOf(number, PLACES, "half-up"), PLACES).replace("-", "−"));
  const root = (number) => {
    const halves = rootOf((4n * 100n ** BigInt(PLACES) * number.above) / number.below, 2n); // of the last place
    return Words.figure(digitsOf((halves + 1n) / 2n, PLACES));
  };
  const signed = (number) => String(number).replace("-", "−");

  // A chance, exactly too; or about, where a roll leaves some out.
  function chance(number, isExact, { residue }) {
    if (isExact) return `${inPercent(number)}${exactly(number)}`;
    const bound = (sign, end) => (/^[<>]/.test(percentOf(end, PLACES, "half-up")) ? inPercent(end) : `${sign} ${inPercent(end)}`);
    if (compared(number, residue) <= 0) return bound("≤", more(number, residue));
    return compared(more(number, residue), ONE) >= 0 ? bound("≥", less(number, residue)) : `≈ ${inPercent(number)}`;
  }

  // Of few outcomes all, else those that round to something; of a roll that goes on those with exact chances, if there are any.
  function shownRows(roll) {
    const listed = roll.items().map(([outcome, weight], place) => ({ outcome, weight, fromAbove: roll.fromAbove[place], isExact: roll.isExact(outcome) }));
    const rows = listed.some(({ isExact }) => isExact) ? listed.filter(({ isExact }) => isExact) : listed;
    if (rows.length <= ALL_ROWS && isZero(roll.residue)) return rows;
    const seen = rows.filter(({ weight }) => !percent(weight, roll.denominator).startsWith("<"));
    return (seen.length ? seen : rows).slice(0, MOST_ROWS);
  }

  function tableRows(roll, shown) {
    const most = shown.reduce((highest, { weight }) => (weight > highest ? weight : highest), 0n);
    return shown.map(({ outcome, weight, fromAbove, isExact }) => {
      const row = document.createElement("tr");
      const texts = [weight, fromAbove].map((own) => `${isExact ? "" : "≈ "}${Words.figure(percent(own, roll.denominator))}`);
      row.append(rowHead(signed(outcome)), ...texts.map((text) => cell("td", text, "end")), barred(Number((weight * 10000n) / most) / 10000));
      return row;
    });
  }

  function notes(roll, shown, texts) {
    const hidden = roll.outcomes.length - shown.length;
    const open = isZero(roll.residue) ? "" : Words.text("dice-open-ended", { chance: Words.figure(percent(roll.residue.above, roll.residue.below)) });
    const readings = texts.flatMap(DiceNotation.readings).map((reading) => `${reading}.`);
    const about = roll.moments && shown.every(({ isExact }) => isExact) ? "" : Words.text("dice-about");
    return [...readings, hidden ? Words.text("dice-rarer", { count: hidden }) : "", open, about].filter(Boolean).join(" ");
  }

  // A roll that is typed: its title, the roll itself, and the number that it must reach (null: none).
  function workedOut([dice, against, atLeast], reach = 0) {
    const roll = against ? DiceOdds.margin(dice, against) : DiceOdds.odds(dice, Math.max(Math.abs(atLeast ?? 0), reach));
    const [own, other] = [dice, against].map((text) => text && inOneSpelling(text));
    const goal = atLeast === null ? "" : `, ${Words.text("dice-or-more", { number: signed(atLeast) })}`;
    return { roll, atLeast, against, texts: [dice, against].filter(Boolean), title: against ? Words.text("answer-against", { roll: own, goal: other }) : `${own}${goal}` };
  }

  // About, where a roll leaves some of its outcomes out.
  const meanOf = (roll) => (roll.moments ? `${decimal(roll.mean)}${exactly(roll.mean)}` : `≈ ${decimal(roll.mean)}`);
  const deviationOf = (roll) => `${roll.moments ? "" : "≈ "}${root(roll.variance)}`;

  function showOne({ roll, atLeast, against, texts, title }) {
    const figures = [[Words.text("dice-mean"), meanOf(roll)], [Words.text("dice-deviation"), deviationOf(roll)]];
    const figure = (number, ...outcomes) => chance(number, outcomes.every((outcome) => roll.isExact(outcome)), roll);
    if (against) {
      const [win, notLost] = [roll.atLeast(1), roll.atLeast(0)];
      figures.unshift(
        [Words.text("answer-win"), figure(win, 1)],
        [Words.text("answer-draw"), figure(less(notLost, win), 0, 1)],
        [Words.text("answer-lose"), figure(less(ONE, notLost), 0)],
      );
    }
    if (atLeast !== null) {
      const reached = roll.atLeast(atLeast);
      const below = less(ONE, reached);
      figures.unshift([Words.text("dice-or-more", { number: signed(atLeast) }), figure(reached, atLeast)], [Words.text("dice-less"), figure(below, atLeast)]);
    }
    const shown = shownRows(roll);
    answer.querySelector(".question").textContent = title;
    answer.querySelector(".chances").replaceChildren(...figures.map(([name, figure]) => answered(name, figure)));
    answer.querySelector("thead tr").replaceChildren(...heads);
    heads[0].textContent = against ? Words.text("dice-higher-by") : Words.text("dice-result");
    answer.querySelector("tbody").replaceChildren(...tableRows(roll, shown));
    answer.querySelector(".note").textContent = notes(roll, shown, texts);
  }

  // The weight of an outcome, of the outcome or more, or of the outcome or less: what the form asks for.
  const WEIGHTS = {
    "": (roll, outcome) => roll.weight(outcome),
    "at-least": (roll, outcome) => roll.weightAtLeast(outcome),
    "at-most": (roll, outcome) => roll.denominator - roll.weightAtLeast(outcome + 1),
  };

  // Several rolls side by side: one chart, and a table with a column for each.
  function showMany(asked) {
    const first = asked.map((one) => workedOut(one).roll);
    const outcomes = [...new Set(first.flatMap((roll) => shownRows(roll).map(({ outcome }) => outcome)))].sort((one, other) => one - other);
    const rolls = asked.map((one) => workedOut(one, Math.max(...outcomes.map(Math.abs))));
    const weight = WEIGHTS[form.chance.value];
    const share = (roll, outcome) => Number((weight(roll, outcome) * 10n ** 12n) / roll.denominator) / 1e12;
    const lines = rolls.map(({ roll }, place) => {
      const points = outcomes.map((outcome) => [outcome, share(roll, outcome)]);
      return { mark: Curves.MARKS[place], points: form.chance.value ? points : points.filter(([, own]) => own > 0) };
    });
    const names = rolls.map(({ title }) => title);
    const chosen = form.chance.selectedOptions[0].textContent;
    answer.querySelector(".question").textContent = names.join("; ");
    answer.querySelector(".chances").replaceChildren();
    answer.querySelector(".key").replaceChildren(...rolls.map((one, place) => keyOf(one, Curves.MARKS[place])));
    const main = document.getElementById("main");
    const room = (100 * main.clientWidth) / parseFloat(getComputedStyle(main).fontSize);
    answer.querySelector(".picture").replaceChildren(Curves.drawn(lines, `${chosen}: ${names.join("; ")}`, (own) => Words.figure(`${Math.round(own * 1e6) / 1e4}%`), room));
    answer.querySelector("thead tr").replaceChildren(heads[0], ...names.map((name) => columnHead(name)));
    heads[0].textContent = Words.text("dice-result");
    answer.querySelector("tbody").replaceChildren(...outcomes.map((outcome) => {
      const row = document.createElement("tr");
      const about = (roll) => (roll.isExact(outcome) ? "" : "≈ ");
      const figures = rolls.map(({ roll }) => (weight(roll, outcome) ? `${about(roll)}${Words.figure(percent(weight(roll, outcome), roll.denominator))}` : "–"));
      row.append(rowHead(signed(outcome)), ...figures.map((figure) => cell("td", figure, "end")));
      return row;
    }));
    answer.querySelector(".note").textContent = [...new Set(rolls.flatMap(({ texts }) => texts.flatMap(DiceNotation.readings)))].map((reading) => `${reading}.`).join(" ");
  }

  function columnHead(name) {
    const head = cell("th", name, "end");
    head.scope = "col";
    return head;
  }

  // The name of a roll in the key of the chart, with its chance to reach a number, or its mean and deviation.
  function keyOf({ roll, atLeast, title }, mark) {
    const made = document.createElement("li");
    const figures = Words.text("dice-figures", { mean: meanOf(roll), deviation: deviationOf(roll) });
    const reached = atLeast === null ? figures : chance(roll.atLeast(atLeast), roll.isExact(atLeast), roll);
    made.append(Curves.sample(mark), cell("b", title), ` ${reached}`);
    return made;
  }

  // What is wrong, in words; a browser may also be asked for more than it can hold.
  function excuse(error) {
    const [dice, against] = [form.dice, form.against].map(({ value }) => value.trim());
    const command = `refgen odds "${dice}"${against ? ` --against "${against}"` : ""}`;
    const sentence = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
    if (error instanceof NotDice || error instanceof TooMuch) return `${sentence} ${error.hint}`.trim();
    if (error instanceof NoAnswer) return sentence;
    if (error instanceof DiceOdds.Outside || error instanceof RangeError) return Words.text("dice-terminal", { command });
    throw error;
  }

  // What is asked: of each roll the dice, what the other side rolls, and the number to reach (null: none).
  function typed() {
    const [first, second] = [form.dice, form.against].map(({ value }) => withUsualDice(value.trim(), form.dataset.letters));
    return first.split(/[;；]/).map((text) => text.trim()).filter(Boolean).map((text) => sidesOf(text, second));
  }

  function ask() {
    const asked = typed();
    const isOne = asked.length === 1;
    wrong.textContent = "";
    answer.hidden = true;
    for (const part of [form.chance.parentElement, answer.querySelector(".key"), answer.querySelector(".picture")]) part.hidden = isOne;
    if (!asked.length) return;
    try {
      if (asked.length > Curves.MARKS.length) throw new NotDice(Words.text("dice-too-many", { most: Curves.MARKS.length }), "");
      if (isOne) showOne(workedOut(asked[0]));
      else showMany(asked);
      answer.hidden = false;
    } catch (error) {
      wrong.textContent = excuse(error);
    }
  }

  function start() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    form.dice.value = wanted.get("dice") ?? "4dF";
    form.against.value = wanted.get("against") ?? "";
    form.chance.value = Object.hasOwn(WEIGHTS, wanted.get("chance") ?? "") ? (wanted.get("chance") ?? "") : "";
    ask();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      history.replaceState(null, "", `#${new URLSearchParams([...new FormData(form)].filter(([, text]) => text))}`);
      ask();
    }, WAIT);
  });
  addEventListener("hashchange", start);
  form.hidden = false;
  start();
})();
