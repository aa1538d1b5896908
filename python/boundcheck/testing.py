"""assert_within for tests, and an evaluator for LangSmith and similar programs."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any, Callable

from boundcheck._core import FORMATS, BoundcheckError, Report, new_reference, run_in_folder, score
from boundcheck.adapters import to_trace

# Set by the pytest plugin: whether references are updated, the folder and the name of the running test, and the runs of
# all tests so far, each with its test, reference, trace, profile and min_confidence.
_state: dict[str, Any] = {"update": False, "folder": None, "test": None, "runs": []}


def assert_within(trace: Any, reference: str | os.PathLike, *, profile: str | None = None, min_confidence: float = 0.0) -> Report:
    """Fails if a run deviates from its reference, and shows the difference. Returns the report.

    reference is a file, relative to the folder of the test. With pytest's --boundcheck-update nothing fails here: after the
    last test, the reference is written, or updated, from the runs of all tests that passed, and then these runs are compared
    with it. Findings below min_confidence do not count.
    """
    __tracebackhide__ = True
    path = os.fspath(reference)
    if not path.endswith(FORMATS):
        raise ValueError(f"{path!r} is not the file of a reference: want a name that ends in {', '.join(FORMATS)}")
    if _state["folder"] and not os.path.isabs(path):
        path = os.path.join(_state["folder"], path)
    data = to_trace(trace)
    if _state["update"]:
        run = {"test": _state["test"] or "", "path": os.path.abspath(path), "trace": data, "profile": profile, "min_confidence": float(min_confidence)}
        _state["runs"].append(run)
        return score(data, pathlib.Path(path) if os.path.exists(path) else new_reference(data), profile=profile)
    if not os.path.exists(path):
        raise AssertionError(f"{path} is not there; pytest --boundcheck-update writes it from this run")
    report, broken = _compare(data, path, profile, min_confidence)
    if broken:
        raise AssertionError(_difference(path, report, broken))
    if reason := _unproven(report):
        raise AssertionError(f"{path}: {reason}")
    return report


def _unproven(report: Report) -> str:
    """Why runs whose violations do not count are still not known to be good; "" if they are. boundcheck test fails for it, too."""
    if report.doubt or not report.trajectories:
        return report.unread
    for t in report.trajectories:
        if t.success is False:
            return t.verdict or "Recorded as failed; all violations are below the confidence that counts."
        if t.passed is None and not t.violations:
            return t.verdict or "Cannot tell."
    return ""


def _compare(data: bytes, path: str, profile: str | None, min_confidence: float) -> tuple[Report, list]:
    report = score(data, pathlib.Path(path), profile=profile)
    return report, [(t, v) for t in report.trajectories for v in t.violations if v.confidence >= min_confidence]


def update_references(runs: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """Updates the references of these runs with "boundcheck reference update". Returns lines for people, and whether all
    runs agree with their references afterwards. The order of the runs does not matter."""
    lines: list[str] = []
    agree = True
    groups: dict[tuple, list] = {}
    for run in sorted(runs, key=lambda r: (r["path"], r["test"])):
        groups.setdefault((run["path"], run["profile"], run["min_confidence"]), []).append(run)
    for (path, profile, min_confidence), group in groups.items():
        try:
            lines += _update(path, profile, min_confidence, group)
            for run in group:
                report, broken = _compare(run["trace"], path, profile, min_confidence)
                if reason := _difference(os.path.relpath(path), report, broken) if broken else _unproven(report):
                    agree = False
                    lines.append(f"{run['test']}: {reason}")
        except BoundcheckError as e:
            agree = False
            lines.append(f"{os.path.relpath(path)}: {e}")
    return lines, agree


def _update(path: str, profile: str | None, min_confidence: float, group: list) -> list[str]:
    files = {f"run-{i + 1}": run["trace"] for i, run in enumerate(group)}
    args = ["reference", "update", "--no-config", "--min-confidence", str(min_confidence), *(["--profile", profile] if profile else []), path]
    lines = []
    for line in run_in_folder(args, files).splitlines():
        word, rest = line[:6].strip(), line[6:].replace(path, os.path.relpath(path))
        rest = re.sub(r"\brun-(\d+)\b", lambda m: group[int(m[1]) - 1]["test"] or m[0], rest)
        if word == "wrote":
            lines.append(f"wrote {os.path.relpath(path)}: read it before you commit it")
        elif word in ("kept", "note"):
            lines.append(f"{word} {rest}")
    return lines


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
    return "\n".join([*lines, "", "If the run is right, pytest --boundcheck-update updates the reference."])


def _call(action: Any) -> str:
    return action.text or f"{action.name} {action.arguments or ''}".rstrip()


METRICS: dict[str, Callable[[Report], Any]] = {
    "within": lambda r: r.corpus.metrics.within_bounds,
    "abs.max": lambda r: r.corpus.metrics.abs.max,
    "abs.agent": lambda r: r.corpus.metrics.abs.agent,
    "gar": lambda r: r.corpus.metrics.gar,
    "svr": lambda r: r.corpus.metrics.svr,
    "passed": lambda r: r.passed,
}


def _uncounted(report: Report, metric: str) -> bool:
    """Whether a fault is not in the figure: a run is recorded as failed, or a finding of the figure's steps has no row."""
    for t in report.trajectories:
        rows = {i for i, row in enumerate(t.alignment) if row.verdict == "violation"}
        lone = any(not v.hint and not rows.intersection([*(v.rows or []), v.row]) for v in t.violations)
        if t.success is False or lone and metric in ("within", "abs.max"):
            return True
    return False


def figure(report: Report, metric: str) -> tuple[Any, str]:
    """A report's figure and its explanation. The figure is None if there is none: then the explanation is the reason.

    It is the worst one (0, for svr 1) if a run is recorded as failed, or has a fault that the figure does not count, so that
    no worse run has a better figure. Without a reference it is the best one if the run is probably fine, and otherwise the worst.
    """
    found = report.findings()
    known = next((t.verdict for wanted in (False, True) for t in report.trajectories if t.passed is wanted and t.verdict), None)
    told = found or report.unread or known or "no violation"
    if metric == "passed":
        return report.passed, told
    if report.doubt or report.passed is None:
        return None, report.doubt or found or report.unread
    bare = [t.id for t in report.trajectories if t.reference is None]
    if 0 < len(bare) < len(report.trajectories):
        return None, f"Cannot tell: run {bare[0]} has no reference, and others have one."
    best, worst = (0.0, 1.0) if metric == "svr" else (1.0, 0.0)
    if bare:
        return (best if report.passed else worst), told
    if _uncounted(report, metric):
        return worst, told
    got = METRICS[metric](report)
    return got.value, found or (got.reason if got.value is None else "") or told


def evaluator(*, key: str = "boundcheck", metric: str = "abs.max", reference: Any = None, profile: str | None = None) -> Callable[..., dict]:
    """An evaluator for LangSmith's evaluate: called with outputs and reference_outputs, it returns {key, score, comment}.

    reference_outputs is a reference, or a run that went well. Without one, and without one in the outputs, the score is 1
    (for svr 0) if the run is probably fine, and 0 if a boundary broke. A run that is recorded as failed has the worst score.
    The score is None if it is not known which, also where the outputs or the reference cannot be read; comment has the reason.
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}; the known metrics are {', '.join(METRICS)}")

    def evaluate(outputs: Any, reference_outputs: Any = None, inputs: Any = None) -> dict:
        held = reference if reference is not None else reference_outputs
        try:
            value, comment = figure(_score(outputs, held, profile), metric)
        except (BoundcheckError, TypeError) as e:  # TypeError: what is no trace in any form
            value, comment = None, f"Cannot tell: {e}"
        return {"key": key, "score": value, "comment": comment}

    return evaluate


def _score(outputs: Any, held: Any, profile: str | None) -> Report:
    """The report on outputs. held is a reference, a run that went well, or None."""
    try:
        return score(outputs, held, profile=profile)
    except BoundcheckError as e:
        if held is None or "reference" not in str(e):
            raise
    return score(outputs, new_reference(held, format="json"), profile=profile)
