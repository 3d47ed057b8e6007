import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("matches", "0020_stand_ins_in_seats")]

    operations = [
        migrations.AddField(
            "account", "portrait_face", models.SmallIntegerField(db_default=0, default=0, editable=False, null=True)
        ),
        migrations.AddField(
            "account",
            "portrait_picture",
            models.CharField(db_default="", default="", editable=False, max_length=32),
        ),
        migrations.CreateModel(
            name="UploadedPicture",
            fields=[
                ("name", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("jpeg", models.BinaryField()),
                ("made_at", models.DateTimeField(db_default=Now())),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uploaded",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
