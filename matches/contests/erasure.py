"""Erasing an account's contests: what others may use stays, without its author's name."""

from uuid import UUID

from django.db.models import F, Q

from matches.contests.domain.drafts import read_draft
from matches.contests.models import Contest, ContestTrial, Version


def forget(account_id: UUID, name: str, erased: str) -> None:
    """Delete an account's trials, private contests, and versions that were never published.

    In what was published, as well as in all that was copied from it, the content's author and its credit get the name
    that stands for the account.
    """
    ContestTrial.objects.filter(account_id=account_id).delete()
    Contest.objects.filter(author_id=account_id, published=None).delete()
    published = Contest.objects.filter(author_id=account_id)
    Version.objects.filter(contest__in=published, published_at=None).delete()
    for version in Version.objects.filter(contest__in=published, number=F("contest__published")):
        published.filter(id=version.contest_id).update(version=version.number, title=read_draft(version.data).title)
    theirs = Q(contest__author_id=account_id) | Q(contest__after_id=account_id)
    for version in Version.objects.filter(theirs, content__contains=name).select_for_update(of=("self",)):
        data, credit = version.data, f" by {name}"
        changes = {"author": erased} if data.get("author") == name else {}
        if isinstance(after := data.get("after"), str) and after.endswith(credit):
            changes["after"] = f"{after.removesuffix(credit)} by {erased}"
        if changes:
            draft = read_draft(data | changes)
            version.content, version.digest = draft.json.decode(), draft.digest
            version.save(update_fields=("content", "digest"))
