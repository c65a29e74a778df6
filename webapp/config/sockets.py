"""The name by which units and containers of earlier sites give uvicorn its `--ws`."""

from webapp.host.sockets import PromptSocket

__all__ = ["PromptSocket"]
