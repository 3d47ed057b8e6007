"""Erasure of an account's name from the notices and stored answers of seasons."""

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
    """Remove the account's name and display names from the notices of seasons, and from the answers stored for retries.
    Delete the display names. The account must have its new name already. Raise BrokenRecord.

    A name may be an ordinary word, so each sentence is rendered again from the record instead of replacing the name.
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
    """Return the current sentences of the season's events by version."""
    return {
        it["version"]: it["text"] for it in event_documents.events(season_id, after=0, limit=store.LAST_VERSION).results
    }
