"""For load balancers and the supervisor: this process answers and reaches its database. Web processes and
match hosts answer alike.
"""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

PATH = "health/"


def health(request: HttpRequest | None = None) -> JsonResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "ok"})
