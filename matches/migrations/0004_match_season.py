import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0003_outages"), ("seasons", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="season",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="matches",
                to="seasons.season",
            ),
        ),
    ]
