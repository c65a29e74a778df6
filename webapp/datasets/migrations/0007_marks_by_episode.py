"""A snapshot's marks are in its folder; what rows say of them is how many there are of whom on which episode."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SUM = """INSERT INTO datasets_marked (snapshot_id, episode_id, annotator_id, marks)
  SELECT s.snapshot_id, m.episode_id, m.annotator_id, count(*)
  FROM datasets_snapshotmark AS s JOIN replays_mark AS m ON m.id = s.mark_id
  GROUP BY s.snapshot_id, m.episode_id, m.annotator_id"""


class Migration(migrations.Migration):
    dependencies = [
        ("datasets", "0006_sources"),
        ("annotation", "0002_indexes_for_people"),
        ("replays", "0014_marks_are_an_app_of_their_own"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Marked",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("marks", models.PositiveIntegerField()),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "episode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="marked_in",
                        to="replays.episode",
                    ),
                ),
                (
                    "snapshot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="marked",
                        to="datasets.snapshot",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("snapshot", "episode", "annotator"),
                        name="one_row_a_snapshot_episode_annotator",
                    )
                ],
            },
        ),
        migrations.RunSQL(SUM, migrations.RunSQL.noop),
        migrations.DeleteModel(name="SnapshotMark"),
    ]
