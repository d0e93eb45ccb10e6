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
  let waiting = 0;

  const percent = (above, below) => percentOf({ above, below }, PLACES, "half-up");
  const exact = (number) => signed(exactText(number));
  const exactly = (number) => (exact(number).length < LONGEST ? ` (${exact(number)})` : "");
  const chance = (number) => `${Words.figure(percentOf(number, PLACES, "half-up"))}${exactly(number)}`;
  const decimal = (number) => Words.figure(digitsOf(unitsOf(number, PLACES, "half-up"), PLACES).replace("-", "−"));
  const root = (number) => Words.figure(Math.sqrt(Number((number.above * 10n ** 12n) / number.below) / 1e12).toFixed(PLACES));
  const signed = (number) => String(number).replace("-", "−");

  // Of few outcomes all, else those that round to something.
  function shownRows(roll) {
    const rows = roll.items().map(([outcome, weight], place) => ({ outcome, weight, fromAbove: roll.fromAbove[place] }));
    if (rows.length <= ALL_ROWS && isZero(roll.residue)) return rows;
    const seen = rows.filter(({ weight }) => !percent(weight, roll.denominator).startsWith("<"));
    return (seen.length ? seen : rows).slice(0, MOST_ROWS);
  }

  function tableRows(roll, shown) {
    const most = shown.reduce((highest, { weight }) => (weight > highest ? weight : highest), 0n);
    return shown.map(({ outcome, weight, fromAbove }) => {
      const row = document.createElement("tr");
      const texts = [weight, fromAbove].map((own) => Words.figure(percent(own, roll.denominator)));
      row.append(rowHead(signed(outcome)), ...texts.map((text) => cell("td", text, "end")), barred(Number((weight * 10000n) / most) / 10000));
      return row;
    });
  }

  function notes(roll, shown, texts) {
    const hidden = roll.outcomes.length - shown.length;
    const open = isZero(roll.residue) ? "" : Words.text("dice-open-ended", { chance: Words.figure(percent(roll.residue.above, roll.residue.below)) });
    const readings = texts.flatMap(DiceNotation.readings).map((reading) => `${reading}.`);
    return [...readings, hidden ? Words.text("dice-rarer", { count: hidden }) : "", open].filter(Boolean).join(" ");
  }

  function show(dice, against, atLeast) {
    const rolls = [dice, against].filter(Boolean).map(DiceOdds.odds);
    const roll = against ? rolls[0].plus(rolls[1].negated()) : rolls[0];
    const mean = isZero(roll.residue) ? `${decimal(roll.mean)}${exactly(roll.mean)}` : decimal(roll.mean);
    const figures = [[Words.text("dice-mean"), mean], [Words.text("dice-deviation"), root(roll.variance)]];
    if (against) {
      const [win, notLost] = [roll.atLeast(1), roll.atLeast(0)];
      const draw = sumOf(notLost, negated(win));
      figures.unshift([Words.text("answer-win"), chance(win)], [Words.text("answer-draw"), chance(draw)], [Words.text("answer-lose"), chance(sumOf(ONE, negated(notLost)))]);
    }
    if (atLeast !== null) {
      const reached = roll.atLeast(atLeast);
      figures.unshift([Words.text("dice-or-more", { number: signed(atLeast) }), chance(reached)], [Words.text("dice-less"), chance(sumOf(ONE, negated(reached)))]);
    }
    const shown = shownRows(roll);
    const [own, other] = [dice, against].map((text) => text && inOneSpelling(text));
    const goal = atLeast === null ? "" : `, ${Words.text("dice-or-more", { number: signed(atLeast) })}`;
    answer.querySelector(".question").textContent = against ? Words.text("answer-against", { roll: own, goal: other }) : `${own}${goal}`;
    answer.querySelector(".chances").replaceChildren(...figures.map(([name, figure]) => answered(name, figure)));
    answer.querySelector("thead th").textContent = against ? Words.text("dice-higher-by") : Words.text("dice-result");
    answer.querySelector("tbody").replaceChildren(...tableRows(roll, shown));
    answer.querySelector(".note").textContent = notes(roll, shown, [dice, against].filter(Boolean));
  }

  // What is wrong, in words; a browser may also be asked for more than it can hold.
  function excuse(error, dice, against) {
    const command = `refgen odds "${dice}"${against ? ` --against "${against}"` : ""}`;
    const sentence = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
    if (error instanceof NotDice || error instanceof TooMuch) return `${sentence} ${error.hint}`.trim();
    if (error instanceof NoAnswer) return sentence;
    if (error instanceof DiceOdds.Outside || error instanceof RangeError) return Words.text("dice-terminal", { command });
    throw error;
  }

  // What is rolled, what the other side rolls, and the number to reach (null: none).
  function typed() {
    const [first, second] = [form.dice, form.against].map(({ value }) => withUsualDice(value.trim(), form.dataset.letters));
    return sidesOf(first, second);
  }

  function ask() {
    const [dice, against, atLeast] = typed();
    wrong.textContent = "";
    answer.hidden = true;
    if (!dice) return;
    try {
      show(dice, against, atLeast);
      answer.hidden = false;
    } catch (error) {
      wrong.textContent = excuse(error, dice, against);
    }
  }

  function start() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    form.dice.value = wanted.get("dice") ?? "4dF";
    form.against.value = wanted.get("against") ?? "";
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
