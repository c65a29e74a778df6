"""The tables of jobs, which webapp.rounds made and which stay as they are."""

import django.db.models.deletion
import django.utils.timezone
import uuid
import webapp.common.places
from django.db import migrations, models

MOVED = ["job", "jobline", "jobmetric", "workerheartbeat"]


def forth(apps, schema_editor) -> None:
    rename(apps, schema_editor, "rounds", "jobs")


def back(apps, schema_editor) -> None:
    rename(apps, schema_editor, "jobs", "rounds")


def rename(apps, schema_editor, before, after) -> None:
    """Permissions point at content types, which go along."""
    types = apps.get_model("contenttypes", "ContentType").objects.using(schema_editor.connection.alias)
    types.filter(app_label=before, model__in=MOVED).update(app_label=after)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('contenttypes', '0002_remove_content_type_name'),
        ('rounds', '0010_jobs_are_an_app_of_their_own'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Job',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('kind', models.CharField(choices=[('snapshot', 'snapshot'), ('reward_model', 'reward_model'), ('agent', 'agent'), ('evaluation', 'evaluation'), ('candidate', 'candidate'), ('clip', 'clip'), ('utility', 'utility'), ('worth', 'worth'), ('told', 'told'), ('export', 'export'), ('import', 'import')], max_length=20)),
                        ('position', models.PositiveSmallIntegerField(default=0)),
                        ('program', models.CharField(blank=True, max_length=100)),
                        ('settings', webapp.common.places.PlacedJSON(default=dict)),
                        ('queue', models.CharField(choices=[('gpu', 'gpu'), ('cpu', 'cpu'), ('short', 'short')], default='cpu', max_length=10)),
                        ('state', models.CharField(db_index=True, default='queued', max_length=20)),
                        ('worker', models.CharField(blank=True, max_length=120)),
                        ('device', models.CharField(blank=True, help_text='what the last attempt computes on', max_length=120)),
                        ('token', models.PositiveIntegerField(default=0)),
                        ('lease_until', models.DateTimeField(blank=True, null=True)),
                        ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                        ('attempts', models.PositiveIntegerField(default=0)),
                        ('done', models.PositiveIntegerField(default=0)),
                        ('total', models.PositiveIntegerField(default=0)),
                        ('eta_seconds', models.FloatField(blank=True, null=True)),
                        ('result', webapp.common.places.PlacedJSON(default=dict)),
                        ('error', models.TextField(blank=True)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('started_at', models.DateTimeField(blank=True, null=True)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='rounds.round')),
                    ],
                    options={
                        'db_table': 'rounds_job',
                        'ordering': ['created_at', 'position'],
                    },
                ),
                migrations.CreateModel(
                    name='JobLine',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('level', models.CharField(default='info', max_length=10)),
                        ('text', models.TextField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='jobs.job')),
                    ],
                    options={
                        'db_table': 'rounds_jobline',
                        'ordering': ['id'],
                    },
                ),
                migrations.CreateModel(
                    name='JobMetric',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('step', models.BigIntegerField()),
                        ('values', models.JSONField(default=dict)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='metrics', to='jobs.job')),
                    ],
                    options={
                        'db_table': 'rounds_jobmetric',
                        'ordering': ['id'],
                    },
                ),
                migrations.CreateModel(
                    name='WorkerHeartbeat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(help_text='host:process id', max_length=120, unique=True)),
                        ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                        ('has_gpu', models.BooleanField(default=False)),
                        ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('job', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                    ],
                    options={
                        'db_table': 'rounds_workerheartbeat',
                    },
                ),
            ]
        ),
        migrations.RunPython(forth, back),
    ]
