"""Hiding and restoring remarks; both are stored with the official and the reason."""

from uuid import UUID

from django.db import transaction

from matches.domain.talk import no_such_remark
from matches.models import Account
from matches.models.talk import DATABASE_CLOCK, Hiding, Remark, Thread
from matches.publishing import publisher


@transaction.atomic
def hide(*, about: UUID, thread: str, number: int, by: Account, reason: str) -> Remark:
    """Hide a remark, unless it is hidden already. Raise Illegal("no_such_remark")."""
    remark = _locked(about, thread, number)
    if remark.hiding is None:
        remark.hiding = Hiding.objects.create(remark=remark, by=by, reason=reason)
        _changed(remark)
    return remark


@transaction.atomic
def restore(*, about: UUID, thread: str, number: int, by: Account, reason: str) -> Remark:
    """Show a hidden remark again. Raise Illegal("no_such_remark")."""
    remark = _locked(about, thread, number)
    if remark.hiding is not None:
        Hiding.objects.filter(id=remark.hiding_id).update(ended_by=by, ended_reason=reason, ended_at=DATABASE_CLOCK)
        remark.hiding = None
        _changed(remark)
    return remark


def _locked(about: UUID, name: str, number: int) -> Remark:
    """Return the remark, with its thread locked against concurrent changes."""
    thread = Thread.objects.select_for_update().filter(about=about, name=name).first()
    remark = thread and thread.remarks.filter(number=number).select_related("account", "hiding__by").first()
    if not remark:
        raise no_such_remark()
    remark.thread = thread
    return remark


def _changed(remark: Remark) -> None:
    thread = remark.thread
    thread.revision += 1
    thread.save(update_fields=("revision",))
    remark.revision = thread.revision
    remark.save(update_fields=("revision", "hiding"))
    transaction.on_commit(lambda: publisher.announce_talk(thread.about))
