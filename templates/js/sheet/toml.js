// TOML, read and written: as much of it as files of characters have, and no other meaning for any of it.
//
// In: a text. Out: objects, lists, texts, booleans, whole numbers as BigInt and others as Decimal; or a SyntaxFault
// with its line. And the other way round: the data of a character as TOML that refgen reads.
"use strict";

class SyntaxFault extends Error {
  constructor(message, line) {
    super(line ? Words.text("sheet-toml-at", { line, fault: message }) : message);
  }
}

const ESCAPES = {b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b", '"': '"', "\\": "\\"};
const BARE = /[\w-]+/y;
const SPACE = /[ \t]*/y;
const BETWEEN = /(?:[ \t\r\n]|#[^\n]*)*/y;
const WHOLE = /^[+-]?(?:0|[1-9](?:_?\d)*)$/;
const OTHER_BASE = /^0(?:x[\da-fA-F](?:_?[\da-fA-F])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/;
const WITH_POINT = /^[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?$/;

class TomlReader {
  constructor(text) {
    this.text = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
    this.place = 0;
    this.root = new Map();
    this.headed = new Set(); // tables with a head of their own: none has two
    this.closed = new Set(); // tables and lists that are written in one piece: nothing is added to them
  }

  fault(message) {
    return new SyntaxFault(message, this.text.slice(0, this.place).split("\n").length);
  }

  skip(pattern) {
    pattern.lastIndex = this.place;
    const match = pattern.exec(this.text);
    if (match) this.place += match[0].length;
    return match?.[0] ?? "";
  }

  next(text) {
    if (!this.text.startsWith(text, this.place)) return false;
    this.place += text.length;
    return true;
  }

  take(text) {
    if (!this.next(text)) throw this.fault(Words.text("sheet-toml-missing", { text }));
  }

  read() {
    let table = this.root;
    for (this.skip(BETWEEN); this.place < this.text.length; this.skip(BETWEEN)) {
      if (this.next("[[")) table = this.head(true);
      else if (this.next("[")) table = this.head(false);
      else this.entry(table);
      this.endOfLine();
    }
    return this.root;
  }

  endOfLine() {
    this.skip(/[ \t]*(?:#[^\n]*)?/y);
    if (this.place < this.text.length && !this.next("\n")) throw this.fault(Words.text("sheet-toml-line"));
  }

  // The table under a head.
  head(isItem) {
    const path = this.path();
    this.take(isItem ? "]]" : "]");
    const last = path.pop();
    const above = path.reduce((table, key) => this.inside(table, key), this.root);
    if (isItem) {
      const list = above.get(last) ?? [];
      if (!Array.isArray(list) || this.closed.has(list)) throw this.fault(Words.text("sheet-toml-already", { key: last }));
      const item = new Map();
      list.push(item);
      above.set(last, list);
      return item;
    }
    const table = above.get(last) ?? new Map();
    if (!(table instanceof Map) || this.headed.has(table) || this.closed.has(table)) {
      throw this.fault(Words.text("sheet-toml-already", { key: last }));
    }
    above.set(last, table);
    this.headed.add(table);
    return table;
  }

  // The table under a key, or of a list the last one; made where there is none.
  inside(table, key) {
    if (!table.has(key)) table.set(key, new Map());
    const found = table.get(key);
    const inner = Array.isArray(found) ? found.at(-1) : found;
    if (!(inner instanceof Map) || this.closed.has(found)) throw this.fault(Words.text("sheet-toml-no-table", { key }));
    return inner;
  }

  path() {
    const path = [];
    do {
      this.skip(SPACE);
      path.push(this.key());
      this.skip(SPACE);
    } while (this.next("."));
    return path;
  }

  key() {
    const sign = this.text[this.place];
    if (sign === '"' || sign === "'") return this.string();
    const bare = this.skip(BARE);
    if (!bare || /[^\x00-\x7f]/.test(bare)) throw this.fault(Words.text("sheet-toml-key"));
    return bare;
  }

  entry(table) {
    const path = this.path();
    const last = path.pop();
    this.take("=");
    this.skip(SPACE);
    const value = this.value();
    const above = path.reduce((inner, key) => {
      const found = this.inside(inner, key);
      this.headed.add(found);
      return found;
    }, table);
    if (above.has(last)) throw this.fault(Words.text("sheet-toml-twice", { key: last }));
    above.set(last, value);
  }

  value() {
    const sign = this.text[this.place];
    if (sign === '"' || sign === "'") return this.string();
    if (sign === "[") return this.list();
    if (sign === "{") return this.table();
    return this.scalar(this.skip(/[^,\]}\n#]*/y).trim());
  }

  scalar(text) {
    if (text === "true" || text === "false") return text === "true";
    if (WHOLE.test(text)) return BigInt(text.replaceAll("_", "").replace(/^\+/, ""));
    if (OTHER_BASE.test(text)) return BigInt(text.replaceAll("_", ""));
    if (WITH_POINT.test(text) || /^[+-]?(?:inf|nan)$/.test(text)) return new Decimal(text.replaceAll("_", ""));
    throw this.fault(text ? Words.text("sheet-toml-value", { text: briefly(text) }) : Words.text("sheet-toml-no-value"));
  }

  list() {
    const items = [];
    this.take("[");
    for (this.skip(BETWEEN); !this.next("]"); this.skip(BETWEEN)) {
      items.push(this.value());
      this.skip(BETWEEN);
      if (!this.next(",") && this.text[this.place] !== "]") throw this.fault(Words.text("sheet-toml-comma"));
    }
    this.closed.add(items);
    return items;
  }

  table() {
    const table = new Map();
    this.take("{");
    this.skip(SPACE);
    if (!this.next("}")) {
      do {
        this.skip(SPACE);
        this.entry(table);
        this.skip(SPACE);
      } while (this.next(","));
      this.take("}");
    }
    this.closed.add(table);
    return table;
  }

  string() {
    const sign = this.text[this.place];
    const mark = this.next(sign.repeat(3)) ? sign.repeat(3) : sign;
    if (mark.length === 1) this.place += 1;
    else this.next("\n");
    let read = "";
    for (;;) {
      if (this.place >= this.text.length || (mark.length === 1 && this.text[this.place] === "\n")) {
        throw this.fault(Words.text("sheet-toml-quote"));
      }
      if (this.next(mark)) {
        while (mark.length === 3 && this.next(sign)) read += sign; // quotes right before the end belong to the text
        return read;
      }
      read += sign === '"' && this.next("\\") ? this.escape(mark) : this.text[this.place++];
    }
  }

  escape(mark) {
    if (mark.length === 3 && this.skip(/[ \t]*\n[ \t\n]*/y)) return "";
    const letter = this.text[this.place++];
    if (letter in ESCAPES) return ESCAPES[letter];
    const length = {x: 2, u: 4, U: 8}[letter];
    const digits = this.text.slice(this.place, this.place + length);
    const code = digits.length === length && /^[\da-fA-F]+$/.test(digits) ? parseInt(digits, 16) : NaN;
    if (!(code <= 0x10ffff) || (code >= 0xd800 && code < 0xe000)) {
      throw this.fault(Words.text("sheet-toml-escape", { letter }));
    }
    this.place += length;
    return String.fromCodePoint(code);
  }
}

const readToml = (text) => new TomlReader(text).read();

// JSON as the same data. A number that JavaScript would not keep as it is must stand in quotes.
function readJson(text) {
  const converted = (value) => {
    if (Array.isArray(value)) return value.map(converted);
    if (value !== null && typeof value === "object") {
      return new Map(Object.entries(value).map(([key, inner]) => [key, converted(inner)]));
    }
    if (typeof value !== "number") return value;
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new SyntaxFault(Words.text("sheet-toml-long", { number: value }));
    }
    return Number.isInteger(value) ? BigInt(value) : new Decimal(String(value));
  };
  return converted(JSON.parse(text.replace(/^\ufeff/, "")));
}

// A text in quotes; one of several lines stands on several.
function quoted(text) {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(
    /[\x00-\x08\x0b-\x1f\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (!text.includes("\n")) return `"${escaped.replaceAll("\t", "\\t")}"`;
  return `"""\n${escaped}"""`;
}

const keyText = (key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

function valueText(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, inner]) => `${keyText(key)} = ${valueText(inner)}`);
    return entries.length ? `{ ${entries.join(", ")} }` : "{}";
  }
  return String(value);
}

const isTables = (value) => Array.isArray(value) && value.some((item) => item instanceof Map);

// The file of a character: what stands alone comes before the first head, which would have it.
function writeToml(data, comment) {
  const lines = comment.map((line) => `# ${line}`);
  const entries = [...data];
  for (const [key, value] of entries) {
    if (!(value instanceof Map) && !isTables(value)) lines.push(`${keyText(key)} = ${valueText(value)}`);
  }
  for (const [key, value] of entries) {
    const isTable = value instanceof Map;
    for (const table of isTable ? [value] : isTables(value) ? value : []) {
      lines.push("", isTable ? `[${keyText(key)}]` : `[[${keyText(key)}]]`);
      lines.push(...[...table].map(([inner, own]) => `${keyText(inner)} = ${valueText(own)}`));
    }
  }
  return `${lines.join("\n")}\n`;
}
