from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("seasons", "0001_initial")]

    operations = [
        migrations.AddField("season", "wakes_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "season",
            models.Index(fields=["wakes_at"], name="season_to_wake", condition=models.Q(wakes_at__isnull=False)),
        ),
    ]
