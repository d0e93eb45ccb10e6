// Shows the page again when it has changed, and what is wrong over it. The server adds this to its answers; the files of
// a build do not have it.
(() => {
  "use strict";
  let { version } = document.currentScript.dataset;
  const { frame } = document.currentScript.dataset;
  const AGAIN = 2000;
  let source = null;
  let heard = Promise.resolve();
  let panel = null;

  const element = (name, text, style) => {
    const made = document.createElement(name);
    made.textContent = text;
    made.style.cssText = style;
    return made;
  };

  // A shadow root: styles of the page and of the panel do not reach each other.
  const show = (errors) => {
    panel?.remove();
    panel = null;
    if (!errors.length) return;
    panel = document.createElement("refgen-errors");
    panel.style.cssText = "all: initial";
    panel.setAttribute("role", "alert");
    const root = panel.attachShadow({ mode: "open" });
    const styles = document.createElement("style");
    styles.textContent = "@media print { section { display: none !important } }";
    const box = element("section", "", "position: fixed; z-index: 2147483647; inset: auto 0 0 0; max-height: 60vh;"
      + "overflow: auto; box-sizing: border-box; padding: 12px 16px; background: #3b0d0c; color: #fff;"
      + "font: 14px/1.45 ui-monospace, monospace; border-top: 4px solid #ff8a80; white-space: pre-wrap;"
      + "overflow-wrap: anywhere; color-scheme: dark");
    const close = element("button", "×", "all: revert; float: right; font-size: 18px; min-width: 32px; min-height: 32px");
    close.setAttribute("aria-label", "Hide");
    close.addEventListener("click", () => show([]));
    box.append(close);
    for (const { place, message, hint } of errors) {
      const one = element("div", "", "margin: 0 0 10px");
      if (place) one.append(element("div", place, "font-weight: bold; color: #ffb4ab"));
      one.append(element("div", message, ""));
      if (hint) one.append(element("div", hint, "opacity: .85"));
      box.append(one);
    }
    root.append(styles, box);
    document.body.append(panel);
  };

  const quiet = () => {
    source?.close();
    source = null;
  };

  // Where all but the main part is the same, or the body of a page without scripts, that part is put in its place: what
  // is loaded, and seen, stays.
  const renewed = async (now) => {
    if (!frame || now.frame !== frame) return false;
    const answer = await fetch(location.pathname);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = fresh.querySelector("script[data-frame]").dataset;
    if (found.frame !== frame) return false;
    const [left, top] = [scrollX, scrollY];
    const part = document.scripts.length > 1 ? "main" : "body";
    document.querySelector(part).replaceWith(document.adoptNode(fresh.querySelector(part)));
    if (location.hash) location.replace(location.hash); // what the address points to is another element now
    scrollTo({ left, top, behavior: "instant" });
    version = found.version;
    return true;
  };

  const hear = async ({ data }) => {
    const now = JSON.parse(data);
    const isNew = now.version !== version && sessionStorage.refgenWanted !== now.version;
    if (isNew) sessionStorage.refgenWanted = now.version; // once: whoever gets an old page all the same would never end
    if (!isNew || await renewed(now).catch(() => false)) {
      show(now.errors);
    } else {
      quiet();
      location.reload();
    }
  };

  // A browser has six lines to a server: only pages that are seen keep one.
  const listen = () => {
    if (source || document.visibilityState === "hidden") return;
    source = new EventSource("/.refgen/events?" + new URLSearchParams({ page: location.pathname }));
    source.addEventListener("message", (event) => {
      heard = heard.then(() => hear(event)); // one after the other
    });
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) {
        quiet();
        setTimeout(listen, AGAIN);
      }
    });
  };

  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? quiet() : listen()));
  addEventListener("pagehide", quiet);
  addEventListener("pageshow", listen);
  listen();
})();
