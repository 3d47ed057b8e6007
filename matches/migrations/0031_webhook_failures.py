from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0030_gauges")]

    operations = [
        migrations.AddField("webhook", "off_reason", models.CharField(max_length=200, default="", db_default="")),
        migrations.AddField("webhook", "failures", models.SmallIntegerField(default=0, db_default=0)),
        migrations.AddField("webhook", "failed_at", models.DateTimeField(null=True)),
        migrations.AddField("webhook", "next_try_at", models.DateTimeField(null=True)),
    ]
