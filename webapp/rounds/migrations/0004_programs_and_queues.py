from django.db import migrations, models

KINDS = ('snapshot', 'reward_model', 'agent', 'evaluation', 'candidate', 'clip')


def queue_clips(apps, schema_editor):
    apps.get_model('rounds', 'Job').objects.filter(kind__in=('clip', 'candidate')).update(queue='short')


class Migration(migrations.Migration):

    dependencies = [
        ('rounds', '0003_clips'),
    ]

    operations = [
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=20),
        ),
        migrations.AddField(
            model_name='job',
            name='program',
            field=models.CharField(blank=True, max_length=100),
        ),
        migrations.AddField(
            model_name='job',
            name='queue',
            field=models.CharField(choices=[('gpu', 'gpu'), ('cpu', 'cpu'), ('short', 'short')], default='cpu', max_length=10),
        ),
        migrations.AddField(
            model_name='job',
            name='device',
            field=models.CharField(blank=True, help_text='what the last attempt computes on', max_length=120),
        ),
        migrations.AddField(
            model_name='workerheartbeat',
            name='has_gpu',
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(queue_clips, migrations.RunPython.noop),
    ]
