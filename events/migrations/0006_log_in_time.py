"""The log as auditors read it, newest first: all of it, of one type, by one actor.

An index's build holds appends up. Where that takes too long its owner builds it beforehand, CONCURRENTLY and under the same
name (docs/operating.md); here it can't be: a release before that waits for its turn to migrate would hold it up for ever.
"""

from django.db import migrations

INDEXES = {
    "events_event_in_time": "(at)",
    "events_event_of_type": "(type, at)",
    "events_event_by_actor": "(actor, at)",
}


class Migration(migrations.Migration):
    dependencies = [("events", "0005_guarded_log")]
    operations = [
        migrations.RunSQL(
            f"CREATE INDEX IF NOT EXISTS {name} ON events_event {columns}",
            reverse_sql=f"DROP INDEX IF EXISTS {name}",
        )
        for name, columns in INDEXES.items()
    ]
