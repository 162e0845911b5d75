"use strict";

// Sorts a table by the column whose heading was clicked. Each further click reverses the order.
function sortTable(button) {
  const head = button.closest("th");
  const heads = [...head.parentNode.children];
  const body = head.closest("table").tBodies[0];
  const column = heads.indexOf(head);
  const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const difference = Number(a) - Number(b);
    return Number.isNaN(difference) ? a.localeCompare(b, undefined, { numeric: true }) : difference;
  };
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort((a, b) => sign * compare(a[0], b[0]));
  heads.forEach((other) => {
    if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
  });
  head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  body.append(...rows.map((pair) => pair[1]));
}

// Maps each list element to its sentences, which are read once from the JSON in the element.
const sentences = new WeakMap();
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
function readSentence([number, scores, effects, outputs, references, source, group]) {
  const marks = Math.min(scores.length, 2); // of an output
  const texts = { outputs: outputs.map(runsOf(marks)), references: references.map(runsOf(scores.length)), source };
  const all = [...texts.outputs, ...texts.references].map(plainText);
  return { number, scores, effects, group, ...texts, text: [...all, source].join("\n").toLowerCase() };
}

// A text has one line per run: one or more digits, its marks, then the run's text. Python's `Sentence` explains them.
const runsOf = (digits) => (text) =>
  text === "" ? [] : text.split("\n").map((run) => [[...run.slice(0, digits)].map(Number), run.slice(digits)]);
const plainText = (runs) => runs.map(([, text]) => text).join("");

function readControls(list) {
  const value = (name) => list.querySelector(`[name="${name}"]`)?.value ?? "";
  const bound = (name, usual) => (value(name) === "" ? usual : Number(value(name)));
  return {
    query: value("query").trim().toLowerCase(),
    system: value("system"),
    group: value("group"),
    order: value("order"),
    low: bound("low", 0),
    high: bound("high", 100),
    digits: Number(list.dataset.digits),
  };
}

function isWanted(sentence, controls) {
  const score = Number(chosen(sentence.scores, controls).toFixed(controls.digits)); // as shown on the page
  if (controls.group !== "" && Number(controls.group) !== sentence.group) return false;
  if (score < controls.low || score > controls.high) return false;
  if (/^#\d+$/.test(controls.query)) return `#${sentence.number}` === controls.query;
  return sentence.text.includes(controls.query);
}

// Returns the selected system's number (a score or an effect), or the mean over all systems.
const chosen = (numbers, controls) => (controls.system === "" ? mean(numbers) : numbers[controls.system]);

// Maps each sort order to a function that returns a sentence's keys. Smaller keys come first; ties go by number.
const KEYS = {
  number: () => [],
  low: (sentence, controls) => [chosen(sentence.scores, controls), chosen(sentence.effects, controls)],
  high: (sentence, controls) => [-chosen(sentence.scores, controls), -chosen(sentence.effects, controls)],
  cost: (sentence) => [sentence.effects[0]],
  range: (sentence, controls) => [-Math.max(...chosenGains(sentence, controls).map(Math.abs))],
  gain: (sentence, controls) => [-mean(chosenGains(sentence, controls))],
  loss: (sentence, controls) => [mean(chosenGains(sentence, controls))],
};

// Returns effects on differences from the baseline (the first system): of the selected system, or of all others.
function chosenGains(sentence, controls) {
  const gains = sentence.effects.slice(1).map((effect) => effect - sentence.effects[0]);
  return controls.system > 0 ? [gains[controls.system - 1]] : gains;
}

// Returns an output's effect on the corpus score or, if there are several systems, on the difference from the
// baseline. The baseline has no such effect, so the result is null.
function effectOf(sentence, index) {
  if (sentence.effects.length === 1) return sentence.effects[0];
  return index ? sentence.effects[index] - sentence.effects[0] : null;
}

// Returns the sentences that pass the filters, in the selected order.
function chooseSentences(list) {
  const controls = readControls(list);
  const wanted = sentences.get(list).filter((sentence) => isWanted(sentence, controls));
  const keyed = wanted.map((sentence) => [[...KEYS[controls.order](sentence, controls), sentence.number], sentence]);
  keyed.sort(([a], [b]) => {
    const index = a.findIndex((key, position) => key !== b[position]);
    return index < 0 ? 0 : a[index] - b[index];
  });
  return keyed.map(([, sentence]) => sentence);
}

// Shows one page of the sentences that pass the filters.
function showSentences(list, first) {
  const wanted = chooseSentences(list);
  const size = Number(list.dataset.page);
  const page = wanted.slice(first, first + size);
  list.querySelector(".list").replaceChildren(...page.map((sentence) => drawSentence(list, sentence)));
  list.dataset.first = first;
  const last = first + page.length;
  const count = wanted.length.toLocaleString("en");
  list.querySelector(".status").textContent = page.length ? `${first + 1}–${last} of ${count}` : "No sentence matches";
  const system = list.querySelector('[name="system"]')?.selectedOptions[0];
  const all = system ? "every output" : "the output";
  list.querySelector(".missing-from").textContent = system?.value ? system.textContent : all;
  const disable = (action, isEnd) =>
    list.querySelectorAll(`[data-action="${action}"]`).forEach((button) => {
      button.setAttribute("aria-disabled", String(isEnd));
    });
  disable("previous", first === 0);
  disable("next", last >= wanted.length);
  disable("csv", wanted.length === 0);
  const pages = Math.ceil(wanted.length / size);
  list.querySelectorAll(".numbers").forEach((numbers) => {
    const hadFocus = numbers.contains(document.activeElement);
    numbers.replaceChildren(...drawPageNumbers(first / size + 1, pages));
    if (hadFocus) numbers.querySelector("[aria-current]")?.focus();
  });
}

// Returns buttons for the first page, the last page, and the pages around the current one.
function drawPageNumbers(shown, pages) {
  const elements = [];
  for (let page = 1; page <= pages; page += 1) {
    if (page > 1 && page < pages && Math.abs(page - shown) > 1) {
      if (Math.abs(page - shown) === 2) elements.push(element("span", "quiet", "…"));
      continue;
    }
    const button = element("button", "", page.toLocaleString("en"));
    button.type = "button";
    button.dataset.number = page;
    button.setAttribute("aria-label", `Page ${page}`);
    if (page === shown) button.setAttribute("aria-current", "page");
    elements.push(button);
  }
  return elements;
}

// Returns the names of several systems. A single system has no name.
const systemNames = (list) =>
  [...list.querySelectorAll('[name="system"] option')].slice(1).map((option) => option.textContent);

// Returns the name of a sentence's group, or an empty string.
const groupName = (list, sentence) =>
  list.querySelector(`[name="group"] option[value="${sentence.group}"]`)?.textContent ?? "";

function element(tag, name, ...content) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...content);
  return made;
}

const EFFECT_DIGITS = 3;
function effectText(effect) {
  const size = Math.abs(effect).toFixed(EFFECT_DIGITS);
  return Number(size) ? (effect < 0 ? "−" : "+") + size : "0";
}

function drawSentence(list, sentence) {
  const item = element("li", "sentence");
  item.id = `s${sentence.number}`;
  item.dataset.number = sentence.number;
  const link = element("a", "", `#${sentence.number}`);
  link.href = `#${item.id}`;
  const group = groupName(list, sentence);
  item.append(element("p", "position", link, ...(group ? [" ", element("bdi", "quiet", group)] : [])));
  const names = systemNames(list);
  if (sentence.source) item.append(drawText("source", "Source", ["", ""], [document.createTextNode(sentence.source)]));
  sentence.outputs.forEach((runs, index) => {
    const score = sentence.scores[index].toFixed(Number(list.dataset.digits));
    const effect = effectOf(sentence, index);
    const numbers = [score, effect === null ? "" : effectText(effect)];
    item.append(drawText("", names[index] ?? "Output", numbers, drawRuns(runs, outputMark)));
  });
  const system = list.querySelector('[name="system"]')?.value ?? "";
  sentence.references.forEach((runs, index) => {
    const name = sentence.references.length > 1 ? `Reference ${index + 1}` : "Reference";
    item.append(drawText("reference", name, ["", ""], drawRuns(runs, referenceMark(system))));
  });
  return item;
}

// `numbers`: the score and the effect, as strings. `who`: the label, such as a system's name.
function drawText(name, who, numbers, content) {
  const text = element("div", "text", ...content);
  text.dir = "auto";
  const label = element("span", "who", element("bdi", "", who));
  return element("div", `output ${name}`, label, ...numbers.map((number) => element("span", "value", number)), text);
}

// The mark of a run of an output. One system: its match in the reference. Several systems: 0 and 2 if only this output has
// the words, without and with a match; 1 if the other output has them as well, and they do not match.
const PLAIN = 3;
const outputMark = ([match, shared]) => {
  if (shared === undefined) return match === 2 ? PLAIN : match;
  return match ? (shared ? PLAIN : 2) : shared ? 1 : 0;
};
// The mark of a run of a reference: its best match with the selected system, or with any system.
const referenceMark = (system) => (marks) => {
  const match = system === "" ? Math.max(...marks) : marks[system];
  return match === 2 ? PLAIN : match;
};

// Highlights runs. Leading spaces stay plain.
function drawRuns(runs, markOf) {
  const joined = [];
  for (const [marks, text] of runs) {
    const mark = markOf(marks);
    if (joined.length && joined.at(-1).mark === mark) joined.at(-1).text += text;
    else joined.push({ mark, text });
  }
  return joined.flatMap(({ mark, text }) => {
    const marked = text.trimStart();
    if (mark === PLAIN || !marked) return [text];
    return [text.slice(0, text.length - marked.length), element("span", `m${mark}`, marked)];
  });
}

function turnPage(list, first) {
  showSentences(list, first);
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView();
}

function resetControls(list) {
  for (const control of list.querySelectorAll("input")) control.value = "";
  for (const control of list.querySelectorAll("select")) control.selectedIndex = 0;
}

// Shows the sentence that the page's address names, e.g. #s12. If the filters hide this sentence, resets them.
function followAddress() {
  const number = Number(/^#s(\d+)$/.exec(location.hash)?.[1]);
  if (!number) return;
  for (const list of document.querySelectorAll(".bleu-metric .sentences")) {
    const isNumber = (sentence) => sentence.number === number;
    if (!sentences.get(list)?.some(isNumber)) continue;
    if (!chooseSentences(list).some(isNumber)) resetControls(list);
    const index = chooseSentences(list).findIndex(isNumber);
    showSentences(list, index - (index % Number(list.dataset.page)));
    const link = list.querySelector(`#s${number} a`);
    link.focus({ preventScroll: true });
    link.closest("li").scrollIntoView();
  }
}

// Spreadsheets read cells that begin with these characters as formulas, except numbers. An apostrophe marks text.
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
function csvCell(value) {
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

// Saves the sentences that pass the filters, in the selected order, as a CSV file for a spreadsheet.
function saveTable(list) {
  const saved = chooseSentences(list);
  if (!saved.length) return;
  const names = systemNames(list);
  const systems = names.length ? names : ["output"];
  const references = Math.max(...saved.map((sentence) => sentence.references.length));
  const numbers = [...Array(references).keys()];
  const columnsOf = (name) =>
    names.length ? [name, `bleu of ${name}`, `effect of ${name}`] : [name, "bleu", "effect"];
  const heads = ["line", "group", "source", ...systems.flatMap(columnsOf)];
  const rows = saved.map((sentence) => [
    sentence.number,
    groupName(list, sentence),
    sentence.source,
    ...sentence.outputs.flatMap((runs, index) => [
      plainText(runs),
      sentence.scores[index].toFixed(4),
      effectOf(sentence, index)?.toFixed(6) ?? "",
    ]),
    ...numbers.map((index) => plainText(sentence.references[index] ?? [])),
  ]);
  const table = [[...heads, ...numbers.map((index) => `reference ${index + 1}`)], ...rows];
  const lines = table.map((row) => `${row.map(csvCell).join(",")}\r\n`);
  const link = element("a", "");
  link.href = URL.createObjectURL(new Blob(["\ufeff", ...lines], { type: "text/csv" }));
  link.download = "sentences.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Copies the text before the button. If the browser forbids copying, selects the text.
async function copyText(button) {
  const source = button.parentNode.querySelector(".copied");
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(source);
    button.textContent = "Selected";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest ? event.target.closest(".bleu-metric button") : null;
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const list = button.closest(".sentences");
  const size = Number(list?.dataset.page);
  const first = Number(list?.dataset.first);
  if (button.closest("th")) sortTable(button);
  else if (button.dataset.number) turnPage(list, (Number(button.dataset.number) - 1) * size);
  else if (button.dataset.action === "copy") copyText(button);
  else if (button.dataset.action === "csv") saveTable(list);
  else if (button.dataset.action === "previous") turnPage(list, Math.max(0, first - size));
  else if (button.dataset.action === "next") turnPage(list, first + size);
  else if (button.dataset.action === "reset") {
    resetControls(list);
    showSentences(list, 0);
  }
});

// Reacts to "change" events of selections and to "input" events of typed text, so that each edit counts once.
function update(event) {
  const list = event.target.closest ? event.target.closest(".bleu-metric .sentences") : null;
  const isChoice = event.target.tagName === "SELECT";
  if (list && isChoice === (event.type === "change")) turnPage(list, 0);
}
document.addEventListener("input", update);
document.addEventListener("change", update);
window.addEventListener("hashchange", followAddress);

// Shows the hint above each table that is wider than the page.
function showHints() {
  for (const hint of document.querySelectorAll(".bleu-metric .hint")) {
    const box = hint.nextElementSibling;
    hint.hidden = box.scrollWidth <= box.clientWidth;
  }
}
window.addEventListener("resize", showHints);

// Lists may be added after the page has loaded. In the Space, each new result puts its rows into the existing list.
function startLists() {
  showHints();
  for (const list of document.querySelectorAll(".bleu-metric .sentences")) {
    if (list.querySelector(".status").textContent !== "") continue;
    sentences.set(list, JSON.parse(list.querySelector(".rows").textContent).map(readSentence));
    showSentences(list, 0);
    followAddress();
  }
}
startLists();
new MutationObserver(startLists).observe(document, { childList: true, subtree: true });
