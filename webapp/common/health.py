"""For load balancers and the supervisor: this process answers, reaches its database, and can write. Web
processes and match hosts answer alike.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from webapp.common import outages

PATH = "health/"
WRITTEN = 64 << 10  # bytes, more than what a full disk may still have in its last block


def health(request: HttpRequest | None = None) -> JsonResponse:
    """{"status": "ok"}, or what is wrong with 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            if connection.vendor == "postgresql":
                cursor.execute("SHOW transaction_read_only")
                if cursor.fetchone() == ("on",):
                    return _wrong("the database is read-only")
        folders = {Path(settings.VAR_DIR)}
        if connection.vendor == "sqlite":
            folders.add(Path(connection.settings_dict["NAME"]).absolute().parent)
        for folder in folders:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(WRITTEN))
                file.flush()
    except DatabaseError:
        return _wrong("no database")
    except OSError as error:
        return _wrong(outages.sentence(error) or f"the var folder can't be written to ({error.strerror})")
    return JsonResponse({"status": "ok"})


def _wrong(what: str) -> JsonResponse:
    return JsonResponse({"status": what}, status=503)
