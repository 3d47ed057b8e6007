import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

NOW = models.Func(function="clock_timestamp", output_field=models.DateTimeField())

# The thread's row is held until the commit: so numbers, revisions and instants grow in the order in which remarks can be
# seen. The release before names no thread: what it stores is what spectators say.
PLACING = """
CREATE FUNCTION web_place_remark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.thread_id IS NULL THEN
        INSERT INTO web_thread (about, name) VALUES (NEW.match_id, 'spectators') ON CONFLICT (about, name) DO NOTHING;
        SELECT id INTO NEW.thread_id FROM web_thread WHERE about = NEW.match_id AND name = 'spectators';
    END IF;
    UPDATE web_thread SET numbered = numbered + 1, revision = revision + 1 WHERE id = NEW.thread_id
    RETURNING numbered, revision INTO NEW.number, NEW.revision;
    NEW.said_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER web_place_remark BEFORE INSERT ON web_remark FOR EACH ROW EXECUTE FUNCTION web_place_remark();
"""
DISPLACING = "DROP TRIGGER web_place_remark ON web_remark; DROP FUNCTION web_place_remark();"

# What spectators have said so far. Foreign keys are checked at once, as a table with checks to come can't be altered.
ADOPTING = """
INSERT INTO web_thread (about, name, numbered, revision)
SELECT match_id, 'spectators', count(*), count(*) FROM web_remark WHERE thread_id IS NULL GROUP BY match_id;
UPDATE web_remark SET thread_id = placed.thread, number = placed.number, revision = placed.number
FROM (
    SELECT r.id, t.id AS thread, row_number() OVER (PARTITION BY r.match_id ORDER BY r.id) AS number
    FROM web_remark r JOIN web_thread t ON t.about = r.match_id AND t.name = 'spectators'
) placed
WHERE web_remark.id = placed.id;
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0001_notes_and_remarks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="TalkSetting",
            fields=[
                ("about", models.UUIDField(primary_key=True, serialize=False)),
                ("open_to", models.CharField(max_length=10)),
                ("changed_by", models.UUIDField(null=True)),
                ("changed_at", models.DateTimeField(db_default=NOW)),
            ],
        ),
        migrations.AddField(
            model_name="remark",
            name="key",
            field=models.CharField(max_length=200, null=True),
        ),
        migrations.AddField(
            model_name="remark",
            name="number",
            field=models.IntegerField(null=True),
        ),
        migrations.AddField(
            model_name="remark",
            name="revision",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="remark",
            name="match_id",
            field=models.UUIDField(null=True),
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(db_default=NOW)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="blocks", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocked_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Hiding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField(db_default=NOW)),
                ("ended_reason", models.CharField(db_default="", max_length=500)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "remark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hidings", to="web.remark"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="remark",
            name="hiding",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="web.hiding"
            ),
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about", models.UUIDField()),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField(db_default=NOW)),
                ("until", models.DateTimeField(null=True)),
                ("lifted_reason", models.CharField(db_default="", max_length=500)),
                ("lifted_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "lifted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Thread",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about", models.UUIDField()),
                ("name", models.CharField(max_length=20)),
                ("numbered", models.IntegerField(db_default=0)),
                ("revision", models.BigIntegerField(db_default=0)),
                ("erased", models.IntegerField(db_default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("about", "name"), name="thread_once")],
            },
        ),
        migrations.AddField(
            model_name="remark",
            name="thread",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="remarks", to="web.thread"
            ),
        ),
        migrations.RunSQL(PLACING, DISPLACING),
        migrations.RunSQL(ADOPTING, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="remark",
            index=models.Index(fields=["thread", "revision"], name="remark_by_revision"),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.UniqueConstraint(fields=("thread", "number"), name="remark_number_once"),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.UniqueConstraint(fields=("account", "key"), name="remark_key_once"),
        ),
        migrations.AddConstraint(
            model_name="block",
            constraint=models.UniqueConstraint(fields=("account", "blocked"), name="block_once"),
        ),
        migrations.AddConstraint(
            model_name="hiding",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("remark",), name="hidden_once"
            ),
        ),
        migrations.AddIndex(
            model_name="mute",
            index=models.Index(fields=["account", "about"], name="mute_of_account"),
        ),
        migrations.AddIndex(
            model_name="mute",
            index=models.Index(fields=["about", "-id"], name="mute_of_talk"),
        ),
    ]
