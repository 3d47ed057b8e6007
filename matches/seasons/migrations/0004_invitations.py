import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("seasons", "0003_calendars")]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                ("label", models.CharField(max_length=200)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="seasons.season",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("season", "number"), name="invitation_once")],
            },
        ),
    ]
