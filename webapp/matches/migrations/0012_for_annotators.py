"""Annotators get what was open to everybody, and from now on what is open to them alone."""

from django.db import migrations, models


def as_before(apps, schema_editor):
    apps.get_model("play", "Match").objects.filter(open_to_watch=False).update(for_annotators=False)


class Migration(migrations.Migration):
    dependencies = [("play", "0011_signed_links")]

    operations = [
        migrations.AddField(
            "match",
            "for_annotators",
            models.BooleanField(default=True, help_text="Queues may hand it out when it is over"),
        ),
        migrations.RunPython(as_before, migrations.RunPython.noop),
    ]
