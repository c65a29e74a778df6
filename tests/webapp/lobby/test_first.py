"""The guided first game: through its steps at a real table to a saved mark, and out of all counts."""

import json
import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.games import first as firsts
from engine.games.arena import state as s
from engine.games.pages import in_order
from tests.webapp.host.arena import live, until_true
from webapp.accounts import guests
from webapp.annotation.models import Mark
from webapp.annotation.worth import finished
from webapp.datasets.selection import Filters, episodes
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import manager
from webapp.lobby import listing as lobby
from webapp.lobby import setup
from webapp.lobby.views.first import offered
from webapp.matches import results
from webapp.matches.models import Match
from webapp.matches.start import start_match

pytestmark = pytest.mark.django_db(transaction=True)
GUIDED = [game for game in in_order() if firsts.of(game)]


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def new_first(user, game: str = "hanabi") -> Match:
    """A guided game as the lobby's button makes it."""
    match = setup.create_match(setup.first_game(game), user)
    start_match(match)
    return match


async def coached(page, step: int) -> dict:
    """What the coach says once this many steps are done."""
    while True:
        told = await page.until("coach")
        if told["step"] == step:
            return told


async def to_the_marked_move(page) -> None:
    """Through the first three steps of Hanabi: a hint, an instruction, a hint after which it is obeyed."""
    assert page.joined["coach"]["step"] == 0
    assert "Companion's cards" in page.joined["coach"]["say"]
    await page.move("hint_color")
    assert (await coached(page, 1))["tell"] == ["Hint my ones."]
    await page.my_turn()
    said = str(uuid.uuid4())
    await page.send("instruct", id=said, text="Hint my ones.", target=None)
    assert (await page.until("instruction"))["status"] == "read"
    await page.send("confirm_reading", id=said)
    await coached(page, 2)
    await page.move("hint_color")
    assert (await coached(page, 3))["shown"]


@pytest.mark.parametrize("game", GUIDED)
def test_the_lobby_offers_a_game_that_one_has_never_played(agents, pia, pia_client, game):
    text = pia_client.get(f"/play/?game={game}").content.decode()
    assert "Start the first game" in text and firsts.of(game).about in text
    assert offered(pia, game, played=False) == "new"
    answer = pia_client.post("/play/first/", {"game": game})
    match = Match.objects.get()
    assert answer.url == f"/play/{match.pk}/" and match.is_first and match.status == Match.PLAYING
    assert "data-coach" in pia_client.get(answer.url).content.decode()


def test_a_game_without_one_says_so(pia_client):
    answer = pia_client.post("/play/first/", {"game": "chess"}, follow=True)
    assert "There is no guided first game of" in answer.content.decode()
    assert not Match.objects.exists()


async def test_each_step_is_noticed_and_the_move_is_marked(agents, pia, pia_client, browse):
    match = await in_thread(new_first, pia)
    page = await browse(match, pia)
    await to_the_marked_move(page)
    await page.my_turn()
    await page.move("play")
    done = await coached(page, 4)
    assert done["step"] == done["steps"] and "Stop here" in done["say"]
    await page.send("leave")
    await page.until("end")

    shown = await in_thread(pia_client.get, f"/play/{match.pk}/after/")
    assert "Companion hinted your ones, as you had asked." in shown.content.decode()
    told = json.loads(
        shown.content.decode().split('id="page" type="application/json">')[1].split("</script>")[0]
    )
    assert (told["tick"], told["seat"]) == (4, 1)
    mark = {"id": str(uuid.uuid4()), "sign": 1, "revision": 1}
    mark |= {name: told[name] for name in ("episode", "seat", "tick")}
    answer = await in_thread(
        pia_client.post,
        "/replays/marks/",
        json.dumps({"person": str(pia.pk), "marks": [mark]}),
        content_type="application/json",
    )
    assert answer.json()["results"][0]["status"] == "saved"
    await in_thread(pia.refresh_from_db)
    assert await in_thread(offered, pia, "hanabi", played=False) == "again"


async def test_another_host_knows_how_far_one_was(agents, pia, browse):
    match = await in_thread(new_first, pia)
    page = await browse(match, pia)
    await to_the_marked_move(page)
    await manager.current_host().stop()
    manager._host = None
    again = await browse(match, pia)
    assert again.joined["coach"]["step"] == 3 and again.joined["coach"]["shown"]


def test_the_coach_is_told_which_keys_this_person_has(agents, pia, pia_client):
    match = new_first(pia)
    pia.key_bindings = {"table-act": ["b", "Space"]}
    pia.save()
    page = pia_client.get(f"/play/{match.pk}/")
    assert 'id="coach-keys"' in page.content.decode()
    keys = page.context["coach_keys"]
    assert (keys["table-act"], keys["table-instruct"]) == ("b", "Enter")


def test_a_game_that_was_left_early_can_be_begun_anew(agents, pia, pia_client):
    match = new_first(pia)
    Match.objects.filter(pk=match.pk).update(status=Match.ABANDONED)
    Episode.objects.filter(pk=match.pk).update(status=Episode.ABANDONED)
    text = pia_client.get(f"/play/{match.pk}/after/").content.decode()
    assert "Begin again" in text and "data-sign" not in text
    log_store().delete(match.pk)
    assert "Begin again" in pia_client.get(f"/play/{match.pk}/after/").content.decode()
    assert offered(pia, "hanabi", played=False) == "new"


def test_it_counts_nowhere(agents, pia, pia_client, make_match):
    """Neither in one's history, nor an agent's results, nor the queue, nor in data; nobody else sees it."""
    guided, real = new_first(pia), make_match(pia, ("me", "agent:companion"))
    for match in (guided, real):
        Match.objects.filter(pk=match.pk).update(status=Match.FINISHED)
        Episode.objects.filter(pk=match.pk).update(status=Episode.FINISHED, score=25, ticks=60)
        mark = {"seat": 1, "tick": 4, "sign": 1, "annotator": pia}
        Mark.objects.create(id=uuid.uuid4(), episode_id=match.pk, **mark)
    kept = Episode.objects.get(pk=guided.pk)
    assert kept.source == "first" and not kept.public
    assert [one.pk for one in episodes(Filters(game="hanabi"))] == [real.pk]
    assert [one.pk for one in finished("hanabi")] == [real.pk]
    assert [one.pk for one in lobby.last_games(pia, "hanabi")] == [real.pk]
    assert "Start the first game" not in pia_client.get("/play/?game=hanabi").content.decode()
    later = make_match(pia, ("me", "agent:companion"))
    assert results.own_history(later, pia, 0)["games"] == 1
    assert "1 game" in results.average(later, later.seats.get(index=1).agent)


def test_guests_of_the_site_begin_one_and_guests_of_a_friend_do_not(agents, pia, signed_in, make_match):
    visitor = guests.make_guest()
    page = signed_in(visitor)
    answer = page.post("/play/first/", {"game": "hanabi"})
    assert "data-coach" in page.get(answer.url).content.decode()
    friend = guests.make_guest(make_match(pia).pk)
    assert signed_in(friend).post("/play/first/", {"game": "hanabi"}).status_code in (302, 403)
    assert not Match.objects.filter(created_by=friend).exists()


def test_the_one_that_was_left_ends_when_one_begins_anew(agents, pia, pia_client):
    old = new_first(pia)
    pia_client.post("/play/first/", {"game": "hanabi"})
    running = Match.objects.filter(status=Match.PLAYING)
    assert running.count() == 1 and old.pk not in running.values_list("pk", flat=True)


def test_nobody_else_may_watch_it(agents, pia, otto_client):
    match = new_first(pia)
    assert otto_client.get(f"/play/{match.pk}/").status_code == 404
    assert (
        match.episode.pk == match.pk and log_store().read(match.pk).header["seed"] == firsts.of("hanabi").seed
    )


async def test_nobody_is_woken_where_nobody_sleeps(agents, pia, browse, make_match):
    for match in (await in_thread(new_first, pia), await in_thread(make_match, pia)):
        page = await browse(match, pia)
        await page.send("wake")
        assert await page.refusal() == "nobody_sleeps"


async def test_arena_wakes_the_mate_that_was_told_and_the_others_when_asked(agents, pia, fight):
    match = await in_thread(new_first, pia, "arena")
    page = await fight(match, pia)
    assert page.joined["controls"] == ["person", "agent", "agent", "agent"]

    def sleepers() -> list[int]:
        return [seat for seat, one in live(match).controllers.items() if one.get("asleep")]

    async def until_step(step: int, **acts: int) -> None:
        """Send the same input until the coach has seen that the step is done."""
        while live(match).coach.course.step < step:
            await page.act(seen=page.snapshot.tick, yaw=page.own("YAW") & 0xFFFF, **acts)
            await page.ticks()

    assert sleepers() == [1, 2, 3]
    await until_step(1, body=s.B_NONE)
    await page.send("instruct", id=str(uuid.uuid4()), text="Follow me.", target=None)
    await until_step(2, body=s.B_STOP)
    await until_true(lambda: sleepers() == [2, 3])
    await until_step(3, body=s.B_NONE)
    assert (await coached(page, 3))["shown"]
    await until_step(4, body=s.B_STOP, basic=s.FIRE, switch=s.KEEP)
    assert (await coached(page, 4))["asks"] == "Wake the other squad"
    await page.send("wake")
    await coached(page, 5)
    assert sleepers() == []
