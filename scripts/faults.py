"""Faults for `mutate.py` to plant, as data: in which module, what is replaced by what, and what that means.

Every fault changes what some input gives; changes that no input shows are not listed. The tests beside the faults of a
module run first, in that order; a fault they miss is looked for by all of `QUICK`.
"""

from __future__ import annotations

from typing import NamedTuple

# Files of tests that need neither a browser, Spark, Ray, a Trainer nor the command line; the fastest first.
QUICK = (
    *(
        f"tests/test_{name}.py"
        for name in (
            *(
                "groups",
                "config",
                "columns",
                "statistics",
                "worked_examples",
                "comparison",
                "explain",
                "systems",
                "matches",
            ),
            *(
                "groups_of_segments",
                "partial",
                "found_by_review",
                "host",
                "storage",
                "significance",
                "structure",
                "golden",
            ),
            *("engine", "tokenizers", "datasets", "peers"),
        )
    ),
    "tests/peers/test_oracle.py",
)


class Fault(NamedTuple):
    """One thing that could be wrong."""

    module: str
    old: str
    new: str
    meaning: str
    tests: tuple[str, ...]


def _of(module: str, tests: str, *faults: tuple[str, str, str]) -> list[Fault]:
    return [Fault(f"{module}.py", *fault, tuple(f"tests/test_{test}" for test in tests.split())) for fault in faults]


COUNTS = "engine.py::test_counts_equal_the_reference engine.py::test_many_references "
COUNTS += "engine.py::test_equal_keys_are_found_as_a_dictionary_finds_them "
COUNTS += "engine.py::test_statistics_rows_are_the_segments engine.py::test_one_segment_of_100_000_tokens"

TOGETHER = "engine.py::test_statistics_rows_are_the_segments engine.py::test_average_of_sentences "
TOGETHER += "engine.py::test_all_dialects_in_one_call "
TOGETHER += "engine.py::test_configurations_of_any_order_are_counted_together systems.py"

ENGINE = [
    *_of(
        *("_ngrams", COUNTS),
        ("clipped = np.minimum(", "clipped = np.maximum(", "n-grams are clipped at the larger count"),
        ("most = np.zeros(", "most = np.ones(", "every n-gram may match once"),
        ("np.maximum.at(most", "np.add.at(most", "clipped at the sum of the references instead of the maximum"),
        ("if order == max_order - 1:", "if order == max_order - 2:", "the last order is not counted"),
        ("inside[ends] = False", "inside[ends] = True", "n-grams go from one text into the next"),
        ("np.diff(position) == 1", "np.diff(position) <= 2", "n-grams skip a token"),
        ("groups.take(kept + 1)))", "groups.take(kept)))", "an n-gram is known by its first token"),
        ("several = n_references > segments", "several = n_references > segments + 1", "one reference too many"),
        ("of_references >= split", "of_references > split", "the first n-gram of all predictions is not alive"),
        ("kept_before[-1] = kept_before[-2]", "kept_before[-1] = 0", "the last segment has no bound"),
        ("_HALF = np.uint64(32)", "_HALF = np.uint64(16)", "pairs of n-grams collide"),
    ),
    *_of(
        *("_groups", "groups.py " + COUNTS),
        ("differs = key.take(holder) != key", "differs = np.zeros(len(key), bool)", "a hash is taken for the key"),
        ("differs |= second.take(holder) != second", "differs |= False", "the second key is not compared"),
        ("np.diff(key.take(order)) != 0", "np.diff(key.take(order)) > 1", "neighbouring keys are taken for equal"),
        ("found[left] = left.take(holder)", "found[left] = holder", "positions among the lost, not among all"),
    ),
    *_of(
        *("_token_ids", COUNTS),
        ("np.minimum(lengths, _WORD + 1)", "np.minimum(lengths, _WORD)", "8 bytes equal the start of a longer token"),
        ("np.uint64(63) - shift", "np.uint64(62) - shift", "words are put together one bit off"),
        ("& np.uint64(7)", "& np.uint64(3)", "tokens are read at half of the places"),
        ("longer[rest > _WORD]", "longer[rest > 2 * _WORD]", "the end of long tokens is not compared"),
        ("np.arange(0, len(fences), 2)", "np.arange(1, len(fences), 2)", "what lies between tokens is looked up"),
        ("_with_length(segments, lengths)", "_with_length(segments * 0, lengths)", "tokens match across segments"),
    ),
    *_of(
        *("_count", TOGETHER),
        ("keep_rows or config.average == ", "keep_rows or None == ", "a mean of sentence scores is scored as a corpus"),
        ("orders = max(map(", "orders = min(map(", "configurations with fewer orders decide for all"),
        ("if other == how", "if other[0] == how[0]", "dialects that differ in case share their counts"),
        ("np.tile(numbers, batch.systems)", "np.repeat(numbers, batch.systems)", "systems and segments swapped"),
        ("np.cumsum(per_segment) - per_segment", "np.cumsum(per_segment) - 1", "the last reference is the first"),
    ),
    *_of(
        *("_count", "engine.py::test_chunks_and_threads_do_not_matter[sacrebleu]"),
        ("executor.map(work, stretches)", "executor.map(work, stretches[::-1])", "threads answer in reverse"),
    ),
    *_of(
        *("_threads", "engine.py::test_threads_variable_is_checked"),
        (" and int(chosen)):", "):", "no thread at all is allowed"),
    ),
]

BY_EYE = "tokenizers.py::test_13a_by_eye tokenizers.py::test_texts_do_not_touch "
LINES = BY_EYE + "tokenizers.py::test_lower_case tokenizers.py::test_random_lines_equal_sacrebleu"

SPECIAL = "tokenizers.py::test_what_is_dropped_at_the_end_is_what_the_option_calls_white_space "
SPECIAL += "tokenizers.py::test_rewriting_a_text_does_not_depend_on_other_dialects "
SPECIAL += "tokenizers.py::test_function_as_tokenizer engine.py::test_all_dialects_in_one_call"

TOKENS = [
    *_of(
        *("_split", LINES),
        ("kinds.take(dashes - 1) == DIGIT", "kinds.take(dashes - 1) != DIGIT", "dashes are cut off after letters"),
        ("(last - first) % 2 == 0", "(last - first) % 2 == 1", "even runs of marks for odd ones"),
        ("unmatched_first |= at_edge", "unmatched_first &= at_edge", "a mark at the edge is cut off"),
        ("if padded else digit_follows | at_end", "if padded else digit_follows & at_end", "1. at the end is cut"),
        ("cut[single] = edge[single]", "cut[single] = True", "1.5 is cut"),
        (" & ~edge[1:-1]", "", "runs of marks go from one text into the next"),
        ("SPACE | ALONE | MARK)", "SPACE | ALONE)", "marks are not cut off"),
    ),
    *_of(
        *("_tokenize", LINES + " tokenizers.py::test_slices_of_columns"),
        ('("&amp;", "&"),\n    ("&lt;", "<"),', '("&lt;", "<"),\n    ("&amp;", "&"),', "entities in another order"),
        ('("-\\n", ""),\n    ("\\n", " "),', '("\\n", " "),\n    ("-\\n", ""),', "line ends before hyphens"),
        ('("<skipped>", "")', '("<skipped>", " ")', "a tag cuts a word"),
        ('b"qalg"', 'b"qal"', "&gt; is not decoded"),
        ('(ord("A"))) < np.uint8(26)', '(ord("A"))) <= np.uint8(26)', "[ is a letter"),
        ("for size in (2, 3):", "for size in (3,):", "spaces of two bytes are none"),
        ("utf8_trim_whitespace", "utf8_rtrim_whitespace", "white space stays at the start of Chinese text"),
        ("elif how.strip and not tokenizer.padded:", "elif not tokenizer.padded:", "strip=False is ignored"),
        ("string_is_ascii(column)).as_py()", "string_is_ascii(column)) or True", "ÄÖÜ stay as they are"),
        ('side="right") - 1', 'side="left") - 1', "an entity at the start is looked for in the text before"),
        ("offsets - first\n", "offsets\n", "slices of columns are read from the start"),
    ),
    *_of(
        *("_tokenize", SPECIAL),
        (".rstrip(stripped)", ".rstrip()", "texts with entities lose more white space than others"),
        ("if how.strip else texts, how", "if False else texts, how", "functions get no strip"),
        ("if known is None or not known.padded:", "if known is None:", "intl is taken for white space in a comparison"),
        ("strip=how.strip if hyphenated else True", "strip=True", "hyphens at the end are joined in a comparison"),
        ("((data >= 0x1C) & (data < 0x20)).any() or ", "", "separators are spaces to all dialects in a comparison"),
    ),
    *_of(
        *("_tokenizers", LINES + " tokenizers.py::test_every_character_equals_sacrebleu"),
        ('if char in ".,":', 'if char in ".":', "1,000 is cut"),
        ('"S": ALONE, "N": DIGIT}', '"S": ALONE}', "intl knows no digits"),
        ("(0x2001, 0x2A6D)", "(0x2A00, 0x2A6D)", "sacrebleu's slip in a range of Chinese characters is corrected"),
        ("_kind_13a, bytewise=True, padded=True, ", "_kind_13a, bytewise=True, ", "13a does not pad a text"),
        ("Tokenizer(_kind_intl)", "Tokenizer(_kind_intl, padded=True)", "intl pads a text"),
        ('"\\x1c\\x1d\\x1e\\x1f"', '"\\x1c\\x1d\\x1e"', "a separator is no white space"),
        ('"\\x85\\xa0', '"\\xa0', "next line is no white space"),
    ),
]

LENGTHS = "statistics.py worked_examples.py golden.py"
SCORES = "worked_examples.py statistics.py engine.py::test_average_of_sentences golden.py"

DIALECT = "statistics.py::test_moses_limit config.py::test_texts_are_cut_as_the_dialect_says golden.py "
DIALECT += "peers.py::test_sentences_of_few_words_as_sacrebleu_scores_them_by_default peers.py"

FORMULAS = [
    *_of(
        *("_lengths", LENGTHS),
        ('"closest": _closest,', '"closest": _closest_first,', "of two near lengths the first, not the shorter"),
        ('"closest-first": _closest_first,', '"closest-first": _closest,', "of two near lengths the shorter"),
        ('"shortest": _shortest,', '"shortest": _longest,', "the longest reference for the shortest"),
        ("_MOSES_LIMIT = 9999", "_MOSES_LIMIT = 10_000", "Moses' limit is off by one"),
        ("_PARTS = 720_720", "_PARTS = 360_360", "the mean of 16 references is rounded"),
        ('if rule == "average" else 1', 'if rule == "longest" else 1', "the unit of another rule"),
    ),
    *_of(
        *("_smoothing", SCORES),
        ("np.arange(matches.shape[-1]) > 0", "np.arange(matches.shape[-1]) >= 0", "add-k adds to unigrams, too"),
        ("np.exp2(-np.cumsum(", "np.exp2(1 - np.cumsum(", "the first empty order is not halved"),
        ("(np.cumsum(empty, axis=-1)) * value)", "(np.cumsum(empty, axis=0)) * value)", "swapped axes in method 4"),
        ("before = precisions[..., 0] + 1", "before = precisions[..., 0]", "method 5 starts with p1"),
        ("following[..., order]) / 3", "following[..., order]) / 2", "method 5 divides by 2"),
        ("context.last_length - order", "context.last_length - order - 1", "method 6 counts one n-gram less"),
        ('"method1": Smoothing(_epsilon, _NLTK, 0.1)', '"method1": Smoothing(_epsilon, _NLTK, 0.01)', "default of eps"),
        ('_halving_by_length, f"{_NLTK}; Chen and Cherry 2014", 5.0', '_halving_by_length, "", 4.0', "default of k"),
        ('"add-k": Smoothing(_add_to_higher, _SACREBLEU, 1.0)', '"add-k": Smoothing(_add_to_higher, "", 2.0)', "k = 2"),
        ("_ratio(matches + 1, totals + 1)", "_ratio(matches + 1, totals)", "add-one to matches alone"),
        ("np.maximum(totals, 1).astype(np.float32)", "np.maximum(totals, 1)", "ignite's division in float64"),
        (".tiny, _ratio", ".eps, _ratio", "method 0 with another smallest number"),
        ('_add_one_to_all, "evaluate', '_add_one_to_higher, "evaluate', "evaluate's smoothing leaves unigrams out"),
    ),
    *_of(
        *("_score", SCORES),
        ("np.where(length >= reference, 1.0", "np.where(length > reference, 1.0", "two empty texts are penalized"),
        ("np.divide(reference, length", "np.divide(length + 0.5, length", "the penalty does not see the reference"),
        ("totals = np.maximum(totals, 1)\n", "totals = np.maximum(totals, 2)\n", "a floor of 2"),
        ('if rule == "any-order" else', 'if rule != "any-order" else', "zero when any order has no match, or none"),
        ('(rule == "empty"))', '(rule != "empty"))', "an empty reference makes the score zero, or not"),
        ('rule == "skip" and smoothing.fills_zeros', 'rule == "skip"', "orders are left out without any smoothing"),
        ("weights.astype(np.float32).astype", "weights.astype", "fast-bleu's weights in float64"),
        ('(sentences and config.effective_order == "sentence")', 'config.effective_order == "sentence"', "of corpora"),
        ("(length < 4))[", "(length < 3))[", "texts of 3 tokens are not reweighed"),
        ("config, sentences=True).bleu.mean(", "config).bleu.mean(", "sentences are averaged as if corpora"),
        ("length * parts / reference", "length / reference", "the ratio to an average is in other units"),
        ("-11355.137111933024", "-708.0", "the smallest long double is a double"),
        ("[..., np.newaxis, :] & used", "[..., np.newaxis, :]", "an order of weight 0 can make the score 0"),
        ("np.maximum(table[..., -2], 1), table[..., -1]", "np.maximum(table[..., -2], 1), length", "last is all"),
        ("[one == (0.25,) * 4 for", "[one[:4] == (0.25,) * 4 for", "four weights of 0.25 and a 0 are reweighed, too"),
        ("total[orders : 2 * orders].tolist()", "total[:orders].tolist()", "matches are called totals"),
    ),
    *_of(
        *("_config", "config.py statistics.py found_by_review.py golden.py"),
        ('changed.setdefault("smoothing_value", None)', "pass", "a value stays when its smoothing goes"),
        ('changed["weights"] = None', "pass", "an order goes with weights of another length"),
        ("value is choice or (isinstance(value, str) and value == choice)", "value == choice", "1 is taken for True"),
        (
            "        if name not in BleuConfig.__dataclass_fields__:",
            "        if False:",
            "the error for an unknown option is Python's",
        ),
    ),
    *_of(
        *("_values", "config.py statistics.py found_by_review.py"),
        ("if not 1 <= order <=", "if not 0 <= order <=", "order 0 is accepted"),
        ("number < 0 or (number == 0 and smoothing.positive)", "number < 0", "division by a value of 0"),
        ("if not math.isfinite(number):", "if math.isnan(number):", "infinite weights"),
        ("is not None and order != longest:", "is not None and order < longest:", "more orders than weights"),
    ),
    *_of(
        *("_names", "config.py columns.py found_by_hostile.py found_by_review.py"),
        ("    if isinstance(value, (bool, np.bool_)):\n        return None\n", "", "True is taken for order 1"),
        (
            "except OverflowError:\n        return math.inf",
            "except OverflowError:\n        return 0.0",
            "huge weights are 0",
        ),
    ),
    *_of(
        *("_signature", "config.py"),
        ('    "wtype": "weight_precision",\n', "", "two configurations have one signature"),
        ("{options['smoothing_value']!r}", "{options['smoothing_value']:.3g}", "digits of a value are lost"),
        ("if names[key] in options:", "if False:", "a key may stand twice"),
        ("if missing := [", "if False and [", "a signature need not name everything"),
        ("word.isascii() and word.isdigit()", "word.isdigit()", "digits of any script in a signature"),
    ),
    *_of(
        *(
            "_dialects",
            DIALECT,
        ),
        ('total_floor="segment", zero_precision="skip")', 'total_floor="segment")', "nltk: orders of precision 0"),
        (
            '"nltk": BleuConfig(tokenizer="whitespace", smoothing="method0"',
            '"nltk": BleuConfig(smoothing="method0"',
            "13a",
        ),
        ('smoothing="exp", effective_order="sentence")', 'smoothing="exp")', "sacrebleu: sentences of few words"),
        ('"evaluate": BleuConfig(strip=False, ', '"evaluate": BleuConfig(', "evaluate: white space at the end"),
        ('reference_length="shortest", zero_score="empty")', 'zero_score="empty")', "evaluate: closest reference"),
        ('whitespace="unicode", reference_length="shortest"', 'reference_length="shortest"', "bleuscore: separators"),
        ('zero_score="never"', 'zero_score="empty"', "bleuscore: empty texts"),
        (
            '"torchtext": BleuConfig(tokenizer="whitespace", reference_length="closest-first", zero_score="any-order")',
            '"torchtext": BleuConfig(tokenizer="whitespace", reference_length="closest-first")',
            "torchtext: zeros",
        ),
        ('strip=False, reference_length="closest-first", zero_score', "strip=False, zero_score", "torchmetrics: ties"),
        ('tokenizer="whitespace", strip=False, ref', 'tokenizer="whitespace", ref', "torchmetrics: the end of a text"),
        ('smoothing="none-float32", ', "", "ignite: divisions in float64"),
        (
            '"ignite-micro": BleuConfig(tokenizer="whitespace", total_floor="corpus")',
            '"ignite-micro": BleuConfig(tokenizer="whitespace", zero_score="any-order")',
            "ignite-micro: the floor",
        ),
        ('            weight_precision="float32",\n', "", "fast-bleu: weights in float64"),
        ('            zero_precision="long-double",\n', "", "fast-bleu: precisions of 0"),
        ('whitespace="ascii", reference_length', "reference_length", "multi-bleu: white space outside ASCII"),
        (
            'reference_length="closest-below-9999"',
            'reference_length="closest"',
            "multi-bleu: references of 10,000 words",
        ),
        ('            lowercase="ascii",\n', "", "mteval: case"),
        ('            zero_precision="skip-absent",\n', "", "mteval: texts too short for an order"),
    ),
]

STORED = "statistics.py groups_of_segments.py storage.py"

COUNTED = [
    *_of(
        *("_statistics", STORED),
        ("fewest = min(", "fewest = max(", "the fewest references are the most"),
        ("if part.config != config:", "if False:", "counts of different kinds add up"),
        ("if is_total and len(rows) != 1:", "if False:", "a total has any number of rows"),
        (
            "nrefs if config is None or is_sealed(table) else (0, 0)",
            "nrefs",
            "a joined table keeps a part's references",
        ),
        ('if fewest == most else "var"', 'if True else "var"', "a signature says the fewest references"),
        (
            "        if config is None:\n            refuse_changed(table)\n",
            "",
            "a table put together is taken for whole",
        ),
    ),
    *_of(
        *("_sums", STORED),
        ("= table[..., -1, -len(LAST) :]", "= table[..., 0, -len(LAST) :]", "the first segment for the last"),
        ("prepend=-1)", "prepend=0)", "the first group is lost"),
        (
            "table[np.append(starts[1:], len(table)) - 1, ",
            "table[starts, ",
            "the first segment of a group for its last",
        ),
        ("order = np.argsort(codes, kind", "order = np.argsort(-codes, kind", "groups have each other's labels"),
    ),
    *_of(
        *("_grouped", "security.py"),
        (
            "if len(set(table[_GROUP].to_pylist())) < len(table):",
            "if False:",
            "a label that stands twice drops a group",
        ),
        ("if kind not in (pa.string(), pa.int64(), pa.bool_()) or", "if", "labels of any type are read"),
        ("if not are_references(*nrefs.T).all():", "if False:", "groups with -5 references"),
    ),
    *_of(
        *("_checks", "security.py"),
        ('if sums and config.average == "sentence":', "if False:", "a mean of sentence scores has a total"),
    ),
    *_of(
        *("_sums", "security.py"),
        (" and (counts.astype(object).sum(", " and (counts.sum(", "sums wrap in silence"),
        ("table.view(np.uint64)", "np.abs(table)", "negative counts are summed"),
        ("* table.shape[-2] >= 2**63 and", "* table.shape[-2] >= 2**90 and", "sums leave 64 bits in silence"),
    ),
    *_of(
        *("_segments", STORED),
        ('if config.total_floor == "segment" else 0', 'if config.total_floor == "corpus" else 0', "floor of another"),
        ("parts += [counts.matches[:, 4:5]", "parts += [counts.matches[:, 3:4]", "4-grams of the last segment"),
    ),
    *_of(
        *("_sealed", STORED),
        ("max(config.max_order, 5) if", "config.max_order if", "5-grams are not counted for the last segment"),
        ('about.pop(_SEAL, "") == _seal(table, about)', 'about.pop(_SEAL, "") != ""', "any seal will do"),
        ("json.dumps(sorted(about.items())).encode()", "b''", "the metadata is not sealed"),
        ("if version_of(signature) not in COUNTS_ALIKE:", "if False:", "files of any version are read"),
        ('if signature not in ("", config.signature()):', "if False:", "a table is read by another configuration"),
        ("(fewest > 0) & (fewest <= most)", "(fewest > 0)", "more references at least than at most"),
        ("any(field.type != pa.int64() for field in table.schema)", "False", "columns of any type"),
    ),
    *_of(
        *("_checks", STORED),
        ("(matches > totals)", "(matches > totals + 1)", "one match more than n-grams"),
        ("(rows < 0)", "(rows < -1)", "a count of -1"),
        (">= longest)", "> longest)", "a text of 2**31 tokens"),
        ("(np.diff(lost, axis=1) <= 0)", "(np.diff(lost, axis=1) <= 1)", "more texts with longer n-grams"),
        ("last[:, 2] > length if sums", "last[:, 2] >= length if sums", "a total of one segment is refused"),
        ("_ngrams(last[:, 2] - 4, least)", "_ngrams(last[:, 2] - 5, least)", "5-grams of the last segment, off by one"),
        (
            "first = totals[:, 0] >= length if least",
            "first = totals[:, 0] > length if least",
            "segments without tokens",
        ),
    ),
    *_of(
        *("_grouped", STORED),
        ("if not total.is_total:", "if False:", "rows of segments are saved as totals"),
        (
            "(int(nrefs[place, 0]), int(nrefs[place, 1]))",
            "(int(nrefs[place, 1]), int(nrefs[place, 0]))",
            "most, fewest",
        ),
        ("    refuse_changed(table)\n", "", "a changed file of groups is read"),
        ("    check_counts(rows, counted, sums=True)\n", "", "impossible counts of groups are read"),
        ("if len(found) > 1 or any(", "if any(", "labels of several kinds"),
    ),
    *_of(
        *("_drafts", STORED),
        ("draft.replace(goal)", "goal.write_bytes(content)", "a file is written in place"),
        ("draft.unlink(missing_ok=True)", "pass", "drafts are left behind"),
        ("draft.chmod(mode)", "pass", "the mode of a file is lost"),
    ),
    *_of(
        *("_storage", STORED),
        ('compression="zstd"', 'compression="none"', "files are not packed"),
    ),
    *_of(
        *("_labels", "groups_of_segments.py"),
        ("if len(labels) != segments:", "if len(labels) < segments:", "labels left over are dropped"),
        (" or kind is bool:", ":", "True is a label"),
    ),
    *_of(
        *("_levels", "groups_of_segments.py"),
        ('lengths, side="right")', 'lengths, side="left")', "a text as long as an edge is below it"),
        (".bleu.take(order, axis=0)", ".bleu", "sentence scores of other groups"),
        ("scores.brevity_penalty[place])", "scores.brevity_penalty[0])", "the penalty of the first group"),
    ),
]

DRAWN = "significance.py found_by_review.py"

CHANCE = [
    *_of(
        *("_resampling", DRAWN),
        ("too_small = 2**32 % segments", "too_small = 0", "some segments are likelier than others"),
        ("low >= too_small", "low > too_small", "one word too many is thrown away"),
        ('bitorder="little")\n        yield', 'bitorder="big")\n        yield', "tosses in another order"),
        (
            "part.score(totals[0] + gain) - base.score(total - gain)",
            "base.score(total - gain) - part.score(totals[0] + gain)",
            "differences have the other sign",
        ),
        ("_EXACT_SINGLE = 2**53, 2**24", "_EXACT_SINGLE = 2**53, 2**30", "sums are rounded in float32"),
        ("left = drawn[shape[0] * segments :].copy()", "left = drawn[:0]", "drawn words are lost between chunks"),
        ("table[:-1, -last:] = 0", "table[1:, -last:] = 0", "the first segment for the last"),
        ("indices[:, -1].copy()", "indices[:, 0].copy()", "the first segment drawn for the last"),
        ("default_rng(seed)\n    too_small", "default_rng(12345)\n    too_small", "the bootstrap ignores its seed"),
        ("default_rng(seed)\n    rows", "default_rng(12345)\n    rows", "the randomization ignores its seed"),
        ("top = _top([baseline, *systems])", "top = None", "sentence scores on two scales"),
        ("if largest * segments >= _EXACT:", "if False:", "sums beyond 2**53"),
    ),
    *_of(
        *("_significance", DRAWN),
        ("((1 - confidence) / 2, (1", "((1 - confidence), (1", "the lower end of a 90 % interval"),
        ("n_resamples // 40", "n_resamples // 20", "half a width of 90 %"),
        ("in_order[n_resamples - left_out - 1]", "in_order[n_resamples - left_out - 2]", "a half width off by one"),
        ("if not 0 < number < 1:", "if not 0 < number <= 1:", "100 % is accepted"),
        ("seed: int = 12345,", "seed: int = 1234,", "another seed by default"),
        ("if number < least:", "if number < least - 1:", "no resamples at all"),
    ),
    *_of(
        *("_paired", DRAWN),
        ("(count(*one) + 1) / (n_resamples + 1)", "count(*one) / n_resamples", "a p-value of 0"),
        ("(np.abs(trials) >= abs(observed))", "(np.abs(trials) > abs(observed))", "equal differences are not as large"),
        ("np.abs(trials - observed) >=", "np.abs(trials) >=", "no shift to the null hypothesis"),
        ("np.abs(trials - observed) >=", "np.abs(trials - trials.mean()) >=", "the seed decides what is as far"),
        ("return len(trials)  #", "return 0  #", "resamples that are all alike are evidence"),
        ("bleu - scores[0] for bleu", "scores[0] - bleu for bleu", "the difference has the other sign"),
    ),
    *_of(
        *("_comparison", DRAWN),
        ("np.arange(len(p_values), 0, -1)", "np.arange(1, len(p_values) + 1)", "Holm's factors in reverse"),
        (
            "np.maximum.accumulate(np.asarray(p_values)[order] * factors)",
            "(np.asarray(p_values)[order] * factors)",
            "order",
        ),
        ("if len(system) != len(baseline):", "if len(system) < len(baseline):", "more segments than the baseline"),
        ("if known and max(", "if False and max(", "other references"),
        ("    if len(differ):", "    if False:", "other segments"),
    ),
]

HOST = " ".join(
    f"host.py::test_{name}"
    for name in (
        *("unknown_dialect", "options", "keys_of_evaluates_own_bleu", "sentence_scores", "every_form_of_input"),
        *("a_bad_batch_leaves_the_good_ones", "a_batch_of_empty_lists_goes_with_any_tokens"),
        *("a_metric_that_raised_leaves_no_file", "a_metric_that_raised_scores_again_at_once"),
    )
)
HOST += " groups_of_segments.py::test_metric found_by_review.py::test_copies_of_a_used_metric"
HOST += " host.py::test_the_first_batches_are_empty_lists"

HOOK = " ".join(
    f"trainer.py::test_{name}"
    for name in (
        *(
            "ids_are_decoded",
            "padding_is_the_tokenizers_own",
            "logits_are_argmaxed",
            "several_weights_have_names",
            "mean_of_sentences_in_batches",
        ),
        *("white_space_around_decoded_texts_is_no_token", "a_broken_evaluation_leaves_nothing_to_the_next"),
        *(
            "wrong_use_of_the_hook",
            "repeated_samples_of_several_processes",
            "reward_as_trl_calls_it",
            "the_last_message_of_a_chat_is_the_completion",
        ),
        "memory_does_not_grow_with_the_evaluation_set",
    )
)
HOOK += " found_by_review.py::test_the_hook_recovers found_by_review.py::test_chats_in_parts"
HOOK += " trainer.py::test_what_is_predicted_for_padding_does_not_count"
HOOK += " trainer.py::test_padding_of_a_tokenizer_without_a_token_for_it"

INPUTS = [
    *_of(
        *("_columns", "columns.py found_by_review.py datasets.py::test_errors"),
        ("if len(left) != len(right):", "if len(left) > len(right):", "references left over are dropped"),
        ("    if not len(left):", "    if False:", "nothing is scored"),
        ("False, first, last, self.first_row + first)", "False, first, last, first)", "rows are numbered per batch"),
        ('kind = "ids" if kind == "ids" else "tokens"', 'kind = "tokens"', "empty predictions are strings"),
        ('if kind == "tokens" and not nested', 'if kind == "tokens" and nested', "texts are taken for tokens"),
        ("if answer is not None), True)", "if answer is not None), False)", "empty lists are one reference each"),
    ),
    *_of(
        *("_lists", "columns.py found_by_review.py"),
        ("_NO_IDS = (bool, np.bool_,", "_NO_IDS = (np.bool_,", "True is a token id"),
        ('accepted if name == "predictions" else', 'accepted if name == "nothing" else', "None is a prediction"),
        ("if not per_row.all():", "if False:", "a segment without reference"),
        ("row = first + int(np.argmin(per_row))", "row = int(np.argmin(per_row))", "rows are numbered per batch"),
        ("items = [[] if row is None else row for row in items]", "items = [row for row in items if row]", "rows go"),
    ),
    *_of(
        *("_arrow", "engine.py::test_chunks_and_threads_do_not_matter[sacrebleu] found_by_hostile.py"),
        ("(read, middle, last)", "(read, middle + 1, last)", "a segment is lost where a batch is halved"),
    ),
    *_of(
        *(
            "_arrow",
            "columns.py found_by_review.py engine.py::test_container_does_not_matter "
            "engine.py::test_columns_are_read_in_batches",
        ),
        ("4 * array.offset)", "0)", "slices of lists are read from the start"),
        ('if array.null_count and name == "references":', "if False:", "null references are an error"),
        ("slice(start, last - start)", "slice(start, last)", "a batch has the rows of the next, too"),
        ("    _no_nulls(tokens, name, first, row_of_token)\n", "", "null is a token"),
        ("if pa.types.is_dictionary(array.type):", "if False:", "a null in a dictionary is a text"),
        ("tokens.cast(pa.int64())", "tokens.cast(pa.int64(), safe=False)", "huge token ids wrap around"),
    ),
    *_of(
        *("bleu_metric", HOST + " groups_of_segments.py::test_metric_refuses_wrong_levels"),
        (
            "(self, **options)\n        except BaseException:\n            self._release()\n",
            "(self, **options)\n        except BaseException:\n            pass\n",
            "a metric that raised keeps its locks",
        ),
        ("        if others:\n", "        if False:\n", "unknown inputs are dropped"),
        (
            "bootstrap(statistics, n_resamples, seed, confidence)",
            "bootstrap(statistics, n_resamples)",
            "the seed is ignored",
        ),
        ("[interval.low, interval.high]", "[interval.high, interval.low]", "an interval from high to low"),
        ("sentence_scores_of(statistics).tolist()", "sorted(sentence_scores_of(statistics).tolist())", "sorted scores"),
        ("sentence_scores: bool = False,", "sentence_scores: bool = True,", "sentence scores without being asked"),
        ("config_of(self.config_name, {})  #", "pass  #", "an unknown dialect is no error when loaded"),
    ),
    *_of(
        *("_kinds", HOST),
        (" or len(references.flatten().flatten()) > 0", "", "references of empty predictions are cast"),
        ("    if not pa.types.is_list(predictions.type):", "    if True:", "empty lists are strings"),
        (
            "if table.schema.types == kind.types:\n        return",
            "if True:\n        return",
            "texts are mixed with tokens",
        ),
        ("_lists(references.per_row, ", "_lists(references.per_row[::-1], ", "references of other segments"),
    ),
    *_of(
        *("_staging", HOST),
        (
            "Path(path).unlink()\n                lock.release",
            "pass\n                lock.release",
            "staged files are left behind",
        ),
        (' if name != "_own"}', "}", "a copy shares what is staged"),
        ("(*(self.held or ()), *tables)", "tables", "empty lists that came first are lost"),
    ),
    *_of(
        *("_trainer", HOOK),
        ("_IGNORED = -100", "_IGNORED = -101", "padding is decoded"),
        ("rows = np.where(numbers == _IGNORED, pad,", "rows = np.where(numbers == _IGNORED, 0,", "padding is token 0"),
        ("row[row != _IGNORED].tolist()", "abs(row).tolist()", "padding is a token where there is none for it"),
        ("            self.reset()  #", "            pass  #", "what is left of a broken evaluation counts"),
        ("ids = ids[0] if", "ids = ids[-1] if", "the last of several outputs"),
        ("return min(given, left)", "return given", "repeated samples count twice"),
        ("ids = logits.argmax(-1)", "ids = logits.argmax(1)", "swapped axes of logits"),
        ("return ids - (ids - _IGNORED) * (labels == _IGNORED)", "return ids", "what is predicted for padding counts"),
        ('if counted.config.average == "sentence" else counted.total()', "if True else counted", "rows pile up"),
        ("[text.strip() for text in texts]", "texts", "white space around decoded texts"),
        ("counted is None or seen != (self._samples or seen)", "counted is None", "samples are missing"),
    ),
    *_of(
        *("_reward", HOOK),
        ("completion[-1].get", "completion[0].get", "the first message of a chat"),
    ),
    *_of(
        *("_partial", "partial.py"),
        ('{"fewest": "min", "most": "max"', '{"fewest": "max", "most": "max"', "the fewest references of groups"),
        ("reshape(-1, 2)", "reshape(2, -1).T", "swapped axes of numbers of references"),
        ('min(errors, key=lambda row: list(map(int, re.findall("[0-9]+", row["error"]))))', "errors[-1]", "last error"),
        ("if len(kinds) > 1:", "if False:", "strings and tokens add up"),
        ("if config.depends_on_segment_order:", "if False:", "a last segment where there is no order"),
        ('    if config.average == "sentence":', "    if False:", "sums for a mean of sentence scores"),
        ("table.group_by(list(_KEYS)", 'table.group_by(["text"]', "labels are ignored"),
    ),
    *_of(
        *(
            "_datasets",
            "datasets.py::test_errors datasets.py::test_no_rows_or_two_types datasets.py::test_forms_of_a_data_set",
        ),
        ("first += len(table)", "pass", "rows of a data set are numbered per batch"),
        ("(as_int(batch_size) or 0) < 1:", "(as_int(batch_size) or 0) < 0:", "batches of no rows"),
        ("counted + statistics", "statistics", "only the last batch counts"),
    ),
    *_of(
        *(
            "_tables",
            "datasets.py::test_several_columns_of_references datasets.py::test_no_rows_or_two_types",
        ),
        (".reshape(several, rows).T.ravel()", ".reshape(several, rows).ravel()", "references of other segments"),
        ("if common is None:", "if False:", "columns of several types"),
    ),
    *_of(
        *("_explain", "explain.py"),
        ("return self.after - self.before", "return self.before - self.after", "a change has the other sign"),
    ),
    *_of(
        *("_systems", "systems.py"),
        ("if other.layout != first.layout:", "if False:", "systems of several kinds"),
        (
            "others=tuple((name, other.predictions)",
            "others=tuple((name, first.predictions)",
            "all systems are the first",
        ),
    ),
    *_of(
        *("_matches", "matches.py"),
        ("if left[ngram]:", "if ngram in left:", "matches that are shown are not clipped"),
        ("max(most[ngram], times)", "most[ngram] + times", "clipped at the sum of the references where shown"),
    ),
    *_of(
        *("_distributed", "spark.py::test_a_null_is_named_by_partition_and_row"),
        ("first += len(batch)", "pass", "Spark: rows are numbered per batch"),
    ),
]

FAULTS = [*ENGINE, *TOKENS, *FORMULAS, *COUNTED, *CHANCE, *INPUTS]
