"""Tutorials with practice, and positions that one can play on. Offered, never forced; what was done is
remembered.
"""

from __future__ import annotations

from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from pydantic import Field

from engine import games
from engine.games.pages import pages
from engine.games.position import Position
from engine.language import read
from engine.refusal import Refusal
from engine.shapes import Count, Shape, checked
from webapp.annotation.marks import Sign
from webapp.common.brought import replay_script, stylesheet
from webapp.common.inputs import is_whole, json_object, whole
from webapp.episodes import positions

# What each tutorial has: lessons by game, template, where it leads.
TUTORIALS = {
    "annotate": (positions.MARKING, "replays/tutorial_annotate.html", "replays:queue"),
    "play": (positions.PLAYING, "play/tutorial.html", "play:lobby"),
}
MOST_TICKS = 1200


def game_of(request: HttpRequest, which: str) -> str:
    """The game of the address (?game=), if there is such a tutorial of it; else the first one."""
    asked, known = request.GET.get("game") or request.POST.get("game"), TUTORIALS[which][0]
    if not known:
        raise Http404("No game has such a tutorial.")
    return asked if asked in known else next(iter(known))


@require_GET
def tutorial(request: HttpRequest, which: str) -> HttpResponse:
    """A tutorial of ?game= at one step, ?step=0 … ; past the last step it is done."""
    by_game, template, _ = TUTORIALS[which]
    game = game_of(request, which)
    lessons = by_game[game]
    step = whole(request.GET.get("step")) or 0
    finished = step >= len(lessons)
    if finished:
        remember(request, f"{game}-{which}")
    context = {
        "which": which,
        "game": game,
        "games": list(by_game),
        "lessons": lessons,
        "step": min(step, len(lessons)),
        "finished": finished,
        "after": after_of(request, which, game),
        "title": games.spec(game).title,
        "pages": pages(game),
        "styles": stylesheet(game),
    }
    if not finished:
        lesson = lessons[step]
        urls = {
            "check": reverse("replays:position-check", args=[lesson.slug]),
            "next": f"?game={game}&step={step + 1}",
            "module": replay_script(game, drawn=lesson.every == 1),
        }
        context["styles"] = stylesheet(game, drawn=lesson.every == 1)
        context |= {"lesson": lesson, "page": positions.page_of(lesson, request.user.shown_name) | urls}
    return render(request, template, context)


def after_of(request: HttpRequest, which: str, game: str) -> str:
    """Where a game's tutorial leads. Players mark their own games, too, but have no queue."""
    queue = which == "annotate" and not request.user.is_annotator
    return f"{reverse('replays:list' if queue else TUTORIALS[which][2])}?game={game}"


def remember(request: HttpRequest, key: str) -> None:
    user = request.user
    if key not in user.tutorials:
        user.tutorials[key] = timezone.now().isoformat()
        user.save(update_fields=["tutorials"])


@require_POST
def skip_tutorial(request: HttpRequest, which: str) -> HttpResponse:
    """Don't offer it again; it can still be opened."""
    game = game_of(request, which)
    remember(request, f"{game}-{which}-skipped")
    return redirect(after_of(request, which, game))


def wants_tutorial(user, which: str, game: str) -> bool:
    """Whether to offer a game's tutorial ("annotate" or "play"): there is one, neither done nor skipped."""
    key = f"{game}-{which}"
    known = game in TUTORIALS[which][0]
    return known and key not in user.tutorials and f"{key}-skipped" not in user.tutorials


def get_position(slug: str) -> Position:
    if slug not in positions.POSITIONS:
        raise Http404("No such position.")
    return positions.POSITIONS[slug]


@require_GET
def position_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One position, shown move by move, and to be played on against the scripted partner."""
    position = get_position(slug)
    drawn = position.every == 1
    urls = {
        "act": reverse("replays:position-act", args=[slug]),
        "module": replay_script(position.game, drawn),
    }
    page = positions.explore_page_of(position, request.user.shown_name) | urls
    context = {"lesson": position, "page": page, "styles": stylesheet(position.game, drawn)}
    return render(request, "replays/position.html", context)


class MarkHere(Shape):
    tick: Count
    sign: Sign


class Moves(Shape):
    """A move is an action id, or a list of one a seat where all move at once."""

    moves: list[Count | Annotated[list[Count], Field(max_length=4)]]
    action: Count


@require_POST
def check(request: HttpRequest, slug: str) -> JsonResponse:
    """Check an answer: {"tick": 2, "sign": 1}, {"action": 6} or {"text": "…"}; answers {right, sentence,
    view}.
    """
    position = get_position(slug)
    data = json_object(request)
    if position.asks == "tell":
        return JsonResponse(check_words(position, str(data.get("text", ""))[:500]))
    if position.asks == "mark":
        mark = checked(MarkHere, data)
        right, sentence = positions.check_mark(position, mark.tick, mark.sign)
        return JsonResponse({"right": right, "sentence": sentence})
    action = data.get("action")
    try:
        right, sentence = positions.check_action(position, action if is_whole(action) else -1)
    except Refusal as error:
        return JsonResponse({"right": False, "sentence": str(error)})
    after = positions.start(position, [*position.moves, action])
    return JsonResponse({"right": right, "sentence": sentence, "view": after.view(position.seat)})


def check_words(position: Position, text: str) -> dict:
    """Any instruction that the reader understands is right."""
    reading = read(position.game, text)
    if not text.strip() or reading.refused:
        sentence = "I can't read that yet. Try: “If I hint a colour, play that card.”"
        return {"right": False, "sentence": sentence}
    return {"right": True, "sentence": f"I read: {reading.sentence} {position.why}"}


@require_POST
def act(request: HttpRequest, slug: str) -> JsonResponse:
    """Play on: {"moves": [all so far], "action": 6} answers {"moves", "view"} after the partner's answer.

    Where a position has choices, a move is one of those or AS_IT_WAS.
    """
    position = get_position(slug)
    played = checked(Moves, json_object(request))
    if len(played.moves) * position.every > MOST_TICKS:
        raise Refusal(f"Moves go on for at most {MOST_TICKS} ticks.")
    try:
        made = positions.play_on(position, played.moves, played.action)
    except Refusal as error:
        return JsonResponse({"error": str(error)}, status=409)
    return JsonResponse(
        {"moves": made, "view": positions.views(position, positions.played_seat(position), made)[-1]}
    )
