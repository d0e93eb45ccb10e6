// The computed fields of a PDF, in viewers that run its scripts: filling.js over the fields of the document.
//
// In: the program of a sheet, which fields it has, and the document as viewers give it to scripts (ISO 21757-1). Out:
// what stands in the computed fields, and which boxes are to be seen. Viewers ask field by field, in the order that the
// document has; with the first of them all is worked out, and the others find it.
"use strict";

// What stands in a field that only refgen works out.
const LEFT_OUT = "?";

class Calculation {
  // `written` are the fields to fill in, `first` is the computed one that viewers begin with. `rows` are the boxes, by
  // their rows, that only those characters show who have them.
  constructor(program, {written, first, rows}) {
    Object.assign(this, {program, fields: written, first, rows, texts: new Map()});
  }

  // Give a computed field its value. `beyond` is what the sheet had no room for, by the keys of fields.
  calculate(doc, event, beyond) {
    const name = event.target.name;
    if (name === this.first) this.workOut(doc, beyond);
    event.value = this.texts.get(name) ?? "";
  }

  workOut(doc, beyond) {
    const written = this.read(doc, beyond);
    const {texts, boxes, unknown} = fill(this.program, written);
    for (const name of unknown) texts.set(name, LEFT_OUT);
    this.texts = texts;
    for (const [row, names] of Object.entries(this.rows)) this.showBoxes(doc, names, boxes.get(row) ?? names.length);
  }

  // What is written, by the keys of fields; what cannot stand in its field counts as blank.
  read(doc, beyond) {
    const ticked = new Map();
    const texts = new Map(Object.entries(beyond));
    for (const name of this.fields) {
      const text = doc.getField(name).valueAsString;
      const row = name.replace(/\.\d+$/, "");
      const isOfRow = fieldOf(this.program, name) === undefined;
      if (isOfRow) ticked.set(row, (ticked.get(row) ?? 0) + Number(text !== "Off"));
      else if (fieldOf(this.program, name).kind !== "box") texts.set(name, text);
      else if (text !== "Off") texts.set(name, "true");
    }
    for (const [row, count] of ticked) texts.set(row, String(count));
    return new Map([...texts].map(([key, text]) => [key, this.valueOf(key, text)]).filter(([, value]) => value !== null));
  }

  valueOf(key, text) {
    try {
      return readValue(this.program, fieldOf(this.program, key), text);
    } catch (error) {
      if (error instanceof Wrong) return null;
      throw error;
    }
  }

  // Those boxes that the character has; a ticked one is never hidden.
  showBoxes(doc, names, count) {
    names.forEach((name, place) => {
      const box = doc.getField(name);
      const wanted = place < count || box.valueAsString !== "Off" ? display.visible : display.hidden;
      if (box.display !== wanted) box.display = wanted;
    });
  }
}
