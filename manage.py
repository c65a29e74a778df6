#!/usr/bin/env python3
"""Coplay's command line: everything that the pages can do. Started by any Python, it goes on with the one
that `make setup` has made.
"""

import importlib.util
import os
import sys

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".venv", "bin", "python")


def main() -> None:
    if importlib.util.find_spec("django") is None and os.path.exists(PYTHON) and sys.executable != PYTHON:
        os.execv(PYTHON, [PYTHON, *sys.argv])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")
    # For the readers' small matrices: threads that wait for each other on busy cores take four times as long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
