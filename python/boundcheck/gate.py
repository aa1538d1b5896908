"""The client of the confirmation gate for an agent's own program. A tool runs only with the arguments that were claimed, at most once for a
claim; if anything is in doubt, nothing runs.

    gate = Gate("https://gate.example", key)
    ran = gate.run({"tool": "cancel_order", "arguments": {"order_id": "W1"}}, lambda args, how: cancel_order(**args))
"""

from __future__ import annotations

import dataclasses
import hashlib
import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Set, Tuple, TypeVar, Union, cast

from boundcheck._operations import Operations

if TYPE_CHECKING:
    from typing import Literal

    from boundcheck._operations import Answer, Grant, Record, Standing

    Reason = Literal["denied", "answered", "expired", "cancelled", "waiting", "claimed", "lost", "stopped", "doubt", "unavailable"]

T = TypeVar("T")


class GateError(Exception):
    """Why a request to the gate failed: its code, and the HTTP status, or 0 if no whole answer came."""

    def __init__(self, code: str, status: int, message: str, after: float = 0):
        super().__init__(message)
        self.code, self.status, self.after = code, status, after


class NotRun(Exception):
    """A call that did not run. The message is for the model. "claimed": it was claimed before, perhaps by
    another worker a moment ago. "lost": the answer to the claim was lost. "doubt": an answer was not about this
    call. "stopped": it was approved, but the policy does not let it run now."""

    def __init__(self, reason: Reason, message: str, id: Optional[str] = None):
        super().__init__(message)
        self.reason, self.id = reason, id


@dataclasses.dataclass(frozen=True)
class Question:
    """A call that the gate allowed, or one that waits for people, as an approval screen shows it. A decision names its digest."""

    tool: str
    arguments: str  # the JSON text
    held: bool = False  # it waits, or has waited, for people
    id: str = ""
    state: str = ""
    prompt: str = ""  # the deterministic text that people decide
    digest: str = ""
    reflection: str = ""  # what the model is told before the call
    reason: str = ""
    expires: str = ""
    url: str = ""  # the page on which people decide it
    edited: bool = False  # an approver changed the call
    record: Optional[Record] = None
    directory: str = ""  # in which the call runs, as it was proposed

    def shown(self) -> Dict[str, Any]:
        """What an approval screen needs, as JSON."""
        return {name: getattr(self, name) for name in ("id", "tool", "prompt", "digest", "reflection", "reason", "expires", "url", "edited")}


@dataclasses.dataclass(frozen=True)
class How:
    """With what a call runs: the exact text of its arguments, and whether an approver changed them."""

    bytes: str
    edited: bool
    receipt: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Ran:
    value: Any
    bytes: str
    edited: bool
    reported: bool  # False if the gate did not say that it stored the outcome; the call then counts as ambiguous
    id: Optional[str] = None  # None if the call was allowed without a question


_used: Set[str] = set()  # the grants that this process has used: a transport that repeats an answer runs nothing again
_using = threading.Lock()

_ENDS: Dict[str, Tuple[Reason, str]] = {
    "expired": ("expired", "Not executed: nobody approved this call in time."),
    "cancelled": ("cancelled", "Not executed: the call was cancelled before anybody decided."),
    "claimed": ("claimed", "Not executed again: this call was claimed before."),
    "executed": ("claimed", "Not executed again: this call ran before."),
    "failed": ("claimed", "Not executed again: this call was tried before, and had no effect."),
    "ambiguous": ("claimed", "Not executed again: this call may have run before. Check first."),
}


def digest(tool: str, arguments: str, directory: str = "") -> str:
    """The digest of a call: a fixed tag, the tool's name and the arguments, each after its length, and the directory if the call was
    proposed with one."""
    h = hashlib.sha256()
    for field in ("boundcheck.call/1", tool, arguments, *([directory] if directory else [])):
        data = field.encode()
        h.update(len(data).to_bytes(8, "big") + data)
    return "sha256:" + h.hexdigest()


def _arguments(args: Any) -> str:
    """The text of the arguments of a call, which is read once: what becomes of the object later changes nothing. Raises ValueError for an
    object that JSON has only with other names or values."""
    if args is None:
        return "{}"

    def check(value: Any) -> None:
        if isinstance(value, Mapping):
            for name, member in value.items():
                if not isinstance(name, str):
                    raise ValueError(f"the name {name!r:.60} of an argument is not a text")
                check(member)
        elif isinstance(value, (list, tuple)):
            for one in value:
                check(one)

    if not isinstance(args, Mapping):
        raise ValueError(f"want the arguments by their names, saw {type(args).__name__}")
    check(args)
    return json.dumps(dict(args), allow_nan=False)


def _end(r: Record) -> NotRun:
    if r["state"] == "answered":
        return NotRun("answered", f"Not executed: an approver answered this call in place of a yes or a no. They wrote: {r.get('answer', '')}", r["id"])
    if r["state"] == "denied":
        return NotRun("denied", "Not executed: an approver denied this call." + (f" They wrote: {r['reason']}" if r.get("reason") else ""), r["id"])
    if r["state"] == "cancelled" and r.get("stopped"):
        return NotRun("cancelled", f"Not executed: {r['stopped']}.", r["id"])
    reason, text = _ENDS.get(r["state"], ("waiting", "Not executed yet: this call waits for an approver's decision."))
    return NotRun(reason, text, r["id"])


def _exact_float(text: str) -> float:
    n = float(text)
    if n in (float("inf"), float("-inf")) or Decimal(repr(n)) != Decimal(text):
        raise ValueError(f"Python has no float for {text[:40]}")
    return n


def _not_json(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


def _transient(e: GateError) -> bool:
    """Whether no answer came, or one that says that the same request may be sent again."""
    return e.status == 0 or e.status == 429 or e.status >= 500 or e.status == 409 and e.code == "idempotency"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _take_grant(q: Question, g: Grant) -> Grant:
    """Takes a grant, once, if it is for the call of the question and has the bytes of its digest."""
    proven = g.get("id") == q.id and g.get("tool") == q.tool and g.get("digest") == q.digest and isinstance(g.get("bytes"), str)
    if not proven or digest(g["tool"], g["bytes"], q.directory) != q.digest or not g.get("grant"):
        raise NotRun("doubt", "Not executed: the gate's answer is not about this call.", q.id)
    with _using:
        if g["grant"] in _used:
            raise NotRun("claimed", _ENDS["claimed"][1], q.id)
        _used.add(g["grant"])
    return g


class Gate(Operations):
    """The gate at an address, with the key of an agent; for decide, of an approver. Safe for use by several threads.

    A request that waits for nobody has failed after timeout seconds. A request that may be repeated is repeated so many times.
    """

    def __init__(self, url: str, key: str, *, timeout: float = 15, retries: int = 5):
        if not url or not key:
            raise ValueError("missing url or key")
        self.url, self.key, self.timeout, self.retries = url.rstrip("/"), key, timeout, retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _send(self, method: str, path: str, *, body: Any = None, query: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None, run: Optional[str] = None) -> Any:
        again = method == "GET" or idempotency_key is not None
        return self._repeat(self.retries if again else 0, lambda _: self._send_once(method, path, body, query or {}, idempotency_key, run))

    def _repeat(self, times: int, attempt: Callable[[bool], T]) -> T:
        failed = False
        for n in range(times + 1):
            try:
                return attempt(failed)
            except GateError as e:
                if n == times or not _transient(e):
                    raise
                failed = failed or e.status != 429
                time.sleep(max(e.after, 0.05 * 2**n * (1 + random.random() / 4)))
        raise AssertionError("unreachable")

    def _send_once(self, method: str, path: str, body: Any, query: Mapping[str, Any], idempotency_key: Optional[str] = None, run: Optional[str] = None) -> Any:
        kept = {k: v for k, v in query.items() if v is not None}
        headers = {"Authorization": f"Bearer {self.key}"}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        if run is not None:
            headers["Idempotency-Run"] = run
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = (body if isinstance(body, str) else json.dumps(body, allow_nan=False)).encode()
        elif method == "POST":
            data = b""
        request = urllib.request.Request(self.url + path + ("?" + urllib.parse.urlencode(kept) if kept else ""), data, headers, method=method)
        status, after = 0, 0.0
        try:
            try:
                with self._opener.open(request, timeout=self.timeout + float(kept.get("wait", 0))) as answer:
                    status, text = answer.status, answer.read()
            except urllib.error.HTTPError as e:
                with e:
                    status, text = e.code, e.read()
                    after = min(float(e.headers.get("Retry-After") or 0), 30)
            read = json.loads(text)
        except (OSError, http.client.HTTPException, ValueError) as e:
            raise GateError("network", 0, f"no whole answer of the gate: {e}") from e
        if not isinstance(read, dict):
            raise GateError("network", 0, "the answer is not the gate's")
        error = read.get("error") or {}
        if error or status >= 300 and "decision" not in read:
            raise GateError(error.get("code", "unknown"), status, error.get("message", f"status {status}"), after)
        return read

    def ask(self, call: Mapping[str, Any], *, key: Optional[str] = None, run: Optional[str] = None) -> Question:
        """Proposes a call {"tool", "arguments", …}. The same call with the same key is the same proposal, for a day. A run names an attempt
        to run it: of all attempts with one key, only the first may run a call that the policy allows, unless it only reads."""
        tool, text = call["tool"], _arguments(call.get("arguments"))
        body = json.dumps({k: v for k, v in call.items() if k != "arguments"})[:-1] + f', "arguments": {text}}}'
        once = digest(key or str(uuid.uuid4()), body)[len("sha256:") :]
        try:
            a = cast("Answer", self._send("POST", "/v1/proposals", body=body, idempotency_key=once, run=run))
        except GateError as e:
            if e.status == 409 and e.code == "conflict":
                raise NotRun("claimed", f"Not executed again: {e}.") from e
            raise
        said = a.get("decision")
        if said == "allow" and a.get("run", run) != run:
            raise NotRun("claimed", "Not executed again: this call was allowed before, and may have run. Check first.")
        if said == "allow":
            return Question(tool, text)
        if said == "deny" and "answer" in a:  # to an equal call before
            raise _end(cast("Record", a))
        if said == "deny":
            raise NotRun("denied", "Not executed: the policy denies this call" + (f": {a['reason']}" if a.get("reason") else "."))
        if said != "confirm" or not a.get("id") or a.get("digest") != digest(tool, text, call.get("directory") or ""):
            raise NotRun("doubt", "Not executed: the gate's answer is not about this call.")
        q = Question(tool, text, True, a["id"], "pending", digest=a["digest"], reflection=a.get("reflection", ""), reason=a.get("reason", ""), directory=call.get("directory") or "")
        return self.follow(q)

    def follow(self, q: Question, *, wait: int = 0) -> Question:
        """The question as it stands now: an approver may have put an edited call in its place."""
        for _ in range(100):
            r = cast("Record", self.get_proposal(q.id, wait=wait or None))
            if r.get("id") != q.id or r.get("tool") != q.tool or r.get("digest") != q.digest:
                raise NotRun("doubt", "Not executed: the gate's answer is not about this call.", q.id)
            q = dataclasses.replace(q, state=r.get("state", ""), prompt=r.get("prompt", ""), expires=r.get("expires", ""), url=r.get("url", ""), record=r)
            if r["state"] != "superseded" or not r.get("replacedBy"):
                return q
            n = cast("Record", self.get_proposal(r["replacedBy"]))
            q = dataclasses.replace(q, id=r["replacedBy"], digest=n.get("digest", ""), arguments=json.dumps(n.get("arguments")), reflection="", edited=True)
        raise NotRun("doubt", "Not executed: the call was edited too often.", q.id)

    def wait(self, q: Question, *, wait: float = float("inf")) -> Question:
        """Waits until the question is decided, or for so many seconds."""
        end = time.monotonic() + wait
        while True:
            left = max(0, int(min(25, end - time.monotonic() + 0.999)))
            q = self.follow(q, wait=left)
            if q.state != "pending" or left == 0:
                return q

    def decide(self, q: Union[Question, Mapping[str, Any]], approve: bool, *, reason: str = "", acknowledge: bool = False, seen: str = "") -> Standing:
        """Decides a question as the approver whose key this is: yes or no to exactly what was shown. A question may be
        a record of get_proposals(). seen is the id of the run in its why.mayHaveRun that the approver has looked at."""
        shown = q if isinstance(q, Mapping) else {"id": q.id, "digest": q.digest}
        return self.post_proposal_decision(shown["id"], {"approve": approve, "digest": shown["digest"], "reason": reason, "acknowledge": acknowledge, "seen": seen})

    def claim(self, q: Question, *, wait: float = float("inf")) -> Grant:
        """Takes the approved call, at most once. The bytes are those that its digest stands for."""
        end, failed = time.monotonic() + wait, [False]

        def attempt(before: bool) -> Grant:
            failed[0] = failed[0] or before
            return cast("Grant", self._send_once("POST", f"/v1/proposals/{urllib.parse.quote(q.id, safe='')}/claim", {"digest": q.digest}, {}))

        while True:
            try:
                return _take_grant(q, self._repeat(self.retries, attempt))
            except GateError as e:
                if e.code == "early" and time.monotonic() + e.after <= end:
                    time.sleep(e.after)
                    continue
                if e.code == "early":
                    runs = q.record.get("runsFrom", "its wait") if q.record else "its wait"
                    raise NotRun("waiting", f"Not executed yet: this call is approved, and may run after {runs}.", q.id) from e
                if _transient(e) or failed[0] and e.status == 409:
                    lost = "Not executed here: the answer to the claim was lost, so nothing ran here. The claim that counts is this one or another worker's, and this call cannot be claimed again."
                    raise NotRun("lost", lost, q.id) from e
                now = self.follow(q)
                if now.state in ("claimed", "executed", "failed", "ambiguous"):
                    first = f"Not executed here: another worker claimed this call first. There, its state is {now.state} now."
                    raise NotRun("claimed", first, q.id) from e
                if now.state != "approved" and now.record:
                    raise _end(now.record) from e
                raise NotRun("stopped", f"Not executed: the call was approved, but it may not run now: {e}", q.id) from e

    def report(self, g: Grant, status: Literal["executed", "failed", "ambiguous"], *, detail: str = "", result: Any = None) -> bool:
        """Reports what became of a claimed call. False if the gate did not say that it was stored."""
        body: Dict[str, Any] = {"grant": g["grant"], "status": status}
        if detail:
            body["detail"] = detail[:1000]
        try:
            text = json.dumps(result, allow_nan=False)
        except (TypeError, ValueError, RecursionError):  # the rules that look for values in it find nothing
            text = "null"
        if result is not None and text != "null" and len(text) <= 1 << 20:
            body["result"] = text
        try:
            self._repeat(self.retries, lambda _: self._send_once("POST", f"/v1/proposals/{urllib.parse.quote(g['id'], safe='')}/outcome", body, {}))
            return True
        except GateError:
            pass
        try:
            return self.get_proposal(g["id"])["state"] == status
        except GateError:
            return False

    def obtain(self, call: Mapping[str, Any], *, key: Optional[str] = None, wait: float = float("inf")) -> Tuple[Question, Optional[Grant], Any]:
        """Proposes a call, waits for the decision and claims it. Returns the arguments with which it may run, once. Raises NotRun. The
        grant, if there is one, must be reported."""
        grant: Optional[Grant] = None
        try:
            q = self.ask(call, key=key, run=str(uuid.uuid4()) if key else None)
            if q.held:
                q = self.wait(q, wait=wait)
                if q.state != "approved" and q.record:
                    raise _end(q.record)
                grant = self.claim(q, wait=wait)
        except GateError as e:
            raise NotRun("unavailable", f"Not executed: the gate did not allow this call: {e}") from e
        try:
            return q, grant, json.loads(grant["bytes"] if grant else q.arguments, parse_float=_exact_float, parse_constant=_not_json)
        except ValueError as e:
            if grant:
                self.report(grant, "failed", detail=f"nothing ran: {e}")
            raise NotRun("doubt", f"Not executed: {e}.", q.id) from e

    def run(self, call: Mapping[str, Any], execute: Callable[[Any, How], Any], *, key: Optional[str] = None, wait: float = float("inf")) -> Ran:
        """Runs a tool: proposes the call, waits for the decision, claims, runs, and reports. Raises NotRun if the tool did not run."""
        q, grant, args = self.obtain(call, key=key, wait=wait)
        text = grant["bytes"] if grant else q.arguments
        try:
            value = execute(args, How(text, q.edited, grant.get("receipt") if grant else None))
        except BaseException as e:
            if grant:
                self.report(grant, "ambiguous", detail=str(e))
            raise
        reported = self.report(grant, "executed", result=value) if grant else True
        return Ran(value, text, q.edited, reported, q.id or None)
