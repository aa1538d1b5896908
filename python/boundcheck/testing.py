"""assert_within for tests, and an evaluator for LangSmith and similar programs."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Callable

from boundcheck._core import FORMATS, BoundcheckError, Report, lint, new_reference, score
from boundcheck.adapters import to_trace

# Set by the pytest plugin: whether references are written again, the folder of the running test, and the written files.
_state: dict[str, Any] = {"update": False, "folder": None, "written": []}


def assert_within(trace: Any, reference: str | os.PathLike, *, profile: str | None = None, min_confidence: float = 0.0) -> Report:
    """Fails if a run deviates from its reference, and shows the difference. Returns the report.

    reference is a file, relative to the folder of the test. With pytest's --boundcheck-update it is written from the trace
    if it does not exist or if the run deviates from it. Findings below min_confidence do not count.
    """
    __tracebackhide__ = True
    path = os.fspath(reference)
    if not path.endswith(FORMATS):
        raise ValueError(f"{path!r} is not the file of a reference: want a name that ends in {', '.join(FORMATS)}")
    if _state["folder"] and not os.path.isabs(path):
        path = os.path.join(_state["folder"], path)
    data = to_trace(trace)
    if not os.path.exists(path):
        if not _state["update"]:
            raise AssertionError(f"{path} is not there; pytest --boundcheck-update writes it from this run")
        _write(path, data)
    report = score(data, pathlib.Path(path), profile=profile)
    broken = [(t, v) for t in report.trajectories for v in t.violations if v.confidence >= min_confidence]
    if broken and _state["update"]:
        _write(path, data)
        report = score(data, pathlib.Path(path), profile=profile)
        broken = [(t, v) for t in report.trajectories for v in t.violations if v.confidence >= min_confidence]
    if broken:
        raise AssertionError(_difference(path, report, broken))
    return report


def _write(path: str, trace: bytes) -> None:
    text = new_reference(trace, format="json" if path.endswith((".json", ".jsonl")) else "yaml")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    _state["written"].append(path)


def _difference(path: str, report: Report, broken: list) -> str:
    """The findings, and the run compared with its reference: - is missing, + is extra."""
    lines = [f"the run leaves {path}:"]
    lines += [f"  {v.type}: {v.reason} ({v.rule}, {v.confidence:.2f})" for _, v in broken]
    for t in report.trajectories:
        lines.append("")
        for row in t.alignment:
            obs = t.observed[row.obs] if row.obs is not None else None
            ref = (t.reference or [])[row.ref] if row.ref is not None else None
            if row.verdict != "violation":
                lines.append(f"    {_call(obs or ref)}" + (f"  ({row.verdict})" if row.verdict != "correct" else ""))
                continue
            lines += [f"  - {_call(ref)}"] if ref else []
            lines += [f"  + {_call(obs)}"] if obs else []
    return "\n".join([*lines, "", "If the run is right, pytest --boundcheck-update writes the reference again."])


def _call(action: Any) -> str:
    return action.text or f"{action.name} {action.arguments or ''}".rstrip()


METRICS: dict[str, Callable[[Report], Any]] = {
    "abs.max": lambda r: r.corpus.metrics.abs.max.value,
    "abs.agent": lambda r: r.corpus.metrics.abs.agent.value,
    "gar": lambda r: r.corpus.metrics.gar.value,
    "svr": lambda r: r.corpus.metrics.svr.value,
    "passed": lambda r: r.passed,
}


def evaluator(*, key: str = "boundcheck", metric: str = "abs.max", reference: Any = None, profile: str | None = None) -> Callable[..., dict]:
    """An evaluator for LangSmith's evaluate: called with outputs and reference_outputs, it returns {key, score, comment}.

    reference_outputs is a reference, or a run that went well. Without one the score is 0 if anything looks like a broken
    boundary, else 1.
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}; the known metrics are {', '.join(METRICS)}")

    def evaluate(outputs: Any, reference_outputs: Any = None, inputs: Any = None) -> dict:
        held = reference if reference is not None else reference_outputs
        if held is None:
            report = lint(outputs)
            verdict = next((t.verdict for t in report.trajectories if t.verdict), None)
            return {"key": key, "score": report.passed if metric == "passed" else float(report.passed), "comment": report.findings() or verdict or "no violation"}
        try:
            report = score(outputs, held, profile=profile)
        except BoundcheckError as e:
            if "reference" not in str(e):
                raise
            report = score(outputs, new_reference(held, format="json"), profile=profile)
        return {"key": key, "score": METRICS[metric](report), "comment": report.findings() or "no violation"}

    return evaluate
