#!/usr/bin/env python
"""Coplay's command line: everything that the pages can do."""

import os
import sys


def main() -> None:
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
