"""Texts beside the log: which the service may delete, as it may not delete sealed parts.

A text whose commitment no event holds is never shown, and the database can't decrypt one: whoever reads it compares it
with its commitment (matches/storage/texts.py).
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0035_sealed_parts")]

    operations = [
        migrations.CreateModel(
            "StoredText",
            [
                ("pk", models.CompositePrimaryKey("stream", "commitment", primary_key=True, serialize=False)),
                ("stream", models.UUIDField(editable=False)),
                ("commitment", models.BinaryField(max_length=32)),
                ("author_id", models.UUIDField(null=True, db_index=True)),
                ("sealed", models.BinaryField()),
            ],
            options={"db_table": "matches_text"},
        ),
    ]
