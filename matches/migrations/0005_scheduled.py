from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0004_match_season")]

    operations = [
        migrations.AddField("match", "opens_at", models.DateTimeField(null=True)),
        migrations.AddField("match", "starts_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "match",
            models.Index(fields=["starts_at"], name="match_to_start", condition=models.Q(status="waiting")),
        ),
    ]
