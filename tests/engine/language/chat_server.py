"""A server that chats, for tests: answers each request with the next of some answers, and keeps what it was
asked. Not for what a model would say (server.py has a tiny one).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Say = str | int | Callable[[dict[str, Any]], str]
"""What is answered: a text, the status of an error, or a text made from the request."""


@dataclass
class Script:
    """`answers`: one after the other, the last one for all requests that follow; each waits for `gate`."""

    answers: list[Say]
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def next(self, body: dict[str, Any]) -> str | int:
        self.bodies.append(body)
        self.gate.wait(600)
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return said(body) if callable(said) else said

    def last_words(self, number: int) -> str:
        """The last message of a request."""
        return str(self.bodies[number]["messages"][-1]["content"])


@contextmanager
def talking(*answers: Say, opened: bool = True) -> Iterator[Script]:
    """A server on a free port; `opened`: it answers at once, else when its gate is set."""
    script = Script(list(answers))
    if opened:
        script.gate.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            known = self.path == "/v1/chat/completions"
            said = script.next(body) if known else 404
            usage = {"prompt_tokens": 900, "completion_tokens": 100, "cost": 0.002}
            message = {"role": "assistant", "content": said}
            good = {"model": "scripted-1", "choices": [{"message": message}], "usage": usage}
            answer = json.dumps({"error": {"message": "no"}} if isinstance(said, int) else good).encode()
            self.send_response(said if isinstance(said, int) else 200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.gate.set()
        server.shutdown()
        server.server_close()
