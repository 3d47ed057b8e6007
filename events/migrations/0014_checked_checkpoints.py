"""Triggers that check each row of the checkpoint log, and a function that removes what no checkpoint covers."""

import re
from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0014_checked_checkpoints.sql")
BEFORE = Path(__file__).with_name("0013_tiles.sql")

DROP = """
DROP TRIGGER IF EXISTS events_leaf_checked ON events_leaf;
DROP TRIGGER events_subtree_checked ON events_subtree;
DROP TRIGGER events_signed_checked ON events_signed;
DROP FUNCTION events_drop_unsigned, events_check_signed, events_check_subtrees, events_check_leaves,
    events_lock_signing;
"""
DROP_SIZE = "DROP FUNCTION events_signed_size, events_is_note, events_root, events_node;"


def _back() -> str:
    removal = re.search(r"CREATE FUNCTION events_refuse_untiled\(.*?END \$\$;", BEFORE.read_text("utf-8"), re.DOTALL)
    if removal is None:
        raise RuntimeError("The earlier migration doesn't hold the function that refuses removals.")
    function = removal[0].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    return f"{DROP}\n{function}\nALTER FUNCTION events_refuse_untiled RESET ALL;\n{DROP_SIZE}"


class Migration(migrations.Migration):
    dependencies = [("events", "0013_tiles")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=_back())]
