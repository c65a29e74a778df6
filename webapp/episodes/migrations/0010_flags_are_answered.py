"""Flags get answers; and whoever made gold of their marks knows what others are measured by: their own marks there
are final.
"""

from django.db import migrations, models


def close_the_makers(apps, schema_editor):
    golds = apps.get_model("replays", "Gold").objects.exclude(created_by=None)
    look = apps.get_model("replays", "Look")
    made = golds.values_list("episode_id", "created_by_id").distinct()
    look.objects.bulk_create(
        [look(episode_id=episode, user_id=user) for episode, user in made], ignore_conflicts=True
    )


class Migration(migrations.Migration):
    dependencies = [("replays", "0009_one_mark_a_place")]

    operations = [
        migrations.AddField("flag", "answer", models.TextField(blank=True)),
        migrations.AddField("flag", "answered_at", models.DateTimeField(blank=True, null=True)),
        migrations.RunPython(close_the_makers, migrations.RunPython.noop),
    ]
