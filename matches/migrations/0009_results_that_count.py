from django.db import migrations, models

# A match says in its first event that its result waits for approval, and by an event that it has got it.
READ = """
UPDATE matches_playerresult SET counts = false
FROM events_public opened
WHERE opened.stream = matches_playerresult.match_id AND opened.version = 1
  AND (opened.public->>'approval')::boolean
  AND NOT EXISTS (
    SELECT FROM events_public approved
    WHERE approved.stream = opened.stream AND approved.type = 'result_approved'
  )
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0008_spectator_delay"), ("events", "0001_initial")]

    operations = [
        migrations.AddField("playerresult", "counts", models.BooleanField(db_default=True)),
        migrations.RunSQL(READ, migrations.RunSQL.noop, elidable=True),
    ]
