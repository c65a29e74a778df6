from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0007_any_clock")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="left_at",
            field=models.DateTimeField(
                blank=True, help_text="When its person left for good; an agent plays on for them", null=True
            ),
        ),
    ]
