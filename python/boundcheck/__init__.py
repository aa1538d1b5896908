"""Bounds checking for agent actions.

    import boundcheck

    report = boundcheck.score(messages, reference="refs/cancel.yaml")
    assert report.passed, report.findings()

A trace is your agent's data (messages, results of LangChain, the OpenAI Agents SDK, Pydantic AI or LangSmith), a text,
bytes, or a path. The program in this wheel does the work on this machine; nothing is sent anywhere.
"""

from boundcheck._core import BoundcheckError, Report, check, convert, explain, lint, new_reference, prompt, score, version
from boundcheck._program import find_program
from boundcheck.adapters import from_langchain, from_langsmith, from_openai_agents, from_pydantic_ai, to_trace
from boundcheck.testing import assert_within, evaluator

__all__ = [
    "BoundcheckError", "Report", "assert_within", "check", "convert", "evaluator", "explain", "find_program", "from_langchain", "from_langsmith",
    "from_openai_agents", "from_pydantic_ai", "lint", "new_reference", "prompt", "score", "to_trace", "version",
]
