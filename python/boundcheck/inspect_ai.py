"""A scorer for Inspect: from boundcheck.inspect_ai import within."""

from __future__ import annotations

import json
from typing import Any

from inspect_ai.scorer import Score, mean, scorer, stderr

from boundcheck._core import BoundcheckError, score
from boundcheck.adapters import _json
from boundcheck.testing import METRICS, figure


@scorer(metrics=[mean(), stderr()])
def within(reference: Any = None, *, metric: str = "abs.max", profile: str | None = None):
    """Compares a sample's messages with this reference, or else with the sample's metadata["reference"], if there is one.

    The value is the metric. Without a reference it is 1 if the run is probably fine, and 0 if a boundary broke. It is NaN, which
    Inspect leaves out of its metrics, if it is not known which, for example because no action or no reference could be read.
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}; the known metrics are {', '.join(METRICS)}")

    async def run(state: Any, target: Any) -> Score:
        held = reference if reference is not None else (state.metadata or {}).get("reference")
        trace = log_of(state)
        try:
            report = score(trace, held, profile=profile)
        except BoundcheckError as e:
            return Score(value=float("nan"), explanation=f"Cannot tell: {e}")
        value, explanation = figure(report, metric)
        return Score(value=float("nan") if value is None else value, explanation=explanation, metadata={"flagged": report.corpus.flagged > 0})

    return run


def log_of(state: Any) -> bytes:
    """A sample in the form of Inspect's own log, so that it is read as one."""
    messages = json.loads(_json(list(state.messages)))
    sample = {"id": getattr(state, "sample_id", 1), "epoch": getattr(state, "epoch", 1), "messages": messages}
    return json.dumps({"version": 2, "status": "success", "eval": {"task": "sample", "model": str(getattr(state, "model", ""))}, "plan": {}, "samples": [sample]}).encode()
