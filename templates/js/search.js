// Search: a box over the page, opened by its button, by "/" or by Ctrl-K. What is found is a list of links, which arrows
// walk. Served pages ask Pagefind's index, of which only what is needed is loaded; a page from a disk can fetch nothing,
// and there the words of all pages are loaded at once, as a script.
(() => {
  "use strict";
  const ROOT = new URL("../../", document.currentScript.src);
  const GAME = document.currentScript.dataset.game ?? "";
  const FOLDER = "assets/search/";
  const MOST = 30; // results that are shown
  const OF_A_PAGE = 3; // places on one page

  /** Everything that was found: its title, where it is, and the words around it, of which every other is marked. */
  const result = (title, page, address, words) => ({ title, page, address, words });

  // Pagefind

  async function pagefind() {
    const index = await import(new URL(`${FOLDER}pagefind.js`, ROOT));
    await index.options({ baseUrl: ROOT.pathname, excerptLength: 24 });
    await index.init();
    const { game = {} } = await index.filters();
    return {
      games: Object.keys(game),
      async find(text, chosen) {
        const { results } = await index.search(text, chosen ? { filters: { game: chosen } } : {});
        const pages = await Promise.all(results.slice(0, MOST).map((page) => page.data()));
        return pages.flatMap((page) => {
          const of = { title: page.meta.title, game: page.meta.game, kind: page.meta.kind };
          const parts = page.sub_results.filter((part) => part.anchor).sort((one, other) => weight(other) - weight(one));
          const isNamed = wordsOf(text).every((word) => beginsIn(of.title, word));
          if (!parts.length || isNamed) parts.unshift({ title: of.title, url: page.url, excerpt: page.excerpt });
          return parts.slice(0, OF_A_PAGE).map(({ title, url, excerpt }) => result(title, of, url, marked(excerpt, title)));
        });
      },
    };
  }

  function weight(part) {
    return Math.max(0, ...part.weighted_locations.map((location) => location.balanced_score));
  }

  /** The text of an excerpt after the title that it begins with, cut where its marks begin and end. */
  function marked(excerpt, title) {
    const body = new DOMParser().parseFromString(excerpt, "text/html").body;
    const pieces = [""];
    for (const node of body.childNodes) {
      if (node.nodeName === "MARK") pieces.push(node.textContent, "");
      else pieces[pieces.length - 1] += node.textContent;
    }
    if (pieces.join("").startsWith(`${title}. `)) {
      let rest = title.length + 2;
      for (const [number, piece] of pieces.entries()) {
        pieces[number] = piece.slice(rest);
        rest = Math.max(0, rest - piece.length);
      }
    }
    return pieces;
  }

  // All words at once

  async function everything() {
    if (!window.refgenPages) {
      await new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL(`${FOLDER}pages.js`, ROOT);
        script.addEventListener("load", resolve);
        script.addEventListener("error", reject);
        document.head.append(script);
      });
    }
    const places = window.refgenPages.flatMap((page) => page.parts.map((part) => {
      const title = part.title || page.title;
      return { page, part, title, text: `${title} ${page.title} ${part.text}` };
    }));
    return {
      games: [...new Set(window.refgenPages.map((page) => page.game))].filter(Boolean).sort(),
      find(text, chosen) {
        const words = wordsOf(text);
        return places
          .filter((place) => !chosen || place.page.game === chosen)
          .filter((place) => words.every((word) => beginsIn(place.text, word)))
          .map(({ page, part, title }) => {
            const address = page.path + (part.anchor && `#${part.anchor}`);
            return result(title, page, new URL(address, ROOT).href, around(part.text, words));
          });
      },
    };
  }

  function wordsOf(text) {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** Whether a word of a text begins so; ``word`` is in lower case. */
  function beginsIn(written, word) {
    const text = written.toLowerCase();
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return true;
    }
    return false;
  }

  /** The words of a text around the first one that is looked for, cut where what is looked for begins and ends. */
  function around(text, words) {
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const wanted = new RegExp(`((?<![\\p{L}\\p{N}])(?:${escaped.join("|")}))`, "iu");
    const found = Math.max(0, text.search(wanted));
    const start = found < 60 ? 0 : text.indexOf(" ", found - 60) + 1;
    const stop = text.indexOf(" ", found + 120);
    const cut = (start ? "… " : "") + text.slice(start, stop < 0 ? undefined : stop) + (stop < 0 ? "" : " …");
    return cut.split(new RegExp(wanted, "giu"));
  }

  // The box

  let index = null; // what is searched, once it is loaded
  let asked = 0; // how many searches there were: only the last one is shown

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function load() {
    index ??= (location.protocol.startsWith("http") ? pagefind().catch(everything) : everything());
    return index;
  }

  const field = element("input", { type: "text", placeholder: Words.text("search-what"), autocomplete: "off", spellcheck: false });
  const games = element("select", {}, element("option", { value: "", textContent: Words.text("search-all-games") }));
  const close = element("button", { type: "button", textContent: Words.text("search-close") });
  const status = element("p");
  const list = element("ol", { className: "found" });
  const box = element("dialog", { className: "searching" }, element("div", { className: "asked" }, field, games, close), status, list);

  function dress() {
    field.setAttribute("role", "searchbox");
    field.setAttribute("aria-label", Words.text("search-title"));
    field.setAttribute("enterkeyhint", "search");
    games.setAttribute("aria-label", Words.text("search-game"));
    status.setAttribute("role", "status");
    box.setAttribute("aria-label", Words.text("search-title"));
    document.body.append(box);
  }

  async function open() {
    if (box.open) return;
    box.showModal();
    field.select();
    try {
      const { games: titles } = await load();
      if (games.length > 1) return;
      games.append(...titles.map((title) => element("option", { value: title, textContent: title })));
      if (titles.includes(GAME)) games.value = GAME;
      games.hidden = titles.length < 2;
      search();
    } catch {
      status.textContent = Words.text("search-not-loaded");
    }
  }

  let latest = Promise.resolve(); // the last search

  function search() {
    latest = show();
    return latest;
  }

  async function show() {
    const own = ++asked;
    const text = field.value.trim();
    const { find } = await load();
    const inGame = text ? await find(text, games.value) : [];
    const found = inGame.length || !text || !games.value ? inGame : await find(text, "");
    if (own !== asked) return;
    const words = wordsOf(text);
    const rank = ({ title }) => words.filter((word) => beginsIn(title, word)).length;
    const ranked = found.map((one) => [rank(one), one]).sort(([one], [other]) => other - one).map(([, one]) => one);
    const at = [...list.querySelectorAll("a")].indexOf(document.activeElement);
    list.replaceChildren(...ranked.slice(0, MOST).map(shown));
    if (at >= 0) (list.querySelectorAll("a")[at] ?? field).focus();
    const nothing = games.value && !inGame.length ? `${Words.text("search-nothing-in", { game: games.value })} ` : "";
    status.textContent = text ? nothing + counted(found.length) : "";
  }

  function counted(number) {
    if (number > MOST) return Words.text("search-first-results", { number: MOST });
    return number ? Words.text("search-results", { count: number }) : Words.text("search-no-results");
  }

  function shown({ title, page, address, words }) {
    const where = [page.title === title ? "" : page.title, page.kind === page.title ? "" : page.kind, page.game];
    const link = element("a", { href: address });
    link.append(title, " ", element("span", { className: "of", textContent: [...new Set(where)].filter(Boolean).join(" · ") }));
    link.append(element("p", {}, ...words.map((text, number) => (number % 2 ? element("mark", { textContent: text }) : text))));
    return element("li", {}, link);
  }

  /** The links, and above them the field. */
  function walk(by) {
    const stops = [field, ...list.querySelectorAll("a")];
    const next = stops.indexOf(document.activeElement) + by;
    stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
  }

  const KEYS = {
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    Enter: () => latest.then(() => list.querySelector("a")?.click()),
  };

  // Whether somebody writes there; the field of a dialog that was closed may have the focus for a moment more.
  function writes(target) {
    if (!(target instanceof Element) || target.closest("dialog:not([open])")) return false;
    return target.closest("input, textarea, select, [contenteditable]");
  }

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.find");
    dress();
    button.hidden = false;
    button.addEventListener("click", open);
    field.addEventListener("input", search);
    games.addEventListener("change", search);
    close.addEventListener("click", () => box.close());
    list.addEventListener("click", (event) => {
      if (event.target.closest("a") && !event.ctrlKey && !event.metaKey) box.close();
    });
    box.addEventListener("click", (event) => {
      if (event.target === box) box.close();
    });
    box.addEventListener("keydown", (event) => {
      const isWalked = event.target === field || list.contains(event.target);
      if (!isWalked || !(event.key in KEYS) || (event.key === "Enter" && event.target !== field)) return;
      event.preventDefault();
      KEYS[event.key]();
    });
    document.addEventListener("keydown", (event) => {
      const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !writes(event.target);
      const isControlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isSlash && !isControlK) return;
      event.preventDefault();
      open();
    });
  });
})();
