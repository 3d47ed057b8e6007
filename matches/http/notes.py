"""An account's private notes at a match, which may be edited in several places at once."""

from uuid import UUID
from zlib import adler32

from django.db import transaction

from matches.http.problems import Problem
from matches.models import Account
from matches.models.writing import Note
from matches.reads import feed

LONGEST_NOTE = 20_000


def are_kept(match_id: UUID, seat: int | None) -> bool:
    """True if the match keeps notes for this seat, or a spectator: not for a seat without aids, until the end."""
    return seat is None or feed.remembers(match_id, seat)


def refuse_without_aids(match_id: UUID, seat: int | None) -> None:
    """Raise Problem `aids_off` if no notes are kept."""
    if not are_kept(match_id, seat):
        raise Problem("aids_off", "This match is played without aids: no notes are kept for you until it is over.")


def note_of(match_id: UUID, account: Account) -> str:
    """Return the account's notes at this match, or ""."""
    texts = Note.objects.filter(match_id=match_id, account=account).values_list("text", flat=True)
    return texts.first() or ""


def mark(text: str) -> str:
    """Return a short hash of a text; a page's script computes the same."""
    return f"{adler32(text.encode()):08x}"


@transaction.atomic
def keep(match_id: UUID, account: Account, text: str, marks: list[str]) -> str:
    """Store the text; if the stored one isn't among the `marks` of what its author had read, append its other lines."""
    note, _ = Note.objects.select_for_update().get_or_create(match_id=match_id, account=account)
    note.text = text if mark(note.text) in marks else _with_lines_of(note.text, text)
    note.save()
    return note.text


def _with_lines_of(other: str, text: str) -> str:
    """Return the text, and below it the lines of the other that it lacks."""
    mine = text.split("\n")
    missed = [line for line in other.split("\n") if line.strip() and line not in mine]
    return "\n".join([text, *missed] if text else missed)
