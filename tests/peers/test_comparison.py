"""The comparison that all tests rely on can fail."""

from make_golden import changed
from peers import Answer, differences

GOOD = Answer(0.5, [3, 2], [4, 3], 4, 4)


def test_a_score_is_held_to_1e_12_relative() -> None:
    assert differences(GOOD, GOOD._replace(bleu=0.5 + 4e-13)) == []
    assert differences(GOOD, GOOD._replace(bleu=0.5 + 6e-13))
    assert differences(Answer(1e-200), Answer(1.1e-200))
    assert differences(Answer(0.0), Answer(1e-300))
    assert differences(Answer(float("nan")), Answer(0.5))


def test_recorded_values_that_only_one_side_has_are_named() -> None:
    answers = {"bleu": 0.5}
    old = {"values": {"cats": {"exp": answers, "gone": answers}, "dogs": {"exp": answers}}}
    new = {"values": {"cats": {"exp": {"bleu": 0.25}, "new": answers}, "dogs": {"exp": {**answers, "totals": [1]}}}}
    assert [line.split(":")[0] for line in changed(old, new)] == ["cats, exp", "cats, gone", "dogs, exp", "cats, new"]
    assert changed(old, old) == []
