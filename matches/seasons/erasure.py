"""What seasons have told of an account that is erased: it is told again, with the name that stands for the account."""

from functools import cache
from uuid import UUID

import msgspec

from events import idempotency, store
from matches.notifications import notices
from matches.seasons import notices as season_notices
from matches.seasons import personal_notices
from matches.seasons.models import DisplayName, Season
from matches.seasons.reads import event_documents


def rewrite_answers(account_id: UUID, name: str, erased: str) -> None:
    """Take a name, and those that the account has in seasons alone, out of the notices of seasons and out of the
    answers kept for retries, once the account has the other one; raises BrokenRecord.

    A name may be a word like any other, so each sentence is made anew from the record; nothing is sought and replaced.
    """
    displayed = DisplayName.objects.filter(account_id=account_id)
    names = dict.fromkeys([name, *displayed.values_list("name", flat=True)])
    displayed.delete()
    notices.retell_turns(account_id, name, erased)
    sentences = cache(_sentences)

    def again(season_id: UUID, answer: bytes) -> bytes:
        document = msgspec.json.decode(answer)
        for event in document["events"]:
            event["text"] = sentences(season_id)[event["version"]]
        return msgspec.json.encode(document)

    for gone in names:
        season_notices.retell_acts(gone)
        personal_notices.retell(gone)
        idempotency.rewrite_answers(Season.objects.values_list("id", flat=True), gone.encode(), again)


def _sentences(season_id: UUID) -> dict[int, str]:
    """The season's events as they are told now, by their versions."""
    return {
        it["version"]: it["text"] for it in event_documents.events(season_id, after=0, limit=store.LAST_VERSION).results
    }
