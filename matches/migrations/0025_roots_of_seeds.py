from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0024_awaits_check_in")]

    operations = [
        migrations.AddField("seed", "root", models.BinaryField(null=True)),
    ]
