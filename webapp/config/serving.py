"""The command of the process that serves pages, and matches too on one machine: one for `make up`, benches
and tests. Dockerfile and docs/production.md have the same options in words of their own; a test compares.
"""

from __future__ import annotations

import sys

OPTIONS = (
    *("--no-proxy-headers", "--ws", "webapp.host.sockets:PromptSocket"),
    *("--ws-max-size", "65536", "--ws-per-message-deflate", "false"),
)
"""Frames are small and many: compressing them costs both sides more than it saves (docs/protocol.md)."""


def web_command(port: int, *more: str) -> list[str]:
    command = [sys.executable, "-m", "uvicorn", "webapp.config.asgi:application", "--port", str(port)]
    return [*command, *OPTIONS, *more]
