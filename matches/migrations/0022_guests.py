from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0021_portraits")]

    operations = [
        migrations.AddField("account", "guest_until", models.DateTimeField(editable=False, null=True)),
        migrations.AddIndex(
            "account",
            models.Index(fields=["guest_until"], name="guest_by_end", condition=models.Q(guest_until__isnull=False)),
        ),
        migrations.AddConstraint(
            "account",
            models.CheckConstraint(
                name="guest_without_rights",
                condition=models.Q(guest_until=None) | models.Q(is_organiser=False, is_staff=False, is_superuser=False),
            ),
        ),
    ]
