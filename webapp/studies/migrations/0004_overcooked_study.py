"""A study of Overcooked beside Hanabi's. Ticks are short there: marks match within half a second, and who
watches a running game sees it two seconds late.
"""

from django.db import migrations


def add(apps, schema_editor):
    apps.get_model("studies", "Study").objects.get_or_create(
        name="Overcooked", game="overcooked", defaults={"agreement_window": 3, "watch_delay": 12}
    )


class Migration(migrations.Migration):
    dependencies = [("studies", "0003_real_time")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
