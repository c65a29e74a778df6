"""Table of contents of the site."""

from django.urls import include, path

from webapp.accounts import views as accounts
from webapp.common import health

urlpatterns = [
    path("", accounts.home, name="home"),
    path(health.PATH, health.health, name="health"),
    path("accounts/", include("webapp.accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("play/", include("webapp.lobby.urls")),
    path("replays/people/", include("webapp.datasets.published_urls")),
    path("replays/", include("webapp.annotation.urls")),
    path("agents/", include("webapp.gallery.urls")),
    path("rounds/", include("webapp.rounds.urls")),
    path("studies/", include("webapp.studies.urls")),
    path("datasets/", include("webapp.datasets.urls")),
    path("settings/language/", include("webapp.language.urls")),
]

handler400 = "webapp.common.errors.bad_request"
handler403 = "webapp.common.errors.forbidden"
handler404 = "webapp.common.errors.not_found"
handler500 = "webapp.common.errors.server_error"
handler429 = "webapp.common.errors.too_many_requests"
