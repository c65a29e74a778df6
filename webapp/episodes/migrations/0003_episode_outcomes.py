"""Where seats play against each other, an episode's row keeps the place of each."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0002_what_stood_when_submitted'),
    ]

    operations = [
        migrations.AddField(
            model_name='episode',
            name='outcomes',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
