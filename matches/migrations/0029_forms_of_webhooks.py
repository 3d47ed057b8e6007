from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0028_calls")]

    operations = [
        migrations.AddField(
            "webhook", "form", models.CharField(max_length=10, default="standard", db_default="standard")
        ),
    ]
