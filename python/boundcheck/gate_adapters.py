"""The gate behind the interrupts of agent frameworks. The app's own approval screen shows the gate's prompt and digest, an approver's key
decides there as anywhere else, and what the framework calls an approval lets nothing run by itself.

    tools = GatedTools(Gate(url, key), session=conversation)
    agent.tool(tools.pydantic_ai(cancel_order))
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import json
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Union

from boundcheck.gate import Gate, GateError, NotRun, Question, _arguments, _end


def _frozen(args: Mapping[str, Any]) -> Dict[str, Any]:
    """A copy of arguments as they are now: the caller may change its own while people decide."""
    copy: Dict[str, Any] = json.loads(_arguments(args))
    return copy


class GatedTools:
    """The tools of one conversation. A call is known by the conversation and its own id, so another process can continue it."""

    def __init__(self, gate: Gate, session: str):
        if not session:
            raise ValueError("missing session")
        self.gate, self.session = gate, session

    def _named(self, tool: str, args: Mapping[str, Any], call_id: Optional[str]) -> Dict[str, Any]:
        if not call_id:
            raise ValueError("missing id of the call")
        return {"call": {"tool": tool, "arguments": _frozen(args), "session": self.session}, "key": f"{self.session} {call_id}"}

    def question(self, tool: str, args: Mapping[str, Any], call_id: Optional[str]) -> Union[Question, NotRun, None]:
        """The question about a call, as it stands now; for an approval screen. None if the policy allows the call without a question, and
        a NotRun, which says why, if the call does not run or has been handed out."""
        named = self._named(tool, args, call_id)
        try:
            q = self.gate.ask(named["call"], key=named["key"])
        except NotRun as e:  # run says it to the model
            return e
        except GateError as e:
            return NotRun("unavailable", str(e))
        if q.record and q.state not in ("pending", "approved"):
            return _end(q.record)
        return q if q.held else None

    def waiting(self, tool: str, args: Mapping[str, Any], call_id: Optional[str]) -> Optional[Question]:
        """The question about a call, if nobody has decided it."""
        q = self.question(tool, args, call_id)
        return q if isinstance(q, Question) and q.state == "pending" else None

    def run(self, tool: str, args: Mapping[str, Any], call_id: Optional[str], execute: Callable[[Any], Any]) -> Any:
        """Runs a call if it is decided. A call that does not run returns the reason as a text for the model."""
        named = self._named(tool, args, call_id)
        try:
            ran = self.gate.run(named["call"], lambda args, _: execute(args), key=named["key"], wait=0)
        except NotRun as e:
            return str(e)
        if not ran.edited:
            return ran.value
        note = f"[gate] An approver changed this call. Your arguments did not run; these did: {ran.bytes}"
        return f"{note}\n\n{ran.value}" if isinstance(ran.value, str) else {"note": note, "result": ran.value}

    async def _run(self, tool: str, args: Mapping[str, Any], call_id: Optional[str], function: Callable[..., Any]) -> Any:
        """As run, with a function that may be a coroutine's."""
        loop = asyncio.get_running_loop()

        async def called(args: Mapping[str, Any]) -> Any:
            value = function(**args)
            return await value if inspect.isawaitable(value) else value

        return await asyncio.to_thread(self.run, tool, args, call_id, lambda args: asyncio.run_coroutine_threadsafe(called(args), loop).result())

    def pydantic_ai(self, function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        """A tool of Pydantic AI, as a deferred one, from a function whose first parameter is the RunContext."""
        from pydantic_ai import ApprovalRequired

        signature, name = inspect.signature(function), function.__name__

        @functools.wraps(function)
        async def tool(ctx: Any, *args: Any, **kwargs: Any) -> Any:
            given = _frozen(dict(list(signature.bind(ctx, *args, **kwargs).arguments.items())[1:]))
            q = await asyncio.to_thread(self.waiting, name, given, ctx.tool_call_id)
            if q:
                raise ApprovalRequired(metadata=q.shown())
            return await self._run(name, given, ctx.tool_call_id, functools.partial(function, ctx))

        return tool

    def google_adk(self, function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        """A tool of Google's ADK, with its confirmation, from a function that has the parameter tool_context."""
        name = function.__name__

        @functools.wraps(function)
        async def tool(*, tool_context: Any, **given: Any) -> Any:
            args = _frozen(given)
            q = await asyncio.to_thread(self.waiting, name, args, tool_context.function_call_id)
            if q:
                tool_context.request_confirmation(hint=q.prompt, payload=q.shown())
                return {"status": "waiting", "message": "Not executed yet: this call waits for an approver's decision."}
            return await self._run(name, args, tool_context.function_call_id, functools.partial(function, tool_context=tool_context))

        return tool

    def inspect_ai(self, *, wait: float = float("inf")) -> Callable[..., Awaitable[Any]]:
        """An approver of Inspect. Inspect runs the tool itself, so nobody reports the outcome, and the call counts as ambiguous."""
        from inspect_ai.approval import Approval

        async def approve(message: str, call: Any, view: Any, history: Any) -> Any:
            named = self._named(call.function, call.arguments, call.id)
            try:
                q, _, args = await asyncio.to_thread(self.gate.obtain, named["call"], key=named["key"], wait=wait)
            except NotRun as e:
                return Approval(decision="reject", explanation=str(e))
            if not q.edited and args == call.arguments:  # Inspect runs the call with its own arguments, which may have changed since
                return Approval(decision="approve", explanation=f"approved at the gate: {q.digest}" if q.held else "the policy allows it")
            return Approval(decision="modify", modified=dataclasses.replace(call, arguments=args), explanation="an approver changed the call" if q.edited else "these arguments were approved")

        return approve
