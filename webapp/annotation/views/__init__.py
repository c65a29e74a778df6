"""Views of replays, marks, the queue, and tutorials; one module a page or endpoint."""
