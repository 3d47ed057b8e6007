from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0019_acceptance")]

    operations = [migrations.AddField("seat", "stood_in", models.BooleanField(db_default=False))]
