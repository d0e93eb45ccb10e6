// The fields of the page: what is typed in them, what is worked out, and what is wrong.
//
// In: the program of a sheet, and its form. Out: what was typed, by the keys of fields: texts, true for a tick, and for
// a row of boxes how many are ticked. What is typed is shown with all that follows from it.
"use strict";

// So many lines of a list stand on a phone though they are blank.
const FEW = 3;

const byId = (id) => document.getElementById(id);

class Fields {
  constructor(program, form) {
    Object.assign(this, {program, form, strangers: {}});
    this.lists = new Map([...form.querySelectorAll(".lines[data-list]")].map((lines) => [lines.dataset.list, lines]));
    this.least = new Map([...this.lists].map(([list, lines]) => [list, lines.children.length]));
  }

  // Every field to fill in, by its key; of a row of boxes all of them.
  *inputs() {
    const rows = new Map();
    for (const input of this.form.querySelectorAll("input, select, textarea")) {
      const field = fieldOf(this.program, input.id);
      const row = input.id.replace(/\.\d+$/, "");
      if (field) yield [input.id, field, [input]];
      else if (rows.has(row)) rows.get(row).push(input);
      else rows.set(row, [input]);
    }
    for (const [key, boxes] of rows) yield [key, fieldOf(this.program, key), boxes];
  }

  // Show what was typed of a character. What is of no field of this sheet is kept, and comes back.
  show(typed) {
    const rest = {...typed};
    for (const [list, lines] of this.lists) this.haveLines(list, lines, this.linesOf(list, typed));
    for (const [key, field, inputs] of this.inputs()) {
      this.set(field, inputs, typed[key]);
      delete rest[key];
    }
    this.strangers = rest;
    this.clearMessages();
    this.workOut();
  }

  // On how many lines of a list something was typed.
  linesOf(list, typed) {
    const numbers = Object.keys(typed).map((key) => lineOf(this.program, key)).filter((line) => line.list === list);
    return Math.max(0, ...numbers.map((line) => line.number));
  }

  // As many lines as are written on, and those that the sheet begins with; a phone leaves blank ones out.
  haveLines(list, lines, count) {
    while (lines.children.length > Math.max(count, this.least.get(list))) lines.lastElementChild.remove();
    while (lines.children.length < count && this.newLine(list, lines));
    [...lines.children].forEach((line, place) => line.classList.toggle("spare", place >= Math.max(count + 1, FEW)));
    this.endLines(list, lines);
  }

  // One line more: one that was left out, else a new one.
  addLine(list) {
    const lines = this.lists.get(list);
    const leftOut = [...lines.querySelectorAll(".spare")].find((line) => !line.checkVisibility());
    leftOut?.classList.remove("spare");
    const line = leftOut ?? this.newLine(list, lines);
    this.endLines(list, lines);
    return line;
  }

  // A list that ends offers no more lines than it has.
  endLines(list, lines) {
    const button = this.form.querySelector(`button.ends[data-list="${list}"]`);
    if (button) button.hidden = !lines.querySelector(".spare");
  }

  // A line as the page has it for every number; none for a list that ends.
  newLine(list, lines) {
    const template = this.form.querySelector(`template[data-list="${list}"]`);
    if (!template) return null;
    const number = String(lines.children.length + 1);
    const line = template.content.firstElementChild.cloneNode(true);
    for (const element of [line, ...line.querySelectorAll("*")]) {
      for (const name of ["id", "for", "aria-label", "data-line"]) {
        if (element.hasAttribute(name)) element.setAttribute(name, element.getAttribute(name).replaceAll("#", number));
      }
      if (element.classList.contains("label")) element.textContent = element.textContent.replaceAll("#", number);
    }
    lines.append(line);
    return line;
  }

  set(field, inputs, typed) {
    const [first] = inputs;
    if (field.kind === "boxes") {
      inputs.forEach((box, place) => (box.checked = place < (typed ?? 0)));
    } else if (field.kind === "box") {
      first.checked = Boolean(typed);
    } else {
      first.value = typed ?? "";
      delete first.dataset.raw;
      // A choice that is none any more, or several lines in a field for one: they stay until somebody writes there.
      if (typed && first.value !== typed) first.dataset.raw = typed;
    }
  }

  typed() {
    const found = {...this.strangers};
    for (const [key, field, inputs] of this.inputs()) {
      const value = this.valueOf(field, inputs);
      if (value) found[key] = value;
    }
    return found;
  }

  valueOf(field, [first, ...others]) {
    if (field.kind === "boxes") return [first, ...others].filter((box) => box.checked).length;
    if (field.kind === "box") return first.checked;
    return first.dataset.raw ?? first.value;
  }

  // What is written, and what is wrong, by the keys of fields.
  read() {
    const written = new Map();
    const wrong = new Map();
    for (const [key, field, inputs] of this.inputs()) {
      const value = this.valueOf(field, inputs);
      try {
        const read = readValue(this.program, field, typeof value === "number" ? BigInt(value) : value);
        if (read !== null) written.set(key, read);
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        wrong.set(key, error.message);
      }
    }
    const name = written.get(this.program.name);
    const fault = name === undefined ? "" : faultOfName(name);
    if (fault) wrong.set(this.program.name, fault);
    return {written, wrong};
  }

  // Show what follows from what is written. While somebody writes in a field, nothing is said against it.
  workOut(writingIn = null) {
    const {written, wrong} = this.read();
    const filled = fill(this.program, written);
    for (const output of this.form.querySelectorAll("output")) {
      const isLeftOut = filled.unknown.has(output.id);
      output.classList.toggle("left-out", isLeftOut);
      const text = isLeftOut ? Words.text("sheet-left-out") : filled.texts.get(output.id) ?? "";
      if (output.textContent !== text) output.textContent = text;
      this.say(output.id, filled.faults.has(output.id) ? Words.text("sheet-no-answer", { fault: filled.faults.get(output.id) }) : "");
    }
    for (const [key, field, inputs] of this.inputs()) {
      const isNew = inputs[0] === writingIn && !byId(`${key}/message`);
      const fault = filled.faults.get(key);
      this.say(key, wrong.get(key) && !isNew ? wrong.get(key) : fault ? Words.text("sheet-cannot-be", { fault }) : "", inputs);
      if (field.kind === "boxes") this.showBoxes(inputs, filled.boxes.get(key));
    }
    return {written, wrong};
  }

  // Those boxes that the character has, as far as that is known; a ticked one is never hidden.
  showBoxes(boxes, count) {
    boxes.forEach((box, place) => {
      box.hidden = count !== undefined && place >= count && !box.checked;
      box.classList.toggle("optional", count === undefined && box.dataset.optional !== undefined);
    });
  }

  // A tick goes with those before it, and takes those after it along when it goes: files say how many there are.
  tick(box) {
    const found = [...this.inputs()].find(([, field, boxes]) => field.kind === "boxes" && boxes.includes(box));
    if (!found) return;
    const [, , boxes] = found;
    const count = boxes.indexOf(box) + (box.checked ? 1 : 0);
    boxes.forEach((other, place) => (other.checked = place < count));
  }

  // Say what is wrong with a field, below it or below its line; "" for nothing.
  say(key, message, inputs = []) {
    const id = `${key}/message`;
    const said = byId(id);
    for (const input of inputs) {
      if (message) {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", id);
      } else if (said) {
        input.removeAttribute("aria-invalid");
        input.removeAttribute("aria-describedby");
      }
    }
    if (!message) {
      said?.remove();
      return;
    }
    const cell = (inputs[0] ?? byId(key)).closest(".cell");
    const line = (cell ?? inputs[0]).closest(".line");
    const shown = said ?? Object.assign(document.createElement("p"), {id, className: "message"});
    const which = cell && line ? `${cell.querySelector("[aria-label]").getAttribute("aria-label").split(": ").at(-1)}: ` : "";
    shown.textContent = which + message;
    if (!said) (line ?? cell).append(shown);
  }

  clearMessages() {
    for (const [key, , inputs] of this.inputs()) this.say(key, "", inputs);
  }

  // Texts that print in full, whatever the size of their fields.
  prepareForPrint() {
    for (const cell of this.form.querySelectorAll(".cell")) {
      const field = cell.querySelector('input[type="text"], select, textarea');
      if (field) cell.dataset.print = field.dataset.raw ?? field.value;
    }
  }
}
