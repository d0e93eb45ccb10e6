// Search: a box over the page, opened by its button, by "/" or by Ctrl-K. What is found is a list of links, which arrows
// walk. Served pages ask Pagefind's index, of which only what is needed is loaded. That index has letters and digits alone:
// "+3" and ">=7" are looked for in the words of all pages, which are loaded at once, as a script. So is all that is looked
// for on a page from a disk, which can fetch nothing.
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
        if (SIGNS.test(text)) return (await everything()).find(text, chosen);
        const { results } = await index.search(text, chosen ? { filters: { game: chosen } } : {});
        const pages = await Promise.all(results.slice(0, MOST).map((page) => page.data()));
        return pages.flatMap((page) => {
          const of = { title: page.meta.title, game: page.meta.game, kind: page.meta.kind };
          const parts = page.sub_results.filter((part) => part.anchor).sort((one, other) => weight(other) - weight(one));
          const isNamed = wordsOf(text).every((word) => word.test(of.title));
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

  let all = null; // the words of all pages, once they are loaded

  function everything() {
    all ??= loadWords();
    return all;
  }

  async function loadWords() {
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
      async find(text, chosen) {
        const words = wordsOf(text);
        return places
          .filter((place) => !chosen || place.page.game === chosen)
          .filter((place) => words.every((word) => word.test(place.text)))
          .map(({ page, part, title }) => {
            const address = page.path + (part.anchor && `#${part.anchor}`);
            return result(title, page, new URL(address, ROOT).href, around(part.text, words));
          });
      },
    };
  }

  /** The words of a text around the first one that is looked for, cut where what is looked for begins and ends. */
  function around(text, words) {
    const wanted = `(${words.map(({ source }) => source).join("|")})`;
    const found = Math.max(0, text.search(new RegExp(wanted, "iu")));
    const start = found < 60 ? 0 : text.indexOf(" ", found - 60) + 1;
    const stop = text.indexOf(" ", found + 120);
    const cut = (start ? "… " : "") + text.slice(start, stop < 0 ? undefined : stop) + (stop < 0 ? "" : " …");
    return cut.split(new RegExp(wanted, "giu"));
  }

  // What is typed, and how it is printed

  const OPERATOR = "(?:[<>]=|[\\p{Sm}\\p{Pd}*/])";
  const BETWEEN = new RegExp(`(?<=[\\p{L}\\p{N}])${OPERATOR}(?=[\\p{L}\\p{N}])`, "gu");
  const ALONE = new RegExp(`(?:(\\p{N})\\s+|(^|\\s))(${OPERATOR})\\s+(?=\\p{N})`, "gu");

  /** What Pagefind's index does not have, or not apart: signs, points within numbers, dashes beside them, times. */
  const SIGNS = /[\p{S}%*/#!]|\p{P}(?=\p{N})|\p{N}\p{Pd}|(?<!\p{L})x\p{N}/iu;

  /** What is written for each other: a document prints one, a keyboard has the other. */
  const ALIKE = [
    ["-", "‐", "‑", "‒", "–", "—", "−"],
    [">=", "≥", "⩾"],
    ["<=", "≤", "⩽"],
    ["x", "*", "×"],
    ["/", "÷"],
    ["'", "’"],
  ];

  /** What is typed, in letters and signs of the usual width, with each sign beside its numbers: "2d6+1" for "2d6 + 1". */
  function tidied(text) {
    return text
      .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
      .replaceAll("−", "-")
      .replace(ALONE, "$1$2$3")
      .trim();
  }

  /** Each word of a text as an expression that finds it wherever a printed word begins so. */
  function wordsOf(text) {
    return text.split(/\s+/).filter(Boolean).map((word) => new RegExp(pattern(word), "iu"));
  }

  /** What begins with a sign, as +1, is found behind a digit too; but not with a dash, which is that of 10–12 there. */
  function pattern(word) {
    const apart = word.replace(BETWEEN, " $& ").replace(/^(?:[<>]=|[\p{Sm}*/])(?=\p{N})/u, "$& ");
    const printed = apart.match(/[<>]=|./gu).map((sign) => {
      if (sign === " ") return "\\s*";
      const alike = ALIKE.find((all) => all.includes(sign.toLowerCase())) ?? [sign];
      return `(?:${alike.map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|")})`;
    });
    const begins = /^[\p{L}\p{N}\p{Pd}]/u.test(word) ? "(?<![\\p{L}\\p{N}])" : "";
    const ends = SIGNS.test(word) && /\p{N}$/u.test(word) ? "(?![.,]?\\p{N})" : ""; // +3 is not +30
    return begins + printed.join("") + ends;
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
    latest = show().catch(() => {
      status.textContent = Words.text("search-not-loaded");
    });
    return latest;
  }

  async function show() {
    const own = ++asked;
    const text = tidied(field.value);
    const { find } = await load();
    const inGame = text ? await find(text, games.value) : [];
    const found = inGame.length || !text || !games.value ? inGame : await find(text, "");
    if (own !== asked) return;
    const words = wordsOf(text);
    const rank = ({ title }) => words.filter((word) => word.test(title)).length;
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
