from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0013_friendlies_not_over")]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("part", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("beaten_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Hold",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("match_id", models.UUIDField()),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(db_index=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["match_id", "ended_at"], name="hold_of_match")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)), fields=("match_id",), name="hold_open_once"
                    )
                ],
            },
        ),
    ]
