// The odds of a game, asked in the words of the game. What is asked stands in the address, so that it can be shared.
(() => {
  "use strict";
  const { Roll } = DiceRolls;
  const { answered, barred, cell, options, rowHead } = Answers;
  const MOST_ROWS = 80;
  const NOTHING = "";

  const data = JSON.parse(document.getElementById("odds").textContent);
  const rolls = data.rolls.map(Roll.written);
  const contests = Object.fromEntries(Object.entries(data.contests).map(([pair, roll]) => [pair, Roll.written(roll)]));
  const form = document.getElementById("asking");
  const answer = document.getElementById("answer");

  const less = (left, right) => sumOf(left, negated(right));
  const percent = (chance) => percentOf(chance, 2, "half-up");
  const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));
  const changed = (modifier) => (modifier ? ` ${signed(modifier)}` : "");

  function degree(trait, modifier, difficulty) {
    if (trait.attempts) return attempt(trait, modifier, difficulty).degree;
    const known = trait.degrees[modifier];
    const plain = trait.degrees[0];
    return known ?? { roll: plain.roll, added: plain.added + modifier };
  }

  // The roll of a trait with a difficulty, and the margin by which it succeeds.
  function attempt(trait, modifier, difficulty) {
    const attempts = trait.attempts[difficulty?.name ?? NOTHING];
    const { degree: rolled, margin, steps } = attempts[modifier] ?? attempts[0];
    const more = (part, step) => ({ roll: part.roll, added: part.added + step * modifier });
    return { degree: more(rolled, steps[0]), margin: more(margin, steps[1]) };
  }

  // What a side of a contest compares.
  function compared(action, trait, modifier, difficulty) {
    return action.attempts?.margins ? attempt(trait, modifier, difficulty).margin : degree(trait, modifier, difficulty);
  }

  // What a result is called: its band, or its level; beyond the ends of the ladder, the end and the steps from it.
  function nameOf(action, number) {
    const band = action.bands.find(({ low, high }) => (low === null || number >= low) && (high === null || number <= high));
    if (band) return band.name;
    if (!action.levels.length) return "";
    const level = action.levels.find((known) => known.number === number);
    if (level) return level.name;
    const end = action.levels.reduce((one, other) => (Math.abs(other.number - number) < Math.abs(one.number - number) ? other : one));
    return `${end.name} ${signed(number - end.number)}`;
  }

  // The chance of an outcome from `least` on that is more than another roll comes to with so much added.
  function beatsFrom(roll, least, other, ahead) {
    const won = roll.items().map(([outcome, weight]) => (outcome < least ? 0n : weight * (other.denominator - other.weightAtLeast(outcome - ahead))));
    return fraction(won.reduce((sum, weight) => sum + weight, 0n), roll.denominator * other.denominator);
  }

  // The chances of what is asked, each with its name, and whether it is exact.
  function chancesOf(action, asked) {
    const { trait, modifier, difficulty, against, minimum } = asked;
    if (against) {
      const own = compared(action, trait, modifier, difficulty);
      const other = compared(action, against, 0, difficulty);
      const margin = contests[`${own.roll}-${other.roll}`];
      const ahead = other.added - own.added;
      const [better, notWorse] = [margin.atLeast(ahead + 1), margin.atLeast(ahead)];
      const isExact = margin.isExact(ahead) && margin.isExact(ahead + 1);
      const lose = [Words.text("answer-lose"), less(ONE, notWorse), isExact];
      const [win, draw] = [Words.text("answer-win"), Words.text("answer-draw")];
      if (!minimum) return [[win, better, isExact], [draw, less(notWorse, better), isExact], lose];
      const [won, reached] = [ahead, ahead - 1].map((by) => beatsFrom(rolls[own.roll], minimum.number - own.added, rolls[other.roll], by));
      const end = !rolls[own.roll].isOpen && !rolls[other.roll].isOpen;
      return [[win, won, end], [draw, less(reached, won), end], [Words.text("odds-below-minimum"), less(notWorse, reached), end], lose];
    }
    const own = degree(trait, modifier, difficulty);
    const roll = rolls[own.roll];
    const bands = action.bands.map(({ name, low, high }) => bandOf(roll, name, low === null ? null : low - own.added, high === null ? null : high - own.added));
    const successOf = (rolled, number) => [Words.text("answer-success"), rolled.atLeast(number), rolled.isExact(number)];
    if (action.attempts) {
      const { margin } = attempt(trait, modifier, difficulty);
      const success = successOf(rolls[margin.roll], -margin.added);
      return action.difficulties ? (difficulty ? [success] : bands) : [success, ...bands];
    }
    if (difficulty) return [successOf(roll, difficulty.number - own.added)];
    if (bands.length) return bands;
    return action.difficulties ? [] : [successOf(roll, -own.added)];
  }

  function bandOf(roll, name, low, high) {
    const isExact = (low === null || roll.isExact(low)) && (high === null || roll.isExact(high + 1));
    return [name, roll.between(low, high), isExact];
  }

  function words(action, { trait, modifier, difficulty, against, minimum }) {
    const goal = against ?? difficulty;
    const rolled = `${trait.name}${changed(modifier)}${against && difficulty ? `, ${difficulty.name},` : ""}`;
    const question = goal ? Words.text("answer-against", { roll: rolled, goal: goal.name }) : rolled;
    return minimum ? Words.text("odds-reaching", { question, minimum: minimum.name }) : question;
  }

  // The words of a roll, which may end with the number that the roll is held against, and a modifier behind them.
  function rolledWith(action, modifier) {
    return action.attempts && modifier ? Words.text("odds-with", { roll: action.roll, modifier: signed(modifier) }) : `${action.roll}${changed(modifier)}`;
  }

  function rowsOf(action, own) {
    const roll = rolls[own.roll];
    const outcomes = roll.outcomes.filter((outcome) => roll.isExact(outcome));
    const seen = outcomes.length > MOST_ROWS ? outcomes.filter((outcome) => !percent(roll.exactly(outcome)).startsWith("<")) : outcomes;
    const most = seen.map((outcome) => roll.weight(outcome)).reduce((one, other) => (other > one ? other : one), 1n);
    return seen.map((outcome) => {
      const row = document.createElement("tr");
      const number = outcome + own.added;
      const shown = [signed(number), ...[roll.exactly(outcome), roll.atLeast(outcome)].map((chance) => Words.figure(percent(chance)))];
      row.append(rowHead(nameOf(action, number)), ...shown.map((text) => cell("td", text, "end")), barred(Number((roll.weight(outcome) * 10000n) / most) / 10000));
      return row;
    });
  }

  function show(asked) {
    const { action } = asked;
    form.querySelector("[data-of=minimum]").hidden = !asked.against || !action.difficulties || Boolean(action.attempts);
    answer.querySelector(".question").textContent = words(action, asked);
    const shown = (chance, isExact) => (isExact ? `${Words.figure(percent(chance))} (${exactText(chance)})` : `≈ ${Words.figure(percent(chance))}`);
    const chances = chancesOf(action, asked).map(([name, chance, isExact]) => answered(name, shown(chance, isExact)));
    answer.querySelector(".chances").replaceChildren(...chances);
    answer.querySelector(".rolled").textContent = Words.text("odds-rolled", { roll: rolledWith(action, asked.modifier) });
    answer.querySelector("tbody").replaceChildren(...rowsOf(action, degree(asked.trait, asked.modifier, asked.difficulty)));
    answer.hidden = false;
  }

  // What the form says. Against another trait there is no difficulty, and the other way round, but for a difficulty
  // that changes the rolls.
  function read() {
    const action = data.actions.find(({ id }) => id === form.roll.value);
    return {
      action,
      trait: action.traits.find(({ name }) => name === form.trait.value),
      modifier: action.modifiers ? Number(form.modifier.value) : 0,
      difficulty: action.difficulties?.find(({ name }) => name === form.difficulty.value),
      against: action.traits.find(({ name }) => name === form.against.value),
      minimum: form.against.value && !action.attempts ? action.difficulties?.find(({ name }) => name === form.minimum.value) : undefined,
    };
  }

  function fill(wanted) {
    const action = data.actions.find(({ id }) => id === wanted.get("roll")) ?? data.actions[0];
    const traits = action.traits.map(({ name }) => name);
    const middle = traits[Math.floor(traits.length / 2)];
    const difficulties = (action.difficulties ?? []).map(({ name }) => name);
    form.roll.replaceChildren(...data.actions.map(({ id, title }) => new Option(title, id, false, id === action.id)));
    form.roll.closest("p").hidden = data.actions.length < 2;
    options(form.trait, traits, traits.includes(wanted.get("trait")) ? wanted.get("trait") : middle);
    options(form.against, [NOTHING, ...traits], wanted.get("against") ?? NOTHING);
    const asked = wanted.get("difficulty");
    const known = action.attempts?.needed ? difficulties : [NOTHING, ...difficulties];
    const usual = form.against.value && known.includes(NOTHING) ? NOTHING : difficulties[Math.floor(difficulties.length / 2)];
    options(form.difficulty, known, asked !== null && known.includes(asked) ? asked : usual);
    options(form.minimum, [NOTHING, ...difficulties], wanted.get("minimum") ?? NOTHING);
    form.querySelector("[data-of=difficulty]").hidden = !difficulties.length;
    form.querySelector("[data-of=modifier]").hidden = !action.modifiers;
    const modifier = wanted.get("modifier") ?? "0";
    form.modifier.value = [...form.modifier.options].some(({ value }) => value === modifier) ? modifier : "0";
  }

  function wantedOfForm() {
    return new URLSearchParams([...new FormData(form)]);
  }

  function ask(changedName) {
    const { attempts } = data.actions.find(({ id }) => id === form.roll.value);
    if (changedName === "against" && form.against.value && !attempts?.changes) form.difficulty.value = NOTHING;
    if (changedName === "difficulty" && form.difficulty.value && !attempts?.changes) form.against.value = NOTHING;
    if (changedName === "roll") fill(wantedOfForm());
    history.replaceState(null, "", `#${wantedOfForm()}`);
    show(read());
  }

  function start({ hash }) {
    fill(new URLSearchParams(hash.slice(1)));
    show(read());
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => ask(event.target.name));
  addEventListener("hashchange", ({ newURL }) => start(new URL(newURL)));
  form.hidden = false;
  start(location);
})();
