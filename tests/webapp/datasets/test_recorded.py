"""Published games of people: imported, seen, marked, frozen, deleted."""

from __future__ import annotations

import gzip
import json
import uuid

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine import games
from engine.games import people
from tests.conftest import person
from tests.webapp.datasets.parcels import forget_everything, freeze
from webapp.accounts.models import AuditEvent, User
from webapp.annotation.models import Assignment, Mark
from webapp.annotation.queue import close, hand_out
from webapp.datasets import importing, recorded, snapshot_reading, snapshots
from webapp.datasets.arriving import _origin_problem
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.episodes.verify import problems_of
from webapp.matches.models import Match, Rating
from webapp.matches.start import clock_of
from webapp.studies.models import Study

pytestmark = pytest.mark.django_db
FORMAT = "people-hanabi"
ROWS = list(people.formats()[FORMAT][1].games_of(games.folder("hanabi") / people.SHIPPED))
SAID = next(row for row in ROWS if (row["survey"] or {}).get("like") == "hate")
SHORT = sorted((row for row in ROWS if row is not SAID), key=lambda row: len(row["moves"]))[:3]


@pytest.fixture
def file(tmp_path):
    """Four games that are good and two lines that aren't."""
    damaged = {**SHORT[0], "id": "damaged", "score": 99}
    path = tmp_path / "games.jsonl.gz"
    lines = [*map(json.dumps, [SAID, *SHORT, damaged]), "{nonsense"]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


@pytest.fixture
def taken(file):
    return recorded.take(people.formats()[FORMAT][1], file)


def run(capsys, *arguments: str) -> dict:
    call_command("episodes", *arguments, "--json")
    return json.loads(capsys.readouterr().out.strip().splitlines()[-1])


def test_a_file_is_imported_once_and_what_is_damaged_is_named_and_skipped(file, capsys):
    first = run(capsys, "import", "--format", FORMAT, str(file))
    assert (first["imported"], first["already"]) == (4, 0)
    assert [why.split(" is ")[0] for why in first["skipped"]] == [
        "Game damaged: The score",
        "Line 6 isn't a JSON object.",
    ]
    again = run(capsys, "import", "--format", FORMAT, str(file))
    assert (again["imported"], again["already"], len(again["skipped"])) == (0, 4, 2)
    assert Episode.objects.count() == 4 and Rating.objects.count() == sum(
        bool((row["survey"] or {}).get("like")) for row in (SAID, *SHORT)
    )


def test_a_file_of_which_nothing_can_be_imported_fails_with_a_sentence(tmp_path):
    (tmp_path / "empty").write_text("nonsense\n")
    with pytest.raises(CommandError, match="Nothing could be imported"):
        call_command("episodes", "import", "--format", FORMAT, str(tmp_path / "empty"))
    with pytest.raises(CommandError, match="people-overcooked"):
        call_command("episodes", "import", "--format", "chess", str(tmp_path / "empty"))


def test_an_import_that_was_cut_off_after_a_log_was_written_is_taken_up(file):
    form = people.formats()[FORMAT][1]
    log_store().append(form.episode(SAID["id"]), [{"type": "header", "format": 1}])
    recorded.take(form, file)
    assert all(not problems_of(one) for one in Episode.objects.all())


def test_two_processes_that_take_in_the_same_games_keep_each_once(file, monkeypatch):
    form, keep = people.formats()[FORMAT][1], recorded.keep

    def both(*given):
        keep(*given)  # the other one was a moment earlier
        return keep(*given)

    monkeypatch.setattr(recorded, "keep", both)
    found = recorded.take(form, file)
    assert (found["imported"], found["already"], Episode.objects.count()) == (0, 4, 4)
    assert all(not problems_of(one) for one in Episode.objects.all())


def test_an_episode_has_people_in_its_seats_who_have_no_account(taken, adam_client):
    one = Episode.objects.get(origin__id=SAID["id"])
    assert problems_of(one) == []
    assert [seat["kind"] for seat in one.seats] == ["agent", "person"]
    user = one.players.get()
    assert user.pseudonym == one.seats[1]["name"]
    assert not user.is_active and not user.has_usable_password() and not user.roles
    assert user.pseudonym not in adam_client.get(reverse("accounts:people") + "?role=closed").content.decode()
    assert one.score == SAID["score"] and one.started_at.timestamp() == SAID["time"]
    header = log_store().read(one.pk).header
    assert header["origin"] == one.origin and one.origin["licence"] == "CC BY 4.0"


def test_a_survey_becomes_a_rating_of_the_partner(taken):
    rating = Rating.objects.get(episode__origin__id=SAID["id"])
    assert (rating.seat, rating.partner_seat, rating.partner, rating.followed) == (1, 0, 2, None)


def test_pages_say_where_a_game_comes_from_and_under_which_licence(taken, otto_client, anna_client):
    one = Episode.objects.get(origin__id=SAID["id"])
    for client in (otto_client, anna_client):
        page = client.get(reverse("replays:replay", args=[one.pk])).content.decode()
        assert "https://creativecommons.org/licenses/by/4.0/" in page and "Markus Eger" in page
        assert one.origin["game_url"] in page and "hate" in page
    assert client.get(reverse("replays:stream", args=[one.pk])).status_code == 200


def test_the_list_of_replays_finds_games_of_people(taken, make_episode, otto_client):
    mine = make_episode()
    url = reverse("replays:list")
    found = otto_client.get(f"{url}?source=people").content.decode()
    assert "people's game" in found and str(mine.pk) not in found and found.count("people's game</span>") == 4
    kind = Episode.objects.get(origin__id=SAID["id"]).origin["kind"]
    some = otto_client.get(f"{url}?format={FORMAT}&kind={kind}").context["page"].count
    assert 0 < some == sum(row["ai"] == kind for row in (SAID, *SHORT))


def test_the_page_about_them_has_a_fixed_number_of_queries(taken, otto_client, django_assert_num_queries):
    url = reverse("published:list")
    page = otto_client.get(url).content.decode()
    assert "4 games" in page and "M. Eger" in page and "Delete" not in page
    with django_assert_num_queries(4):
        otto_client.get(url)
    recorded.delete(FORMAT, None)
    with django_assert_num_queries(4):
        assert "There are none here" in otto_client.get(url).content.decode()


def test_games_of_a_format_that_no_game_has_any_more_are_listed_and_deleted(taken, adam_client):
    for one in Episode.objects.all():
        one.origin |= {"format": "older", "kind": "somebody"}
        one.save()
    page = adam_client.get(reverse("published:list")).content.decode()
    assert "somebody" in page and "Markus Eger" in page
    adam_client.post(reverse("published:delete"), {"format": "older"})
    assert not Episode.objects.exists()


def test_annotators_may_mark_them_and_begin_with_the_person(taken, hand, anna, anna_client, otto_client):
    one = Episode.objects.get(origin__id=SAID["id"])
    hand(one, anna)
    page = anna_client.get(reverse("replays:replay", args=[one.pk])).context["page"]
    assert page["may_mark"] and page["seat"] == 1
    assert not otto_client.get(reverse("replays:replay", args=[one.pk])).context["page"]["may_mark"]


def test_who_is_new_to_a_study_begins_with_people_and_then_marks_what_was_played_here(
    taken, make_episode, anna
):
    Study.objects.all().delete()
    study = Study.objects.create(name="Hanabi", game="hanabi", overlap=2)
    for source in ("play", "simulated"):
        make_episode(source=source)
    seen = []
    while out := hand_out(study, anna):
        seen.append(out.assignment.episode.source)
        close(out.assignment, Assignment.SKIPPED, "seen")
    assert seen == ["people", "play", "people", "people", "people", "simulated"]


def test_gold_made_of_a_game_of_people_is_told_as_any_other(taken, adam, anna):
    from webapp.annotation.models import Gold

    Study.objects.all().delete()
    study = Study.objects.create(name="Hanabi", game="hanabi", overlap=2, gold_every=1)
    one = Episode.objects.first()
    Gold.objects.create(study=study, episode=one, created_by=adam, marks=[])
    gold = hand_out(study, anna)
    assert gold.assignment.is_gold
    study.gold_every = 0
    study.save()
    close(gold.assignment, Assignment.SKIPPED, "seen")
    plain = hand_out(study, anna)
    assert not plain.assignment.is_gold and plain.why == gold.why and "people" not in gold.why


def test_an_admin_deletes_them_with_all_that_hangs_on_them(
    taken, anna, adam_client, otto_client, make_episode
):
    own = make_episode()
    one = Episode.objects.filter(source="people").first()
    for episode in (one, own):
        Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=anna, seat=0, tick=1, sign=1)
    freeze(Filters(game="hanabi", sources=["people"]))
    url = reverse("published:delete")
    assert otto_client.post(url, {"format": FORMAT}).status_code == 403
    assert Episode.objects.count() == 5
    adam_client.post(url, {"format": "chess"})
    assert Episode.objects.count() == 5
    adam_client.post(url, {"format": FORMAT})
    assert Episode.objects.get() == own and Mark.objects.get().episode == own
    assert not User.objects.filter(username__startswith="imported-").exists()
    event = AuditEvent.objects.get(verb=recorded.DELETED)
    assert event.detail == {"format": FORMAT, "games": 4, "marks": 1} and event.user.username == "adam"


def test_logs_go_when_the_deletion_is_certain(taken, django_capture_on_commit_callbacks):
    ids = list(Episode.objects.values_list("pk", flat=True))
    with django_capture_on_commit_callbacks(execute=True):
        recorded.delete(FORMAT, None)
    assert not any(log_store().exists(pk) for pk in ids)


def test_a_fresh_site_has_games_to_look_at_and_none_that_was_deleted_comes_back(adam):
    assert recorded.ship("hanabi") == 60
    assert recorded.ship("hanabi") == 0
    assert recorded.ship("arena") == 0
    recorded.delete(FORMAT, adam)
    assert recorded.ship("hanabi") == 0 and not Episode.objects.exists()


def test_a_newcomer_is_shown_the_way_to_them(pia_client, anna_client):
    way = reverse("published:list")
    assert way in pia_client.get(reverse("play:lobby")).content.decode()
    assert way in pia_client.get(reverse("replays:list")).content.decode()
    assert way in anna_client.get(reverse("replays:queue")).content.decode()


def test_source_licence_and_attribution_go_along_with_a_snapshot_there_and_back(taken, anna, adam_client):
    for episode in Episode.objects.all():
        Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=anna, seat=1, tick=1, sign=1)
    snapshot = freeze(Filters(game="hanabi"))
    folder = snapshots.folder_of(snapshot)
    assert snapshot.counts["people_episodes"] == 4
    sheet = (folder / "README.md").read_text()
    assert (
        "CC BY 4.0" in sheet and "Markus Eger" in sheet and "4 of the episodes were played elsewhere" in sheet
    )
    assert json.loads((folder / "manifest.json").read_text())["sources"][0]["title"] == "HanabiData"
    rows = snapshot_reading.read_table(folder, "episodes")
    assert {json.loads(row["origin"])["licence"] for row in rows} == {"CC BY 4.0"}
    page = adam_client.get(reverse("datasets:snapshot", args=[snapshot.pk])).content.decode()
    assert "Markus Eger" in page and "4 of its episodes were played and published elsewhere" in page

    before = {one.pk: (one.source, one.origin, one.options) for one in Episode.objects.all()}
    archive = snapshots.export(snapshot)
    copy = archive.with_name("copy.zip")
    copy.write_bytes(archive.read_bytes())
    kept = copy.read_bytes()
    forget_everything()
    copy.write_bytes(kept)
    importing.import_zip(copy)
    assert {one.pk: (one.source, one.origin, one.options) for one in Episode.objects.all()} == before
    assert recorded.ship("hanabi") == 56  # the four are here already


def test_people_of_elsewhere_are_no_choice_of_players_for_a_round(taken, pia, make_episode):
    from webapp.rounds.forms import RoundForm

    make_episode(pia)
    names = [name for name, _ in RoundForm().fields["players"].choices]
    assert names == [pia.pseudonym]


def test_a_kitchen_keeps_its_clock_and_its_start_cells(tmp_path, otto_client):
    form = people.formats()["people-overcooked"][1]
    row = next(
        row
        for row in form.games_of(games.folder("overcooked") / people.SHIPPED)
        if row["layout"].startswith("counter")
    )
    people.write([row], tmp_path / "one.gz")
    assert recorded.take(form, tmp_path / "one.gz")["imported"] == 1
    one = Episode.objects.get()
    assert one.options["layout"] == row["layout"] and one.options["starts"]
    assert log_store().read(one.pk).header["ticks_per_second"] == 6.667
    page = otto_client.get(reverse("replays:replay", args=[one.pk]))
    assert page.context["page"]["per_second"] == 6.667 and "at 6.67 ticks a second" in page.content.decode()
    assert {user.pseudonym[:2] for user in one.players.all()} == {"O-"} and one.players.count() == 2


def test_somebody_else_of_the_same_pseudonym_is_the_same_person(taken, file):
    user = User.objects.get(episodes__origin__id=SAID["id"])
    assert person("bert", "player").pseudonym != user.pseudonym
    form = people.formats()[FORMAT][1]
    people.write([{**SHORT[0], "id": "twin", "participant": SAID["participant"]}], file)
    recorded.take(form, file)
    assert user.episodes.count() == 2


def test_games_are_chosen_and_deleted_from_the_command_line(file, tmp_path, capsys):
    chosen = run(
        capsys, "choose", "--format", FORMAT, str(file), "--count", "1", "--out", str(tmp_path / "few")
    )
    kinds = {row["ai"] for row in (SAID, *SHORT)}
    assert len(chosen["games"]) == len(kinds)
    assert run(capsys, "import", "--format", FORMAT, str(tmp_path / "few"))["imported"] == len(kinds)
    assert run(capsys, "delete", "--format", FORMAT) == {"games": len(kinds), "marks": 0}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, ""),
        ({"licence": None}, "doesn't say where"),
        ({"url": "javascript:alert(1)"}, "has a url that is no address"),
        ({"game_url": "data:text/html,x"}, "has a game_url that is no address"),
        ({"year": "long ago"}, "has a year"),
        ({"attribution": "x" * 2000}, "doesn't say where"),
    ],
)
def test_an_origin_that_comes_along_with_a_snapshot_is_checked(taken, change, why):
    origin = Episode.objects.first().origin | change
    assert why in _origin_problem(origin) and bool(_origin_problem(origin)) is bool(why)


def test_a_kitchen_may_be_played_at_the_clock_of_recorded_people():
    options = games.spec("overcooked").validate({"tick_length": 150})
    match = Match.objects.create(game="overcooked", options=options, seed=1, ticks_per_second=6)
    assert clock_of(match) == 6.667
    match.ticks_per_second = 0
    assert clock_of(match) == 0, "turn by turn"


def test_games_of_one_id_are_told_apart_and_said(tmp_path, capsys):
    """hanab.live's games that were never stored all have the number 0; other sites number their own."""
    from tests.engine.games.hanabi.test_hanab_live import exported, until_nothing_is_left

    first, other = exported(2)[0], until_nothing_is_left()
    path = tmp_path / "games.json"
    path.write_text(json.dumps([first | {"id": 0}, other | {"id": 0}, first | {"id": 5}, other | {"id": 5}]))
    found = run(capsys, "import", "--format", "hanab-live", str(path))
    assert (found["imported"], found["already"], found["skipped"]) == (4, 0, [])
    assert len(found["renamed"]) == 1 and found["renamed"][0].startswith("Game 5 is another one than")
    again = run(capsys, "import", "--format", "hanab-live", str(path))
    assert (again["imported"], again["already"], again["renamed"]) == (0, 4, [])
    early = Episode.objects.filter(origin__ended__isnull=False)
    assert len(early) == 2 and all(problems_of(one) == [] for one in early)
    assert log_store().read(early[0].pk).end["reason"] == "no card that was left could be played"
