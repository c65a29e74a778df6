"""ASGI entry point: HTTP to Django, sockets to the match host, if matches are hosted here."""

import os
import threading

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in manage.py
django_application = get_asgi_application()

from webapp.common import running  # noqa: E402

in_use = running.serving()  # until this process ends

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from engine import language  # noqa: E402
from webapp.host.origins import OriginCheck  # noqa: E402
from webapp.host.routing import WhereMatchesAre, websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": OriginCheck(WhereMatchesAre(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))),
    }
)

# Beside the first requests; the first instruction would hold up every match of this process. No daemon: one
# that is still loading the model when the process ends would abort it.
threading.Thread(target=language.warm, name="warm-readers").start()
