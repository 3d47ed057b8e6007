"""The words on pages for identifiers of the record: statuses, roles, ways to end."""

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

# Of matches, seasons, their players, claims, and the roles of their people; a test compares them with the domain.
WORDS: dict[str, Promise] = {
    "waiting": pgettext_lazy("status of a match", "waiting"),
    "running": pgettext_lazy("status of a match or season", "running"),
    "paused": pgettext_lazy("status of a match", "paused"),
    "finished": pgettext_lazy("status of a match or season", "finished"),
    "void": pgettext_lazy("status of a match", "void"),
    "resigned": pgettext_lazy("how a match ended", "resigned"),
    "flag": pgettext_lazy("how a match ended", "flag"),
    "adjudicated": pgettext_lazy("how a match ended", "adjudicated"),
    "enrolling": pgettext_lazy("status of a season", "enrolling"),
    "final": pgettext_lazy("status of a season", "final"),
    "living": pgettext_lazy("status of a player", "living"),
    "eliminated": pgettext_lazy("status of a player", "eliminated"),
    "withdrawn": pgettext_lazy("status of a player or claim", "withdrawn"),
    "substituted": pgettext_lazy("status of a player", "substituted"),
    "open": pgettext_lazy("status of a claim", "open"),
    "upheld": pgettext_lazy("status of a claim", "upheld"),
    "rejected": pgettext_lazy("status of a claim", "rejected"),
    "organiser": pgettext_lazy("role in a season", "organiser"),
    "host": pgettext_lazy("role in a season", "host"),
    "auditor": pgettext_lazy("role in a season", "auditor"),
    "player": pgettext_lazy("role in a season", "player"),
}


def status_word(identifier: str) -> str:
    """Return the word for an identifier, or the identifier without one."""
    return str(WORDS.get(identifier, identifier))
