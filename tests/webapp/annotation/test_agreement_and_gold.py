"""Agreement of a study and gold episodes, as admins see them."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.conftest import person
from tests.webapp.annotation.agreed import agreed
from tests.webapp.cast import text_of
from webapp.annotation import agreement, gold, pace
from webapp.annotation.access import replay_access
from webapp.annotation.models import Assignment, Flag, Gold, Mark
from webapp.annotation.queue import close, hand_out, left_for
from webapp.annotation.simulated import simulated_person
from webapp.annotation.views import study as study_page
from webapp.studies.models import Study
from workers import sweep


@pytest.fixture
def submitted(study):
    """A function: this person's submitted marks on an episode."""

    def add(user, episode, *marks, is_gold=False):
        mine = Assignment.objects.create(
            study=study, episode=episode, annotator=user, is_gold=is_gold, expires_at=timezone.now()
        )
        for seat, tick, sign in marks:
            Mark.objects.create(
                id=uuid.uuid4(), episode=episode, annotator=user, seat=seat, tick=tick, sign=sign
            )
        close(mine, Assignment.SUBMITTED)

    return add


def test_pairs_are_compared_on_the_episodes_that_both_submitted(study, submitted, make_episode, anna):
    bert = person("bert", "annotator")
    first, second, alone = make_episode(), make_episode(), make_episode()
    submitted(anna, first, (1, 5, 1), (1, 9, -1))
    submitted(bert, first, (1, 6, 1), (1, 9, 1))
    submitted(anna, second, (0, 3, 1))
    submitted(bert, second, (0, 3, 1))
    submitted(anna, alone, (0, 3, 1))
    pairs, pooled = agreed(study)
    assert len(pairs) == 1
    result = pairs[0].agreement
    assert (result.episodes, result.marks_a, result.marks_b, result.matched) == (2, 3, 3, 2)
    assert pooled == result


def test_marks_that_were_not_submitted_do_not_count(study, submitted, make_episode, anna):
    episode = make_episode()
    submitted(anna, episode, (1, 5, 1))
    Mark.objects.create(
        id=uuid.uuid4(), episode=episode, annotator=person("bert", "annotator"), seat=1, tick=5, sign=1
    )
    assert agreed(study)[0] == []


def test_whoever_submitted_sees_how_others_did_and_where_they_differ_once_it_is_final(
    study, submitted, make_episode, anna, anna_client
):
    bert, cleo = person("bert", "annotator"), person("cleo", "annotator")
    study.overlap = 3
    study.save()
    episode = make_episode()
    submitted(anna, episode, (1, 5, 1), (1, 9, -1))
    submitted(bert, episode, (1, 6, 1), (1, 12, 1))
    submitted(cleo, episode)
    address = reverse("replays:replay", args=[episode.pk])
    assert "You and others" not in anna_client.get(address).content.decode()  # they may still change
    Assignment.objects.filter(annotator=anna).update(final_at=timezone.now())
    page = anna_client.get(address).content.decode()
    assert f"{bert.pseudonym}: " in page and "1 of your 2 and their 2 marks match" in page
    assert f"{cleo.pseudonym}: " in page and "0 of your 2 and their 0 marks match" in page
    own = page.partition('id="own-agreement"')[2]
    assert own.count('data-go="9" data-seat="1"') == 2  # of mine alone, beside each of the two
    assert own.count('data-go="12" data-seat="1"') == 1 and 'data-go="6"' not in own
    Assignment.objects.exclude(annotator=anna).delete()
    Mark.objects.exclude(annotator=anna).delete()
    assert "Nobody else has submitted this episode yet." in anna_client.get(address).content.decode()


def test_admins_find_disputed_episodes_and_look_at_everybodys_marks(
    study, submitted, make_episode, anna, adam_client
):
    bert = person("bert", "annotator")
    alike, apart, alone = make_episode(), make_episode(), make_episode()
    for one, mark in ((alike, (1, 5, 1)), (apart, (1, 15, -1))):
        submitted(anna, one, (1, 5, 1))
        submitted(bert, one, mark)
    submitted(anna, alone, (1, 5, 1))
    page = adam_client.get(reverse("replays:agreement", args=[study.pk])).content.decode()
    found = page.partition('id="disputed"')[2].partition("</section>")[0]
    looks = [reverse("replays:look", args=[one.pk]) for one in (apart, alike, alone)]
    assert 0 < found.index(looks[0]) < found.index(looks[1]) and looks[2] not in found
    answer = adam_client.post(looks[0], follow=True)
    assert answer.redirect_chain[-1][0].endswith("?others=1")
    assert {mark["who"] for mark in answer.context["page"]["others"]} == {anna.pseudonym, bert.pseudonym}
    assert 'id="show-others" checked' in answer.content.decode(), "they lie over the replay at once"
    plain = adam_client.get(reverse("replays:replay", args=[apart.pk])).content.decode()
    assert 'id="show-others">' in plain


def test_gold_is_made_from_ones_own_marks(study, make_episode, adam, adam_client):
    episode = make_episode()
    address = reverse("replays:make-gold", args=[episode.pk])
    adam_client.post(address, {"study": study.pk})
    assert Gold.objects.count() == 0, "there is no mark to make it from"
    Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=adam, seat=1, tick=5, sign=-1)
    adam_client.post(address, {"study": study.pk, "note": "the misplay"})
    assert Gold.objects.get().marks == [{"seat": 1, "tick": 5, "sign": -1}]
    page = adam_client.get(reverse("replays:replay", args=[episode.pk])).content.decode()
    assert "are its known answer (gold), so they are final" in page and "looked at other" not in page


def test_only_admins_make_gold_and_see_agreement(study, make_episode, anna_client, pia_client):
    for client in (anna_client, pia_client):
        assert client.post(reverse("replays:make-gold", args=[make_episode().pk])).status_code == 403
        assert client.get(reverse("replays:agreement", args=[study.pk])).status_code == 403


def test_results_on_gold_are_shown_to_admins_and_to_the_person_if_the_study_says_so(
    study, submitted, make_episode, anna, anna_client, adam, adam_client
):
    episode = make_episode()
    Gold.objects.create(
        study=study, episode=episode, marks=[{"seat": 1, "tick": 5, "sign": 1}], created_by=adam
    )
    submitted(anna, episode, (1, 5, 1), is_gold=True)
    assert [(r.person, r.agreement.corrected) for r in gold.results(study)] == [(anna.pseudonym, 1)]
    page = adam_client.get(reverse("replays:agreement", args=[study.pk])).content.decode()
    assert anna.pseudonym in page
    queue = reverse("replays:queue")
    assert "known answers" not in anna_client.get(queue).content.decode()
    study.show_gold_results = True
    study.save()
    assert "100 %" not in anna_client.get(queue).content.decode(), "she may still change her marks"
    Assignment.objects.update(final_at=timezone.now())
    assert "100 %" in anna_client.get(queue).content.decode()


def test_the_agreement_page_of_an_empty_study_says_what_is_missing(study, adam_client):
    page = adam_client.get(reverse("replays:agreement", args=[study.pk])).content.decode()
    assert "No episode has been submitted by two people yet" in page


def test_nothing_tells_gold_from_what_it_takes_the_place_of(study, make_episode, adam, anna, anna_client):
    study.gold_every = 2
    study.save()
    for _ in range(3):
        make_episode(source="play")
    known = make_episode(source="simulated")
    Gold.objects.create(
        study=study, episode=known, marks=[{"seat": 1, "tick": 5, "sign": 1}], created_by=adam
    )
    said, left = [], [left_for(study, anna)]
    while handed := hand_out(study, anna):
        said.append((handed.assignment.episode == known, handed.why))
        close(handed.assignment, Assignment.SUBMITTED)
        left.append(left_for(study, anna))
    assert [is_gold for is_gold, _ in said] == [False, True, False, False]
    assert len({why for _, why in said}) == 1 and "simulated" not in said[1][1]
    assert left == [4, 3, 2, 1, 0], "handing out gold leaves one less, too"


def test_who_makes_gold_sees_how_others_did_on_it(study, submitted, make_episode, anna, adam, adam_client):
    episode = make_episode()
    Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=adam, seat=1, tick=5, sign=1)
    adam_client.post(reverse("replays:make-gold", args=[episode.pk]), {"study": study.pk})
    submitted(anna, episode, (1, 5, 1), is_gold=True)
    page = adam_client.get(reverse("replays:agreement", args=[study.pk]))
    assert [row.agreement.matched for row in page.context["gold_results"]] == [1]
    assert page.context["left_out"] == []
    assert not replay_access(adam, episode).may_mark, "the known answer can't follow what others said"


def test_the_agreement_page_says_which_episodes_it_leaves_out_and_why(
    study, submitted, make_episode, anna, adam, adam_client
):
    marked, held, other = make_episode(), make_episode(), make_episode()
    for episode in (marked, held, other):
        submitted(anna, episode, (1, 5, 1))
    Mark.objects.create(id=uuid.uuid4(), episode=marked, annotator=adam, seat=1, tick=5, sign=1)
    Assignment.objects.create(study=study, episode=held, annotator=adam, expires_at=timezone.now())
    page = adam_client.get(reverse("replays:agreement", args=[study.pk]))
    assert dict(page.context["left_out"]) == {
        marked.pk: "you have put marks on it, which can still change",
        held.pk: "you are marking it",
    }
    assert f"Episode {str(marked.pk)[:4]}</a>: you have put marks on it" in page.content.decode()


def test_the_agreement_page_shows_pace_and_what_no_person_marks(
    study, submitted, make_episode, anna, adam_client
):
    bert, cleo = person("bert", "annotator"), person("cleo", "annotator")
    first, second, own = make_episode(ticks=100), make_episode(ticks=100), make_episode(cleo, ticks=100)
    study.overlap = 3
    study.save()
    submitted(anna, first, *[(1, tick, 1) for tick in range(1, 31)])
    submitted(anna, second)
    submitted(bert, first, *[(1, tick, 1) for tick in range(1, 31)])
    submitted(cleo, first, *[(1, tick, 1) for tick in range(1, 4)])
    ago = {anna: 30, bert: 1 / 6, cleo: 10}
    for who, minutes in ago.items():
        mine = Assignment.objects.filter(annotator=who, episode=first)
        mine.update(handed_at=mine.get().closed_at - timedelta(minutes=minutes))
    for tick in range(1, 41):
        Mark.objects.create(id=uuid.uuid4(), episode=own, annotator=cleo, seat=1, tick=tick, sign=1)
    page = adam_client.get(reverse("replays:agreement", args=[study.pk]))
    paces = {row.who: (row.episodes, row.empty, row.marks) for row in page.context["paces"]}
    assert paces == {
        anna.pseudonym: (2, 1, 30),
        bert.pseudonym: (1, 0, 30),
        cleo.pseudonym: (1, 0, 3),
    }
    said = [flood.sentence for flood in page.context["floods"]]
    assert [sentence.split(" ")[0] for sentence in said] == [bert.pseudonym, cleo.pseudonym]
    assert "put 30 marks on it in 10 seconds, 180 a minute: faster than a person looks." in said[0]
    assert "put 40 free marks on it" in said[1]
    Mark.objects.filter(episode=own, tick=1).update(created_at=timezone.now() - timedelta(minutes=20))
    page = adam_client.get(reverse("replays:agreement", args=[study.pk]))
    assert len(page.context["floods"]) == 1, "she took her time"


def test_the_agreement_page_is_of_the_latest_submissions_and_compares_few_pairs_itself(
    study, submitted, make_episode, anna, adam_client, monkeypatch
):
    monkeypatch.setattr(pace, "LATEST", 2)
    monkeypatch.setattr(study_page, "AT_SIGHT", 1)
    bert = person("bert", "annotator")
    for _ in range(3):
        episode = make_episode()
        submitted(anna, episode, (1, 5, 1))
        submitted(bert, episode, (1, 5, 1))
    address = reverse("replays:agreement", args=[study.pk])
    page = adam_client.get(address)
    paces = {row.who: row.episodes for row in page.context["paces"]}
    assert paces == {anna.pseudonym: 1, bert.pseudonym: 1}
    text = text_of(page)
    assert "Of the latest 2 submissions" in text and "2 pairs on an episode are not compared yet" in text
    assert page.context["pooled"].episodes == 1
    sweep.compare()
    page = adam_client.get(address)
    assert page.context["pooled"].episodes == 3 and "compared yet" not in text_of(page)


def test_a_flag_is_answered_and_who_flagged_it_reads_the_answer(
    study, make_episode, hand, anna, anna_client, adam_client
):
    episode = make_episode()
    hand(episode, anna)
    anna_client.post(reverse("replays:flag", args=[episode.pk]), {"note": "cards vanish", "tick": 3})
    flag = Flag.objects.get()
    agreement = reverse("replays:agreement", args=[study.pk])
    assert "cards vanish" in adam_client.get(agreement).content.decode()
    address = reverse("replays:answer-flag", args=[flag.pk])
    assert anna_client.post(address, {"answer": "mine"}).status_code == 403
    answered = adam_client.post(address, {"answer": "Mended, thank you", "study": study.pk})
    assert answered.url == agreement
    assert "cards vanish" not in adam_client.get(agreement).content.decode()
    for page in (reverse("replays:replay", args=[episode.pk]), reverse("replays:queue")):
        assert "Mended, thank you" in anna_client.get(page).content.decode(), page


def test_simulated_raters_say_so_beside_others(study, submitted, make_episode, anna, anna_client):
    episode = make_episode()
    robot = simulated_person("careful")
    Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=robot, seat=1, tick=5, sign=1)
    submitted(anna, episode, (1, 5, 1))
    Assignment.objects.update(final_at=timezone.now())
    page = anna_client.get(reverse("replays:replay", args=[episode.pk]))
    assert [one.who for one in page.context["own"]] == [f"{robot.pseudonym} (simulated)"]


@pytest.mark.parametrize(("game", "window"), [("hanabi", 1), ("overcooked", 3), ("arena", 10)])
def test_marks_of_a_new_study_match_within_half_a_second_of_the_games_clock(db, game, window):
    assert Study(game=game).window == window
    assert Study(game=game, agreement_window=4).window == 4
    assert {study.window for study in Study.objects.filter(game=game)} <= {window}


def test_of_many_pairs_a_fair_sample_says_how_far_a_study_agrees(
    study, submitted, make_episode, anna, adam_client, monkeypatch
):
    bert = person("bert", "annotator")
    monkeypatch.setattr(agreement, "POOLED", 2)
    episodes = sorted((make_episode() for _ in range(3)), key=lambda episode: episode.pk)
    for number, episode in enumerate(episodes):
        submitted(anna, episode, (1, 5, 1))
        submitted(bert, episode, (1, 5, 1 if number < 2 else -1))
    while agreement.compare(study, 100):
        pass
    pooled, sampled = agreement.pooled(study, agreement.compared(study))
    assert sampled and (pooled.episodes, pooled.matched) == (2, 2)
    page = adam_client.get(reverse("replays:agreement", args=[study.pk])).content.decode()
    assert "2 pairs on an episode, a fair sample of all" in " ".join(page.split())
    monkeypatch.setattr(agreement, "POOLED", 3)
    pooled, sampled = agreement.pooled(study, agreement.compared(study))
    assert not sampled and (pooled.episodes, pooled.matched) == (3, 2)
