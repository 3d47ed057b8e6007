"""Who notes what is archived: a function that checks it, and nobody else."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0012_noted_archive.sql")


class Migration(migrations.Migration):
    dependencies = [("events", "0011_standbys")]
    operations = [
        migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql="DROP FUNCTION events_note_archived")
    ]
