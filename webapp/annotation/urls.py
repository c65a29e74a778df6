"""Replays, marks, the annotators' queue, practice."""

from django.urls import path

from webapp.annotation.views import browse, clips, marks, practice, queue, replay, study, utility

app_name = "replays"
urlpatterns = [
    path("", browse.replay_list, name="list"),
    path("annotate/", queue.queue_page, name="queue"),
    path("annotate/next/", queue.next_episode, name="next"),
    path("annotate/<uuid:assignment_id>/submit/", queue.submit, name="submit"),
    path("annotate/<uuid:assignment_id>/skip/", queue.skip, name="skip"),
    path("guidelines/", queue.guidelines, name="guidelines"),
    path("marks/", marks.post_marks, name="marks"),
    path("marks/<uuid:mark_id>/", marks.mark_page, name="mark"),
    path("tutorial/", practice.tutorial, {"which": "annotate"}, name="tutorial"),
    path("tutorial/play/", practice.tutorial, {"which": "play"}, name="tutorial-play"),
    path("tutorial/skip/", practice.skip_tutorial, {"which": "annotate"}, name="tutorial-skip"),
    path("tutorial/play/skip/", practice.skip_tutorial, {"which": "play"}, name="tutorial-play-skip"),
    path("positions/<slug:slug>/", practice.position_page, name="position"),
    path("positions/<slug:slug>/check/", practice.check, name="position-check"),
    path("positions/<slug:slug>/act/", practice.act, name="position-act"),
    path("agreement/<int:study_id>/", study.agreement, name="agreement"),
    path("<uuid:episode_id>/", replay.replay, name="replay"),
    path("<uuid:episode_id>/strip.webp", browse.strip, name="strip"),
    path("<uuid:episode_id>/stream.json", replay.stream, name="stream"),
    path("<uuid:episode_id>/frames/<slug:tag>/<int:number>/", replay.frames, name="frames"),
    path("<uuid:episode_id>/pictures/<slug:view>/<int:number>/", replay.pictures, name="pictures"),
    path("<uuid:episode_id>/asked/", replay.asked, name="asked"),
    path("<uuid:episode_id>/words/<int:seat>/<int:tick>/", replay.words, name="words"),
    path("<uuid:episode_id>/clips/", clips.listing, name="clips"),
    path("<uuid:episode_id>/clips/<uuid:clip_id>/", clips.file, name="clip-file"),
    path("<uuid:episode_id>/clips/<uuid:clip_id>/cancel/", clips.cancel, name="clip-cancel"),
    path("<uuid:episode_id>/clips/<uuid:clip_id>/retry/", clips.retry, name="clip-retry"),
    path("<uuid:episode_id>/clips/<uuid:clip_id>/remove/", clips.remove, name="clip-remove"),
    path("<uuid:episode_id>/utility/", utility.curves, name="utility"),
    path("<uuid:episode_id>/utility/<uuid:curve_id>/", utility.curve, name="utility-curve"),
    path("<uuid:episode_id>/utility/<uuid:curve_id>/cancel/", utility.cancel, name="utility-cancel"),
    path("<uuid:episode_id>/flag/", queue.flag, name="flag"),
    path("flags/<int:flag_id>/", study.answer_flag, name="answer-flag"),
    path("<uuid:episode_id>/gold/", study.make_gold, name="make-gold"),
    path("<uuid:episode_id>/look/", study.look_at_others, name="look"),
]
