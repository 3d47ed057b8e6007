"""The tables of the store, in the words of the database that keeps their promises."""

from pathlib import Path

from django.db import migrations, models

SCHEMA = Path(__file__).with_name("0001_schema.sql")

DROP = """
DROP VIEW events_public;
DROP TABLE events_dirty, events_checkpoint, events_projection, events_snapshot, events_key, events_event, events_head;
DROP FUNCTION events_refuse_change, events_enter, events_append;
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=DROP),
        migrations.CreateModel(
            name="LoggedEvent",
            fields=[
                ("id", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("stream", models.UUIDField()),
                ("version", models.IntegerField()),
                ("type", models.TextField()),
                ("schema", models.SmallIntegerField()),
                ("actor", models.TextField()),
                ("at", models.DateTimeField()),
                ("public", models.JSONField()),
                ("has_secret", models.BooleanField()),
                ("hash", models.TextField()),
            ],
            options={
                "verbose_name": "event",
                "db_table": "events_public",
                "ordering": ("-at", "stream", "-version"),
                "managed": False,
            },
        ),
    ]
