// The explorers of a game: what is chosen of each axis, and the answer, looked up in what the build worked out.
// What is chosen stands in the address, so that it can be shared.
(() => {
  "use strict";
  const { answered, barred, cell, options, rowHead } = Answers;
  const MOST_ROWS = 80;
  const NEVER = "–";

  const explorers = JSON.parse(document.getElementById("explorers").textContent);
  const form = document.getElementById("asking");
  const choices = document.getElementById("choices");
  const answer = document.getElementById("answer");

  const exactly = ([shown, exact]) => (exact ? `${Words.figure(shown)} (${exact})` : Words.figure(shown));

  // A figure as a number, for the length of a bar: "1,500", "12.5%", "<0.1%".
  function sizeOf([shown]) {
    const found = /−?\d[\d,]*(\.\d+)?/.exec(shown.replace("-", "−"));
    return found ? Math.max(0, Number(found[0].replaceAll(",", "").replace("−", "-"))) : 0;
  }

  // The figures for what is chosen: the last axis goes fastest. Nothing where the combination does not come up.
  function figuresFor(explorer, chosen) {
    const place = explorer.axes.reduce((before, { entries }, axis) => before * entries.length + chosen[axis], 0);
    const row = explorer.answers[place];
    return row === null ? null : explorer.rows[row].map((figure) => explorer.figures[figure]);
  }

  function words(explorer, chosen) {
    return explorer.axes.map(({ title, entries }, axis) => `${title}: ${entries[chosen[axis]]}`).join(", ");
  }

  // A row for each entry across; those of which nothing is possible are left out.
  function rowsOf({ across }, figures) {
    const most = Math.max(...figures.map(sizeOf));
    const rows = across.entries.map((name, entry) => ({ name, own: figures.slice(entry * across.cells.length, (entry + 1) * across.cells.length) }));
    const possible = rows.filter(({ own }) => own.some(([shown]) => shown !== NEVER));
    return (possible.length ? possible : rows).slice(0, MOST_ROWS).map(({ name, own }) => {
      const row = document.createElement("tr");
      const bars = (figure) => (most > 0 ? [barred(sizeOf(figure) / most)] : []);
      row.append(rowHead(name), ...own.flatMap((figure) => [cell("td", exactly(figure), "end"), ...bars(figure)]));
      return row;
    });
  }

  function headsOf({ across }, withBars) {
    const row = document.createElement("tr");
    const head = (text, className) => {
      const made = cell("th", text, className);
      made.scope = "col";
      return made;
    };
    const bar = () => {
      const made = head("", "bars");
      made.append(cell("span", Words.text("explore-bar"), "hidden"));
      return made;
    };
    row.append(head(across.title), ...across.cells.flatMap((title) => [head(title, "end"), ...(withBars ? [bar()] : [])]));
    return row;
  }

  function show(explorer, chosen) {
    const figures = figuresFor(explorer, chosen);
    answer.querySelector(".question").textContent = words(explorer, chosen);
    answer.querySelector(".nothing").hidden = figures !== null;
    const alone = (figures ?? []).slice(0, explorer.columns.length);
    answer.querySelector(".chances").replaceChildren(...alone.map((figure, column) => answered(explorer.columns[column], exactly(figure))));
    const rows = figures && explorer.across.entries.length ? rowsOf(explorer, figures.slice(explorer.columns.length)) : [];
    answer.querySelector(".scroll").hidden = !rows.length;
    answer.querySelector("thead").replaceChildren(headsOf(explorer, rows.some((row) => row.querySelector(".bar"))));
    answer.querySelector("tbody").replaceChildren(...rows);
    answer.querySelector(".rule").textContent = explorer.rule;
    answer.querySelector(".note").textContent = explorer.note;
    answer.querySelector(".note").hidden = !explorer.note;
    answer.hidden = false;
  }

  // A choice for each axis; what is not wanted is as it is at first.
  function fill(wanted) {
    const explorer = explorers.find(({ id }) => id === wanted.get("explorer")) ?? explorers[0];
    form.explorer.replaceChildren(...explorers.map(({ id, title }) => new Option(title, id, false, id === explorer.id)));
    form.explorer.closest("p").hidden = explorers.length < 2;
    choices.replaceChildren(...explorer.axes.map(({ id, title, entries, start }) => {
      const select = document.createElement("select");
      select.id = select.name = `of-${id}`;
      const asked = wanted.get(select.name);
      options(select, entries, entries.includes(asked) ? asked : entries[start]);
      const label = cell("label", title);
      label.htmlFor = select.id;
      const made = document.createElement("p");
      made.append(label, " ", select);
      return made;
    }));
  }

  function showChosen() {
    const explorer = explorers.find(({ id }) => id === form.explorer.value);
    show(explorer, [...choices.querySelectorAll("select")].map((select) => select.selectedIndex));
  }

  function start({ hash }) {
    fill(new URLSearchParams(hash.slice(1)));
    showChosen();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    if (event.target === form.explorer) fill(new URLSearchParams({ explorer: form.explorer.value }));
    history.replaceState(null, "", `#${new URLSearchParams([...new FormData(form)])}`);
    showChosen();
  });
  addEventListener("hashchange", ({ newURL }) => start(new URL(newURL)));
  form.hidden = false;
  start(location);
})();
