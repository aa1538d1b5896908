"""The package compared with the program. Frameworks are not installed here: small classes have the documented members."""

import asyncio
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import types
import uuid

import pytest

import boundcheck
from boundcheck import _core, _types

pytest_plugins = "pytester"
DATA = pathlib.Path(__file__).parents[2] / "testdata"

MESSAGES = [
    {"role": "user", "content": "Cancel order 7, please."},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id":7}'}}]},
    {"role": "tool", "tool_call_id": "1", "content": '{"order_id":7,"status":"open"}'},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "2", "type": "function", "function": {"name": "cancel_order", "arguments": '{"order_id":7}'}}]},
    {"role": "tool", "tool_call_id": "2", "content": "done"},
]
REFERENCE = "steps:\n  - name: get_order\n    arguments: {order_id: 7}\n  - name: cancel_order\n    arguments: {order_id: 7}\n"
CALLS = [("get_order", '{"order_id":7}'), ("cancel_order", '{"order_id":7}')]


def observed(trace):
    """Names and arguments of the calls that were read from a trace, without spaces."""
    report = boundcheck.lint(trace)
    return [(a.name, re.sub(r"\s", "", a.arguments)) for a in report.trajectories[0].observed]


def test_score_is_the_program_s():
    """Byte for byte, for every file of the test data. A file that the program refuses is an error with its message."""
    files = [f for f in sorted(DATA.rglob("*")) if f.is_file() and "golden" not in f.parts and f.name != "README.md"]
    assert len(files) > 100
    for file in files:
        said = subprocess.run([boundcheck.find_program(), "score", "--format", "json", str(file)], capture_output=True).stdout
        try:
            assert boundcheck.score(file).raw == said, file
        except boundcheck.BoundcheckError as e:
            assert json.loads(said)["error"]["message"] == str(e), file


def test_everything_is_typed():
    """The classes hold each member of every report of the test data, and no plain objects."""
    kinds = set()

    def same(value, raw):
        if dataclasses.is_dataclass(value):
            kinds.add(type(value).__name__)
            members = _core._members(type(value))
            assert set(raw) <= set(members.values()), (type(value), set(raw) - set(members.values()))
            for name, key in members.items():
                same(getattr(value, name), raw.get(key))
        elif isinstance(raw, dict):
            assert isinstance(value, dict)
            for key in raw:
                same(value[key], raw[key])
        elif isinstance(raw, list):
            for a, b in zip(value, raw, strict=True):
                same(a, b)
        else:
            assert value == raw

    for file in sorted((DATA / "golden").rglob("*.json")):
        raw = json.loads(file.read_text())
        if "error" not in raw:
            same(_core.read(_types.Report, raw), raw)
    assert {"Report", "Trajectory", "Row", "Violation", "Boundary", "Attribution", "Agreement"} <= kinds


@pytest.mark.parametrize("reference", [REFERENCE, json.dumps({"steps": ["get_order(order_id=7)", "cancel_order(order_id=7)"]}), "get_order(order_id=7)\ncancel_order(order_id=7)", {"steps": [{"name": "cancel_order", "arguments": {"order_id": 7}}]}])
def test_references(reference):
    assert boundcheck.score(MESSAGES, reference).passed
    report = boundcheck.score(MESSAGES[:3], reference)
    assert not report.passed and "cancel_order" in report.findings()


def test_story():
    report = boundcheck.score([{"name": "cancel_order", "arguments": {"order_id": "W-7"}}], 'get_order(order_id="W-8")\nrefund(order_id="W-8", amount=5)')
    assert report.story().startswith("At step 1 the agent called cancel_order for order W-7.\nThe reference does not have this call.\n")
    assert repr(report) == "<boundcheck.Report of 1 run, 1 flagged>\n" + report.story()
    fine = boundcheck.score([{"name": "cancel_order", "arguments": {"order_id": "W-7"}}], 'cancel_order(order_id="W-7")')
    assert fine.story() == "" and repr(fine) == "<boundcheck.Report of 1 run, 0 flagged>\nNo violation."
    failed = boundcheck.score({"trajectories": [{"success": False, "actions": [{"name": "cancel_order"}]}]}, "cancel_order()")
    assert "Recorded as failed" in repr(failed)


def test_paths(tmp_path):
    ref = tmp_path / "ref.yaml"
    ref.write_text(REFERENCE)
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(MESSAGES))
    assert boundcheck.score(trace, ref).passed and boundcheck.score(trace, str(ref)).passed
    assert boundcheck.score(MESSAGES[:3], ref, profile="sop").corpus.metrics.abs.max.value == 0.5
    assert boundcheck.score(MESSAGES, reference_from=trace).passed
    with pytest.raises(boundcheck.BoundcheckError, match="missing.yaml"):
        boundcheck.score(MESSAGES, "missing.yaml")


def test_errors():
    with pytest.raises(boundcheck.BoundcheckError, match="not a trace") as e:
        boundcheck.score("no trace")
    assert e.value.code == "invalid-input"
    with pytest.raises(boundcheck.BoundcheckError, match="unknown --profile"):
        boundcheck.score(MESSAGES, REFERENCE, profile="sops")
    with pytest.raises(TypeError, match="cannot write .*Thing as a trace"):
        boundcheck.score([Thing()])


class Thing:
    pass


def test_the_other_functions(tmp_path):
    assert boundcheck.check("cancel_order", {"order_id": 7}).decision == "confirm"
    assert boundcheck.check("get_order").mutating == "no"
    assert json.loads(boundcheck.convert(MESSAGES, "generic"))["trajectories"][0]["actions"][0]["name"] == "get_order"
    assert boundcheck.explain("abs")[0]["kind"] == "metric" and len(boundcheck.explain()) > 60
    made = boundcheck.new_reference(MESSAGES)
    assert made.startswith("# Made by boundcheck reference new from run 1 (1 run).") and boundcheck.score(MESSAGES, made).passed
    assert "run 1, run 2 (2 runs)" in boundcheck.new_reference(MESSAGES, MESSAGES)
    assert boundcheck.lint(MESSAGES, tools={"tools": {"cancel_order": "no"}}).trajectories[0].observed[1].mutating == "no"
    assert boundcheck.version()["name"] == "boundcheck"
    assert subprocess.run([sys.executable, "-m", "boundcheck", "explain", "abs"], capture_output=True, text=True).stdout.startswith("abs (metric)")


def test_notebooks_show_the_page():
    shown = boundcheck.score(MESSAGES, REFERENCE)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "cancel_order" in shown and shown.count("<iframe") == 1


# LangChain: messages are pydantic models with type, content and model_dump (langchain_core.messages).
class LangChainMessage:
    def __init__(self, type, content, **more):
        self.type, self.content, self.more = type, content, more

    def model_dump(self, **_):
        return {"content": self.content, "type": self.type, **self.more}


def test_langchain():
    messages = [
        LangChainMessage("human", "Cancel order 7, please."),
        LangChainMessage("ai", "", tool_calls=[{"name": "get_order", "args": {"order_id": 7}, "id": "1", "type": "tool_call"}]),
        LangChainMessage("tool", "{}", tool_call_id="1", name="get_order", status="success"),
        LangChainMessage("ai", "", tool_calls=[{"name": "cancel_order", "args": {"order_id": 7}, "id": "2", "type": "tool_call"}]),
        LangChainMessage("tool", "refused", tool_call_id="2", name="cancel_order", status="error"),
    ]
    for trace in (messages, {"messages": messages}, boundcheck.from_langchain(messages)):
        assert observed(trace) == CALLS
    assert boundcheck.lint(messages).trajectories[0].observed[1].error


# OpenAI Agents SDK: RunResult.to_input_list() returns Responses items.
class RunResult:
    def to_input_list(self):
        return [
            {"role": "user", "content": "Cancel order 7, please."},
            {"type": "function_call", "call_id": "1", "name": "get_order", "arguments": '{"order_id":7}', "id": "fc_1", "status": "completed"},
            {"type": "function_call_output", "call_id": "1", "output": "{}"},
            {"type": "function_call", "call_id": "2", "name": "cancel_order", "arguments": '{"order_id":7}', "id": "fc_2", "status": "completed"},
            {"type": "function_call_output", "call_id": "2", "output": "done"},
        ]


def test_openai_agents():
    assert observed(RunResult()) == CALLS == observed(boundcheck.from_openai_agents(RunResult()))


# Pydantic AI: AgentRunResult.all_messages_json() returns bytes.
class AgentRunResult:
    def all_messages_json(self):
        return (DATA / "formats" / "pydantic-ai.json").read_bytes()


def test_pydantic_ai():
    assert observed(AgentRunResult()) == observed(DATA / "formats" / "pydantic-ai.json") != []


# LangSmith: Run and RunTree have id, name, run_type, inputs, outputs, error, times and child_runs.
class Run:
    def __init__(self, name, run_type, inputs, outputs=None, child_runs=()):
        self.id, self.name, self.run_type, self.inputs, self.outputs = uuid.uuid4(), name, run_type, inputs, outputs
        self.child_runs, self.client, self.error = list(child_runs), Thing(), None


def test_langsmith():
    tree = Run("agent", "chain", {"input": "x"}, {"output": "y"}, [Run("get_order", "tool", {"order_id": 7}, {"output": "{}"}), Run("cancel_order", "tool", {"order_id": 7}, {"output": "done"})])
    assert observed(tree) == CALLS == observed(boundcheck.from_langsmith(tree))


# openai: responses are pydantic models whose model_dump(mode="json") is the API's JSON.
class Model:
    def __init__(self, value):
        self.value_ = value

    def model_dump(self, **_):
        return self.value_


def test_models_among_messages():
    assert observed([MESSAGES[0], Model(MESSAGES[1]), *MESSAGES[2:3], Model(MESSAGES[3]), MESSAGES[4]]) == CALLS


def test_evaluator():
    evaluate = boundcheck.evaluator(key="bounds")
    assert evaluate(outputs=MESSAGES, reference_outputs=REFERENCE) == {"key": "bounds", "score": 1, "comment": "no violation"}
    assert evaluate(inputs={}, outputs={"messages": MESSAGES}, reference_outputs=MESSAGES)["score"] == 1, "a run that went well is a reference"
    less = evaluate(outputs=MESSAGES[:3], reference_outputs=REFERENCE)
    assert less["score"] < 1 and "cancel_order" in less["comment"]
    assert evaluate(outputs=MESSAGES)["score"] == 1
    for metric in ("abs.max", "passed"):
        for nothing in ([], MESSAGES[:1], [*MESSAGES[:1], {"role": "assistant", "content": "Done."}]):
            unread = boundcheck.evaluator(metric=metric)(outputs=nothing)
            assert unread["score"] is None and "no action could be read" in unread["comment"], unread
            assert boundcheck.lint(nothing).passed is None
    rows = [{"messages": MESSAGES[:3]}, {"messages": MESSAGES}]  # the second continues the first, and nothing says that both are one run
    for metric in ("abs.max", "passed"):
        for held in (None, REFERENCE):
            joined = boundcheck.evaluator(metric=metric)(outputs=rows, reference_outputs=held)
            assert joined["score"] is None and "2 rows were read as 1 run" in joined["comment"], joined
    flagged = boundcheck.evaluator()(outputs=rows, reference_outputs="refund_order()")
    assert flagged["score"] is None and "2 rows were read as 1 run" in flagged["comment"], flagged
    assert boundcheck.lint(rows).passed is None
    for outputs in (None, {}, "", "hello", 5, [1, 2], {"answer": "Done."}, object(), b"\xff", {"x": float("inf")}):
        for held in (None, REFERENCE, MESSAGES):
            told = evaluate(outputs=outputs, reference_outputs=held)
            assert told["score"] is None and told["comment"].startswith("Cannot tell: "), (outputs, told)
    for held in ("", {"answer": "x"}, "nope.yaml"):
        told = evaluate(outputs=MESSAGES, reference_outputs=held)
        assert told["score"] is None and told["comment"].startswith("Cannot tell: "), (held, told)
    assert evaluate(outputs=MESSAGES[:1], reference_outputs=REFERENCE)["score"] == 0, "a run that does nothing breaks a reference"
    assert boundcheck.score([], REFERENCE).passed is False and boundcheck.lint(MESSAGES).passed is True
    with pytest.raises(ValueError, match="known metrics are within"):
        boundcheck.evaluator(metric="abs")


def test_passed_at_every_door(tmp_path, inspect_module):
    """The evaluator, the report, assert_within and Inspect's scorer are green for exactly the runs that are known to be good."""
    from boundcheck.inspect_ai import figure

    cases = json.loads((pathlib.Path(__file__).parents[2] / "testdata/doors/passed.json").read_text())
    assert len(cases) >= 12
    for case in cases:
        trace, held, passed, name = case["trace"], case.get("reference"), case["passed"], case["case"]
        report = boundcheck.score(trace, held) if held else boundcheck.lint(trace)
        assert report.passed is passed, name
        assert bool(report.unread) == (passed is None), name
        for metric in ("passed", "abs.max", "within", "abs.agent", "svr"):
            told = boundcheck.evaluator(metric=metric)(outputs=trace, reference_outputs=held)
            assert (told["score"], told["comment"]) == figure(report, metric), name
            if metric == "passed" or not held or passed is None:
                assert told["score"] == (passed if passed is None or metric != "svr" else not passed), (name, told)
            if held and metric == "abs.max":
                assert (told["score"] == 1) is (passed is True), name
            if held and passed is False and (metric == "within" or told["comment"].startswith("No violation")):
                assert told["score"] != (0 if metric == "svr" else 1), name
            if passed is not True:
                assert "no violation" not in told["comment"] and "Probably fine" not in told["comment"], (name, told)
        if held:
            path = tmp_path / "reference.json"
            path.write_text(json.dumps(held))
            if passed:
                boundcheck.assert_within(trace, path)
            else:
                with pytest.raises(AssertionError):
                    boundcheck.assert_within(trace, path)
    path.write_text(json.dumps([{"name": "refund_order"}]))
    failed = {"messages": MESSAGES, "success": False}  # its violations do not count, but its record does
    with pytest.raises(AssertionError, match="Recorded as failed; all violations are below"):
        boundcheck.assert_within(failed, path, min_confidence=1)
    assert boundcheck.assert_within(MESSAGES, path, min_confidence=1).passed is False


def test_figures():
    """What an evaluator's figure means is one table for Python and JavaScript."""
    cases = json.loads((pathlib.Path(__file__).parents[2] / "testdata/doors/figures.json").read_text())
    assert len(cases) >= 12
    for case in cases:
        for metric, want in case["figures"].items():
            told = boundcheck.evaluator(metric=metric)(outputs=case["trace"], reference_outputs=case.get("reference"))
            assert told["score"] == want and told["comment"], (case["case"], metric, told)


# Inspect: @scorer(metrics=…) decorates a function that returns "async def score(state, target) -> Score"; TaskState has messages and metadata.
@pytest.fixture
def inspect_module(monkeypatch):
    module = types.ModuleType("inspect_ai.scorer")

    @dataclasses.dataclass
    class Score:
        value: float
        answer: str = None
        explanation: str = None
        metadata: dict = None

    module.Score, module.mean, module.stderr = Score, lambda: "mean", lambda: "stderr"
    module.scorer = lambda metrics: lambda f: f
    monkeypatch.setitem(sys.modules, "inspect_ai", types.ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", module)


def test_inspect(inspect_module):
    from boundcheck.inspect_ai import within

    call = lambda id, name: Model({"role": "assistant", "content": "", "tool_calls": [{"id": id, "function": name, "arguments": {"order_id": 7}, "type": "function"}]})
    answer = lambda id, name: Model({"role": "tool", "content": "{}", "tool_call_id": id, "function": name})
    state = types.SimpleNamespace(messages=[Model({"role": "user", "content": "Cancel order 7."}), call("1", "get_order"), answer("1", "get_order"), call("2", "cancel_order"), answer("2", "cancel_order")], metadata={"reference": REFERENCE}, model="m")
    good = asyncio.run(within()(state, None))
    assert good.value == 1 and good.explanation == "no violation"
    state.messages = state.messages[:3]
    bad = asyncio.run(within()(state, None))
    assert bad.value < 1 and "cancel_order" in bad.explanation and bad.metadata == {"flagged": True}
    state.metadata = None
    only_read = asyncio.run(within()(state, None))
    assert only_read.value != only_read.value and "changed nothing" in only_read.explanation
    state.metadata = {"reference": {"answer": "x"}}
    unusable = asyncio.run(within()(state, None))
    assert unusable.value != unusable.value and unusable.explanation.startswith("Cannot tell: ")
    state.metadata = None
    state.messages = state.messages[:1]
    unread = asyncio.run(within()(state, None))
    assert unread.value != unread.value and "no action could be read" in unread.explanation


def test_pytest_plugin(pytester):
    """Golden trace: red without a reference, written, green; the agent changes, red with a difference, written, green."""
    pytester.makepyfile(test_agent=f"""
        import json, os, pathlib
        from boundcheck import assert_within

        def test_cancel():
            assert_within(json.loads(os.environ["TRACE"]), "refs/cancel.yaml")
    """)

    def run(trace, *args):
        os.environ["TRACE"] = json.dumps(trace)
        return pytester.runpytest_subprocess(*args)

    try:
        run(MESSAGES).stdout.fnmatch_lines(["*refs/cancel.yaml is not there; pytest --boundcheck-update writes it from this run*"])
        first = run(MESSAGES, "--boundcheck-update")
        first.assert_outcomes(passed=1)
        first.stdout.fnmatch_lines(["boundcheck: wrote refs/cancel.yaml: read it before you commit it"])
        run(MESSAGES).assert_outcomes(passed=1)
        changed = [*MESSAGES, {"role": "assistant", "tool_calls": [{"id": "3", "type": "function", "function": {"name": "refund", "arguments": '{"amount":20}'}}]}, {"role": "tool", "tool_call_id": "3", "content": "refunded"}]
        red = run(changed)
        red.assert_outcomes(failed=1)
        red.stdout.fnmatch_lines(["*the run leaves *refs/cancel.yaml:*", "*over-action: refund *", '*get_order {"order_id":7}*', '*+ refund {"amount":20}*', "*--boundcheck-update updates the reference*"])
        run(changed, "--boundcheck-update").assert_outcomes(passed=1)
        run(changed).assert_outcomes(passed=1)
    finally:
        del os.environ["TRACE"]


def agent_tests(pytester, runs):
    """A test file with one trial for each run, all with the same reference."""
    pytester.makepyfile(test_trials=f"""
        import pytest
        from boundcheck import assert_within

        RUNS = {runs!r}

        @pytest.mark.parametrize("trial", range(len(RUNS)))
        def test_trial(trial):
            assert_within(RUNS[trial], "refs/trials.yaml")
    """)


def called(*names):
    return [{"name": name, "arguments": {"order_id": 7}} for name in names]


WORKERS = [(), ("-n", "3")]


@pytest.mark.parametrize("workers", WORKERS)
def test_update_merges_trials(pytester, workers):
    """Trial 0 skips a read: the read becomes optional, with and without workers."""
    if workers:
        pytest.importorskip("xdist", reason="SKIPPED: no pytest-xdist")
    agent_tests(pytester, [called("cancel_order"), *[called("get_order", "cancel_order")] * 4])
    done = pytester.runpytest_subprocess("--boundcheck-update", *workers)
    done.assert_outcomes(passed=5)
    done.stdout.fnmatch_lines(["boundcheck: wrote refs/trials.yaml: read it before you commit it"])
    assert done.ret == 0
    text = (pytester.path / "refs" / "trials.yaml").read_text()
    assert "optional:" in text and "(5 runs)" in text, text
    assert pytester.runpytest_subprocess(*workers).ret == 0
    assert "wrote" not in pytester.runpytest_subprocess("--boundcheck-update", *workers).stdout.str()


@pytest.mark.parametrize("workers", WORKERS)
def test_update_never_loosens(pytester, workers):
    """What a person wrote stays, and a run that breaks it fails the session and is shown."""
    if workers:
        pytest.importorskip("xdist", reason="SKIPPED: no pytest-xdist")
    text = "steps:\n  - name: get_order\n    arguments: {order_id: 7}\n    required: true # policy 4.2\n  - cancel_order(order_id=7)\n  - name: refund\n    mustNot: true\n"
    file = pytester.path / "refs" / "trials.yaml"
    file.parent.mkdir()
    file.write_text(text)
    agent_tests(pytester, [called("get_order", "cancel_order", "refund"), called("cancel_order"), called("get_order", "cancel_order", "send_mail")])
    done = pytester.runpytest_subprocess("--boundcheck-update", *workers)
    assert done.ret == 1, done.stdout
    done.stdout.fnmatch_lines([
        'boundcheck: kept refs/trials.yaml:7  test_trials.py::test_trial[[]0]: the reference forbids refund*"mustNot"*',
        'boundcheck: kept refs/trials.yaml:4  test_trials.py::test_trial[[]1]: *"required"*',
        "boundcheck: kept refs/trials.yaml:5  test_trials.py::test_trial[[]2]: the run also calls send_mail(order_id=7)*by hand*",
        "boundcheck: test_trials.py::test_trial[[]0]: the run leaves refs/trials.yaml:*",
    ])
    assert file.read_text() == text


def test_update_leaves_failed_tests_out(pytester):
    pytester.makepyfile(test_one="""
        import pytest
        from boundcheck import assert_within

        def test_fails():
            assert_within([{"name": "delete_everything"}], "refs/one.yaml")
            assert False

        def test_is_skipped():
            assert_within([{"name": "delete_skipped"}], "refs/one.yaml")
            pytest.skip("later")

        @pytest.mark.xfail
        def test_is_expected_to_fail():
            assert_within([{"name": "delete_expected"}], "refs/one.yaml")

        @pytest.mark.xfail
        def test_fails_as_expected():
            assert_within([{"name": "delete_failed"}], "refs/one.yaml")
            assert False

        def test_passes():
            assert_within([{"name": "cancel_order"}], "refs/one.yaml")
    """)
    assert pytester.runpytest_subprocess("--boundcheck-update").ret == 1
    text = (pytester.path / "refs" / "one.yaml").read_text()
    assert "cancel_order" in text and "delete_" not in text


def test_readme(tmp_path):
    """The programs of the README run, including the test with pytest."""
    readme = (pathlib.Path(__file__).parents[1] / "README.md").read_text()
    first, test, third = re.findall(r"```python\n(.*?)```", readme, re.S)
    run = lambda *args: subprocess.run([sys.executable, *args], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    done = run("-c", first)
    assert done.stdout.startswith("False 0.5\nThe agent did not carry out get_order") and "\nunder-action:" in done.stdout, done
    (tmp_path / "test_it.py").write_text(test)
    assert run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--boundcheck-update").returncode == 0
    assert "get_order" in (tmp_path / "refs" / "cancel.yaml").read_text()
    assert run("-m", "pytest", "-q", "-p", "no:cacheprovider").returncode == 0
    assert "'score': 0.5" in run("-c", third).stdout
