"""Little positions and tutorials: the real rules check every answer, and what was done is remembered."""

import math

import pytest
from django.urls import reverse

from engine import games
from engine.games.hanabi import positions as hanabi
from engine.refusal import Refusal
from webapp.episodes import positions
from webapp.studies.models import Study

DRAWN = [position for position in positions.POSITIONS.values() if position.every == 1]
MARKING = [position for lessons in positions.MARKING.values() for position in lessons]


@pytest.mark.parametrize("position", positions.POSITIONS.values(), ids=positions.POSITIONS)
def test_every_position_can_be_reached_and_has_a_full_deck(position):
    game = positions.start(position)
    assert sorted(position.deck) == sorted(game.deck), "of what a game has hidden, nothing is left to chance"
    assert game.tick == len(position.moves) * position.every
    assert not game.over


@pytest.mark.parametrize("position", MARKING, ids=lambda p: p.slug)
def test_of_all_marks_only_the_right_ones_are_right(position):
    right = [
        (tick, sign)
        for tick in range(1, len(position.moves) + 1)
        for sign in (1, -1)
        if positions.check_mark(position, tick, sign)[0]
    ]
    ticks = range(position.tick - position.window, position.tick + position.window + 1)
    assert right == [(tick, position.sign) for tick in ticks]


@pytest.mark.parametrize("position", [p for p in hanabi.PLAYING if p.asks == "act"], ids=lambda p: p.slug)
def test_of_all_legal_moves_those_asked_for_are_right(position):
    game = positions.start(position)
    assert game.current == position.seat
    legal = [action for action in range(game.num_actions) if game.legal(position.seat)[action]]
    right = [action for action in legal if positions.check_action(position, action)[0]]
    assert right == sorted(position.accepted)
    assert set(position.hints) <= set(legal) | {"tick"}


def test_the_mistake_costs_a_life_and_the_success_scores():
    by_slug = positions.POSITIONS
    mistake = by_slug["clear-mistake"]
    before, after = (positions.start(mistake, mistake.moves[:t]).view(None) for t in (3, 4))
    assert before["lives"] - after["lives"] == 1
    told = by_slug["does-what-it-was-told"]
    assert positions.start(told, told.moves[: told.tick]).score == 1


@pytest.mark.parametrize(
    ("slug", "kind", "item"),
    [
        ("puts-the-onion-in", "put_pot", "onion"),
        ("fetches-a-dish-in-time", "pick", "dish"),
        ("spoils-a-soup", "put_pot", "tomato"),
        ("fetches-the-wrong-thing", "pick", "onion"),
    ],
)
def test_what_is_to_be_marked_in_a_kitchen_happens_at_that_tick(slug, kind, item):
    position = positions.POSITIONS[slug]
    happened = positions.start(position, position.moves[: position.tick]).events[-1]
    assert (happened["tick"], happened["seat"]) == (position.tick, position.seat)
    assert (happened["kind"], happened["item"]["kind"]) == (kind, item)


def metres(position, second: int, seat: int) -> tuple[float, float]:
    """Where a player of Arena is after so many of a position's seconds."""
    player = positions.start(position, position.moves[:second]).view(None)["players"][seat]
    return player["x"], player["y"]


def test_what_is_to_be_marked_in_arena_happens_at_that_second():
    by_slug = positions.POSITIONS
    reload = by_slug["reloads-when-told"]
    told = positions.views(reload, 1)
    assert [tick for tick, view in enumerate(told) if view["told"]] == [reload.tick]
    assert told[reload.tick]["told"]["text"] == "Player 2 reloaded."
    for slug in ("sets-off-after-the-player", "walks-the-other-way"):
        one = by_slug[slug]
        before, then = (metres(one, second, 1) for second in (one.tick - 1, one.tick))
        assert before == metres(one, 0, 1) and math.dist(before, then) > 3
        player = metres(one, one.tick, 0)
        assert (math.dist(then, player) < math.dist(before, player)) == (one.sign > 0)
    out = by_slug["runs-out-of-the-zone"]
    blue = positions.start(out, ()).view(None)["zone"]["blue"]
    away = [math.dist(metres(out, second, 1), blue[:2]) for second in (out.tick - 1, out.tick)]
    assert away[0] < blue[2] < away[1]
    assert positions.start(out).view(1)["me"]["hp"] < 100


ARENA = positions.MARKING["arena"]


def play_on(client, page, moves, action):
    sent = {"moves": moves, "action": action}
    return client.post(page["act"], sent, content_type="application/json")


@pytest.mark.parametrize("position", ARENA, ids=lambda p: p.slug)
def test_a_second_of_arena_is_played_in_the_agents_place_and_the_others_play_on(position, anna_client):
    page = anna_client.get(reverse("replays:position", args=[position.slug])).context["page"]
    assert [one["label"] for one in page["choices"]][:2] == ["Walk on", "Run"]
    moves, stand = page["moves"][: page["start"]], 7
    answer = play_on(anna_client, page, moves, 1).json()
    assert answer["moves"] == [*moves, 1]
    assert answer["view"]["picture"].startswith("data:image/") and not answer["view"]["over"]
    before, after = (positions.start(position, made) for made in (moves, answer["moves"]))
    assert after.tick - before.tick == position.every
    ran, stood = (positions.start(position, [*moves, choice]) for choice in (1, stand))
    seat = page["seat"]
    where = [
        (one.view(None)["players"][seat]["x"], one.view(None)["players"][seat]["y"])
        for one in (before, ran, stood)
    ]
    assert math.dist(where[0], where[1]) > 3 > math.dist(where[0], where[2])
    assert play_on(anna_client, page, [*moves, *[stand] * 60], stand).status_code == 400, "a minute is enough"
    again = play_on(anna_client, page, answer["moves"], stand).json()
    assert again["moves"] == [*moves, 1, stand]


def test_a_second_of_arena_that_is_no_choice_is_refused(anna_client):
    page = anna_client.get(reverse("replays:position", args=[ARENA[0].slug])).context["page"]
    for moves, action in (([], 99), ([99], 0), ([page["moves"][0]] * 50, 0), ([[0, 0, 0, 0]], 0)):
        answer = play_on(anna_client, page, moves, action)
        assert answer.status_code == 409 and "error" in answer.json(), (moves, action)


def test_the_spoilt_soup_was_not_ordered():
    position = positions.POSITIONS["spoils-a-soup"]
    view = positions.start(position).view(None)
    soups = [(order["onions"], order["tomatoes"]) for order in view["orders"]]
    assert (view["pots"][0]["onions"], view["pots"][0]["tomatoes"]) == (2, 1)
    assert soups == [(3, 0)]


def test_an_illegal_move_is_refused_with_a_sentence(pia_client):
    position = positions.POSITIONS["give-a-hint"]
    with pytest.raises(Refusal):
        positions.check_action(position, hanabi.discard(0))
    address = reverse("replays:position-check", args=[position.slug])
    answer = pia_client.post(address, {"action": 0}, content_type="application/json").json()
    assert not answer["right"]
    assert "8" in answer["sentence"] or "token" in answer["sentence"]


def test_playing_on_answers_with_the_partners_move(pia_client):
    position = positions.POSITIONS["comes-closer"]
    address = reverse("replays:position-act", args=[position.slug])
    moves = list(position.moves[: position.tick - 1])
    body = {"moves": moves, "action": position.moves[position.tick - 1]}
    answer = pia_client.post(address, body, content_type="application/json").json()
    assert len(answer["moves"]) == len(moves) + 2
    assert answer["view"]["current"] == answer["view"]["seat"] == 1
    assert pia_client.post(address, {"moves": "x"}, content_type="application/json").status_code == 400
    wrong = pia_client.post(address, {"moves": moves, "action": 99}, content_type="application/json")
    assert (wrong.status_code, "error" in wrong.json()) == (409, True)


def test_an_instruction_is_read_by_the_real_reader(pia_client):
    address = reverse("replays:position-check", args=["tell-your-partner"])

    def tell(text):
        return pia_client.post(address, {"text": text}, content_type="application/json").json()

    assert tell("If I hint a colour, play that card.")["right"]
    assert not tell("zzz qqq")["right"]
    assert not tell("")["right"]


def test_a_tutorial_is_offered_until_it_is_done_or_skipped(study, anna, anna_client):
    queue = reverse("replays:queue")
    assert "First time here?" in anna_client.get(queue).content.decode()
    anna_client.get(reverse("replays:tutorial"), {"step": "4"})
    assert "First time here?" not in anna_client.get(queue).content.decode()
    anna.refresh_from_db()
    assert set(anna.tutorials) == {"hanabi-annotate"}


def test_skipping_is_remembered_and_the_tutorial_stays_open(study, anna, anna_client):
    anna_client.post(reverse("replays:tutorial-skip"))
    anna.refresh_from_db()
    assert set(anna.tutorials) == {"hanabi-annotate-skipped"}
    assert "First time here?" not in anna_client.get(reverse("replays:queue")).content.decode()
    assert anna_client.get(reverse("replays:tutorial")).status_code == 200


def test_each_game_has_its_own_tutorial_and_remembers_it_by_itself(anna, anna_client):
    Study.objects.all().delete()
    Study.objects.create(name="Kitchens", game="overcooked")
    queue = reverse("replays:queue")
    assert "First time here?" in anna_client.get(queue).content.decode()
    page = anna_client.get(reverse("replays:tutorial"), {"game": "overcooked"}).content.decode()
    assert positions.MARKING["overcooked"][0].title in page
    anna_client.get(reverse("replays:tutorial"), {"game": "overcooked", "step": "4"})
    assert "First time here?" not in anna_client.get(queue).content.decode()
    anna.refresh_from_db()
    assert set(anna.tutorials) == {"overcooked-annotate"}


@pytest.mark.parametrize("name", ["tutorial", "tutorial-play"])
def test_every_step_of_a_tutorial_has_a_page_and_nonsense_begins_at_the_start(pia_client, name):
    for step in ("0", "1", "2", "3", "4", "nonsense", "99"):
        assert pia_client.get(reverse(f"replays:{name}"), {"step": step}).status_code == 200


def test_the_answers_are_not_in_the_page(pia_client):
    page = pia_client.get(reverse("replays:tutorial")).content.decode()
    assert hanabi.MARKING[0].why not in page


@pytest.mark.parametrize("game", positions.MARKING)
def test_the_guidelines_of_a_game_lead_to_its_examples(anna_client, game):
    page = anna_client.get(reverse("replays:guidelines"), {"game": game}).content.decode()
    for position in positions.MARKING[game]:
        address = reverse("replays:position", args=[position.slug])
        assert address in page
        assert anna_client.get(address).status_code == 200
    assert anna_client.get(reverse("replays:position", args=["nowhere"])).status_code == 404


@pytest.mark.parametrize("position", DRAWN, ids=lambda p: p.slug)
def test_the_seat_that_a_position_shows_is_the_seat_that_one_plays(position, anna_client):
    page = anna_client.get(reverse("replays:position", args=[position.slug])).context["page"]
    view = page["views"][page["start"]]
    assert view["seat"] == page["seat"]
    assert view["current"] in (page["seat"], None), "it is this seat's turn, or everybody's"
    # Whose moves need no words has none in its view; all of them may be made.
    action = next((move["action"] for move in view.get("moves", ()) if move["legal"]), 0)
    sent = {"moves": page["moves"][: page["start"]], "action": action}
    answer = anna_client.post(page["act"], sent, content_type="application/json")
    assert answer.status_code == 200, answer.json()
    assert answer.json()["view"]["seat"] == page["seat"]
    made = answer.json()["moves"][page["start"]]
    assert answer.json()["moves"][: page["start"]] == [
        list(m) if isinstance(m, tuple) else m for m in sent["moves"]
    ]
    assert (made if isinstance(made, int) else made[page["seat"]]) == action


@pytest.mark.parametrize("game", games.names())
def test_every_games_guidelines_settle_what_is_good_and_bad_at_once(anna_client, game):
    sent = {"game": game, "part": "1"}  # as they are shown over a replay
    part = anna_client.get(reverse("replays:guidelines"), sent).content.decode()
    assert "The first rule that applies decides" in part and "Mixed: " in part
    assert "<html" not in part


@pytest.mark.parametrize("game", positions.MARKING)
def test_a_tutorial_says_how_long_it_is_and_leads_to_the_queue_of_its_game(anna_client, game):
    study = Study.objects.filter(game=game).first() or Study.objects.create(name="Own", game=game)
    queue = f"{reverse('replays:queue')}?game={game}"
    count = len(positions.MARKING[game])
    said = " ".join(anna_client.get(queue).content.decode().split())
    assert f"{['No', 'One', 'Two', 'Three', 'Four'][count]} short example" in said
    done = anna_client.get(reverse("replays:tutorial"), {"game": game, "step": count})
    skipped = anna_client.post(reverse("replays:tutorial-skip"), {"game": game})
    assert (done.context["after"], skipped["location"]) == (queue, queue)
    assert anna_client.get(queue).context["study"].game == study.game
