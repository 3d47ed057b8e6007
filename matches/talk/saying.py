"""Appending remarks to threads, and announcing them to readers."""

from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.domain import talk
from matches.models import Account
from matches.models.talk import Remark, Thread
from matches.publishing import publisher
from matches.talk.muting import refuse_muted


class Said(NamedTuple):
    """A remark; `replayed` is True if it was stored before under the same key."""

    remark: Remark
    replayed: bool


def say(
    *,
    about: UUID,
    thread: str,
    account: Account,
    text: str,
    at_version: int,
    season: UUID | None = None,
    key: str | None = None,
) -> Said:
    """Append a remark to a thread of the match or season `about`, which belongs to a `season` or is one.

    A remark that is sent again under its key is stored once. Raise Illegal: malformed if no text remains, muted, and
    idempotency_key_reused for a key of another remark.
    """
    words = talk.cleaned(text)
    if not words:
        raise Illegal("malformed", _("Write something first."))
    sent = (about, thread, words)
    if key is not None and (before := _remark_under(account, key)) is not None:
        return _replay(before, sent)
    refuse_muted(account.id, about, season)
    try:
        with transaction.atomic():
            stored_thread, _made = Thread.objects.get_or_create(about=about, name=thread)
            # The trigger sets number, revision and instant while it holds the lock of the thread's row.
            remark = Remark.objects.create(
                thread=stored_thread,
                account=account,
                text=words,
                at_version=at_version,
                key=key,
                match_id=about if thread == talk.SPECTATORS else None,
            )
            remark.refresh_from_db(fields=("number", "revision", "said_at"))
            transaction.on_commit(lambda: publisher.announce_talk(about))
    except IntegrityError:
        # Another request with the same key was faster.
        if key is None or (before := _remark_under(account, key)) is None:
            raise
        return _replay(before, sent)
    return Said(remark, False)


def _remark_under(account: Account, key: str) -> Remark | None:
    remarks = Remark.objects.filter(account=account, key=key).select_related("account", "thread")
    return remarks.first()


def _replay(before: Remark, sent: tuple[UUID, str, str]) -> Said:
    if (before.thread.about, before.thread.name, before.text) != sent:
        raise Illegal("idempotency_key_reused", _("Something else was said under this key."))
    return Said(before, True)
