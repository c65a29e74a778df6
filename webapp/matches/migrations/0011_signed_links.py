"""The links of games are signed, so that nothing in the database opens one."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("play", "0010_match_is_first")]

    operations = [
        migrations.RemoveField("match", "join_token"),
        migrations.RemoveField("seat", "copilot_token"),
    ]
