"""Annotators get what was open to everybody, and from now on what is open to them alone."""

from django.db import migrations, models


def as_before(apps, schema_editor):
    apps.get_model("replays", "Episode").objects.filter(public=False).update(for_annotators=False)


class Migration(migrations.Migration):
    dependencies = [("replays", "0010_flags_are_answered")]

    operations = [
        migrations.AddField(
            "episode", "for_annotators", models.BooleanField(default=True, help_text="Queues may hand it out")
        ),
        migrations.RunPython(as_before, migrations.RunPython.noop),
    ]
