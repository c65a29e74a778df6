"""What stood when an episode was submitted, and until when it may be submitted again.

Of what was submitted before, nobody knows any more how it stood then: it counts as it stands now.
"""

from datetime import timedelta

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def freeze(apps, schema_editor):
    assignments = apps.get_model("replays", "Assignment").objects.filter(status="submitted")
    marks = apps.get_model("replays", "Mark").objects
    for one in assignments.select_related("study").iterator(500):
        closed = one.closed_at or one.handed_at
        one.final_at = closed + timedelta(minutes=one.study.editable_minutes)
        one.save(update_fields=["final_at"])
        own = list(marks.filter(episode=one.episode_id, annotator=one.annotator_id, deleted=False))
        for mark in own:
            mark.submitted = {
                "seat": mark.seat,
                "tick": mark.tick,
                "sign": mark.sign,
                "revision": mark.revision,
                "instruction": str(mark.instruction_id or ""),
                "context": mark.context,
                "made_at": mark.made_at.isoformat() if mark.made_at else None,
            }
        marks.bulk_update(own, ["submitted"], batch_size=200)


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0001_initial"),
        ("studies", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("mark", "submitted", models.JSONField(blank=True, null=True)),
        migrations.AddField("assignment", "final_at", models.DateTimeField(blank=True, null=True)),
        migrations.CreateModel(
            name="Look",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "episode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="looks",
                        to="replays.episode",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("episode", "user"), name="one_look_a_person")
                ]
            },
        ),
        migrations.RunPython(freeze, migrations.RunPython.noop),
    ]
