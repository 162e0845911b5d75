"""The table of counts, and the BLEU formula: precisions, brevity penalty and score of each row of counts.

`bleu_of_rows` computes the scores of any number of rows with NumPy. `bleu_of_row` computes the same score for one row.
It uses plain Python, because even the shortest array operation costs microseconds. Only a few smoothings need arrays.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from ._config import BleuConfig, Columns, columns_of, depends_on_segment_order, weights_of
from ._lazy import np
from ._rules import SMOOTHINGS, Counted, precisions_of_row, precisions_of_rows, units_per_token
from ._validation import Array, Bools, Floats, Ints, short_repr, typed

LAST_SEGMENT_COLUMNS = ("last_matches_5", "last_totals_5", "last_length")

_IMPOSSIBLE_SUM = 1 << 58  # each column of one table sums to less than this, so int64 can hold a sum of many tables


class References(NamedTuple):
    """The smallest and the largest number of references per segment in a corpus; both are 0 if unknown."""

    fewest: int = 0
    most: int = 0

    @property
    def is_known(self) -> bool:
        return self.fewest > 0

    @classmethod
    def of_sizes(cls, sizes: Ints) -> References:
        """Return the smallest and the largest number in `sizes`, which has each segment's number of references."""
        return cls(int(sizes.min()), int(sizes.max()))

    @classmethod
    def of_parts(cls, parts: Sequence[References]) -> References:
        """Merge the numbers of several parts of a corpus. If one part's numbers are unknown, the result is unknown."""
        if not all(part.is_known for part in parts):
            return cls()
        return cls(min(part.fewest for part in parts), max(part.most for part in parts))

    @classmethod
    def parse(cls, text: str) -> References:
        """Parse a string from `to_text`, such as "1-4". Raise ``ValueError`` for any other string."""
        match = re.fullmatch(r"(\d{1,18})-(\d{1,18})", text, re.ASCII)  # numbers of 18 digits fit into int64
        if match:
            fewest, most = map(int, match.groups())
            is_unknown = fewest == most == 0
            if is_unknown or 0 < fewest <= most:
                return cls(fewest, most)

        raise ValueError(
            f"the metadata is damaged: {short_repr(text)} must be the fewest and the most references of a segment, "
            "such as '1-4'"
        )

    def to_text(self) -> str:
        """Return the two numbers as text, for the metadata of a table.

        >>> References(1, 4).to_text()
        '1-4'
        """
        return f"{self.fewest}-{self.most}"


ONE_REFERENCE = References(1, 1)  # every segment has exactly one reference


class CountTable(NamedTuple):
    """A table of counts, and the configuration with which they were counted.

    The columns are the clipped matches of orders 1 to N, the numbers of n-grams of orders 1 to N, the translation
    length and the reference length. If the score depends on the last segment (NLTK's methods 5 to 7), the columns
    LAST_SEGMENT_COLUMNS follow. For N = 2, the columns are:

        matches_1, matches_2, totals_1, totals_2, translation_length, reference_length

    The properties return views of `rows`. In their shapes, "…" means all axes of `rows` except the last.
    """

    rows: Array  # int64, or float64 for expected counts; shape (…, columns)
    config: BleuConfig

    @property
    def matches(self) -> Array:
        """Clipped matches, shape (…, orders)."""
        return self.rows[..., : self.config.max_order]

    @property
    def totals(self) -> Array:
        """Numbers of n-grams of the predictions, shape (…, orders)."""
        n_orders = self.config.max_order
        return self.rows[..., n_orders : 2 * n_orders]

    @property
    def lengths(self) -> Array:
        """Numbers of tokens of the predictions, shape (…,)."""
        return self.rows[..., 2 * self.config.max_order]

    @property
    def reference_lengths(self) -> Array:
        """Effective reference lengths, shape (…,), in the unit that `units_per_token` defines."""
        return self.rows[..., 2 * self.config.max_order + 1]

    @property
    def last_segment(self) -> Array:
        """The columns LAST_SEGMENT_COLUMNS, shape (…, 3); or (…, 0) if the score does not depend on them."""
        return self.rows[..., 2 * self.config.max_order + 2 :]

    def sum(self) -> CountTable:
        """Sum the rows: shape (…, rows, columns) -> (…, columns)."""
        return CountTable(sum_of_rows(self.rows, columns_of(self.config)), self.config)

    def check(self, are_sums: bool) -> None:
        """Raise ``ValueError`` if the counts, of shape (rows, columns), are impossible, as in a damaged file.

        Accepted counts give scores from 0 to 1 and can be added. If rows are wrong, the message has the index of the
        first one and the reason. `are_sums`: True if each row is a sum over segments, False if each row is one segment.
        """
        if are_sums and self.config.average == "sentence":
            raise ValueError("average='sentence' needs one row of counts per segment, but these counts are sums")

        _refuse_rows((self.rows < 0).any(axis=1), "a count is negative")

        # The limit leaves room in int64 for sums of several tables. These sums are floats, which cannot overflow
        sums = self.rows.sum(axis=0, dtype=np.float64)
        if (sums >= _IMPOSSIBLE_SUM).any():
            raise ValueError("these are not BLEU statistics: the counts of a column add up to more than any corpus has")

        _refuse_rows((self.matches > self.totals).any(axis=1), "an order has more matches than n-grams")

        # NLTK's methods 5 and 7 also use the 5-grams of the last segment, which have columns of their own
        if depends_on_segment_order(self.config):
            last_matches, last_totals, _ = self.last_segment.T
            _refuse_rows(last_matches > last_totals, "the last segment has more matches than 5-grams")

        # A segment's length determines its numbers of n-grams; the total length of several segments does not
        if not are_sums:
            n_orders = self.totals.shape[1]
            expected_totals = ngram_totals(self.lengths, columns_of(self.config))[:, :n_orders]
            is_wrong = (self.totals != expected_totals).any(axis=1)
            _refuse_rows(is_wrong, "the numbers of n-grams do not match the translation length")


def table_of_segments(matches: Array, lengths: Ints, reference_lengths: Array, columns: Columns) -> Ints:
    """Build a table with one row per segment.

    Args:
        matches: clipped matches, shape (segments, orders), with at least ``columns.highest_order`` orders.
        lengths: number of tokens of each prediction, shape (segments,).
        reference_lengths: effective reference lengths, shape (segments,); `units_per_token` defines the unit.
        columns: the columns of the table.
    """
    n_orders = columns.orders
    totals = ngram_totals(lengths, columns)
    parts = [matches[:, :n_orders], totals[:, :n_orders], lengths, reference_lengths]
    if columns.last_order:
        index = columns.last_order - 1  # the column of order n has the index n - 1
        parts += [matches[:, index], totals[:, index], lengths]
    return np.column_stack(parts)


def sum_of_rows(rows: Array, columns: Columns) -> Array:
    """Sum the rows of a table: shape (…, rows, columns) -> (…, columns).

    Columns that describe the last segment are not summed; they are copied from the last row.
    """
    total: Array = rows.sum(axis=-2)
    n_sums = 2 * columns.orders + 2
    if rows.shape[-2] > 0:
        total[..., n_sums:] = rows[..., -1, n_sums:]
    return total


def ngram_totals(lengths: Ints, columns: Columns) -> Ints:
    """Return the number of n-grams of each segment and order, shape (segments, orders). `lengths`: tokens per segment.

    A segment of 3 tokens has 3 unigrams, 2 bigrams, 1 trigram and, with ``total_floor="segment"``, 1 4-gram. Without
    this option, it has 0 4-grams.
    """
    fewer_than_tokens = np.arange(columns.highest_order)[:, np.newaxis]
    # The array is built as (orders, segments) and transposed, because NumPy is faster if the long axis comes last
    totals: Ints = np.maximum(lengths - fewer_than_tokens, columns.least_total)
    return totals.T


def column_names(config: BleuConfig) -> list[str]:
    """Return the column names of a configuration's table, in order."""
    orders = range(1, config.max_order + 1)
    names = [f"{counts}_{order}" for counts in ("matches", "totals") for order in orders]
    names += ["translation_length", "reference_length"]
    if depends_on_segment_order(config):
        names += LAST_SEGMENT_COLUMNS
    return names


def _refuse_rows(wrong: Bools | np.bool_, reason: str) -> None:
    """Raise ``ValueError`` with the index of the first wrong row. `wrong`: one flag per row, True if it is wrong."""
    if wrong.any():
        first = int(np.argmax(wrong))  # the index of the first True
        raise ValueError(f"these are not BLEU statistics: in row {first}, {reason}")


# --- The formula ----------------------------------------------------------------------------------------------------

_LARGEST_EXPONENT = math.log(sys.float_info.max)
_WEIGHTS_OF_BLEU_4 = (0.25,) * 4
_FEW_ROWS = 11  # for more rows, `bleu_of_rows` is faster than `bleu_of_row`


def _too_large() -> ValueError:
    option = typed("smoothing_value")
    return ValueError(f"the score is too large for a float: pass smaller weights or another {option}")


def bleu_of_rows(table: CountTable, sentences: bool = False) -> Floats:
    """Compute BLEU = BP * exp(sum of w_n * log p_n) for every row (Papineni et al. 2002).

    Args:
        table: counts of shape (…, columns), where … stands for any number of axes.
        sentences: whether each row is one sentence. Only the settings ``effective_order="sentence"`` and
            ``zero_score="empty-prediction"`` depend on it.

    Returns:
        Scores on a scale of 0 to 1, of shape (…,).

    Raises:
        ValueError: a score or a precision is not finite.
    """
    config = table.config
    counts = _prepare_counts(table)
    with _without_warnings():
        precisions = smoothed_precisions(counts)
        weights = order_weights(counts, precisions, sentences)
        log_of_zero = _log_of_zero(counts.totals, config)
        bleu = brevity_penalty(counts) * weighted_geometric_mean(precisions, weights, log_of_zero)

    is_zero = _zero_flags(counts, sentences)
    bleu = np.where(is_zero, 0.0, bleu)
    # With "no-match", rows without a match are not smoothed, so they cannot be too large
    if config.zero_score == "no-match":
        precisions = np.where(is_zero[..., np.newaxis], 0.0, precisions)

    are_finite = np.isfinite(bleu).all() and np.isfinite(precisions).all()
    if not are_finite:
        raise _too_large()
    return bleu


def _without_warnings() -> np.errstate:
    """Return a context without NumPy's warnings about infinity and NaN. The caller checks its results for these."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore")


def _prepare_counts(table: CountTable) -> CountTable:
    """Return a copy of the counts. With ``total_floor="corpus"``, each order has at least 1 n-gram in the copy.

    Each column of the copy is contiguous, so that NumPy's inner loops run over the rows.
    """
    counts = CountTable(np.array(table.rows, order="F"), table.config)
    if table.config.total_floor == "corpus":
        np.maximum(counts.totals, 1, out=counts.totals)
    return counts


def smoothed_precisions(counts: CountTable) -> Floats:
    """Compute the modified precisions of all orders, with the configured smoothing. Shape: (…, orders)."""
    config = counts.config
    value = config.smoothing_value or 0.0  # it is None if the formula uses no value
    counted = Counted(
        counts.matches, counts.totals, value, translation_length=counts.lengths, last_segment=counts.last_segment
    )
    return precisions_of_rows(SMOOTHINGS[config.smoothing], counted)


def brevity_penalty(counts: CountTable) -> Floats:
    """Compute the brevity penalty of translation length c and effective reference length r, shape (…,).

    The penalty is 1 if c >= r, 0 if c = 0 < r, and exp(1 - r/c) otherwise (Papineni et al. 2002, section 2.2.2). A few
    smoothings add constants to c and r.
    """
    config = counts.config
    lengths, references = _compared_lengths(counts.lengths, counts.reference_lengths, config)
    ratios = np.full(lengths.shape, np.inf)  # r/c stays infinite if c = 0: exp(1 - inf) is 0
    np.divide(references, lengths, out=ratios, where=lengths > 0)
    penalties = np.exp(1 - ratios)
    is_long_enough = lengths >= references
    return np.where(is_long_enough, 1.0, penalties)


def _compared_lengths(lengths: Any, reference_lengths: Any, config: BleuConfig) -> tuple[Any, Any]:
    """Return the lengths c and r for the brevity penalty, in tokens. The arguments are numbers or arrays of numbers."""
    added_to_c, added_to_r = SMOOTHINGS[config.smoothing].added_to_lengths
    reference_tokens = reference_lengths / units_per_token(config.reference_length)
    return lengths + added_to_c, reference_tokens + added_to_r


def order_weights(counts: CountTable, precisions: Floats, sentences: bool) -> Floats:
    """Return the weights to use for each row, in an array that broadcasts to (…, orders).

    The options `effective_order` and `auto_reweigh` change the weights of rows with few tokens.
    """
    config = counts.config
    weights = np.array(weights_of(config))
    if _leaves_out_orders(config, sentences):
        is_defined = (counts.totals > 0) | (precisions > 0)
        weights = _effective_weights(weights, is_defined)
    if _reweighs_short_texts(config):
        weights = _reweighed_if_short(weights, counts.lengths)
    return weights


def _leaves_out_orders(config: BleuConfig, is_sentence: bool) -> bool:
    """Return whether the option `effective_order` applies to a score. `is_sentence`: whether it is a sentence score."""
    return config.effective_order is True or (is_sentence and config.effective_order == "sentence")


def _reweighs_short_texts(config: BleuConfig) -> bool:
    """Return whether `auto_reweigh` applies: NLTK's option changes only the weights 0.25 0.25 0.25 0.25."""
    return config.auto_reweigh and weights_of(config) == _WEIGHTS_OF_BLEU_4


def _effective_weights(weights: Floats, is_defined: Bools) -> Floats:
    """Set the weight of each undefined order to 0. Scale the other weights so that their sum stays the same.

    For example, the weights 0.25 0.25 0.25 0.25 become 0.5 0.5 0 0 if only two orders are defined.

    `is_defined`: shape (…, orders), False for orders with neither n-grams nor a precision. If the other weights sum
    to 0, they are not scaled. Rows in which no weight is set to 0 do not change.
    """
    defined_weights = is_defined * weights
    loses_weight = (defined_weights != weights).any(axis=-1, keepdims=True)

    old_sum = weights.sum()
    new_sum = defined_weights.sum(axis=-1, keepdims=True)
    can_scale = loses_weight & (new_sum != 0)

    # Divide before multiplying, because the product of two tiny weights could be 0
    shares = np.divide(defined_weights, new_sum, out=defined_weights.copy(), where=can_scale)
    return np.where(can_scale, shares * old_sum, defined_weights)


def _reweighed_if_short(weights: Floats, lengths: Ints) -> Floats:
    """Replace the weights of rows with 1 to 3 predicted tokens, as NLTK's ``auto_reweigh`` does.

    Orders up to the number of tokens get the weight 1 / number of tokens. Longer orders get the weight 0. For example,
    a row with 2 tokens gets the weights 0.5 0.5 0 0.
    """
    lengths = lengths[..., np.newaxis]
    is_short = (lengths >= 1) & (lengths <= 3)
    has_order = np.arange(1, 5) <= lengths
    return np.where(is_short, has_order / np.maximum(lengths, 1), weights)


def _log_of_zero(totals: Ints | int, config: BleuConfig) -> Floats | float:
    """Return the number that replaces log(0) for a precision of 0. -inf makes the score 0, and 0 leaves out the order.

    `totals`: number of n-grams of the order, or an array of such numbers.
    """
    rule = config.zero_precision
    if rule == "skip-absent":
        return np.where(np.equal(totals, 0), 0.0, -np.inf)
    is_left_out = rule == "skip" and SMOOTHINGS[config.smoothing].fills_zeros
    return 0.0 if is_left_out else -math.inf


def weighted_geometric_mean(precisions: Floats, weights: Floats, log_of_zero: Floats | float) -> Floats:
    """Compute exp(sum of w_n * log p_n) for each row.

    Args:
        precisions: p_n, of shape (…, orders).
        weights: w_n, in an array that broadcasts to (…, orders).
        log_of_zero: replaces log p_n where p_n is 0. One number, or an array of shape (…, orders).

    Returns:
        Means of shape (…,). If -inf replaces the logarithm of an order whose weight is not 0, the mean is 0. Without
        this rule, a negative weight would make the mean infinite.

    The caller silences NumPy's warnings, because log(0) and 0 * -inf are computed and then replaced.
    """
    logs = np.where(precisions > 0, np.log(precisions), log_of_zero)
    is_used = weights != 0
    terms = np.where(is_used, weights * logs, 0.0)  # because 0 * -inf is NaN
    means = np.exp(terms.sum(axis=-1))
    makes_zero = is_used & np.isneginf(logs)
    return np.where(makes_zero.any(axis=-1), 0.0, means)


def _zero_flags(counts: CountTable, sentences: bool) -> Bools:
    """Return flags of shape (…,): True where `zero_score` makes the score 0."""
    rule = counts.config.zero_score
    lacks_match = counts.matches == 0
    if rule == "any-order":
        return np.asarray(lacks_match.any(axis=-1))
    if rule == "no-match":
        return np.asarray(lacks_match.all(axis=-1))
    return np.asarray(_lacks_text(rule, counts.lengths, counts.reference_lengths, sentences))


def _lacks_text(rule: str, lengths: Ints | int, reference_lengths: Ints | int, is_sentence: bool) -> Bools | bool:
    """Return whether `rule` makes a score 0 because a text is empty. For arrays of lengths, return an array.

    `rule`: the value of `zero_score`. Only "empty" and "empty-prediction" make such scores 0. With "empty-prediction",
    empty references make a corpus score 0, but not a sentence score.
    """
    needs_predictions = rule in ("empty", "empty-prediction")
    allows_no_references = is_sentence and rule == "empty-prediction"
    needs_references = needs_predictions and not allows_no_references

    lacks_predictions = needs_predictions & (lengths == 0)  # not `and`, which does not accept arrays
    lacks_references = needs_references & (reference_lengths == 0)
    return lacks_predictions | lacks_references


class RowScore(NamedTuple):
    """The score of one row of counts, with its precisions and its brevity penalty."""

    bleu: float
    precisions: list[float]
    brevity_penalty: float


def bleu_of_row(row: list[int], config: BleuConfig, is_sentence: bool = False) -> RowScore:
    """Compute the score of one row, and raise the same errors as `bleu_of_rows`.

    `row`: the counts of one row, in the columns of `CountTable`: matches of each order, numbers of n-grams of each
    order, translation length and reference length. This function takes 3 µs for a row. `bleu_of_rows` takes 40 µs.
    """
    n_orders = config.max_order
    matches = row[:n_orders]
    totals = row[n_orders : 2 * n_orders]
    length, reference_length = row[2 * n_orders : 2 * n_orders + 2]
    if config.total_floor == "corpus":
        totals = [max(total, 1) for total in totals]

    rule = config.zero_score
    penalty = _row_penalty(length, reference_length, config)
    # As in sacrebleu, nothing is smoothed if nothing matches
    if rule == "no-match" and not any(matches):
        return RowScore(0.0, [0.0] * n_orders, penalty)

    precisions = _row_precisions(row, matches, totals, config)
    if _lacks_text(rule, length, reference_length, is_sentence):
        if rule == "empty":  # as in the output of multi-bleu.perl
            penalty = 0.0
        return RowScore(0.0, precisions, penalty)
    if rule == "any-order" and 0 in matches:
        return RowScore(0.0, precisions, penalty)

    weights = _row_weights(length, totals, precisions, config, is_sentence)
    return RowScore(penalty * _row_mean(precisions, weights, totals, config), precisions, penalty)


def _row_precisions(row: list[int], matches: list[int], totals: list[int], config: BleuConfig) -> list[float]:
    """Compute the precisions of one row with plain numbers or, if the smoothing needs them, with arrays."""
    smoothing = SMOOTHINGS[config.smoothing]
    if smoothing.changes != "all" and 0 not in matches:
        return [match / total for match, total in zip(matches, totals, strict=True)]

    length = row[2 * config.max_order]
    value = config.smoothing_value or 0.0  # it is None if the formula uses no value
    precisions = precisions_of_row(smoothing, matches, totals, length, value)
    if precisions is None:
        counts = _prepare_counts(CountTable(np.array(row, np.int64), config))
        with _without_warnings():
            precisions = smoothed_precisions(counts).tolist()
    if not all(map(math.isfinite, precisions)):
        raise _too_large()
    return precisions


def _row_penalty(length: int, reference_length: int, config: BleuConfig) -> float:
    """Compute the penalty that `brevity_penalty` computes, but for one row."""
    c, r = _compared_lengths(length, reference_length, config)
    if c >= r:
        return 1.0
    return math.exp(1 - r / c) if c else 0.0


def _row_weights(
    length: int, totals: list[int], precisions: list[float], config: BleuConfig, is_sentence: bool
) -> Sequence[float]:
    """Return the weights that `order_weights` returns, but for one row. `totals`: the row's numbers of n-grams."""
    weights = weights_of(config)
    if _reweighs_short_texts(config) and 1 <= length <= 3:
        return [1 / length] * length  # higher orders have no weight

    if 0 in totals and _leaves_out_orders(config, is_sentence):
        columns = zip(weights, totals, precisions, strict=True)
        defined_weights = [weight if total or precision > 0 else 0.0 for weight, total, precision in columns]
        old_sum, new_sum = sum(weights), sum(defined_weights)
        if new_sum and defined_weights != [*weights]:
            return [weight / new_sum * old_sum for weight in defined_weights]
        return defined_weights
    return weights


def _row_mean(precisions: list[float], weights: Sequence[float], totals: list[int], config: BleuConfig) -> float:
    """Compute `weighted_geometric_mean` for one row. Raise ``ValueError`` if the mean exceeds float64."""
    exponent = 0.0
    # NLTK's `auto_reweigh` shortens the weights
    for weight, precision, total in zip(weights, precisions, totals, strict=False):
        if not weight:
            continue  # an order without a weight cannot make the mean 0

        if precision > 0:
            exponent += weight * math.log(precision)
        elif _log_of_zero(total, config) == -math.inf:
            return 0.0  # even if the weight is negative, as in `weighted_geometric_mean`

    # The sum is NaN if two huge weights make one term infinite and another minus infinite
    if math.isnan(exponent) or exponent > _LARGEST_EXPONENT:
        raise _too_large()
    return math.exp(exponent)


def bleu_of_sentences(table: CountTable) -> Floats:
    """Score each row as a sentence. Return an array of shape (rows,)."""
    rows, config = table
    if len(rows) <= _FEW_ROWS:
        return np.array([bleu_of_row(row, config, is_sentence=True).bleu for row in rows.tolist()], np.float64)
    return bleu_of_rows(table, sentences=True)
