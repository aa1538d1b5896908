"""The client of the gate, and the adapters by the frameworks' published protocols. The frameworks are not installed here: small classes have
the documented members. worker/client tests the client itself, through a network with every fault."""

import asyncio
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import time
import types
import urllib.request

import pytest

import boundcheck
from boundcheck import _operations
from boundcheck.gate import Gate, GateError, NotRun
from boundcheck.gate_adapters import GatedTools

ALICE, BOT = "alice-key-0123456789abcdef", "agent-key-0123456789abcdef"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """A gate of the program in the wheel."""
    home = tmp_path_factory.mktemp("gate")
    (home / "keys").write_text(f"t agent bot {BOT}\nt approver alice {ALICE}\n")
    (home / "policy.yaml").write_text('edit: [{name: all, arguments: ["*"], counts: true}]\nguidance: Orders that were shipped cannot be cancelled.\n')
    log = open(home / "log", "wb")
    command = [boundcheck.find_program(), "gate", "--db", "gate.db", "--keys", "keys", "--policy", "policy.yaml", "--addr", "127.0.0.1:0"]
    gate = subprocess.Popen(command, cwd=home, stdout=log, stderr=log)
    for _ in range(200):
        found = re.search(r"http://127\.0\.0\.1:\d+", (home / "log").read_text())
        if found:
            break
        assert gate.poll() is None, (home / "log").read_text()
        time.sleep(0.05)
    yield found[0]
    gate.terminate()
    gate.wait()


def scenes(url, of):
    """What a person does with a question, and what the model hears, what ran, and the call's state."""
    alice = Gate(url, ALICE)

    def edit(q):
        e = alice.post_proposal_edit(q.id, {"digest": q.digest, "arguments": {"order_id": f"{of}-other"}})
        alice.post_proposal_decision(e["id"], {"approve": True, "digest": e["digest"]})

    return {
        "yes": (lambda q: alice.decide(q, True), f"cancelled {of}-yes", [f"{of}-yes"], "executed"),
        "no": (lambda q: alice.decide(q, False, reason="not today"), "They wrote: not today", [], "denied"),
        "answer": (lambda q: alice.post_proposal_answer(q.id, {"digest": q.digest, "answer": "which?"}), "They wrote: which?", [], "answered"),
        "nobody": (lambda q: None, "waits for an approver", [], "pending"),
        "edit": (edit, "these did: ", [f"{of}-other"], "superseded"),
    }


def test_pydantic_ai(url, monkeypatch):
    """A tool raises ApprovalRequired(metadata=…); the metadata are in DeferredToolRequests by tool_call_id; after an approval, the tool is called again."""

    class ApprovalRequired(Exception):
        def __init__(self, metadata=None):
            self.metadata = metadata

    monkeypatch.setitem(sys.modules, "pydantic_ai", types.SimpleNamespace(ApprovalRequired=ApprovalRequired))
    for name, (decide, heard, want, state) in scenes(url, "P").items():
        ran = []

        async def cancel_order(ctx, order_id: str) -> str:
            ran.append(order_id)
            return "cancelled " + order_id

        tool = GatedTools(Gate(url, BOT), session="pydantic " + name).pydantic_ai(cancel_order)
        ctx = types.SimpleNamespace(tool_call_id="c", tool_call_approved=False)
        with pytest.raises(ApprovalRequired) as asked:
            asyncio.run(tool(ctx, order_id="P-" + name))
        shown = json.loads(json.dumps(asked.value.metadata))
        assert "Digest: " + shown["digest"] in shown["prompt"] and "cannot be cancelled" in shown["reflection"] and not ran
        decide(types.SimpleNamespace(**shown))
        ctx.tool_call_approved = True
        if state == "pending":
            with pytest.raises(ApprovalRequired):
                asyncio.run(tool(ctx, order_id="P-" + name))
        else:
            assert heard in asyncio.run(tool(ctx, order_id="P-" + name))
        assert ran == want and Gate(url, BOT).get_proposal(shown["id"])["state"] == state, name


def test_google_adk(url):
    """A tool calls tool_context.request_confirmation(hint=…, payload=…), and is called again with tool_confirmation and the same function_call_id."""
    for name, (decide, heard, want, state) in scenes(url, "A").items():
        ran = []

        def cancel_order(order_id: str, tool_context) -> dict:
            ran.append(order_id)
            return "cancelled " + order_id

        tool = GatedTools(Gate(url, BOT), session="adk " + name).google_adk(cancel_order)
        asked = []
        context = types.SimpleNamespace(function_call_id="c", tool_confirmation=None, request_confirmation=lambda hint, payload: asked.append((hint, payload)))
        assert asyncio.run(tool(order_id="A-" + name, tool_context=context))["status"] == "waiting" and not ran
        hint, shown = asked[0]
        assert "Digest: " + shown["digest"] in hint and json.dumps(shown)
        decide(types.SimpleNamespace(**shown))
        context.tool_confirmation = types.SimpleNamespace(confirmed=True, payload=None)
        assert heard in str(asyncio.run(tool(order_id="A-" + name, tool_context=context)))
        assert ran == want and len(asked) == (2 if state == "pending" else 1), name


def test_inspect_approver(url, monkeypatch):
    """An approver is called with (message, call, view, history) and returns an Approval. Inspect runs the call, or the modified one."""

    @dataclasses.dataclass
    class ToolCall:
        id: str
        function: str
        arguments: dict

    @dataclasses.dataclass
    class Approval:
        decision: str
        modified: ToolCall = None
        explanation: str = None

    monkeypatch.setitem(sys.modules, "inspect_ai.approval", types.SimpleNamespace(Approval=Approval))
    monkeypatch.setitem(sys.modules, "inspect_ai", types.ModuleType("inspect_ai"))
    tools = GatedTools(Gate(url, BOT), session="inspect")
    approve = tools.inspect_ai(wait=1)
    assert asyncio.run(approve("", ToolCall("r", "get_order", {"order_id": "W"}), None, [])).decision == "approve"
    for name, (decide, heard, want, _) in scenes(url, "I").items():
        call = ToolCall("c" + name, "cancel_order", {"order_id": "I-" + name})
        decide(tools.question(call.function, call.arguments, call.id))
        said = asyncio.run(approve("approved: yes", call, None, []))
        again = asyncio.run(approve("", call, None, []))
        if not want:
            assert said.decision == "reject" and heard in said.explanation, (name, said)
        elif name == "edit":
            assert said.decision == "modify" and said.modified == ToolCall(call.id, "cancel_order", {"order_id": "I-other"})
        else:
            assert said.decision == "approve"
        assert again.decision == "reject", "a claim lets one call run"


def meddled(meddle):
    """A gate's client whose caller changes its arguments at the worst moments."""

    class Meddled(Gate):
        def ask(self, call, **more):
            meddle()
            q = super().ask(call, **more)
            meddle()
            return q

        def claim(self, q, **more):
            meddle()
            return super().claim(q, **more)

    return Meddled


def test_arguments_are_those_given(url, monkeypatch):
    """The law: what is proposed and what runs are the arguments as they were given, whatever becomes of the caller's objects."""

    class ApprovalRequired(Exception):
        def __init__(self, metadata=None):
            self.metadata = metadata

    monkeypatch.setitem(sys.modules, "pydantic_ai", types.SimpleNamespace(ApprovalRequired=ApprovalRequired))
    random = __import__("random").Random(59)
    alice = Gate(url, ALICE)
    for n in range(12):
        items = [{"sku": f"s{n}", "n": random.randrange(9)} for _ in range(1 + random.randrange(3))]
        given = json.loads(json.dumps(items))

        def meddle():
            if random.randrange(2):
                items[random.randrange(len(items))]["n"] = 999
            else:
                items.append({"sku": "other", "n": 1})

        ran = []

        def order_items(ctx, items: list) -> str:
            ran.append(json.loads(json.dumps(items)))
            return "ordered"

        tools = GatedTools(meddled(meddle)(url, BOT), session=f"meddled {n}")
        tool, ctx = tools.pydantic_ai(order_items), types.SimpleNamespace(tool_call_id="c")
        with pytest.raises(ApprovalRequired) as asked:
            asyncio.run(tool(ctx, items=items))
        shown = asked.value.metadata
        assert Gate(url, BOT).get_proposal(shown["id"])["arguments"] == {"items": given}
        alice.decide(types.SimpleNamespace(**shown), True)
        items[:] = json.loads(json.dumps(given))
        assert "ordered" in asyncio.run(tool(ctx, items=items)) and ran == [given]
    with pytest.raises(ValueError):
        Gate(url, BOT).ask({"tool": "cancel_order", "arguments": {1: "a"}})
    with pytest.raises(ValueError):
        Gate(url, BOT).ask({"tool": "cancel_order", "arguments": ["a"]})


def test_inspect_runs_what_was_approved(url, monkeypatch):
    """Inspect runs the call with its own arguments. If they have changed while people decided, it gets the approved ones."""

    @dataclasses.dataclass
    class ToolCall:
        id: str
        function: str
        arguments: dict

    monkeypatch.setitem(sys.modules, "inspect_ai.approval", types.SimpleNamespace(Approval=lambda **said: types.SimpleNamespace(**said)))
    monkeypatch.setitem(sys.modules, "inspect_ai", types.ModuleType("inspect_ai"))
    call = ToolCall("c", "cancel_order", {"order": {"id": "W1"}})
    Gate(url, ALICE).decide(GatedTools(Gate(url, BOT), session="meddled").question(call.function, call.arguments, call.id), True)
    tools = GatedTools(meddled(lambda: call.arguments["order"].update(id="W2"))(url, BOT), session="meddled")
    said = asyncio.run(tools.inspect_ai(wait=1)("", call, None, []))
    assert said.decision == "modify" and said.modified.arguments == {"order": {"id": "W1"}}


def test_lost_race(url):
    """A claim that another worker was faster with says so."""
    q = Gate(url, BOT).ask({"tool": "cancel_order", "arguments": {"order_id": "race"}})
    Gate(url, ALICE).decide(q, True)
    Gate(url, BOT).claim(q)
    with pytest.raises(NotRun) as lost:
        Gate(url, BOT).claim(q)
    assert lost.value.reason == "claimed" and "another worker claimed this call first" in str(lost.value)


def test_an_approver_decides_what_is_listed(url):
    """A record of the list can be decided as it is, by its digest."""
    alice, q = Gate(url, ALICE), Gate(url, BOT).ask({"tool": "cancel_order", "arguments": {"order_id": "listed"}})
    listed = next(p for p in alice.get_proposals()["pending"] if p["id"] == q.id)
    with pytest.raises(GateError):
        alice.decide({**listed, "digest": "sha256:" + "0" * 64}, True)
    assert alice.decide(listed, True)["state"] == "approved"


def test_an_agents_key_decides_nothing(url):
    tools = GatedTools(Gate(url, BOT), session="own")
    q = tools.question("cancel_order", {"order_id": "W-own"}, "c")
    with pytest.raises(GateError) as refused:
        Gate(url, BOT).decide(q, True)
    assert refused.value.status == 403
    with pytest.raises(ValueError):
        tools.run("cancel_order", {}, None, lambda args: None)


def test_operations_are_the_description_s(url):
    """Each operation of the gate that answers with JSON has a method."""
    doc = json.load(urllib.request.urlopen(url + "/openapi.json"))
    snake = lambda name: re.sub(r"([A-Z])", lambda m: "_" + m[1].lower(), name)
    names = {snake(op["operationId"]) for item in doc["paths"].values() for op in item.values() if "application/json" in op["responses"]["200"]["content"]}
    methods = {name for name in vars(_operations.Operations) if not name.startswith("_")}
    assert len(methods) > 20 and methods <= names


def test_types(tmp_path):
    """mypy accepts the client and a program that uses it, and refuses the line that misspells a member."""
    pytest.importorskip("mypy")
    package = pathlib.Path(boundcheck.__file__).parent
    program = tmp_path / "program.py"
    program.write_text("from boundcheck.gate import Gate\n\ngate = Gate('http://x', 'k')\ndigest: str = gate.post_proposal_claim('p_1')['digest']\ngate.post_proposal_claim('p_1')['digset']\n")
    files = [*(str(package / name) for name in ("gate.py", "gate_adapters.py", "_operations.py")), str(program)]
    options = ["--follow-imports=silent", "--ignore-missing-imports", "--cache-dir=/dev/null"]
    said = subprocess.run([sys.executable, "-m", "mypy", *options, *files], cwd=package.parent, capture_output=True, text=True).stdout
    errors = [line for line in said.splitlines() if ": error: " in line]
    assert len(errors) == 1 and "program.py:5: error: " in errors[0] and 'has no key "digset"' in errors[0], said
