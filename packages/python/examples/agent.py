"""Runs an agent of the working directory: `python agent.py AGENT TASK`.

Uses an OpenAI-compatible endpoint: MODEL_URL (default http://127.0.0.1:11434/v1), MODEL and MODEL_KEY. The agent may read
files of the project if its tool list allows it; other calls are denied before they reach this program.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import callsheet
from callsheet import Callsheet, ModelAnswer, ModelRequest, Task, ToolAnswer, ToolCall, ToolRequest, ToolSpec
from callsheet.contract.conversation import CallErrorDenied, CallErrorUnavailable, Message
from callsheet.contract.delegation import EndingAnswer, Event, HappeningCalled, HappeningCalls, HappeningRefused

URL = os.environ.get("MODEL_URL", "http://127.0.0.1:11434/v1")
PATH = {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"]}
READ = ToolSpec("Read", "Reads a file of the project", json.dumps(PATH))


def ask(request: ModelRequest) -> ModelAnswer:
    """Calls the endpoint."""
    body: dict[str, Any] = {"model": request.model, "messages": [written(message) for message in request.messages]}
    if request.tools:
        functions = [
            {"name": it.name, "description": it.description, "parameters": json.loads(it.schema)}
            for it in request.tools
        ]
        body["tools"] = [{"type": "function", "function": function} for function in functions]
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('MODEL_KEY', '')}"}
    asked = urllib.request.Request(f"{URL}/chat/completions", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(asked) as response:
            answer = json.load(response)
    except urllib.error.URLError as error:
        raise CallErrorUnavailable(f"{URL}: {error}") from error
    said, used = answer["choices"][0]["message"], answer.get("usage", {})
    calls = [
        ToolCall(it["id"], it["function"]["name"], it["function"]["arguments"]) for it in said.get("tool_calls") or []
    ]
    return ModelAnswer(said.get("content") or "", calls, used.get("prompt_tokens", 0), used.get("completion_tokens", 0))


def written(message: Message) -> dict[str, Any]:
    """Converts a message to the endpoint's format."""
    made: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        functions = [(call.id, {"name": call.name, "arguments": call.arguments}) for call in message.calls]
        made["tool_calls"] = [{"id": id, "type": "function", "function": function} for id, function in functions]
    return made if message.answers is None else {**made, "tool_call_id": message.answers}


def call(request: ToolRequest) -> ToolAnswer:
    """Reads a file. No link leads out of the project."""
    project = Path.cwd().resolve()
    file = json.loads(request.call.arguments).get("file_path")
    if not isinstance(file, str):
        return ToolAnswer("`file_path` must be a string", is_error=True)
    path = (project / file).resolve()
    if project not in path.parents:
        raise CallErrorDenied("outside of the project")
    try:
        return ToolAnswer(path.read_text(errors="replace"), is_error=False)
    except OSError as error:
        return ToolAnswer(str(error), is_error=True)


def tell(event: Event) -> None:
    """Prints events to standard error."""
    if isinstance(event.what, (HappeningCalled, HappeningCalls, HappeningRefused)):
        print("  " * (len(event.agent) - 1) + event.agent[-1], event.what.tag, event.what.value, file=sys.stderr)


def main() -> None:
    agent, task = sys.argv[1:]
    catalog = Callsheet().catalog("claude-code")
    settings = catalog.settings(os.environ.get("MODEL", ""))
    try:
        outcome = callsheet.drive(catalog.session(Task(agent, task), [READ], settings), ask, call, on_event=tell)
    except callsheet.Error as error:
        sys.exit(f"error: {error}")
    if not isinstance(outcome.ending, EndingAnswer):
        sys.exit(f"error: no answer: {outcome.text}")
    print(outcome.text)


if __name__ == "__main__":
    main()
