// Light or dark: as the reader's system has it, unless the reader chose. Loaded before the page is shown.
(() => {
  "use strict";
  const KEY = "refgen-theme";
  const NEXT = { "": "light", light: "dark", dark: "" };
  const root = document.documentElement;

  function stored() {
    try {
      const theme = localStorage.getItem(KEY) ?? "";
      return theme in NEXT ? theme : "";
    } catch {
      return ""; // storage may be blocked; the choice then lasts as long as the page
    }
  }

  function apply(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  apply(stored());

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.theme");
    const word = button.querySelector(".word");
    const show = () => { word.textContent = Words.text(`theme-${root.dataset.theme ?? "system"}`); };
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      apply(NEXT[root.dataset.theme ?? ""]);
      show();
      try {
        localStorage.setItem(KEY, root.dataset.theme ?? "");
      } catch {
        // as above
      }
    });
  });
})();
