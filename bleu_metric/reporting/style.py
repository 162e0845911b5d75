"""How the report and the page look (CSS), and how their tables are sorted (JavaScript). Nothing is loaded for them.

The orders of matched n-grams are told apart by lightness, which survives greyscale, and by the line under them.
All rules stand under the class `bleu-metric`, so that they leave the page around it alone.
"""

from __future__ import annotations

_LIGHT = """
  --page: #ffffff; --panel: #f6f7f9; --text: #1a1d21; --quiet: #59626d; --line: #d5dae0; --bar: #2a5d9f;
  --rail: #e2e7ed;
  --m1: #eef4fb; --m2: #d3e4f5; --m3: #a9cbea; --m4: #72a9da; --mark: #1d4e86;
"""
_DARK = """
  --page: #14171a; --panel: #1d2126; --text: #e8eaed; --quiet: #a3adb8; --line: #363d45; --bar: #7fb3e6;
  --rail: #2c333b;
  --m1: #1b2732; --m2: #1f3a54; --m3: #24517c; --m4: #2b6aa8; --mark: #9cc8f2;
"""
STYLE = f"""
.bleu-metric {{ color-scheme: light dark; {_LIGHT} }}
.dark .bleu-metric {{ {_DARK} }}
.bleu-metric {{
  color: var(--text); background: var(--page); line-height: 1.5; overflow-wrap: anywhere;
  font-family: system-ui, "Noto Sans", "Noto Sans Arabic", "Noto Sans CJK SC", sans-serif;
}}
.bleu-metric * {{ box-sizing: border-box; }}
.bleu-metric h1, .bleu-metric h2 {{ line-height: 1.25; text-wrap: balance; }}
.bleu-metric .quiet {{ color: var(--quiet); font-size: 0.9em; }}
.bleu-metric code {{ font-size: 0.85em; font-family: ui-monospace, "Noto Sans Mono", monospace; }}

.bleu-metric .score {{ background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }}
.bleu-metric .score p {{ margin: 0.25rem 0; }}
.bleu-metric .headline {{ display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; }}
.bleu-metric .big {{ font-size: 2.5rem; font-weight: 700; line-height: 1.2; }}
.bleu-metric .bars {{ display: grid; grid-template-columns: max-content 1fr max-content; gap: 0.3rem 0.75rem; }}
.bleu-metric .name {{ flex-basis: 100%; }}
.bleu-metric .bars {{ align-items: center; margin: 0.75rem 0; font-variant-numeric: tabular-nums; }}
.bleu-metric .rail {{ display: block; height: 0.9rem; min-width: 3rem; background: var(--rail); border-radius: 3px; }}
.bleu-metric .bar {{ display: block; height: 100%; background: var(--bar); border-radius: 3px; }}
.bleu-metric dl {{ display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.5rem 0; }}
.bleu-metric dl div {{ display: flex; gap: 0.4rem; }}
.bleu-metric dt {{ color: var(--quiet); }}
.bleu-metric dd {{ margin: 0; font-variant-numeric: tabular-nums; }}

.bleu-metric .box {{ overflow-x: auto; max-width: 100%; }}
.bleu-metric table {{ border-collapse: collapse; width: 100%; margin: 0.5rem 0; }}
.bleu-metric th, .bleu-metric td {{
  border: 0; border-bottom: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: start; vertical-align: top;
  background: none; color: inherit;
}}
.bleu-metric .number {{ text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.bleu-metric th {{ font-weight: 600; vertical-align: bottom; }}
.bleu-metric th button {{
  font: inherit; color: inherit; background: none; border: 0; padding: 0.25rem 0; min-height: 1.75rem; cursor: pointer;
}}
.bleu-metric th button::after {{ content: " \\2195"; color: var(--quiet); }}
.bleu-metric th[aria-sort=ascending] button::after {{ content: " \\2191"; color: inherit; }}
.bleu-metric th[aria-sort=descending] button::after {{ content: " \\2193"; color: inherit; }}
.bleu-metric :focus-visible {{ outline: 2px solid var(--bar); outline-offset: 2px; }}

.bleu-metric .scores th {{ overflow-wrap: normal; }}
.bleu-metric .scores th[scope=row] {{ vertical-align: top; min-width: 9rem; overflow-wrap: break-word; }}
.bleu-metric .scores .signature {{ min-width: 18rem; }}

.bleu-metric .text {{ white-space: pre-wrap; margin: 0 0 0.35rem; text-align: start; unicode-bidi: isolate; }}
.bleu-metric .system {{ color: var(--quiet); font-size: 0.8em; unicode-bidi: isolate; }}
.bleu-metric .m1, .bleu-metric .m2, .bleu-metric .m3, .bleu-metric .m4 {{
  border-radius: 2px; text-decoration: underline var(--mark) 1px; text-underline-offset: 3px;
  text-decoration-skip-ink: none;
}}
.bleu-metric .m1 {{ background: var(--m1); text-decoration-style: dotted; }}
.bleu-metric .m2 {{ background: var(--m2); text-decoration-style: dashed; }}
.bleu-metric .m3 {{ background: var(--m3); text-decoration-style: solid; }}
.bleu-metric .m4 {{ background: var(--m4); text-decoration-style: solid; text-decoration-thickness: 2.5px; }}
.bleu-metric .legend span {{ color: var(--text); margin-inline-end: 0.75rem; padding: 0 0.2rem; white-space: nowrap; }}
.bleu-metric .sentences tr {{ content-visibility: auto; }}
.bleu-metric .sentences .words {{ width: 45%; }}

.bleu-metric .report {{ max-width: 90rem; margin: 0 auto; padding: 1rem; }}
.bleu-metric .panels {{ display: flex; flex-wrap: wrap; gap: 1rem; }}
.bleu-metric .panels > * {{ flex: 1 1 24rem; min-width: 0; }}
.bleu-metric .panels > .box {{ flex-basis: 100%; }}
.bleu-metric .pictures {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }}
.bleu-metric .pictures {{ gap: 0 2rem; }}
.bleu-metric .picture {{ min-width: 0; }}
.bleu-metric .picture svg {{ display: block; width: 100%; height: auto; background: #fff; border-radius: 8px; }}
.bleu-metric .picture svg * {{ stroke-linejoin: round; stroke-linecap: butt; }}
.bleu-metric .picture text {{ font-family: inherit !important; }}

@media (max-width: 640px) {{
  .bleu-metric .bars .quiet {{ display: block; }}
  .bleu-metric .sentences, .bleu-metric .sentences thead, .bleu-metric .sentences tbody {{ display: block; }}
  .bleu-metric .sentences tr {{ display: flex; flex-wrap: wrap; padding: 0.4rem 0; }}
  .bleu-metric .sentences tr {{ border-bottom: 1px solid var(--line); }}
  .bleu-metric .sentences th, .bleu-metric .sentences td {{ border: 0; padding: 0.15rem 0.75rem 0.15rem 0; }}
  .bleu-metric .sentences .words {{ width: 100%; padding-right: 0; }}
  .bleu-metric .sentences th.words {{ display: none; }}
  .bleu-metric .sentences td[data-label]::before {{ content: attr(data-label) " "; }}
  .bleu-metric .sentences td[data-label]::before {{ color: var(--quiet); font-size: 0.8em; }}
  .bleu-metric .sentences .words[data-label]::before {{ display: block; }}
}}
@media print {{ .bleu-metric th button::after {{ content: ""; }} .bleu-metric {{ print-color-adjust: exact; }} }}
"""
# For a page that has no switch of its own; Gradio's sets the class `dark`, and may be set other than the system
AS_THE_SYSTEM = f"@media (prefers-color-scheme: dark) {{ .bleu-metric {{ {_DARK} }} }}\n"
SCRIPT = """
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
  heads.forEach((other) => { if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none"); });
  head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  body.append(...rows.map((pair) => pair[1]));
});
"""
