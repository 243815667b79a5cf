"""Runs the examples."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from callsheet._component import packaged

EXAMPLES = Path(__file__).parents[1] / "examples"
AGENT = "---\nname: reader\ndescription: Reads\ntools: Read\n---\nRead.\n"


class Endpoint(BaseHTTPRequestHandler):
    """Requests a file, then answers with its text."""

    asked: list[Any]
    arguments: str

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        last = body["messages"][-1]
        call = {"id": "1", "type": "function", "function": {"name": "Read", "arguments": self.arguments}}
        said = (
            {"content": f"It says: {last['content']}"}
            if last["role"] == "tool"
            else {"content": None, "tool_calls": [call]}
        )
        answer = json.dumps({"choices": [{"message": said}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_arguments: object) -> None:
        """Print nothing to the terminal."""


@pytest.fixture
def endpoint() -> Iterator[HTTPServer]:
    Endpoint.asked, Endpoint.arguments = [], '{"file_path": "notes.txt"}'
    server = HTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def run(example: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / example), *arguments]
    # Another home directory must not recompile the component.
    cache = {"XDG_CACHE_HOME": str(Path("~/.cache").expanduser())}
    environment = {**cache, **os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_the_example_host() -> None:
    said = (
        ".claude/agents/reviewer.md:3: warning: unquoted `description` contains `: `, which starts a mapping in YAML\n"
    )
    assert run("host.py", str(packaged())).stdout == said


def test_the_example_agent(world: Path, endpoint: HTTPServer) -> None:
    (world / "project/.claude/agents").mkdir(parents=True)
    (world / "project/.claude/agents/reader.md").write_text(AGENT)
    (world / "project/notes.txt").write_text("hello")
    url = f"http://127.0.0.1:{endpoint.server_port}"
    done = run("agent.py", "reader", "What does it say?", MODEL_URL=url, MODEL="some-model", HOME=str(world / "home"))
    assert (done.stdout, done.returncode) == ("It says: hello\n", 0), done.stderr
    assert [it["model"] for it in Endpoint.asked] == ["some-model"] * 2
    assert "reader called What does it say?" in done.stderr


def test_the_example_agent_reports_a_missing_argument(world: Path, endpoint: HTTPServer) -> None:
    (world / "project/.claude/agents").mkdir(parents=True)
    (world / "project/.claude/agents/reader.md").write_text(AGENT)
    Endpoint.arguments = "{}"
    url = f"http://127.0.0.1:{endpoint.server_port}"
    done = run("agent.py", "reader", "Go.", MODEL_URL=url, MODEL="some-model", HOME=str(world / "home"))
    assert (done.stdout, done.returncode) == ("It says: `file_path` must be a string\n", 0), done.stderr


def test_an_unknown_agent(world: Path) -> None:
    done = run("agent.py", "unknown", "Go.", HOME=str(world / "home"))
    assert (done.stderr, done.returncode) == ("error: no active agent `unknown`\n", 1)
