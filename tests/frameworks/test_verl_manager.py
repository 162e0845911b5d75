"""The function of the documents for verl, loaded from verl's configuration and called by its reward loop, in a worker of Ray."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from frameworks.recorded import WORDS, recorded_outputs
from frameworks.tiny_model import make_tokenizer
from patient_ray import patient
from project.test_documents import block_with

from bleu_metric import sentence_bleu

pytest.importorskip("verl", reason="pip install verl")
pytestmark = pytest.mark.filterwarnings("ignore")


def run(folder: Path, tokenizer: Any, predictions: list[str], references: list[list[str]]) -> list[float]:
    """Return rewards as a step of training does: from a worker of Ray that the library's own configuration sets up."""
    import numpy as np
    import ray
    import torch
    import verl
    from hydra import compose, initialize_config_dir
    from verl import DataProto
    from verl.experimental.reward_loop.reward_loop import RewardLoopManager

    tokenizer.save_pretrained(folder / "tokenizer")
    overrides = [f"actor_rollout_ref.model.path={folder / 'tokenizer'}", "reward.num_workers=1"]
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        config = compose("ppo_trainer", overrides=overrides)
    (folder / "verl_reward.py").write_text(block_with("def compute_score"))
    config.reward.custom_reward_function = {"path": str(folder / "verl_reward.py"), "name": "compute_score"}
    ids = [torch.tensor(tokenizer(text)["input_ids"]) for text in predictions]
    responses = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True)
    prompts = torch.ones(len(ids), 2, dtype=torch.int64)
    truths = [{"ground_truth": np.array(own, object)} for own in references]  # as they come from Parquet files
    data = DataProto.from_dict(
        tensors={
            "prompts": prompts,
            "responses": responses,
            "attention_mask": torch.cat([prompts, (responses > 0).long()], dim=1),
        },
        non_tensors={
            "data_source": np.array(["wmt"] * len(ids), object),
            "reward_model": np.array(truths, object),
            "extra_info": np.array([{} for _ in ids], object),
        },
    )
    patient(ray.init)(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        scored = RewardLoopManager(config).compute_rm_score(data)
    finally:
        ray.shutdown()
    return list(scored.batch["rm_scores"].sum(dim=1).tolist())


def test_a_batch_of_samples(tmp_path: Path) -> None:
    texts, references = recorded_outputs(20)
    answers = [f"<answer> {text} </answer>" for text in texts]
    tokenizer = make_tokenizer(["<answer>", "</answer>", *sorted(set(WORDS))])
    rewards = run(tmp_path, tokenizer, answers, references)
    expected = sentence_bleu(texts, references, "sacrebleu", smoothing="floor")
    assert rewards == pytest.approx(expected.tolist(), rel=1e-6), "the library keeps rewards in float32"
    assert 0 < min(rewards) < max(rewards) <= 1
