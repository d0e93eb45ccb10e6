// Characters on this device, in the storage of the browser; where there is none, for as long as the page is open.
//
// In: the program of a sheet. Out: its characters by their ids, each an object with what was typed by the keys of
// fields, and which of them is open. Another page of the same sheet sees every change.
"use strict";

const NOTHING_KEPT = () => ({open: "", characters: {}});

class Store {
  constructor(program) {
    this.key = `refgen/${program.game}/${slug(program.title)}`;
    this.fault = "";
    this.memory = NOTHING_KEPT();
    try {
      localStorage.setItem(`${this.key}/probe`, "");
      localStorage.removeItem(`${this.key}/probe`);
      this.storage = localStorage;
    } catch {
      this.storage = null;
      this.fault = Words.text("sheet-keeps-nothing");
    }
    this.read();
  }

  read() {
    const text = this.storage?.getItem(this.key);
    this.memory = NOTHING_KEPT();
    if (!text) return;
    try {
      const {open, characters} = JSON.parse(text);
      this.memory = {open: open in characters ? open : "", characters};
    } catch {
      this.storage.setItem(`${this.key}/damaged`, text);
      this.fault = Words.text("sheet-damaged", { key: `${this.key}/damaged` });
    }
  }

  write() {
    if (!this.storage) return;
    try {
      this.storage.setItem(this.key, JSON.stringify(this.memory));
      this.fault = "";
    } catch {
      this.fault = Words.text("sheet-no-room");
    }
  }

  // All characters by their ids, in the order in which they came.
  get characters() {
    return Object.entries(this.memory.characters);
  }

  // What was typed of the character that is open.
  get typed() {
    return this.memory.characters[this.memory.open] ?? {};
  }

  get open() {
    return this.memory.open;
  }

  set open(id) {
    this.memory.open = id;
    this.write();
  }

  add(typed) {
    const taken = Object.keys(this.memory.characters).map((id) => Number(id.slice(1)));
    const id = `c${Math.max(0, ...taken) + 1}`;
    this.memory.characters[id] = typed;
    this.open = id;
  }

  // The first thing that is typed makes a character.
  change(typed) {
    if (!this.open) this.add(typed);
    this.memory.characters[this.open] = typed;
    this.write();
  }

  remove() {
    delete this.memory.characters[this.memory.open];
    this.open = Object.keys(this.memory.characters).at(-1) ?? "";
  }

  // Call back when another page changed something.
  watch(changed) {
    addEventListener("storage", (event) => {
      if (event.key !== this.key && event.key !== null) return;
      const {open} = this;
      this.read();
      this.memory.open = open in this.memory.characters ? open : ""; // each page goes on with its own
      changed();
    });
  }
}
