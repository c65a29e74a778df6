"""Invitations and sign-in links keep the hashes of their tokens; links that were sent go on working."""

import hashlib

from django.db import migrations, models


def hash_tokens(apps, schema_editor):
    for name in ("Invitation", "SignInLink"):
        for row in apps.get_model("accounts", name).objects.all():
            row.token = hashlib.sha256(row.token.encode()).hexdigest()
            row.save(update_fields=["token"])


def rename(name):
    field = models.CharField(editable=False, max_length=64, unique=True)
    return [
        migrations.RenameField(name, "token", "token_hash"),
        migrations.AlterField(name, "token_hash", field),
    ]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_guests_of_one_game")]

    operations = [
        migrations.RunPython(hash_tokens, migrations.RunPython.noop),
        *rename("invitation"),
        *rename("signinlink"),
    ]
