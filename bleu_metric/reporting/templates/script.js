"use strict";

// Sorts a table by the column whose heading was clicked: first ascending, then descending.
function sortTable(button) {
  const head = button.closest("th");
  const heads = [...head.parentNode.children];
  const body = head.closest("table").tBodies[0];
  const column = heads.indexOf(head);
  const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const difference = Number(a) - Number(b);
    return Number.isNaN(difference) ? a.localeCompare(b) : difference;
  };
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort((a, b) => sign * compare(a[0], b[0]));
  heads.forEach((other) => {
    if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
  });
  head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  body.append(...rows.map((pair) => pair[1]));
}

// The numbers and texts of a sentence, read once.
const sentences = new WeakMap();
function readSentence(item) {
  if (!sentences.has(item)) {
    const scores = item.dataset.scores.split(" ").map(Number);
    const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
    const texts = [...item.querySelectorAll(".text")].map((text) => text.textContent);
    sentences.set(item, {
      number: Number(item.dataset.number),
      matched: Number(item.dataset.matched),
      scores,
      mean: mean(scores),
      others: scores.length > 1 ? mean(scores.slice(1)) : 0,
      text: texts.join("\n").toLowerCase(),
    });
  }
  return sentences.get(item);
}

// What the controls of a list of sentences say.
function readControls(list) {
  const value = (name) => list.querySelector(`[name="${name}"]`)?.value ?? "";
  const bound = (name, usual) => (value(name) === "" ? usual : Number(value(name)));
  return {
    query: value("query").trim().toLowerCase(),
    system: value("system"),
    order: value("order"),
    low: bound("low", 0),
    high: bound("high", 100),
  };
}

function isWanted(sentence, controls) {
  const score = Math.round(1000 * chosenScore(sentence, controls)) / 10; // as it is shown
  if (score < controls.low || score > controls.high) return false;
  if (/^#\d+$/.test(controls.query)) return `#${sentence.number}` === controls.query;
  return sentence.text.includes(controls.query);
}

const chosenScore = (sentence, controls) => (controls.system === "" ? sentence.mean : sentence.scores[controls.system]);

// What the sentences are ordered by, the smallest first. Equal scores are ordered by their share of matches.
const KEYS = {
  number: () => [],
  low: (sentence, controls) => [chosenScore(sentence, controls), sentence.matched],
  high: (sentence, controls) => [-chosenScore(sentence, controls), -sentence.matched],
  range: (sentence) => [Math.min(...sentence.scores) - Math.max(...sentence.scores)],
  gain: (sentence, controls) => [-gainOf(sentence, controls)],
  loss: (sentence, controls) => [gainOf(sentence, controls)],
};

// How far the chosen system is above the first one, the baseline.
function gainOf(sentence, controls) {
  const score = controls.system === "" ? sentence.others : sentence.scores[controls.system];
  return score - sentence.scores[0];
}

// Shows the sentences that are wanted, in their order, one page of them.
function showSentences(list, first) {
  const controls = readControls(list);
  const order = list.querySelector(".list");
  const size = Number(list.dataset.page);
  const wanted = [];
  for (const item of order.children) {
    const sentence = readSentence(item);
    item.hidden = true;
    if (isWanted(sentence, controls)) {
      wanted.push([[...KEYS[controls.order](sentence, controls), sentence.number], item]);
    }
  }
  wanted.sort(([a], [b]) => {
    const place = a.findIndex((key, index) => key !== b[index]);
    return place < 0 ? 0 : a[place] - b[place];
  });
  order.append(...wanted.map(([, item]) => item));
  const page = wanted.slice(first, first + size).map(([, item]) => item);
  page.forEach((item) => {
    item.hidden = false;
    markReferences(item, list, controls.system);
  });
  list.dataset.first = first;
  const last = first + page.length;
  const count = wanted.length.toLocaleString("en");
  const status = page.length ? `${first + 1}–${last} of ${count}` : "No sentence matches";
  list.querySelectorAll(".status").forEach((element) => {
    element.textContent = status;
  });
  const disable = (action, isEnd) =>
    list.querySelectorAll(`[data-action="${action}"]`).forEach((button) => {
      button.setAttribute("aria-disabled", String(isEnd));
    });
  disable("previous", first === 0);
  disable("next", last >= wanted.length);
}

// Marks what the chosen system, or any system, has of the references.
function markReferences(item, list, system) {
  const marked = Number(list.dataset.marked);
  for (const span of item.querySelectorAll("[data-orders]")) {
    const orders = span.dataset.orders.split(" ").map(Number);
    const order = system === "" ? Math.max(...orders) : orders[system];
    span.className = `m${Math.min(order, marked)}`;
  }
  const option = list.querySelector(`[name="system"] option[value="${system}"]`);
  if (option) {
    list.querySelector(".missing-from").textContent = system === "" ? "every output" : option.textContent;
  }
}

function turnPage(list, button, direction) {
  if (button.getAttribute("aria-disabled") === "true") return;
  const first = Number(list.dataset.first ?? 0) + direction * Number(list.dataset.page);
  showSentences(list, Math.max(0, first));
  const top = list.querySelector(".pager");
  if (top.getBoundingClientRect().top < 0) top.scrollIntoView();
}

function resetControls(list) {
  for (const control of list.querySelectorAll("input")) control.value = "";
  for (const control of list.querySelectorAll("select")) control.selectedIndex = 0;
  showSentences(list, 0);
}

// Copies the text before the button; where the browser forbids that, selects it.
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
  if (!button) return;
  const list = button.closest(".sentences");
  if (button.closest("th")) sortTable(button);
  else if (button.dataset.action === "copy") copyText(button);
  else if (button.dataset.action === "previous") turnPage(list, button, -1);
  else if (button.dataset.action === "next") turnPage(list, button, 1);
  else if (button.dataset.action === "reset") resetControls(list);
});

// A choice is told by "change", what is typed by "input".
function update(event) {
  const list = event.target.closest ? event.target.closest(".bleu-metric .sentences") : null;
  const isChoice = event.target.tagName === "SELECT";
  if (list && isChoice === (event.type === "change")) showSentences(list, 0);
}
document.addEventListener("input", update);
document.addEventListener("change", update);
