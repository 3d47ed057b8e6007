"""What an erased account has said goes with it, and whom it had blocked or was muted for."""

from uuid import UUID

from django.db import transaction
from django.db.models import F

from matches.models.talk import Block, Mute, Remark, Thread
from matches.publishing import publisher


def forget(account_id: UUID, _name: str, _erased: str) -> None:
    """Delete all remarks of an account with what was done about them, its mutes, and the lists that it is on."""
    said = Remark.objects.filter(account_id=account_id)
    threads = list(Thread.objects.select_for_update().filter(remarks__in=said).order_by("id").only("id", "about"))
    Remark.objects.filter(account_id=account_id).update(hiding=None)
    Remark.objects.filter(account_id=account_id).delete()
    # Whoever listens is told the thread anew.
    Thread.objects.filter(id__in=[it.id for it in threads]).update(erased=F("erased") + 1, revision=F("revision") + 1)
    Mute.objects.filter(account_id=account_id).delete()
    Block.objects.filter(account_id=account_id).delete()
    Block.objects.filter(blocked_id=account_id).delete()
    for about in {it.about for it in threads}:
        transaction.on_commit(lambda about=about: publisher.announce_talk(about))
