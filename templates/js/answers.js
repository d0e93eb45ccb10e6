// What the pages that answer questions are made of: choices, cells, and bars.
const Answers = (() => {
  "use strict";

  function cell(tag, text, className) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function rowHead(text) {
    const head = cell("th", text);
    head.scope = "row";
    return head;
  }

  // A cell with a bar, whose length is a share from 0 to 1.
  function barred(share) {
    const bar = cell("span", "", "bar");
    bar.style.width = `${100 * share}%`;
    const made = cell("td", "", "barred");
    made.append(bar);
    return made;
  }

  // A figure with its name.
  function answered(name, figure) {
    const made = document.createElement("div");
    made.append(cell("dt", name), cell("dd", figure));
    return made;
  }

  function options(select, names, chosen) {
    select.replaceChildren(...names.map((name) => new Option(name || Words.text("answer-nothing"), name, false, name === chosen)));
  }

  return { answered, barred, cell, options, rowHead };
})();
