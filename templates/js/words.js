// The words of a page in its language, and figures as the language writes them: as refgen/words has them.
//
// In: the data with the id "words" on the page: the language, the signs of decimals and thousands, and texts by id, where a text with a
// count has its forms by plural category. Out: the text of an id with its values in place.
const Words = (() => {
  "use strict";
  let data = { language: "en", decimal: ".", group: ",", texts: {} };

  const load = (found) => (data = found);

  function text(id, values = {}) {
    const found = data.texts[id];
    if (found === undefined) throw new Error(`this page has no text "${id}"`);
    const chosen = typeof found === "string" ? found : found[new Intl.PluralRules(data.language).select(values.count)] ?? found.other;
    return chosen.replace(/\{([a-z]+)\}/g, (_, name) => String(values[name]));
  }

  function figure(shown) {
    return shown.replace(/(\d+(?:,\d{3}(?!\d))*)(?:\.(\d+))?(%?)/g, (_, whole, decimals, percent) => {
      const number = whole.replaceAll(",", data.group) + (decimals ? data.decimal + decimals : "");
      return percent ? text("percent", { number }) : number;
    });
  }

  const list = (parts) => (parts.length > 1 ? text("list", { first: parts.slice(0, -1).join(", "), last: parts.at(-1) }) : parts.join(""));

  const held = typeof document === "undefined" ? null : document.getElementById("words");
  if (held) load(JSON.parse(held.textContent));
  return { figure, list, load, text };
})();
