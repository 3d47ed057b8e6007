from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0009_results_that_count")]

    operations = [
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["opened_by"],
                name="match_friendly_not_over",
                condition=models.Q(season=None, status__in=("waiting", "running", "paused")),
            ),
        ),
    ]
