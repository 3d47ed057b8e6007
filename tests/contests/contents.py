"""Contents of contests for tests of the library."""

from typing import Any
from uuid import uuid4

from matches.contests.domain.drafts import Draft, read_draft
from matches.contests.models import Contest
from matches.contests.services import saving
from matches.models import Account


def content(**parts: Any) -> dict[str, Any]:
    """Return a short content, for 2 to 30 players."""
    side = {"kind": "choice", "name": "side", "options": ["left", "right"]}
    of_round = {"name": "one", "fields": [side], "scheme": {"kind": "minority", "field": "side"}}
    return {"title": "The Fork", "rules": "Choose a side.\nThe fewer win.", "rounds": [of_round], **parts}


def draft(**parts: Any) -> Draft:
    return read_draft(content(**parts))


def new_contest(account: Account, /, **parts: Any) -> Contest:
    return saving.create(author=account, draft=draft(**parts), key=str(uuid4())).contest


def published(account: Account, /, **parts: Any) -> Contest:
    return saving.publish(account=account, contest_id=new_contest(account, **parts).id)
