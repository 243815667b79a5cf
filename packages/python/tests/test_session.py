"""Sessions, step by step and driven."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from callsheet import (
    Callsheet,
    Clock,
    EndingAnswer,
    EndingBound,
    EndingCancelled,
    EndingFailed,
    Lost,
    ModelAnswer,
    ModelRequest,
    Outcome,
    Task,
    ToolAnswer,
    ToolCall,
    ToolRequest,
    ToolSpec,
    adrive,
    drive,
)
from callsheet.contract.conversation import CallErrorDenied, CallErrorUnavailable
from callsheet.contract.delegation import (
    Event,
    HappeningRefused,
    HappeningReturned,
    ReplyModel,
    ReplyTool,
    Session,
    SessionErrorBadSnapshot,
    SessionErrorFinished,
    SessionErrorNotOutstanding,
    SessionErrorUnfitReply,
    SessionErrorUnknownAgent,
    StepAskModel,
    Surroundings,
)

FILES = {".claude/agents/lead.md": "---\nname: lead\ndescription: Leads\ntools: Read\n---\nLead.\n"}
LENT = [ToolSpec("Read", "Reads", '{"type": "object"}'), ToolSpec("Write", "Writes", '{"type": "object"}')]


def session(**bounds: int) -> Session:
    catalog = Callsheet(files=FILES).catalog("claude-code")
    settings = catalog.settings("some-model", bounds=replace(catalog.settings().bounds, **bounds))
    return catalog.session(Task("lead", "Go"), LENT, settings)


def reading(*files: str) -> ModelAnswer:
    calls = [ToolCall(file, "Read", f'{{"file_path": "/project/{file}"}}') for file in files]
    return ModelAnswer("", calls, input_tokens=1, output_tokens=1)


def models(request: ModelRequest) -> ModelAnswer:
    """Reads two files, then answers with their text."""
    said = [message.text for message in request.messages if message.answers]
    return ModelAnswer("; ".join(said), [], 1, 1) if said else reading("a", "b")


def tools(request: ToolRequest) -> ToolAnswer:
    return ToolAnswer(f"contents of {request.call.id}", is_error=False)


def answered(text: str) -> Outcome:
    return Outcome(EndingAnswer(), text)


def test_instructions_import_from_anywhere_in_the_project(tmp_path: Path) -> None:
    contents = {**FILES, "CLAUDE.md": "See @docs/style.md.\n", "docs/style.md": "Write plainly.\n"}
    for path, text in contents.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    catalog = Callsheet(tmp_path, home=None).catalog("claude-code")
    surroundings = Surroundings(
        str(tmp_path), "linux", "2026-11-27", personal=False, is_repository=False, repository=None
    )
    heard: list[str] = []

    def answer(request: ModelRequest) -> ModelAnswer:
        heard.extend(message.text for message in request.messages)
        return ModelAnswer("done", [], 1, 1)

    drive(catalog.session(Task("lead", "Go"), LENT, catalog.settings(surroundings=surroundings)), answer, tools)
    text = "\n".join(heard)
    assert text.index("See @docs/style.md.") < text.index("Write plainly.")


def test_driven_to_its_end() -> None:
    events: list[Event] = []
    running = session()
    assert drive(running, models, tools, on_event=events.append) == answered("contents of a; contents of b")
    assert [event.number for event in events] == list(range(len(events)))
    assert running.usage().turns == 2
    assert running.poll(0, 0) == []


def test_driven_in_parallel() -> None:
    at_work = 0
    most = 0

    async def ask(request: ModelRequest) -> ModelAnswer:
        return models(request)

    async def call(request: ToolRequest) -> ToolAnswer:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0)
        at_work -= 1
        return tools(request)

    assert asyncio.run(adrive(session(), ask, call)) == answered("contents of a; contents of b")
    assert most == 2


def test_step_by_step() -> None:
    running = session()
    (first,) = running.poll(0, 0)
    assert isinstance(first.step, StepAskModel)
    assert first.step.value.model == "some-model"
    with pytest.raises(SessionErrorUnfitReply):
        running.reply(first.id, ReplyTool(ToolAnswer("", False)), 1)
    with pytest.raises(SessionErrorNotOutstanding, match="step 99"):
        running.reply(99, ReplyModel(reading("a")), 1)
    running.reply(first.id, ReplyModel(reading("a")), 1)
    assert running.outcome() is None
    running.cancel()
    with pytest.raises(SessionErrorFinished):
        running.reply(first.id, ReplyModel(reading("a")), 2)


def test_call_errors_are_reported_to_the_agent() -> None:
    def unable(request: ToolRequest) -> ToolAnswer:
        raise CallErrorDenied("the user says no")

    events: list[Event] = []
    outcome = drive(session(), models, unable, on_event=events.append)
    assert isinstance(outcome.ending, EndingAnswer)
    assert "the user says no" in outcome.text
    assert [it.what.value.is_error for it in events if isinstance(it.what, HappeningReturned)] == [True, True]

    def offline(request: ModelRequest) -> ModelAnswer:
        raise CallErrorUnavailable("no connection")

    failed = drive(session(), offline, tools)
    assert isinstance(failed.ending, EndingFailed)
    assert "no connection" in failed.text


def test_other_exceptions_are_raised_and_the_session_continues() -> None:
    running = session()

    def failing(request: ToolRequest) -> ToolAnswer:
        raise OSError("the disk is full")

    clock = Clock()
    with pytest.raises(OSError, match="the disk is full"):
        drive(running, models, failing, clock=clock)
    assert drive(running, models, tools, clock=clock) == answered("contents of a; contents of b")

    async def ask(request: ModelRequest) -> ModelAnswer:
        raise OSError("no route")

    async def call(request: ToolRequest) -> ToolAnswer:
        return tools(request)

    with pytest.raises(OSError, match="no route"):
        asyncio.run(adrive(session(), ask, call))


def test_denied_calls_reach_no_tool() -> None:
    def writing(request: ModelRequest) -> ModelAnswer:
        calls = [ToolCall("1", "Write", '{"file_path": "a", "content": ""}')] if len(request.messages) < 3 else []
        return ModelAnswer("done", calls, 1, 1)

    def never(request: ToolRequest) -> ToolAnswer:
        raise AssertionError(request)

    events: list[Event] = []
    assert drive(session(), writing, never, on_event=events.append) == answered("done")
    assert any(isinstance(event.what, HappeningRefused) for event in events)


def test_a_deadline_ends_slow_steps() -> None:
    async def ask(request: ModelRequest) -> ModelAnswer:
        await asyncio.Event().wait()
        raise AssertionError

    async def call(request: ToolRequest) -> ToolAnswer:
        return tools(request)

    outcome = asyncio.run(adrive(session(deadline=1_000_000), ask, call, deadline=1_000_000))
    assert isinstance(outcome.ending, EndingBound)
    assert outcome.ending.value.bound == "deadline"


def test_no_step_starts_after_the_end() -> None:
    calls: list[str] = []

    def canceling(request: ToolRequest) -> ToolAnswer:
        calls.append(request.call.id)
        running.cancel()
        return tools(request)

    running = session()
    assert isinstance(drive(running, models, canceling).ending, EndingCancelled)
    assert calls == ["a"]


def test_a_snapshot_resumes_in_another_process() -> None:
    running = session()
    (first,) = running.poll(0, 0)
    running.reply(first.id, ReplyModel(reading("a", "b")), 1)
    script = (
        "import sys, callsheet\n"
        "session = callsheet.Callsheet(files={}).catalog('kode').restore(sys.stdin.buffer.read())\n"
        "print([(it.id, it.step.value.call.name) for it in session.poll(2, 0)])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], input=running.snapshot(), stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"[(1, 'Read'), (2, 'Read')]\n"


def test_sessions_are_lost_when_the_component_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Callsheet(files=FILES)
    catalog = made.catalog("claude-code")
    running = catalog.session(Task("lead", "Go"))
    snapshot = running.snapshot()
    with monkeypatch.context() as patch:
        assert made.files is not None
        made.files[".claude/agents/more.md"] = b""
        patch.setattr(made.files, "read", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            catalog.refresh()
    with pytest.raises(Lost):
        running.poll(0, 0)
    assert catalog.restore(snapshot).poll(0, 0)


def test_sessions_that_cannot_start() -> None:
    catalog = Callsheet(files=FILES).catalog("claude-code")
    with pytest.raises(SessionErrorUnknownAgent, match="did you mean `lead`"):
        catalog.session(Task("laed", "Go"))
    with pytest.raises(SessionErrorBadSnapshot):
        catalog.restore(b"nothing of the kind")
