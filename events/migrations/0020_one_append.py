"""`events_append_many` is the only append: it also begins and closes streams, and a command may come without a key.

The service no longer calls `events_append`. The previous release does, so the next one drops it.
"""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0020_one_append.sql")
BEFORE = (
    Path(__file__)
    .with_name("0010_append_many.sql")
    .read_text(encoding="utf-8")
    .replace("interval '100 milliseconds'", "interval '10 seconds'", 1)
)


class Migration(migrations.Migration):
    dependencies = [("events", "0019_checked_access")]
    operations = [
        migrations.RunSQL(
            SCHEMA.read_text(encoding="utf-8"),
            reverse_sql=f"DROP FUNCTION events_append_many, events_link;\n{BEFORE}",
        )
    ]
