from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("matches", "0029_forms_of_webhooks")]

    operations = [
        migrations.AddIndex(
            "match",
            models.Index(fields=["status"], name="match_under_way", condition=Q(status__in=("running", "paused"))),
        ),
        migrations.AddIndex(
            "notice",
            models.Index(fields=["given_up_at"], name="notice_given_up", condition=Q(given_up_at__isnull=False)),
        ),
        migrations.AddIndex(
            "call", models.Index(fields=["done_at"], name="call_given_up", condition=Q(state="given_up"))
        ),
    ]
