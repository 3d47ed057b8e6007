import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("matches", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=120)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("enrolling", "Enrolling"),
                            ("running", "Running"),
                            ("final", "Final"),
                            ("finished", "Finished"),
                        ],
                        max_length=10,
                    ),
                ),
                ("version", models.IntegerField()),
                ("public", models.BooleanField()),
                ("opened_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="opened_seasons",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-opened_at", "-id"),
                "indexes": [models.Index(fields=["opened_at", "id"], name="season_newest")],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "Organiser"),
                            ("host", "Host"),
                            ("auditor", "Auditor"),
                            ("player", "Player"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="seasons.season"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("season", "account"), name="member_once")],
            },
        ),
    ]
