from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0026_notices_of_seasons")]

    operations = [
        migrations.AddField("seat", "open_to", ArrayField(models.UUIDField(), null=True)),
        migrations.AddIndex(
            "seat",
            models.Index(
                fields=["id"],
                name="seat_sought",
                condition=models.Q(open_to__isnull=False, account__isnull=True, is_bot=False),
            ),
        ),
    ]
