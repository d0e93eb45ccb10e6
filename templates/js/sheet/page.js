// The page of a sheet: characters on this device, chosen, begun, deleted, saved as files and opened from them.
"use strict";

const program = JSON.parse(byId("program").textContent);
const sheet = byId("sheet");
const fields = new Fields(program, sheet);
const store = new Store(program);

const say = (text) => (byId("said").textContent = store.fault || text);

// Tell what is wrong, above the sheet: what it is about, and each fault with a link to its field.
function tell(about, wrong = new Map()) {
  const told = byId("told");
  told.replaceChildren();
  if (!about) return;
  told.append(Object.assign(document.createElement("p"), {textContent: about}));
  if (!wrong.size) return;
  const list = document.createElement("ul");
  for (const [key, message] of wrong) {
    const item = document.createElement("li");
    const place = byId(key) ?? byId(`${key}.1`);
    const label = fieldOf(program, key)?.label.replace("#", lineOf(program, key).number) ?? key;
    if (place) item.append(Object.assign(document.createElement("a"), {href: `#${place.id}`, textContent: label}), ": ");
    else if (key) item.append(`${key}: `);
    item.append(message);
    list.append(item);
  }
  told.append(list);
}

const nameOf = (typed) => String(typed[program.name] ?? "").trim() || Words.text("sheet-without-name");

function showNames() {
  const seen = new Map();
  const options = store.characters.map(([id, typed]) => {
    const name = nameOf(typed);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return new Option(seen.get(name) > 1 ? `${name} (${seen.get(name)})` : name, id);
  });
  if (!store.open) options.push(new Option(Words.text("sheet-new-one"), ""));
  byId("who").replaceChildren(...options);
  byId("who").value = store.open;
  byId("delete").disabled = !store.open;
}

function showCharacter() {
  showNames();
  fields.show(store.typed);
  const strangers = new Map(Object.entries(fields.strangers).map(([key, value]) => [key, `“${value}”`]));
  tell(strangers.size ? Words.text("sheet-strangers") : "", strangers);
}

function choose(id) {
  store.open = id;
  showCharacter();
}

function changed(writingIn) {
  const before = store.open;
  store.change(fields.typed());
  fields.workOut(writingIn);
  if (store.open !== before || writingIn?.id === program.name) showNames();
  say(Words.text("sheet-kept"));
}

// The first field with a fault gets the focus, unless all is well.
function refuse(about, wrong) {
  tell(about, wrong);
  const [key] = wrong.keys();
  (byId(key) ?? byId(`${key}.1`))?.focus();
}

function save() {
  const {written, wrong} = fields.workOut();
  if (!written.has(program.name) && !wrong.has(program.name)) {
    wrong.set(program.name, Words.text("sheet-has-name"));
    fields.say(program.name, wrong.get(program.name), [byId(program.name)]);
  }
  if (wrong.size) return refuse(Words.text("sheet-mend-first"), wrong);
  const text = writeToml(dataOf(program, written), [document.title]);
  const name = `${slug(written.get(program.name)) || "character"}.toml`;
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(new Blob([text], {type: "application/toml"})),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("");
  say(Words.text("sheet-saved", { file: name }));
}

// Take the characters of a text in; whatever else is there stays.
function takeIn(text, source, isJson) {
  let found;
  try {
    found = charactersIn(program, text, isJson);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return tell(Words.text("sheet-cannot-read", { file: source, fault: error.message }));
  }
  for (const character of found) store.add(typedOf(character));
  showCharacter();
  const wrong = found.at(-1)?.wrong ?? new Map();
  say(found.length === 1 ? Words.text("sheet-is-here", { name: nameOf(store.typed) }) : Words.text("sheet-are-here", { count: found.length }));
  if (wrong.size) tell(Words.text("sheet-has-faults", { file: source }), wrong);
}

// What a person would have typed; what is wrong stays to be mended.
function typedOf({written, raw}) {
  const typed = Object.fromEntries([...raw].filter(([key]) => fieldOf(program, key).kind !== "boxes"));
  for (const [key, value] of written) {
    const {kind} = fieldOf(program, key);
    if (kind === "box") typed[key] = true;
    else if (kind === "boxes") typed[key] = Number(value.above);
    else typed[key] = typeof value === "string" ? value : exactText(value);
  }
  return typed;
}

async function openFiles(files) {
  tell("");
  for (const file of files) {
    if (/\.[ct]sv$/i.test(file.name)) tell(Words.text("sheet-spreadsheet", { file: file.name, command: `refgen sheet ${program.game} ${file.name}` }));
    else takeIn(await file.text(), file.name, /\.json$/i.test(file.name));
  }
}

// Ask in a dialog, and go on when the answer is yes.
function ask(dialog, goOn) {
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue === "yes" && goOn();
  dialog.showModal();
}

const ACTIONS = {
  new: () => {
    choose("");
    byId(program.name).focus();
    say(Words.text("sheet-begin"));
  },
  rename: () => {
    byId(program.name).focus();
    byId(program.name).select();
    say(Words.text("sheet-write-name"));
  },
  delete: () => {
    const name = nameOf(store.typed);
    byId("deleted").textContent = name;
    ask(byId("asks-delete"), () => {
      store.remove();
      showCharacter();
      say(Words.text("sheet-is-deleted", { name }));
      byId("who").focus();
    });
  },
  save,
  open: () => byId("file").click(),
  paste: () => {
    byId("pasted").value = "";
    ask(byId("asks-text"), () => {
      const text = byId("pasted").value;
      takeIn(text, Words.text("sheet-pasted"), /^\s*(\{|\[\s*(\{|\]))/.test(text));
    });
  },
  print: () => print(),
};

for (const [id, action] of Object.entries(ACTIONS)) byId(id).addEventListener("click", action);
byId("who").addEventListener("change", (event) => choose(event.target.value));
byId("file").addEventListener("change", async (event) => {
  await openFiles(event.target.files);
  event.target.value = "";
});
for (const button of sheet.querySelectorAll(".add")) {
  button.hidden = button.classList.contains("ends");
  button.addEventListener("click", () => {
    fields.addLine(button.dataset.list)?.querySelector("input, select, textarea").focus();
  });
}
sheet.addEventListener("input", (event) => {
  if (event.target.type === "checkbox") fields.tick(event.target);
  delete event.target.dataset.raw;
  changed(event.target);
});
sheet.addEventListener("change", () => fields.workOut());
sheet.addEventListener("submit", (event) => event.preventDefault());
addEventListener("beforeprint", () => fields.prepareForPrint());
store.watch(showCharacter);
byId("tools").hidden = false;
byId("scriptless").hidden = true;
showCharacter();
say(store.open ? Words.text("sheet-was-kept", { name: nameOf(store.typed) }) : Words.text("sheet-what-is-kept"));
