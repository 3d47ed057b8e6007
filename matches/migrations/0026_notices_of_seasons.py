from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0025_roots_of_seeds")]

    operations = [
        migrations.AddField("notice", "season_id", models.UUIDField(null=True)),
    ]
