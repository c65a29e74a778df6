import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def belong_to_episodes(apps, schema_editor):
    """A rating is of an episode, which has the match's id; who rated sat somewhere."""
    Rating, Seat = apps.get_model("play", "Rating"), apps.get_model("play", "Seat")
    seats = dict(((match, user), index) for match, user, index in
                 Seat.objects.exclude(user=None).values_list("match_id", "user_id", "index"))
    for rating in Rating.objects.select_related("match"):
        seat = seats.get((rating.match_id, rating.user_id))
        if rating.match.episode_id is None or seat is None:
            rating.delete()
            continue
        rating.episode_id, rating.seat = rating.match.episode_id, seat
        rating.save(update_fields=["episode", "seat"])


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("play", "0005_instruction_replaces"),
        ("replays", "0003_episode_outcomes"),
    ]

    operations = [
        migrations.AddField(
            model_name="rating",
            name="instructions",
            field=models.JSONField(blank=True, default=list, help_text="Ids of what this partner was told by the rater and was in force"),
        ),
        migrations.AddField(
            model_name="seat",
            name="revealed_at",
            field=models.DateTimeField(blank=True, help_text="When its person saw how it went and with whom; ratings close", null=True),
        ),
        migrations.AddField(
            model_name="rating",
            name="episode",
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="replays.episode"),
        ),
        migrations.AddField(
            model_name="rating",
            name="seat",
            field=models.PositiveSmallIntegerField(default=0, help_text="Where the rater sat"),
            preserve_default=False,
        ),
        migrations.RunPython(belong_to_episodes, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="rating", name="one_rating_a_partner"),
        migrations.RemoveField(model_name="rating", name="match"),
        migrations.AlterField(
            model_name="rating",
            name="episode",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="replays.episode"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("episode", "user", "partner_seat"), name="one_rating_a_partner"),
        ),
    ]
