"""An account's private notes at a match, which may be written in several places at once."""

from uuid import UUID
from zlib import adler32

from django.db import transaction

from matches.http.problems import Problem
from matches.models import Account
from matches.models.writing import Note
from matches.reads import feed

LONGEST_NOTE = 20_000


def are_kept(match_id: UUID, seat: int | None) -> bool:
    """Whether the match keeps notes for this seat, or a spectator: not for a seat without aids, until the end."""
    return seat is None or feed.remembers(match_id, seat)


def refuse_without_aids(match_id: UUID, seat: int | None) -> None:
    """Raise Problem `aids_off` where no notes are kept."""
    if not are_kept(match_id, seat):
        raise Problem("aids_off", "This match is played without aids: no notes are kept for you until it is over.")


def note_of(match_id: UUID, account: Account) -> str:
    """What the account has written down at this match."""
    found = Note.objects.filter(match_id=match_id, account=account).values_list("text", flat=True)
    return found.first() or ""


def mark(text: str) -> str:
    """What a text is named by that its reader knows; a page makes the same mark itself."""
    return f"{adler32(text.encode()):08x}"


@transaction.atomic
def keep(match_id: UUID, account: Account, text: str, known: list[str]) -> str:
    """Store the text; where one stands that its writer didn't know, what that one says more stays below it."""
    kept, _ = Note.objects.select_for_update().get_or_create(match_id=match_id, account=account)
    kept.text = text if mark(kept.text) in known else _with_lines_of(kept.text, text)
    kept.save()
    return kept.text


def _with_lines_of(other: str, text: str) -> str:
    """The text, and below it the other's lines that it hasn't."""
    mine = text.split("\n")
    missed = [line for line in other.split("\n") if line.strip() and line not in mine]
    return "\n".join([text, *missed] if text else missed)
