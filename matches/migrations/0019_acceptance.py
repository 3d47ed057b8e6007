from django.db import migrations, models

# A friendly that a host decided counts for nobody: a host of one may well be its player.
LET_NOT_COUNT = """
UPDATE matches_playerresult SET counts = false
FROM matches_match
WHERE matches_match.id = matches_playerresult.match_id AND matches_match.season_id IS NULL
  AND matches_playerresult.reason = 'adjudicated' AND matches_playerresult.counts
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0018_access_log")]

    operations = [
        migrations.AddField("seat", "awaited", models.BooleanField(db_default=False)),
        migrations.RunSQL(LET_NOT_COUNT, migrations.RunSQL.noop, elidable=True),
    ]
