"""Drives a session to its end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Optional, Union

from .contract.conversation import CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest
from .contract.delegation import (
    Event,
    Outcome,
    Outstanding,
    Reply,
    ReplyFailed,
    ReplyModel,
    ReplyTool,
    Session,
    SessionErrorFinished,
    SessionErrorNotOutstanding,
    StepAskModel,
)

Observe = Callable[[Event], None]


class Clock:
    """A monotonic clock in nanoseconds. With `now`, it continues from a saved session's time."""

    def __init__(self, now: int = 0) -> None:
        self._zero = time.monotonic_ns() - now

    def now(self) -> int:
        """The current time."""
        return time.monotonic_ns() - self._zero


def drive(
    session: Session,
    models: Callable[[ModelRequest], ModelAnswer],
    tools: Callable[[ToolRequest], ToolAnswer],
    *,
    clock: Optional[Clock] = None,
    on_event: Optional[Observe] = None,
) -> Outcome:
    """Drives a session to its end, one step at a time.

    `models` and `tools` raise a `CallError` to report a failure to the agent. Other exceptions are raised here. The step
    stays outstanding, and the session can be driven further with the same clock.
    """
    driver = _Driver(session, clock or Clock(), on_event)
    while (outcome := driver.outcome()) is None:
        for outstanding in driver.begin():
            step = outstanding.step
            try:
                if isinstance(step, StepAskModel):
                    driver.answer(outstanding.id, ReplyModel(models(step.value)))
                else:
                    driver.answer(outstanding.id, ReplyTool(tools(step.value)))
            except CallError as error:
                driver.answer(outstanding.id, ReplyFailed(error))
            # The step may have ended the session, or taken until its deadline.
            if driver.outcome() is not None:
                break
    return outcome


async def adrive(
    session: Session,
    models: Callable[[ModelRequest], Awaitable[ModelAnswer]],
    tools: Callable[[ToolRequest], Awaitable[ToolAnswer]],
    *,
    clock: Optional[Clock] = None,
    deadline: Optional[int] = None,
    on_event: Optional[Observe] = None,
) -> Outcome:
    """Drives a session to its end, with steps in parallel.

    `deadline` is the deadline in the session's limits: without it, a step may take any time. Otherwise like `drive`. Steps
    in progress are canceled if an exception is raised or this call is canceled. `session.cancel()` takes effect when a step
    ends; cancel this call to end the steps, too.
    """
    driver = _Driver(session, clock or Clock(), on_event)
    tasks: dict[asyncio.Task[Reply], int] = {}
    try:
        while (outcome := driver.outcome()) is None:
            for outstanding in driver.begin():
                tasks[asyncio.ensure_future(_reply(outstanding, models, tools))] = outstanding.id
            left = None if deadline is None else max(0, deadline - driver.clock.now()) / 1e9
            done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                driver.answer(tasks.pop(task), task.result())
        return outcome
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _reply(
    outstanding: Outstanding,
    models: Callable[[ModelRequest], Awaitable[ModelAnswer]],
    tools: Callable[[ToolRequest], Awaitable[ToolAnswer]],
) -> Reply:
    step = outstanding.step
    try:
        if isinstance(step, StepAskModel):
            return ReplyModel(await models(step.value))
        return ReplyTool(await tools(step.value))
    except CallError as error:
        return ReplyFailed(error)


class _Driver:
    """Shared by both loops."""

    def __init__(self, session: Session, clock: Clock, on_event: Optional[Observe]) -> None:
        self.session, self.clock, self._on_event = session, clock, on_event
        # Steps with lower numbers are in progress.
        self._known = 0

    def begin(self) -> list[Outstanding]:
        """Every new step."""
        steps = self.session.poll(self.clock.now(), self._known)
        if steps:
            self._known = steps[-1].id + 1
        return steps

    def answer(self, step: int, reply: Union[ReplyModel, ReplyTool, ReplyFailed]) -> None:
        """Discards an answer to a step that the session has given up."""
        with contextlib.suppress(SessionErrorNotOutstanding, SessionErrorFinished):
            self.session.reply(step, reply, self.clock.now())

    def outcome(self) -> Optional[Outcome]:
        # Poll first, because the deadline may have passed.
        self.session.poll(self.clock.now(), self._known)
        if self._on_event is not None:
            for event in self.session.events():
                self._on_event(event)
        return self.session.outcome()
