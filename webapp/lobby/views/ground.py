"""Pictures of games for browsers: a picture of each, and the bytes of a map by its seed."""

from __future__ import annotations

from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from engine import games
from engine.refusal import Refusal
from engine.simulation.pictures import png
from engine.simulation.simulation import Simulation
from webapp.accounts.roles import role_required
from webapp.common.compiling import is_compiling

PICTURE_WIDTH = 320  # pixels


@role_required("player", "annotator", "admin")
@require_GET
@cache_control(private=True, max_age=24 * 3600)
def picture(request: HttpRequest, game: str) -> HttpResponse:
    """How a game looks at its start, open to all, as the game draws itself."""
    if game not in games.names() or is_compiling(game):
        raise Http404("There is no picture of this game now.")
    return HttpResponse(_picture(game), content_type="image/png")


@lru_cache(maxsize=64)
def _picture(game: str) -> bytes:
    return png(Simulation(game, {}, seed=1).picture(None, PICTURE_WIDTH))


@role_required("player", "annotator", "admin")
@require_GET
@cache_control(private=True, max_age=7 * 24 * 3600, immutable=True)
def ground(request: HttpRequest, game: str, seed: int) -> HttpResponse:
    """The map's row of the game's world, one signed byte a number; the same for ever under its rules."""
    if game not in games.names() or games.spec(game).world is None:
        raise Http404("This game has no maps.")
    try:
        return HttpResponse(_bytes(game, seed), content_type="application/octet-stream")
    except Refusal as error:
        raise Http404(str(error)) from None


@lru_cache(maxsize=64)
def _bytes(game: str, seed: int) -> bytes:
    spec = games.spec(game)
    return spec.world(spec.validate({"map_seed": seed}))[0].tobytes()
