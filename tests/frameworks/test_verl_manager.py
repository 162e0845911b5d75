"""The functions for verl, loaded from its configuration and called by its reward manager."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bleu_metric import sentence_bleu

pytest.importorskip("verl", reason="pip install verl")
pytestmark = pytest.mark.filterwarnings("ignore")

WORDS = "<answer> </answer> the cat sat on a mat".split()
TEXT, TRUTHS = "the cat sat on a mat", ["the cat sat on the mat", "a cat sat"]


class Tokenizer:
    """Decodes ids of words."""

    def decode(self, ids: Any, skip_special_tokens: bool = True) -> str:
        return " ".join(WORDS[int(number)] for number in ids)


def _run(name: str, reward_kwargs: dict[str, Any]) -> dict[str, Any]:
    """Score one sample as a run does: the function of the configuration, in the manager of samples."""
    import numpy as np
    import torch
    from omegaconf import OmegaConf
    from verl import DataProto
    from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager
    from verl.trainer.ppo.reward import get_custom_reward_fn

    own = {"path": "pkg://bleu_metric.integrations.verl", "name": name, "reward_kwargs": reward_kwargs}
    config = OmegaConf.create({"reward": {"custom_reward_function": own}})
    function = get_custom_reward_fn(config)
    response = torch.tensor([[0, *[WORDS.index(word) for word in TEXT.split()], 1, 0, 0]])
    mask = torch.tensor([[1, 1] + [1] * 8 + [0, 0]])
    data = DataProto.from_dict(
        tensors={"prompts": torch.zeros(1, 2, dtype=torch.int64), "responses": response, "attention_mask": mask},
        non_tensors={
            "data_source": np.array(["wmt"], object),
            "reward_model": np.array([{"ground_truth": np.array(TRUTHS)}], object),
            "extra_info": np.array([{}], object),
        },
    )

    async def run() -> dict[str, Any]:
        manager = NaiveRewardManager(config, Tokenizer(), function)
        return await manager.run_single(data)

    return asyncio.run(run())


def test_one_sample() -> None:
    result = _run("compute_score", {"extract": "answer", "smoothing": "floor"})
    expected = sentence_bleu([TEXT], [TRUTHS], "sacrebleu", smoothing="floor")[0]
    assert result["reward_score"] == expected
    assert 0 < expected < 1
