"""The project's own contests in the library, which everybody may read and copy."""

from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid5

import msgspec
from django.apps import AppConfig
from django.db import connections, transaction

from games.contest.presets import PRESETS, load
from matches.contests.domain.drafts import read_draft
from matches.contests.models import DATABASE_CLOCK, Contest, Version

_OF_PRESETS: Final = UUID("c1b7a2f4-0e0b-4d0c-8a94-2f3a5b7a9d20")


def preset_id(name: str) -> UUID:
    """Return the id of a preset's contest, the same in every installation."""
    return uuid5(_OF_PRESETS, name)


def store_presets(sender: AppConfig, using: str, **_: Any) -> None:
    """Store each preset as a published contest, and a new version if this release has changed it; after migrations."""
    if Contest._meta.db_table not in connections[using].introspection.table_names():
        return
    for name in PRESETS:
        with transaction.atomic(using=using):
            _store(name, using)


def _store(name: str, using: str) -> None:
    draft = read_draft(msgspec.to_builtins(load(name)))
    contest = Contest.objects.using(using).select_for_update().filter(preset=name).first()
    if contest is None:
        contest = Contest(id=preset_id(name), preset=name, version=0, fingerprint=sha256(name.encode()).digest())
    elif bytes(contest.versions.get(number=contest.version).digest) == draft.digest:
        return
    contest.version += 1
    contest.published, contest.status, contest.title = contest.version, Contest.Status.PUBLISHED, draft.title
    contest.changed_at = DATABASE_CLOCK
    contest.save(using=using)
    Version.objects.using(using).create(
        contest=contest,
        number=contest.version,
        content=draft.json.decode(),
        digest=draft.digest,
        faults=0,
        published_at=DATABASE_CLOCK,
    )
