from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0023_rematches")]

    operations = [
        migrations.AddField("match", "awaits_check_in", models.BooleanField(db_default=False)),
    ]
