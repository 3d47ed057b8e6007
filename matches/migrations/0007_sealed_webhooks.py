from django.db import migrations, models

from matches.notifications import webhooks


def seal(apps, schema_editor):
    """Seal what stood there in clear."""
    for webhook in _all(apps, schema_editor):
        webhook.sealed_url = webhooks.sealed(webhook.url)
        webhook.save(update_fields=["sealed_url"])


def unseal(apps, schema_editor):
    """Put the URLs back in clear."""
    for webhook in _all(apps, schema_editor):
        webhook.url = webhooks.unsealed(webhook.sealed_url)
        webhook.save(update_fields=["url"])


def _all(apps, schema_editor):
    return apps.get_model("matches", "Webhook").objects.using(schema_editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_notices")]

    operations = [
        migrations.AddField("webhook", "sealed_url", models.BinaryField(default=b""), preserve_default=False),
        migrations.AlterField("webhook", "url", models.CharField(max_length=500, default="")),
        migrations.RunPython(seal, unseal, elidable=True),
        migrations.RemoveField("webhook", "url"),
    ]
