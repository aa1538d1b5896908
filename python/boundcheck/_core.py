"""Runs the program, and reads its output."""

from __future__ import annotations

import dataclasses
import functools
import html
import json
import os
import re
import subprocess
import tempfile
import types
import typing
from typing import Any, Mapping, Sequence

from boundcheck import _types
from boundcheck._program import find_program
from boundcheck.adapters import to_trace

FORMATS = (".yaml", ".yml", ".json", ".jsonl", ".txt")


class BoundcheckError(Exception):
    """The program refused the input. code is the kind of error; line and column are its position, if known."""

    def __init__(self, message: str, code: str = "invalid-input", line: int | None = None, column: int | None = None, seen: str | None = None):
        super().__init__(message)
        self.code, self.line, self.column, self.seen = code, line, column, seen


@dataclasses.dataclass(frozen=True, kw_only=True)
class Report(_types.Report):
    """A report with the types of core/report.schema.json. raw is the program's own text, byte for byte."""

    raw: bytes = dataclasses.field(default=b"", repr=False, compare=False)
    _asked: tuple = dataclasses.field(default=(), repr=False, compare=False)

    @property
    def passed(self) -> bool | None:
        """Whether every run is known to be good. False if a boundary broke in one, or its record says that it failed; hints do
        not count. None if it is not known of one, or there is none; unread says why."""
        passed = [t.passed for t in self.trajectories]
        if False in passed:
            return False
        return None if not passed or None in passed else True

    @property
    def unread(self) -> str:
        """Why it is not known whether a run is good: no run could be read, a run was not scored or perhaps read wrongly, nobody
        asked for a change, and so on. "" if it is known of each."""
        if not self.trajectories:
            return "Cannot tell: no run could be read."
        return self.doubt or next((t.verdict or "Cannot tell." for t in self.trajectories if t.passed is None), "")

    @property
    def doubt(self) -> str:
        """Why no figure of the report counts: a run was not scored, or it was perhaps read wrongly. "" otherwise."""
        for t in self.trajectories:
            if t.error is not None:
                return f"Cannot tell: a run was not scored: {t.error.message}"
            if t.doubt:
                return f"Cannot tell: {t.doubt}."
        return ""

    def findings(self) -> str:
        """The findings, one per line, without hints; "" if there are none."""
        several = len(self.trajectories) > 1
        lines = []
        for t in self.trajectories:
            for v in t.violations:
                if not v.hint:
                    lines.append(f"{t.id + ': ' if several else ''}{v.type}: {v.reason} ({v.rule}, {v.by}, {v.confidence:.2f})")
        return "\n".join(lines)

    def story(self) -> str:
        """What went wrong in each run, a sentence per line; "" if nothing did."""
        several = len(self.trajectories) > 1
        lines = []
        for t in self.trajectories:
            for s in t.story or []:
                lines += [f"{t.id + ': ' if several and i == 0 else ''}{text}" for i, text in enumerate(s.text)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        runs = len(self.trajectories)
        told = self.unread or self.story() or next((t.verdict for t in self.trajectories if t.verdict), "No violation.")
        return f"<boundcheck.Report of {runs} {'run' if runs == 1 else 'runs'}, {self.corpus.flagged} flagged>\n{told}"

    def html(self) -> str:
        """The report as one self-contained page."""
        trace, args, files = self._asked
        return _run(["score", "--format", "html", *args], trace, files).decode()

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html())}" style="width:100%;height:640px;border:0" sandbox="allow-scripts"></iframe>'


def score(
    trace: Any,
    reference: Any = None,
    *,
    reference_from: Any = None,
    profile: str | None = None,
    tools: Mapping[str, Any] | None = None,
    seed: int | None = None,
    config: str | os.PathLike | None = None,
) -> Report:
    """Scores a trace.

    reference is what should have been done: a path (os.PathLike, or a text of one line that ends in .yaml, .json or .txt),
    a text (YAML, JSON, or one call per line), or a value. reference_from is a run that went well. profile is "outcome"
    (compare the changes) or "sop" (compare each step). tools names the tools that change something, in the form of a
    tools file. config is a boundcheck.yaml; without it none is read. Raises BoundcheckError if one of them cannot be used.
    """
    args, files = [], {}
    for flag, given in (("--reference", reference), ("--reference-from", reference_from), ("--tools", tools)):
        if given is not None:
            args += [flag, _file(given, files)]
    if profile is not None:
        args += ["--profile", profile]
    if seed is not None:
        args += ["--seed", str(seed)]
    args += ["--config", os.fspath(config)] if config is not None else ["--no-config"]
    return _report("score", to_trace(trace), args, files)


def lint(trace: Any, *, tools: Mapping[str, Any] | None = None, config: str | os.PathLike | None = None) -> Report:
    """The findings about a trace that need no reference."""
    args, files = [], {}
    if tools is not None:
        args += ["--tools", _file(tools, files)]
    args += ["--config", os.fspath(config)] if config is not None else ["--no-config"]
    return _report("lint", to_trace(trace), args, files)


def check(tool: str, arguments: Any = None, **more: Any) -> _types.Decision:
    """Decides whether one call may run or must be confirmed, with the text to confirm. more is tools, policy and table."""
    proposal = {"tool": tool, "arguments": {} if arguments is None else arguments, **more}
    return read(_types.Decision, json.loads(_run(["check", "-"], json.dumps(proposal).encode())))


def convert(trace: Any, to: str, *, source: str | None = None) -> str:
    """Converts a trace to generic, openai-chat or atif. source is its format; without it the format is detected."""
    return _run(["convert", "--to", to, *(["--from", source] if source else []), "-"], to_trace(trace)).decode()


def new_reference(*traces: Any, format: str = "yaml") -> str:
    """A reference made from runs that went well, as a text to edit and keep."""
    files: dict[str, bytes] = {}
    args = [_file(to_trace(t), files) for t in traces]
    text = _run(["reference", "new", "--format", format, *args], b"", files).decode()
    return re.sub(r"(from|, ) ?[^,\n]*boundcheck-[^/,\n]*/(\d+)", lambda m: f"{m[1].rstrip()} run {int(m[2]) + 1}", text)


def explain(*words: str) -> list[dict[str, str]]:
    """The meanings of names in a report; without a word, of all names."""
    return json.loads(_run(["explain", "--format", "json", *words], b""))


def prompt(name: str, variant: str | None = None, *, tools: Sequence[Any] | None = None, checks: Sequence[str] = ()) -> str:
    """A prompt, such as "ebp", which makes an agent state the boundary of each action before it acts."""
    args, files = ["prompt", name], {}
    if variant:
        args += ["--variant", variant]
    if tools is not None:
        args += ["--tools", _file(list(tools), files)]
    for c in checks:
        args += ["--check", c]
    return _run(args, b"", files).decode()


@functools.cache
def version() -> dict[str, Any]:
    """The program's version and build."""
    return json.loads(_run(["version"], b""))


def is_path(given: Any) -> bool:
    """Whether a reference is a path."""
    return isinstance(given, os.PathLike) or isinstance(given, str) and "\n" not in given and given.endswith(FORMATS)


def _file(given: Any, files: dict[str, bytes]) -> str:
    """Returns a path unchanged. Anything else becomes a file during the call, and its place-holder is returned."""
    if is_path(given):
        return os.fspath(given)
    name = f"@{len(files)}"
    files[name] = given.encode() if isinstance(given, str) else given if isinstance(given, bytes) else to_trace(given)
    return name


def _report(command: str, trace: bytes, args: list[str], files: dict[str, bytes]) -> Report:
    raw = _run([command, "--format", "json", *args, "-"], trace, files)
    return dataclasses.replace(read(Report, json.loads(raw)), raw=raw, _asked=(trace, [*args, "-"], files))


def run_in_folder(args: Sequence[str], files: Mapping[str, bytes]) -> str:
    """The standard output of the program in a new folder with these files, whose names come behind args."""
    with tempfile.TemporaryDirectory(prefix="boundcheck-") as folder:
        for name, data in files.items():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
        return _output(subprocess.run([find_program(), *args, *files], cwd=folder, capture_output=True)).decode()


def _run(args: Sequence[str], stdin: bytes, files: Mapping[str, bytes] | None = None) -> bytes:
    """The standard output of the program. Raises BoundcheckError if it refuses the input."""
    with tempfile.TemporaryDirectory(prefix="boundcheck-") as folder:
        paths = {}
        for name, data in (files or {}).items():
            paths[name] = os.path.join(folder, name[1:])
            with open(paths[name], "wb") as f:
                f.write(data)
        return _output(subprocess.run([find_program(), *(paths.get(a, a) for a in args)], input=stdin, capture_output=True))


def _output(done: subprocess.CompletedProcess) -> bytes:
    if done.returncode in (0, 3):  # 3: a run differs, or a limit of a boundcheck.yaml is exceeded; the output is complete
        return done.stdout
    said = re.sub(r"^boundcheck( \w+)?: (-: )?", "", done.stderr.decode(errors="replace").strip().split("\n")[0])
    try:
        error = json.loads(done.stdout)["error"]
    except (ValueError, KeyError, TypeError):
        error = {"message": said or f"the program ended with {done.returncode}"}
    raise BoundcheckError(error["message"], error.get("code", "invalid-input"), error.get("line"), error.get("column"), error.get("seen"))


def read(cls: type, value: Any) -> Any:
    """Converts a JSON value to a class of _types. Unknown members are left out."""
    if value is None:
        return None
    hints = _hints(cls)
    return cls(**{name: _as(hints[name], value[key]) for name, key in _members(cls).items() if key in value})


@functools.cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls, vars(_types))


@functools.cache
def _members(cls: type) -> dict[str, str]:
    return {f.name: re.sub(r"_([a-z])", lambda m: m.group(1).upper(), f.name) for f in dataclasses.fields(cls) if f.name not in ("raw", "_asked")}


def _as(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(hint, types.UnionType):
        hint = next(h for h in hint.__args__ if h is not type(None))
    origin = typing.get_origin(hint)
    if origin is list:
        return [_as(hint.__args__[0], v) for v in value]
    if origin is dict:
        return {k: _as(hint.__args__[1], v) for k, v in value.items()}
    return read(hint, value) if dataclasses.is_dataclass(hint) else value
