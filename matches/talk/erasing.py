"""Deleting an erased account's remarks, reports, mutes and blocks."""

from uuid import UUID

from django.db import transaction
from django.db.models import F

from matches.models.talk import Block, Mute, Remark, Report, Thread
from matches.publishing import publisher


def forget(account_id: UUID, _name: str, _erased: str) -> None:
    """Delete an account's remarks with their hidings and reports, its own reports, its mutes, its list of blocks, and
    its entries on other lists."""
    remarks = Remark.objects.filter(account_id=account_id)
    threads = list(Thread.objects.select_for_update().filter(remarks__in=remarks).order_by("id").only("id", "about"))
    Remark.objects.filter(account_id=account_id).update(hiding=None)
    Remark.objects.filter(account_id=account_id).delete()
    # The new counts make clients load the thread again.
    Thread.objects.filter(id__in=[it.id for it in threads]).update(erased=F("erased") + 1, revision=F("revision") + 1)
    Report.objects.filter(by_id=account_id).delete()
    Mute.objects.filter(account_id=account_id).delete()
    Block.objects.filter(account_id=account_id).delete()
    Block.objects.filter(blocked_id=account_id).delete()
    for about in {it.about for it in threads}:
        transaction.on_commit(lambda about=about: publisher.announce_talk(about))
