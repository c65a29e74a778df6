"""The study that a new site starts with, so that annotators have a queue from the first episode on."""

from django.db import migrations


def add(apps, schema_editor):
    apps.get_model("studies", "Study").objects.get_or_create(name="Hanabi", game="hanabi")


class Migration(migrations.Migration):
    dependencies = [("studies", "0001_initial")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
