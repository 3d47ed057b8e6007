"""Calls to people away from the page: the kinds of calls, the ways they are sent, when, and with which text. Pure: the
instant and the time zone are given."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Final, Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

Way = Literal["page", "push", "email"]
Kind = Literal[
    "your_turn", "offer", "decision", "reminder", "decided", "appointment", "check_in", "match_begins", "result",
    "correction", "invitation", "claim", "answer", "webhook", "official", "room", "report",
]  # fmt: skip
Digest = Literal["at_once", "hourly", "daily"]
SeasonChoice = Literal["muted", "all"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

APART: Final = timedelta(minutes=1)
"""Minimum time between two calls of one kind about one match or season on one way."""
DIGEST_HOUR: Final = 8
"""The hour, in the account's time zone, at which the daily digest is sent."""


class KindTexts(NamedTuple):
    """The texts for a kind of call: its title, when it is sent, and what it says; and its default ways."""

    title: str
    when: str
    text: str
    ways: frozenset[Way]


_ALL: Final = frozenset(WAYS)
TABLE: Final[Mapping[str, KindTexts]] = {
    "your_turn": KindTexts(
        "Your turn", "A match waits for your move.", "It is your turn in a match.", frozenset({"push"})
    ),
    "offer": KindTexts(
        "Offers",
        "Somebody offers you to take a move back, to pause or to go on.",
        "Somebody at a match of yours offers something.",
        frozenset({"page", "push"}),
    ),
    "decision": KindTexts(
        "A decision is yours",
        "A season waits for you to give a token, name a player or strike a game.",
        "A season waits for a decision of yours.",
        _ALL,
    ),
    "reminder": KindTexts(
        "Time runs out",
        "Four fifths of a long turn are gone, ten minutes of a very long one are left, or a decision's deadline nears.",
        "Your time for something is running out.",
        _ALL,
    ),
    "decided": KindTexts(
        "Decisions about you",
        "A season has a token, the EC or the DMO fall to you, or a decision of yours is taken for you.",
        "A season has decided something about you.",
        frozenset({"page", "push"}),
    ),
    "appointment": KindTexts(
        "Times of your matches",
        "A match of yours is set; a time for it is proposed or accepted; it gets another one, or isn't played.",
        "There is news about the time of a match of yours.",
        _ALL,
    ),
    "check_in": KindTexts(
        "Check-in", "The check-in for a match of yours is open.", "You can check in for a match now.", _ALL
    ),
    "match_begins": KindTexts("A match begins", "A match of yours has begun.", "A match of yours has begun.", _ALL),
    "result": KindTexts("Results", "A match of yours is over.", "A match of yours is over.", _ALL),
    "correction": KindTexts(
        "Corrections",
        "A result that touches you is corrected, annulled or played on.",
        "A result that touches you has been corrected.",
        _ALL,
    ),
    "invitation": KindTexts(
        "Invitations",
        "Somebody keeps a seat for you at a match, or you are in a season.",
        "Somebody has invited you.",
        _ALL,
    ),
    "claim": KindTexts(
        "Claims",
        "Somebody makes a claim in a season that you run, or withdraws it.",
        "There is news of a claim in a season that you run.",
        _ALL,
    ),
    "answer": KindTexts(
        "Answers",
        "An appeal or an application of yours is answered, or a claim that is yours or about a match of yours.",
        "There is an answer that concerns you.",
        _ALL,
    ),
    "official": KindTexts(
        "A season that you run",
        "A season that you run waits for you: a result to approve, an application, a decision that nobody took in "
        "time, somebody absent, a match without a time, or a match that waits for its host.",
        "A season that you run waits for you.",
        _ALL,
    ),
    "room": KindTexts(
        "Rooms of a season",
        "Somebody has written in a private room, a confessional or the staff's room that you read.",
        "Somebody has written in a room of a season.",
        frozenset({"page", "push"}),
    ),
    "report": KindTexts(
        "Reported remarks",
        "Somebody reports a remark in the talk of a season that you run.",
        "A remark in a season that you run has been reported.",
        _ALL,
    ),
    "webhook": KindTexts(
        "Your webhook",
        "A webhook of yours, or of a season that you run, is switched off, as its receiver is gone.",
        "A webhook has been switched off.",
        _ALL,
    ),
    "test": KindTexts("Test", "You ask for it.", "Croupier can reach you here.", _ALL),
}  # fmt: skip
"""The texts and default ways of each kind."""


class Quiet(NamedTuple):
    """Quiet hours of a day in the account's time zone, in which nothing is sent. They may begin on the previous day."""

    begins: time
    ends: time
    zone: str


def clock_time(value: str | time) -> time:
    """Return a time of day that may be given as hours and minutes."""
    return value if isinstance(value, time) else time.fromisoformat(value)


def is_wanted(kind: str, way: str, chosen: Mapping[tuple[str, str], bool], season: str | None = None) -> bool:
    """True if an account wants a kind by a way: as set for the season, else for the kind, else by the table."""
    if kind == "test" or season == "all":
        return True
    return season != "muted" and chosen.get((kind, way), way in TABLE[kind].ways)


def due_at(way: str, made_at: datetime, quiet: Quiet | None, digest: str, zone: str) -> datetime:
    """Return when a call made at an instant is sent: on the page at once, otherwise after quiet hours, and e-mail with
    its digest."""
    if way == "page":
        return made_at
    at = _digest_at(made_at, digest, zone) if way == "email" else made_at
    return after(quiet, at) if quiet else at


def after(quiet: Quiet, at: datetime) -> datetime:
    """Return the first instant, from `at` on, outside quiet hours."""
    local = at.astimezone(ZoneInfo(quiet.zone))
    local_time = local.time().replace(tzinfo=None)
    over_midnight = quiet.begins > quiet.ends
    is_begun, is_ended = local_time >= quiet.begins, local_time >= quiet.ends
    if not (is_begun or not is_ended if over_midnight else is_begun and not is_ended):
        return at
    day = local.date() + timedelta(days=over_midnight and is_begun)
    # In an hour that the clock repeats, they end in the same of the two.
    ends = quiet.ends.replace(fold=local.fold)
    return datetime.combine(day, ends, local.tzinfo).astimezone(at.tzinfo)


def text(kind: str, game: str = "", season: str = "") -> str:
    """Return the text of a call. Pass `game` and `season` only if a bystander may see them."""
    sentence = TABLE[kind].text
    about = ", ".join(filter(None, (game, season)))
    return f"{sentence[:-1]}: {about}." if about else sentence


def _digest_at(at: datetime, digest: str, zone: str) -> datetime:
    local = at.astimezone(ZoneInfo(zone))
    if digest == "hourly":
        hour_began = local.replace(minute=0, second=0, microsecond=0)
        return at if hour_began == local else at + (hour_began + timedelta(hours=1) - local)
    if digest == "daily":
        today = datetime.combine(local.date(), time(DIGEST_HOUR), local.tzinfo)
        due = (
            today
            if today >= local
            else datetime.combine(local.date() + timedelta(days=1), time(DIGEST_HOUR), local.tzinfo)
        )
        return due.astimezone(at.tzinfo)
    return at
