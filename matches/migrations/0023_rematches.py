from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0022_guests")]

    operations = [
        migrations.AddField("match", "rematch_of", models.UUIDField(editable=False, null=True, unique=True)),
    ]
