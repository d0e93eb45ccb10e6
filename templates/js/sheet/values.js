// What is written in a field, read as what the field is for: as refgen/characters/check.py reads it.
//
// In: a field of a program, and what a person typed or a file has there. Out: a text, an exact number (of a tick, 1);
// null for a blank; or Wrong, which says what may stand there.
"use strict";

class Wrong extends Error {}

// A decimal number of a file as it is written, before it is known what it is for.
class Decimal {
  constructor(text) {
    this.text = text;
  }
}

const YES = ["true", "yes", "x", "×", "1", "✓", "on"];
const LONGEST_NAME = 200;
const NO = ["false", "no", "0", "off"];
const LONGEST_NUMBER = 40;
const MOST_SHOWN = 40;

const FORMULA = /^=\s*[\p{L}\p{N}_(+-]|^@[\p{L}\p{N}_]+\(/u;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const PLAIN_NUMBER = /^([-+−–])?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)$/;
const BROKEN_NUMBER = /^([-+−–])?\s?(?:(\d+)\s+)?(\d+)\/(\d+)$/;

const briefly = (text) => (text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`);

function readValue(program, field, written) {
  if (typeof written === "string") {
    written = written.trim();
    if (!written) return null;
    checkText(written);
  }
  switch (field.kind) {
    case "boxes":
      return countOf(field, written);
    case "box":
      return tickOf(written);
    case "choice":
      return choiceOf(wordsOf(program, field), field, written);
    case "number":
      return numberOf(written);
  }
  return textOf(written);
}

// The words to choose from.
function wordsOf(program, field) {
  if (field.domain !== undefined) return program.domains[field.domain].words;
  return field.words ?? Object.keys(field.keys);
}

function checkText(text) {
  if (FORMULA.test(text)) throw new Wrong(Words.text("sheet-formula", { text: briefly(text) }));
  const control = text.match(CONTROL);
  if (control) {
    const code = control[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw new Wrong(Words.text("sheet-control", { code }));
  }
}

function textOf(written) {
  if (typeof written === "string") return written;
  if (typeof written === "bigint") return String(written);
  if (written instanceof Decimal) return textOfDecimal(written);
  throw new Wrong(Words.text("sheet-no-text"));
}

// As Python prints the number: 2.50 is "2.5", 3.0 stays "3.0".
function textOfDecimal({text}) {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Wrong(Words.text("sheet-no-text"));
  return Number.isInteger(number) && Math.abs(number) < 1e16 ? number.toFixed(1) : String(number);
}

// A number as people write it: 2, -1, 1,000, 2.5, 1/2, 1 1/2.
function numberOf(written) {
  if (typeof written === "bigint") return fraction(written);
  const text = written instanceof Decimal ? plainDecimal(written) : written;
  const isShort = typeof text === "string" && (text.length <= LONGEST_NUMBER || written instanceof Decimal);
  const found = isShort ? plainNumber(text) ?? brokenNumber(text) : null;
  if (!found) throw new Wrong(Words.text("sheet-no-number", { value: shownKind(written) }));
  return found;
}

const signed = (sign, number) => (sign && sign !== "+" ? negated(number) : number);

function plainNumber(text) {
  const match = text.match(PLAIN_NUMBER);
  return match && signed(match[1], decimalNumber(match[2].replaceAll(",", "")));
}

function decimalNumber(text) {
  const [whole, part = ""] = text.split(".");
  return fraction(BigInt(whole + part), 10n ** BigInt(part.length));
}

function brokenNumber(text) {
  const match = text.match(BROKEN_NUMBER);
  if (!match || BigInt(match[4]) === 0n) return null;
  const part = fraction(BigInt(match[3]), BigInt(match[4]));
  return signed(match[1], sumOf(fraction(BigInt(match[2] ?? 0)), part));
}

// Written out: Python takes what a file has for the nearest number of 64 bits, and so does this.
function plainDecimal({text}) {
  const [digits, exponent = "0"] = String(Number(text)).split("e");
  if (!Number.isFinite(Number(text))) return text;
  const [sign, whole, part = ""] = digits.match(/^(-?)(\d+)(?:\.(\d+))?$/).slice(1);
  const places = Number(exponent);
  const all = places < 0 ? "0".repeat(-places) + whole + part : (whole + part).padEnd(whole.length + places, "0");
  const point = places < 0 ? whole.length : whole.length + places;
  const rest = all.slice(point);
  return `${sign}${all.slice(0, point)}${rest ? `.${rest}` : ""}`;
}

function tickOf(written) {
  if (typeof written === "boolean") return written ? ONE : null;
  const text = shownText(written).toLowerCase();
  if (YES.includes(text)) return ONE;
  if (NO.includes(text)) return null;
  throw new Wrong(Words.text("sheet-yes-or-no", { text: briefly(text) }));
}

function countOf(field, written) {
  const number = typeof written === "boolean" ? truth(written) : numberOf(written);
  if (!isWhole(number) || number.above < 0n || number.above > BigInt(field.boxes)) {
    throw new Wrong(Words.text("sheet-boxes", { number: exactText(number), most: field.boxes }));
  }
  return isZero(number) ? null : number;
}

function choiceOf(words, field, written) {
  const text = textOf(written);
  const found = words.find((word) => folded(word) === folded(text));
  if (found !== undefined) return found;
  const what = field.label.split(": ").at(-1);
  throw new Wrong(Words.text("sheet-no-choice", { text: briefly(text), field: what, choices: words.join(", ") }));
}

// Case, kinds of dashes, quotes and blanks, and hyphens for blanks between words make no difference.
function folded(text) {
  return text.normalize("NFC").toLowerCase()
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/(?<=[\p{L}])-(?=[\p{L}\p{N}_])|(?<=[\p{L}\p{N}_])-(?=\p{L})/gu, " ")
    .replace(/[\s_]+/g, " ")
    .trim();
}

const shownText = (written) => (written instanceof Decimal ? written.text : String(written));

function shownKind(written) {
  if (typeof written === "boolean") return Words.text("sheet-kind-tick");
  if (Array.isArray(written)) return Words.text("sheet-kind-list");
  if (written instanceof Decimal || typeof written !== "object") return `“${briefly(shownText(written))}”`;
  return written === null ? Words.text("sheet-kind-nothing") : Words.text("sheet-kind-table");
}

// What is wrong with a name that files are called by; "" for nothing.
function faultOfName(name) {
  const found = name.match(/[/\\:]|^\.+|\.+$/);
  const sign = found?.[0];
  if (sign?.startsWith(".")) return Words.text("sheet-name-dots", { sign });
  if (sign) return Words.text("sheet-name-sign", { sign });
  return name.length > LONGEST_NAME ? Words.text("sheet-long-name", { most: LONGEST_NAME }) : "";
}

// A text as a part of the name of a file: lower-case words joined by hyphens, letters without their accents.
const slug = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).join("-");
