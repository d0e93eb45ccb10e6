// Characters as files have them, against the shape of their sheet: as refgen/characters/check.py has it.
//
// In: data as TOML and JSON give it. Out: the characters in it, each with what is written by the keys of its fields,
// and all that is wrong, by key. And the other way round: what is written as the data of a file.
"use strict";

// All characters of a file: itself, its items, or those under "characters".
function charactersIn(program, text, isJson) {
  let data;
  try {
    data = isJson ? readJson(text) : readToml(text);
  } catch (error) {
    if (error instanceof SyntaxFault) throw error;
    if (error instanceof RangeError) throw new SyntaxFault(Words.text("sheet-too-deep"));
    throw new SyntaxFault(Words.text("sheet-no-json", { fault: error.message }));
  }
  if (data instanceof Map && data.size === 1 && data.has("characters")) data = data.get("characters");
  return (Array.isArray(data) ? data : [data]).map((one) => checked(program, one));
}

function checked(program, data) {
  const found = {written: new Map(), wrong: new Map(), raw: new Map()};
  walk(program, program.shape, data, [], found);
  const name = found.written.get(program.name);
  if (name === undefined && !found.wrong.has(program.name)) {
    found.wrong.set(program.name, Words.text("sheet-has-name"));
  } else if (name !== undefined && faultOfName(name)) {
    found.wrong.set(program.name, faultOfName(name));
  }
  return found;
}

function walk(program, shape, data, path, found) {
  const key = path.join(".");
  if (shape.leaf) {
    readLeaf(program, data, key, found);
  } else if (shape.record) {
    if (shape.line && !(data instanceof Map)) data = new Map([[Object.keys(shape.record)[0], data]]);
    if (!(data instanceof Map)) {
      found.wrong.set(key, key ? Words.text("sheet-key-holds", { key }) : Words.text("sheet-holds"));
      return;
    }
    for (const [name, value] of data) {
      if (Object.hasOwn(shape.record, name)) {
        walk(program, shape.record[name], value, [...path, name], found);
      } else {
        const known = Object.keys(shape.record).join(", ");
        found.wrong.set([...path, name].join("."), Words.text("sheet-no-field", { fields: known }));
      }
    }
  } else if (!Array.isArray(data)) {
    found.wrong.set(key, Words.text("sheet-is-list"));
  } else {
    if (shape.most !== undefined && data.length > shape.most) {
      found.wrong.set(key, Words.text("sheet-most-lines", { most: shape.most, number: data.length }));
    }
    for (const [number, item] of data.slice(0, shape.most).entries()) {
      walk(program, shape.list, item, [...path, String(number + 1)], found);
    }
  }
}

function readLeaf(program, data, key, found) {
  try {
    const value = readValue(program, fieldOf(program, key), data);
    if (value !== null) found.written.set(key, value);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    found.wrong.set(key, error.message);
    if (!(data instanceof Map) && !Array.isArray(data)) found.raw.set(key, shownText(data));
  }
}

// What is written as the data of a file. Lines that are blank between others keep their place.
function dataOf(program, written) {
  return shaped(program, program.shape, [], written) ?? new Map();
}

function shaped(program, shape, path, written) {
  if (shape.leaf) {
    const key = path.join(".");
    return written.has(key) ? fileValue(fieldOf(program, key), written.get(key)) : undefined;
  }
  if (shape.record) {
    const entries = Object.entries(shape.record)
      .map(([name, inner]) => [name, shaped(program, inner, [...path, name], written)])
      .filter(([, value]) => value !== undefined);
    return entries.length ? new Map(entries) : undefined;
  }
  const before = `${path.join(".")}.`;
  const numbers = [...written.keys()].filter((key) => key.startsWith(before)).map((key) => parseInt(key.slice(before.length), 10));
  const blank = shape.list.leaf ? "" : new Map();
  const count = Math.max(0, ...numbers);
  const items = Array.from({length: count}, (_, at) => shaped(program, shape.list, [...path, String(at + 1)], written));
  return count ? items.map((item) => item ?? blank) : undefined;
}

// A broken number stands in quotes: TOML would round it.
function fileValue(field, value) {
  if (typeof value === "string") return value;
  if (field.kind === "box") return true;
  return isWhole(value) ? value.above : exactText(value);
}
