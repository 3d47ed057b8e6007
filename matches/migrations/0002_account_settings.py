from django.db import migrations, models

import matches.models


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="time_zone",
            field=models.CharField(default="UTC", max_length=64, validators=[matches.models.validate_time_zone]),
        ),
        migrations.AddField(
            model_name="account",
            name="theme",
            field=models.CharField(
                choices=[("system", "System"), ("light", "Light"), ("dark", "Dark")], default="system", max_length=10
            ),
        ),
    ]
