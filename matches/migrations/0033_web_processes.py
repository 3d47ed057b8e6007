from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0032_checked_seeds")]

    operations = [
        migrations.CreateModel(
            name="WebProcess",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("beaten_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField()),
            ],
        ),
    ]
