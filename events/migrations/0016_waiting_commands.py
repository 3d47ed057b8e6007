"""A command of a batch may have arrived ten seconds ago, no longer 100 ms: it keeps its arrival while it waits.

Flags don't overtake it: they wait until each web process has settled what arrived before (`matches.storage.outages`).
"""

from pathlib import Path

from django.db import migrations

_BEFORE = (
    Path(__file__)
    .with_name("0010_append_many.sql")
    .read_text(encoding="utf-8")
    .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1)
)
_AFTER = _BEFORE.replace("interval '100 milliseconds'", "interval '10 seconds'", 1)


class Migration(migrations.Migration):
    dependencies = [("events", "0015_dated_append")]
    operations = [migrations.RunSQL(_AFTER, reverse_sql=_BEFORE)]
