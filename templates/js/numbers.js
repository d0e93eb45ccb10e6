// Numbers that explain themselves: what is known of a number, shown beside it while it is pointed at or has the focus.
// Without this script the same stands in a table below, to which each number is a link.
(() => {
  "use strict";
  const NUMBER = 'a[href^="#n."]';
  const bubble = document.createElement("div");
  let shown = null; // the number whose bubble it is
  let pinned = null; // that number, where the bubble stays until it is closed

  function noteOf(number) {
    return document.getElementById(decodeURIComponent(number.hash.slice(1)));
  }

  function fill(row) {
    const heads = row.closest("table").querySelectorAll("thead th");
    const list = document.createElement("dl");
    [...row.cells].forEach((cell, index) => {
      if (!cell.textContent.trim()) return;
      const term = document.createElement("dt");
      const text = document.createElement("dd");
      term.textContent = heads[index].textContent;
      text.textContent = cell.textContent;
      list.append(term, text);
    });
    const rule = document.querySelector(".rule[data-title]");
    if (rule) {
      const term = document.createElement("dt");
      const text = document.createElement("dd");
      term.textContent = rule.dataset.title;
      text.textContent = rule.textContent;
      list.append(term, text);
    }
    bubble.replaceChildren(list);
  }

  function place(number) {
    const box = number.getBoundingClientRect();
    const own = bubble.getBoundingClientRect();
    const margin = 8;
    const left = Math.min(Math.max(margin, box.left), innerWidth - own.width - margin);
    const below = box.bottom + margin + own.height <= innerHeight;
    bubble.style.left = `${Math.max(margin, left)}px`;
    bubble.style.top = `${below ? box.bottom + margin / 2 : Math.max(margin, box.top - own.height - margin / 2)}px`;
  }

  function show(number) {
    const row = noteOf(number);
    if (!row) return;
    fill(row);
    if (!bubble.isConnected) document.body.append(bubble);
    shown = number;
    bubble.hidden = false;
    number.setAttribute("aria-describedby", bubble.id);
    place(number);
  }

  function hide() {
    if (bubble.hidden) return;
    bubble.hidden = true;
    shown = pinned = null;
    document.querySelectorAll(`${NUMBER}[aria-describedby]`).forEach((number) => number.removeAttribute("aria-describedby"));
  }

  function numberAt(event) {
    return event.target instanceof Element ? event.target.closest(NUMBER) : null;
  }

  function open(target) {
    const details = target?.closest("details");
    if (details) details.open = true;
  }

  document.addEventListener("DOMContentLoaded", () => {
    open(document.getElementById(decodeURIComponent(location.hash.slice(1))));
    bubble.id = "explanation";
    bubble.className = "bubble";
    bubble.setAttribute("role", "tooltip");
    bubble.hidden = true;

    document.addEventListener("pointerover", (event) => {
      if (shown && !shown.isConnected) hide(); // the page shows something else by now
      const number = numberAt(event);
      if (number && !pinned) show(number);
    });
    document.addEventListener("pointerout", (event) => {
      if (numberAt(event) && !pinned && !bubble.contains(event.relatedTarget)) hide();
    });
    document.addEventListener("focusin", (event) => {
      const number = numberAt(event);
      if (number && number.matches(":focus-visible")) show(number);
    });
    document.addEventListener("focusout", (event) => {
      if (numberAt(event) && !pinned) hide();
    });
    document.addEventListener("click", (event) => {
      const number = numberAt(event);
      if (!number) {
        if (!bubble.contains(event.target)) hide();
        return;
      }
      event.preventDefault();
      if (pinned === number) {
        hide();
      } else {
        hide();
        show(number);
        pinned = number;
      }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
    });
    addEventListener("scroll", hide, { passive: true, capture: true });
    addEventListener("resize", hide, { passive: true });
  });
})();
