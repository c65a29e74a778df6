"""A study of Arena beside the others'. Twenty ticks a second: marks match within half a second, and who watches
a running match sees it five seconds late.
"""

from django.db import migrations


def add(apps, schema_editor):
    apps.get_model("studies", "Study").objects.get_or_create(
        name="Arena",
        game="arena",
        defaults={"agreement_window": 10, "watch_delay": 100},
    )


class Migration(migrations.Migration):
    dependencies = [("studies", "0004_overcooked_study")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
