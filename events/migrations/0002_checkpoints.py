"""The signed checkpoints over all streams, and the record of who took a stream's record away."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0002_checkpoints.sql")

DROP = "DROP TABLE events_access, events_signed, events_subtree, events_leaf;"


class Migration(migrations.Migration):
    dependencies = [("events", "0001_initial")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=DROP)]
