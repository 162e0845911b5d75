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
    {%- if name %}<b class="name" dir="auto">{{ name }}</b>{% endif %}
    <span class="big">BLEU {{ many(bleu, 1) }}</span>
    {%- if interval %}
    <span class="interval">{{ interval.confidence | share }} % interval
      [{{ interval.low | percent(1) }}, {{ interval.high | percent(1) }}]</span>
    {%- endif %}
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
  <p class="quiet">Signature <code>{{ interval.signature if interval else score.signature }}</code></p>
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
<thead role="rowgroup"><tr role="row">{{ head("#", sorted="ascending" if ordered else "none") }}
{%- for heading in headings %}{{ head(heading) }}{% endfor %}
<th scope="col" role="columnheader" class="words">Prediction</th>
<th scope="col" role="columnheader" class="words">References</th></tr></thead>
<tbody role="rowgroup">
{%- for row in rows %}
<tr role="row">{{ number(row.number, row.number, "#") }}
{%- for value in numbers_of(row.scores) %}
{%- set text = value | signed(1) if loop.last and systems | length == 2 else value | percent(1) %}
{{- number(value, text, headings[loop.index0]) }}
{%- endfor %}
<td role="cell" class="words">
{%- for runs in row.predictions %}
{%- if systems[loop.index0] %}<div class="system"><bdi>{{ systems[loop.index0] }}</bdi>
{%- if beside %} {{ row.scores[loop.index0] | percent(1) }}{% endif %}</div>{% endif -%}
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
{%- if comparison %}{{ head("Interval") }}{{ head("Difference") }}{{ head("p (Holm)") }}{% endif %}
{{- head("Brevity penalty") }}{{ head("Length ratio") }}
{%- if signatures %}<th scope="col" role="columnheader">Signature</th>{% endif %}</tr></thead>
<tbody role="rowgroup">
{%- for name, score in scores.items() %}
<tr role="row"><th scope="row" role="rowheader"><bdi>{{ name }}</bdi></th>
{%- set bleu = score.bleu if score.bleu is iterable else [score.bleu] %}
{{ number(bleu[0], many(bleu, 2)) }}
{%- if comparison %}{% set one = compared[name] %}
{{- number(one.interval.low, "[" ~ (one.interval.low | percent(1)) ~ ", " ~ (one.interval.high | percent(1)) ~ "]") }}
{{- number(one.delta or 0, one.delta | signed(2) if one.delta is not none else "baseline") }}
{{- number(one.p_adjusted or 1, one.p_adjusted | decimal(4) if one.p_adjusted is not none else "") }}
{%- endif %}
{{- number(score.brevity_penalty, score.brevity_penalty | decimal(3)) }}
{{- number(score.length_ratio, score.length_ratio | decimal(3)) }}
{%- if signatures %}<td role="cell" class="signature"><code>{{ score.signature }}</code></td>{% endif %}</tr>
{%- endfor %}
</tbody></table>
{%- if comparison %}
<p class="quiet">{{ comparison.confidence | share }} % intervals;
 {{ comparison.about() }}; p-values are corrected for the number of systems.
 <code>{{ comparison.signature }}</code></p>
{%- endif %}
</div>
"""
)
# The policy forbids the browser to load anything, and to run any script but the one with this digest.
REPORT = """<!doctype html>
<html lang="en" class="bleu-metric">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{{ digest }}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>{{ style | safe }}</style>
</head>
<body class="report">
<h1 dir="auto">{{ title }}</h1>
{% for text in about %}<p>{{ text }}</p>
{% endfor %}
<div class="panels">{% for panel in scores %}{{ panel | safe }}{% endfor %}</div>
<div class="pictures">
{%- for name, svg in pictures %}
<section class="picture"><h2>{{ name }}</h2>
{{ svg | safe }}</section>
{%- endfor %}
</div>
{%- for heading, note, table in tables %}
<section><h2 dir="auto">{{ heading }}</h2>
<p class="quiet">{{ note }}</p>
{{ table | safe }}</section>
{%- endfor %}
<script>{{ script | safe }}</script>
</body>
</html>
"""
