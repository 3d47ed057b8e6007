from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_account_settings")]

    operations = [
        migrations.CreateModel(
            name="Pulse",
            fields=[
                ("id", models.SmallIntegerField(primary_key=True, serialize=False)),
                ("beaten_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
