"""`manage.py agents clone-people`: proxies of a site's own people, from what they played here."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.agents.catalogue import load
from engine.evaluation.imitation import of_log
from engine.games import people
from engine.games.people import pseudonym
from engine.simulation.log import EpisodeLog, read_lines
from tests.engine import made_people
from tests.webapp.datasets.parcels import forget_everything, freeze
from webapp.datasets import recorded
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

pytestmark = pytest.mark.django_db
SMALL = ["updates=1", "clones=1", "epochs=1", "games=2", "steps=10"]
SETS = [word for one in SMALL for word in ("--set", one)]


def clone(*words: str) -> None:
    call_command("agents", "clone-people", "--game", "overcooked", *words, "--json")


def take(path, pairs: int) -> None:
    recorded.take(people.formats()["people-overcooked"][1], made_people.overcooked(path, pairs=pairs))


@pytest.fixture
def played(tmp_path):
    """Six pairs, who played here."""
    take(tmp_path / "cooks.gz", 6)
    Episode.objects.update(source="play")


def test_a_proxy_comes_out_and_people_held_out_are_foretold(played, tmp_path, capfd):
    clone("--out", str(tmp_path / "proxy"), *SETS)
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines() if line[:1] == "{"]
    result = next(line for line in lines if line.get("type") == "result")
    assert 0 < result["held_out"]["nats"] < 5 and result["held_out"]["people"]["people"] == 4
    policy = load(str(tmp_path / "proxy" / "agent"), "overcooked")
    assert policy.card["people"] == 8 and policy.card["acts"] == "sampled"
    ask = ["evaluate", "imitation", "--game", "overcooked", "--agent", str(tmp_path / "proxy" / "agent")]
    call_command(*ask, "--held-out", "--file", str(tmp_path / "proxy" / "games"), "--json")
    assert json.loads(capfd.readouterr().out)["nats"] == pytest.approx(result["held_out"]["nats"])
    # Again with its folder: what it began with is there, and nothing is left to do.
    Episode.objects.all().delete()
    clone("--out", str(tmp_path / "proxy"), *SETS)
    assert "Going on after update" in capfd.readouterr().out
    with pytest.raises(CommandError, match="holds a proxy of overcooked; choose another folder"):
        call_command("agents", "clone-people", "--game", "hanabi", "--out", str(tmp_path / "proxy"))
    (tmp_path / "proxy" / "config.json").write_text("{torn")
    with pytest.raises(CommandError, match="JSON"):
        clone("--out", str(tmp_path / "proxy"), *SETS)


def test_published_games_count_only_when_they_are_asked_for(tmp_path, capfd):
    take(tmp_path / "cooks.gz", 3)
    with pytest.raises(CommandError, match="Nobody has finished such a game of Overcooked here yet"):
        clone("--out", str(tmp_path / "proxy"))
    clone("--out", str(tmp_path / "proxy"), "--imported", *SETS)
    assert "240 moves of people, which is little" in capfd.readouterr().out
    assert (tmp_path / "proxy" / "agent" / "card.json").exists()


def test_too_few_people_are_told(tmp_path):
    take(tmp_path / "cooks.gz", 2)
    Episode.objects.update(source="play")
    with pytest.raises(CommandError, match="3 people or pairs who never played together are needed"):
        clone("--out", str(tmp_path / "proxy"))


def test_people_of_an_imported_snapshot_count_too(played, tmp_path, capfd):
    store = log_store()
    for episode in Episode.objects.all():  # as if they had been played live
        log = store.read(episode.pk)
        store.delete(episode.pk)
        del log.header["origin"]
        store.append(episode.pk, [log.header, *log.records])
    Episode.objects.update(origin={})
    snapshot = freeze(Filters(game="overcooked", min_marks=0))
    parcel = str(tmp_path / "parcel.zip")
    call_command("datasets", "export", str(snapshot.pk), "--out", parcel)
    forget_everything()
    with pytest.raises(CommandError, match="Nobody has finished such a game"):
        clone("--out", str(tmp_path / "proxy"))
    call_command("datasets", "import", parcel)
    assert {episode.source for episode in Episode.objects.all()} == {"import"}
    clone("--out", str(tmp_path / "proxy"), *SETS)
    assert json.loads((tmp_path / "proxy" / "agent" / "card.json").read_text())["people"] == 8


def test_the_people_of_any_game_and_number_of_seats_are_cloned(tmp_path, capfd):
    tables = made_people.logs(tmp_path / "made", "hanabi/random", 4, (0, 2), options={"players": 3})
    for path in sorted((tables / "episodes").glob("*.jsonl")):
        log = read_lines(path.read_bytes())
        episode = Episode.objects.create(
            game="hanabi",
            rules_version=str(log.header["rules_version"]),
            options=log.header["options"],
            seats=log.header["seats"],
            status=Episode.FINISHED,
            source="play",
            ticks=len(log.steps),
            started_at=timezone.now(),
        )
        log_store().append(episode.pk, [log.header | {"episode": str(episode.pk)}, *log.records])
    words = ["--game", "hanabi", "--out", str(tmp_path / "proxy"), *SETS]
    with pytest.raises(CommandError, match="Nobody has finished such a game of Hanabi here yet"):
        call_command("agents", "clone-people", *words, "--players", "2")
    call_command("agents", "clone-people", *words)
    assert load(str(tmp_path / "proxy" / "agent"), "hanabi").players == (3,)
    with pytest.raises(CommandError, match="Nobody has finished such a game of Arena here yet"):
        call_command("agents", "clone-people", "--game", "arena", "--out", str(tmp_path / "other"))


def test_what_others_did_in_a_persons_seat_is_not_theirs(played):
    log = log_store().read(Episode.objects.order_by("pk").first().pk)
    game, whole = of_log(log)
    assert game == "overcooked" and (whole.who != "").all()
    assert all(name.startswith(pseudonym("O", "")[:2]) for name in whole.names)
    steps = [{**one} for one in log.records if one["type"] == "step"]
    for one in steps[:20]:
        one["by"] = ["agent", "person"]
    for one in steps[20:30]:
        one["by"] = ["copilot", "none"]
    _, part = of_log(EpisodeLog(log.header, steps))
    assert (part.who != "").sum(0).tolist() == [len(steps) - 30, len(steps) - 10]
    agents = [{"kind": "agent", "name": "greedy"}] * 2
    assert of_log(EpisodeLog({**log.header, "seats": agents}, steps)) is None
