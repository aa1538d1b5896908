"""Makes a trace from an agent's data in memory. It imports no framework, but recognises objects by their methods."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any, Iterable


def to_trace(value: Any) -> bytes:
    """The bytes of a trace, made from a text, bytes, a path, or any value that one of the functions below accepts.

    A path is an os.PathLike; a str is the trace itself. Raises TypeError if a value cannot be written as JSON.
    """
    if isinstance(value, bytes):
        return value
    if isinstance(value, os.PathLike):
        with open(value, "rb") as f:
            return f.read()
    if isinstance(value, str):
        return value.encode()
    if hasattr(value, "to_input_list"):
        return from_openai_agents(value).encode()
    if hasattr(value, "all_messages_json"):
        return from_pydantic_ai(value).encode()
    if hasattr(value, "run_type") and hasattr(value, "inputs"):
        return from_langsmith(value).encode()
    messages = value.get("messages") if isinstance(value, dict) else value
    if isinstance(messages, (list, tuple)) and messages and _is_langchain(messages[0]):
        return from_langchain(messages).encode()
    return _json(value).encode()


def from_langchain(messages: Iterable[Any]) -> str:
    """Messages of LangChain, or the result of a LangGraph agent ({"messages": […]}), in LangChain's stored form."""
    if isinstance(messages, dict):
        messages = messages["messages"]
    return _json([{"type": m.type, "data": _plain(m)} for m in messages])


def from_openai_agents(result: Any) -> str:
    """A RunResult of the OpenAI Agents SDK: its input and its new items, as Responses items."""
    return _json(result.to_input_list())


def from_pydantic_ai(result: Any) -> str:
    """An AgentRunResult of Pydantic AI, with all its messages."""
    text = result.all_messages_json()
    return text.decode() if isinstance(text, (bytes, bytearray)) else text


def from_langsmith(run: Any) -> str:
    """A Run or RunTree of LangSmith with its child runs, or a list of runs, as list_runs returns them."""
    if isinstance(run, (list, tuple)):
        return _json([_run(r) for r in run])
    return _json(_run(run))


def _run(run: Any) -> Any:
    """Only the members of a trace, because a RunTree also holds its client."""
    if isinstance(run, dict):
        return run
    names = ("id", "name", "run_type", "inputs", "outputs", "error", "start_time", "end_time", "parent_run_id", "trace_id", "dotted_order", "extra")
    out = {n: getattr(run, n) for n in names if getattr(run, n, None) is not None}
    children = getattr(run, "child_runs", None)
    if children:
        out["child_runs"] = [_run(c) for c in children]
    return out


def _is_langchain(m: Any) -> bool:
    return not isinstance(m, dict) and isinstance(getattr(m, "type", None), str) and hasattr(m, "content") and not hasattr(m, "role")


def _json(value: Any) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """Converts an object to a value that JSON can hold."""
    if hasattr(value, "model_dump"):  # pydantic 2
        try:
            return value.model_dump(mode="json", exclude_none=True)
        except TypeError:
            return value.model_dump()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__name__ == "UUID":
        return str(value)
    for name in ("to_dict", "dict"):
        if callable(getattr(value, name, None)):
            return getattr(value, name)()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if hasattr(value, "value") and type(value).__mro__[1].__name__ in ("Enum", "StrEnum"):
        return value.value
    raise TypeError(f"cannot write {type(value).__module__}.{type(value).__qualname__} as a trace; give messages, a text, bytes or a path")
