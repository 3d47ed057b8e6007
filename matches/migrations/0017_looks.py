"""What the names of accounts look like."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from matches.domain.skeletons import skeleton


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Every name's look. Of several accounts with one look the oldest holds it, the others share it and keep their names."""
    accounts = apps.get_model("matches", "Account").objects.using(editor.connection.alias)
    held, batch = set(), []
    for account in accounts.order_by("joined_at", "id").only("id", "username").iterator(1000):
        account.name_skeleton = skeleton(account.username)
        account.name_shared = account.name_skeleton in held
        held.add(account.name_skeleton)
        batch.append(account)
        if len(batch) == 1000:
            accounts.bulk_update(batch, ["name_skeleton", "name_shared"])
            batch.clear()
    accounts.bulk_update(batch, ["name_skeleton", "name_shared"])


class Migration(migrations.Migration):
    dependencies = [("matches", "0016_holds_and_heartbeats")]

    operations = [
        migrations.AddField("account", "name_skeleton", models.CharField(editable=False, max_length=320, null=True)),
        migrations.AddField("account", "name_shared", models.BooleanField(db_default=False, editable=False)),
        migrations.AddIndex("account", models.Index(fields=["name_skeleton"], name="account_by_look")),
        migrations.AddConstraint(
            "account",
            models.UniqueConstraint(
                condition=models.Q(name_shared=False), fields=("name_skeleton",), name="one_look_a_name"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
