// Sorts a table by the column whose heading was clicked: first ascending, then descending.
"use strict";
document.addEventListener("click", (event) => {
  const button = event.target.closest ? event.target.closest(".bleu-metric th button") : null;
  if (!button) return;
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
});
