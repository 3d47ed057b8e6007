from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0034_place_acts")]

    operations = [
        migrations.AddField("seed", "parts", models.BinaryField(null=True)),
    ]
