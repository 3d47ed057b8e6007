from django.db import migrations, models

# The first event of a match has said so ever since.
READ = """
UPDATE matches_match SET spectator_delay = (opened.public->>'spectator_delay')::integer
FROM events_public opened
WHERE opened.stream = matches_match.id AND opened.version = 1
  AND coalesce((opened.public->>'spectator_delay')::integer, 0) > 0
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0007_sealed_webhooks"), ("events", "0001_initial")]

    operations = [
        migrations.AddField("match", "spectator_delay", models.IntegerField(db_default=0)),
        migrations.RunSQL(READ, migrations.RunSQL.noop, elidable=True),
    ]
