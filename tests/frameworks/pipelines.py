"""Runs of the frameworks, whole and offline, on recorded outputs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from patient_ray import patient

Texts = Sequence[str]
References = Sequence[Sequence[str]]

LM_EVAL_FUNCTIONS = """
from bleu_metric.integrations.lm_eval import task_functions

process_results, bleu, standard_error = task_functions("references")


def their_process_results(doc, results):
    return {"bleu": (doc["references"], results[0])}
"""
LM_EVAL_TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {path}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{row}}}}"
doc_to_target: "{{{{references[0]}}}}"
"""
LM_EVAL_METRICS = {
    "ours": """
process_results: !function functions.process_results
metric_list:
  - metric: corpus_bleu
    aggregation: !function functions.bleu
    higher_is_better: true
  - metric: corpus_bleu_se
    aggregation: !function functions.standard_error
    higher_is_better: false
""",
    "theirs": """
process_results: !function functions.their_process_results
metric_list:
  - metric: bleu
    aggregation: bleu
    higher_is_better: true
""",
}


def run_lm_eval(folder: Path, task: str, predictions: Texts, references: References, **settings: Any) -> dict[str, Any]:
    """Evaluate a model that answers with the predictions; `task` is ours or theirs."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Recorded(LM):
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            return [predictions[int(request.args[0])] for request in requests]

        loglikelihood = loglikelihood_rolling = generate_until  # type: ignore[assignment]

    data = folder / "data.json"
    rows = [json.dumps({"row": str(row), "references": own}) for row, own in enumerate(references)]
    data.write_text("\n".join(rows))
    (folder / "functions.py").write_text(LM_EVAL_FUNCTIONS)
    (folder / f"{task}.yaml").write_text(LM_EVAL_TASK.format(name=task, path=data) + LM_EVAL_METRICS[task])
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    results = simple_evaluate(model=Recorded(), tasks=[task], task_manager=manager, **settings)
    assert results is not None
    return {name.removesuffix(",none"): value for name, value in results["results"][task].items()}


LIGHTEVAL_TASKS = """
from bleu_metric.integrations.lighteval import lighteval_metric
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc


def prompt(line, task_name=None):
    references = line["references"]
    return Doc(query=line["source"], choices=references, gold_index=list(range(len(references))), task_name=task_name)


def task(name, metric):
    return LightevalTaskConfig(
        name=name, prompt_function=prompt, hf_repo="{data}", hf_subset="default", metrics=[metric],
        hf_avail_splits=["test"], evaluation_splits=["test"], generation_size=16, stop_sequence=["<eos>"],
    )


TASKS_TABLE = [task("ours", lighteval_metric()), task("theirs", Metrics.bleu)]
"""


def run_lighteval(
    folder: Path, task: str, predictions: Texts, references: References, bootstrap_iters: int = 100
) -> dict[str, float]:
    """Evaluate a model that answers with the predictions; `task` is ours or theirs."""
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

    class Recorded(DummyModel):
        def greedy_until(self, docs: list[Any]) -> list[Any]:
            return [ModelResponse(text=[predictions[int(doc.query)]]) for doc in docs]

    data = folder / "data"
    data.mkdir(exist_ok=True)
    rows = [json.dumps({"source": str(row), "references": own}) for row, own in enumerate(references)]
    (data / "test.jsonl").write_text("\n".join(rows))
    tasks = folder / "own_tasks.py"
    tasks.write_text(LIGHTEVAL_TASKS.replace("{data}", str(data)))
    parameters = PipelineParameters(
        launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(tasks), bootstrap_iters=bootstrap_iters
    )
    model = Recorded(DummyModelConfig(cache_dir=str(folder / "cache")))
    # what it would download, for tasks that do not run here, and in every scoring
    with mock.patch("requests.get", return_value=SimpleNamespace(status_code=404)), mock.patch("nltk.download"):
        tracker = EvaluationTracker(output_dir=str(folder / "out"), save_details=False)
        pipeline = Pipeline(tasks=f"{task}|0", pipeline_parameters=parameters, evaluation_tracker=tracker, model=model)
        pipeline.evaluate()
    return dict(pipeline.get_results()["results"][f"{task}:0"])


def run_verl(
    folder: Path, function: dict[str, Any], tokenizer: Any, predictions: Texts, references: References
) -> list[float]:
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
    config.reward.custom_reward_function = {"reward_kwargs": {}, **function}
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
    return scored.batch["rm_scores"].sum(dim=1).tolist()  # type: ignore[no-any-return]


def run_trl(
    folder: Path, rewards: Sequence[Any], columns: dict[str, Any], tokenizer: Any, model: Any, **own: Any
) -> Any:
    """Train for two steps of GRPO with these rewards; `columns` are those of the dataset. Return the trainer."""
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    steps = {"max_steps": 2, "logging_steps": 1, "save_strategy": "no", "report_to": [], "output_dir": str(folder)}
    arguments = GRPOConfig(**steps, use_cpu=True, bf16=False, **own)
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=list(rewards),
        args=arguments,
        train_dataset=Dataset.from_dict(columns),
        processing_class=tokenizer,
    )
    with torch.enable_grad():  # lighteval turns gradients off when it is imported
        trainer.train()
    return trainer


def run_opencompass(folder: Path, evaluator: type, predictions: Texts, references: References) -> dict[str, float]:
    """Evaluate predictions that lie in the folder of a run, as a task of OpenCompass does."""
    from datasets import Dataset, DatasetDict
    from mmengine.config import ConfigDict
    from opencompass.datasets.base import BaseDataset
    from opencompass.tasks.openicl_eval import OpenICLEvalTask
    from opencompass.utils import get_infer_output_path

    class Recorded(BaseDataset):
        @staticmethod
        def load(**_: Any) -> Any:
            rows = Dataset.from_dict({"row": list(map(str, range(len(references)))), "references": list(references)})
            return DatasetDict(train=rows, test=rows)

    columns = {"input_columns": ["row"], "output_column": "references"}
    model = ConfigDict(abbr="recorded", type="recorded")
    data = ConfigDict(abbr="own", type=Recorded, reader_cfg=columns, eval_cfg={"evaluator": {"type": evaluator}})
    outputs = {str(row): {"origin_prompt": str(row), "prediction": text} for row, text in enumerate(predictions)}
    given, results = (
        Path(get_infer_output_path(model, data, str(folder / name))) for name in ("predictions", "results")
    )
    given.parent.mkdir(parents=True)
    given.write_text(json.dumps(outputs))
    OpenICLEvalTask(ConfigDict(models=[model], datasets=[[data]], work_dir=str(folder))).run()
    scores: dict[str, float] = json.loads(results.read_text())
    return scores
