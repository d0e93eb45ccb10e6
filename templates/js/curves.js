// A chart of lines over whole numbers: as refgen/blocks/chart_plan.py draws the charts of tables.
//
// In: lines, each {mark, points: [[number, chance], …]}, chances from 0 to 1. Out: an SVG, and the sample of a line for a key.
// Lengths are hundredths of an em. Lines differ in shape, never in colour.
const Curves = (() => {
  "use strict";
  const MARKS = ["disc", "square", "triangle", "diamond", "ring", "cross"];
  const DASHES = { disc: "none", square: "34 16", triangle: "10 14", diamond: "50 14 10 14", ring: "20 10", cross: "60 24" };
  const [NARROWEST, WIDEST, HEIGHT, LEFT, TOP, BELOW] = [1800, 3600, 1200, 330, 50, 180];
  const [LETTER, BETWEEN, TEXT, MARKED] = [45, 40, 86, 150];
  const INTERVALS = 4;
  const STEPS = [1, 2, 2.5, 5, 10];
  const MARGIN = 100;

  function element(tag, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    if (text) made.textContent = text;
    return made;
  }

  // The smallest round number that is not below `least`.
  function step(least) {
    const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
    return STEPS.map((one) => one * power).find((one) => one >= least * (1 - 1e-9));
  }

  // Round chances from 0 to above the highest; chances beyond a half go up to certainty.
  function ticksFor(highest) {
    const top = highest > 0.5 ? 1 : highest;
    const apart = step(top / INTERVALS);
    return Array.from({ length: Math.ceil(top / apart - 1e-9) + 1 }, (_, place) => place * apart);
  }

  // Whole numbers under the axis, so far apart that none touches the next.
  function numbersFor(low, high, room) {
    const widest = Math.max(...[low, high].map((number) => String(number).length)) * LETTER + BETWEEN;
    const apart = [1, 2, 5, ...[1, 2, 5].flatMap((one) => [10, 100, 1000, 10000, 100000].map((ten) => one * ten))]
      .sort((one, other) => one - other).find((one) => one * room >= widest) ?? high - low + 1;
    const first = Math.ceil(low / apart) * apart;
    return Array.from({ length: Math.max(Math.floor((high - first) / apart) + 1, 0) }, (_, place) => first + place * apart);
  }

  function marker(x, y, mark) {
    const path = (kind, d) => element("path", { class: kind, d, ...(kind === "full" ? {} : { "stroke-width": 11 }), ...(kind === "line" ? { fill: "none" } : {}) });
    if (mark === "disc") return element("circle", { class: "full", cx: x, cy: y, r: 25 });
    if (mark === "square") return path("hollow", `M${x - 24} ${y - 24}h48v48h-48z`);
    if (mark === "triangle") return path("full", `M${x} ${y - 34}l32 56h-64z`);
    if (mark === "diamond") return path("hollow", `M${x} ${y - 34}l34 34l-34 34l-34-34z`);
    if (mark === "ring") return element("circle", { class: "hollow", cx: x, cy: y, r: 24, "stroke-width": 11 });
    return path("line", `M${x - 26} ${y - 26}l52 52m0-52l-52 52`);
  }

  const stroke = (d, mark) => element("path", { class: "line", d, fill: "none", "stroke-width": 12, "stroke-linejoin": "round", "stroke-dasharray": DASHES[mark] });

  // A chart of some lines, at most so wide as there is room; `words` says what it shows, `figure` writes a chance.
  function drawn(lines, words, figure, widest) {
    const width = Math.round(Math.min(Math.max(widest, NARROWEST), WIDEST));
    const right = width - MARGIN;
    const points = lines.flatMap((line) => line.points);
    const numbers = points.map(([number]) => number);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const ticks = ticksFor(Math.max(...points.map(([, chance]) => chance)));
    const x = (number) => Math.round(high > low ? LEFT + ((number - low) / (high - low)) * (right - LEFT) : (LEFT + right) / 2);
    const y = (chance) => Math.round(TOP + HEIGHT - (chance / ticks.at(-1)) * HEIGHT);
    const room = (right - LEFT) / Math.max(high - low, 1);
    const labels = numbersFor(low, high, room);
    const chart = element("svg", { class: "chart", role: "img", viewBox: `0 0 ${width} ${TOP + HEIGHT + BELOW}`, style: `--drawn: ${width / 100}` });
    const group = element("g", { "font-size": TEXT });
    chart.append(element("title", {}, words), group);
    for (const tick of ticks) {
      group.append(element("path", { class: "grid", d: `M${LEFT} ${y(tick)}H${right}`, "stroke-width": 5 }));
      group.append(element("text", { class: "quiet", x: LEFT - 60, y: y(tick) + 29, "text-anchor": "end" }, figure(tick)));
    }
    group.append(element("path", { class: "axis", d: `M${LEFT} ${TOP + HEIGHT}H${right}`, "stroke-width": 9 }));
    for (const { mark, points: line } of lines) {
      group.append(stroke(`M${line.map(([number, chance]) => `${x(number)} ${y(chance)}`).join("L")}`, mark));
      for (const [number, chance] of line) if (room >= MARKED || labels.includes(number)) group.append(marker(x(number), y(chance), mark));
    }
    for (const number of labels) {
      group.append(element("text", { class: "quiet", x: x(number), y: TOP + HEIGHT + 115, "text-anchor": "middle" }, String(number).replace("-", "−")));
    }
    return chart;
  }

  // The sample of a line for a key.
  function sample(mark) {
    const made = element("svg", { class: "chart sample", viewBox: "0 0 220 100", "aria-hidden": "true" });
    made.append(stroke("M0 50H220", mark), marker(110, 50, mark));
    return made;
  }

  return { MARKS, drawn, sample };
})();
