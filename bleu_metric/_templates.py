"""The pieces of HTML that the report and the page share, as Jinja2 templates. Whatever they are given is escaped.

Strings in a module and no files: a flat copy of the package's modules has them, too.
"""

from __future__ import annotations

_MACROS = """
{%- macro many(bleu, digits) -%}
{% for one in bleu %}{{ one | percent(digits) }}{{ " / " if not loop.last }}{% endfor %}
{%- endmacro -%}
{%- macro number(value, text, label="") -%}
<td role="cell" class="number" data-value="{{ value }}"
{%- if label %} data-label="{{ label }}"{% endif %}>{{ text }}</td>
{%- endmacro -%}
{%- macro head(name, class="number", sorted="none") -%}
<th scope="col" role="columnheader" class="{{ class }}" aria-sort="{{ sorted }}"><button type="button" dir="auto">
{{- name }}</button></th>
{%- endmacro -%}
"""

SCORE = (
    _MACROS
    + """
<section class="score">
  <p class="headline">
    {%- if name %}<b dir="auto">{{ name }}</b>{% endif %}
    <span class="big">BLEU {{ many(bleu, 1) }}</span>
    <span class="meaning">{% for one in bleu %}{{ meaning(one) }}{{ " / " if not loop.last }}{% endfor %}</span></p>
  <p class="quiet">{{ caveat }}</p>
  <div class="bars">
    {%- for precision in score.precisions %}
    <span>{{ loop.index }}-gram precision</span>
    <span class="rail"><span class="bar" style="width: {{ [precision, 1] | min | percent(1) }}%"></span></span>
    <span class="number">{{ precision | percent(1) }} %
      <span class="quiet">{{ score.counts[loop.index0] | grouped }} / {{ score.totals[loop.index0] | grouped }}</span>
    </span>
    {%- endfor %}
  </div>
  <dl>
    <div><dt>Brevity penalty</dt><dd>{{ score.brevity_penalty | decimal(3) }}</dd></div>
    <div><dt>Length</dt><dd>{{ score.translation_length | grouped }} tokens</dd></div>
    <div><dt>Reference length</dt><dd>{{ score.reference_length | grouped }} tokens</dd></div>
    <div><dt>Ratio</dt><dd>{{ score.length_ratio | decimal(3) }}</dd></div>
  </dl>
  <p class="quiet">Signature <code>{{ score.signature }}</code></p>
</section>
"""
)

SENTENCES = (
    _MACROS
    + """
<p class="legend quiet">The longest n-gram match a word is part of:
  {% for order in range(1, orders + 1) -%}
  <span class="m{{ order }}">{{ order }}{{ " or more" if order == 4 and more }}</span>
  {% endfor %}<span>none</span></p>
<div class="box"><table class="sentences" role="table">
<thead role="rowgroup"><tr role="row">{{ head("#", sorted="ascending") }}
{%- for system in systems %}{{ head(system or "BLEU") }}{% endfor %}
{%- if systems | length == 2 %}{{ head("Difference") }}{% endif %}
<th scope="col" role="columnheader" class="words">Prediction</th>
<th scope="col" role="columnheader" class="words">References</th></tr></thead>
<tbody role="rowgroup">
{%- for row in rows %}
<tr role="row">{{ number(row.number, row.number, "#") }}
{%- for system in systems %}
{{- number(row.scores[loop.index0], row.scores[loop.index0] | percent(1), system or "BLEU") }}
{%- endfor %}
{%- if systems | length == 2 %}{% set difference = row.scores[1] - row.scores[0] %}
{{- number(difference, difference | signed(1), "Difference") }}
{%- endif %}
<td role="cell" class="words">
{%- for runs in row.predictions %}
{%- if systems[loop.index0] %}<div class="system" dir="auto">{{ systems[loop.index0] }}</div>{% endif -%}
<div class="text" dir="auto">{% for order, text in runs %}
{%- if order %}<span class="m{{ [order, 4] | min }}">{{ text }}</span>{% else %}{{ text }}{% endif %}
{%- endfor %}</div>
{%- endfor -%}
</td><td role="cell" class="words" data-label="References">
{%- for text in row.references %}<div class="text" dir="auto">{{ text }}</div>{% endfor -%}
</td></tr>
{%- endfor %}
</tbody></table></div>
"""
)

SCORES = (
    _MACROS
    + """
<div class="box"><table class="scores" role="table">
<thead role="rowgroup"><tr role="row">{{ head(what, class="") }}{{ head("BLEU") }}
{{- head("Brevity penalty") }}{{ head("Length ratio") }}
<th scope="col" role="columnheader">Signature</th></tr></thead>
<tbody role="rowgroup">
{%- for name, score in scores.items() %}
<tr role="row"><th scope="row" role="rowheader" dir="auto">{{ name }}</th>
{%- set bleu = score.bleu if score.bleu is iterable else [score.bleu] %}
{{ number(bleu[0], many(bleu, 2)) }}
{{- number(score.brevity_penalty, score.brevity_penalty | decimal(3)) }}
{{- number(score.length_ratio, score.length_ratio | decimal(3)) }}
<td role="cell"><code>{{ score.signature }}</code></td></tr>
{%- endfor %}
</tbody></table></div>
"""
)
