"""Commands of many streams are appended in one statement, each checked by itself."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0010_append_many.sql")


class Migration(migrations.Migration):
    dependencies = [("events", "0009_archived")]
    operations = [
        migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql="DROP FUNCTION events_append_many;")
    ]
