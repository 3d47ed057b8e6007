"""Sentences, in English, on a season's times. Instants are in UTC: a sentence is the same for every reader."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from games.kernel import Event
from matches.domain.bidi import apart
from matches.seasons.domain import timing_events

DECISIONS: dict[str, str] = {
    "token": "who gets the second token of life",
    "candidate": "who is the EC",
    "opponent": "who is the DMO",
    "ban": "which games are struck",
}
"""The subject of each kind of decision, in words."""
_DEFAULTS = {
    "organiser": "An organiser decides.",
    "random": "The season's chance decides.",
    "longest": "It falls on who has served longest.",
    "none": "No more games are struck.",
}
Name = Callable[[str], str]


def timing_sentence(event: Event, name: Name) -> str:
    """Return the sentence of an event on the season's times; empty for any other event."""
    match event:
        case timing_events.TimesProposed(by=by, times=times):
            return f"{name(by)} proposes to play a match on {_either([instant_in_words(it) for it in times])}."
        case timing_events.TimeAccepted(by=by, opens_at=opens_at):
            return f"{name(by)} can play the match on {instant_in_words(opens_at)}."
        case timing_events.MatchTimeSet(opens_at=opens_at, by=by, reason=reason):
            when = f"opens on {instant_in_words(opens_at)}" if opens_at else "begins when its host starts it"
            return f"A match {when}: {apart(reason) if by else 'its players agreed on it.'}"
        case timing_events.PlayerCheckedIn(player=player):
            return f"{name(player)} has checked in for the match."
        case timing_events.CheckInClosed(absent=absent):
            return (
                f"{instants_in_words(absent, name)} didn't check in for the match."
                if absent
                else "The check-in is over."
            )
        case timing_events.CheckInExtended(until=until):
            return f"The check-in goes on until {instant_in_words(until)}, so that everybody knows of it in time."
        case timing_events.AbsenceDecided(ruling="play", reason=reason):
            return f"The match is played all the same: {apart(reason)}"
        case timing_events.AbsenceDecided(ruling="stand_in", reason=reason):
            return f"A bot plays the match for who isn't there, until they are: {apart(reason)}"
        case timing_events.AbsenceDecided(loser=loser, reason=reason):
            return f"{name(loser or '')} has lost the match by not coming: {apart(reason)}"
        case _:
            return _of_decisions(event, name)


def _of_decisions(event: Event, name: Name) -> str:
    match event:
        case timing_events.DecisionAwaited(decision=decision, players=players, until=until):
            return (
                f"{instants_in_words(players, name)} can decide {DECISIONS[decision]} until {instant_in_words(until)}."
            )
        case timing_events.DecisionReminded(decision=decision, players=players, until=until):
            who, when = instants_in_words(players, name), instant_in_words(until)
            return f"A reminder for {who}: until {when} they decide {DECISIONS[decision]}."
        case timing_events.DecisionExtended(decision=decision, until=until, reason=reason):
            return f"There is time until {instant_in_words(until)} to decide {DECISIONS[decision]}: {apart(reason)}"
        case timing_events.DecisionLapsed(decision=decision, default=default):
            return f"The time to decide {DECISIONS[decision]} is over. {_DEFAULTS[default]}"
        case timing_events.ChanceDrawn(number=number, choices=choices, chosen=chosen):
            return f"Draw {number} of the season's chance, out of {instants_in_words(choices, name)}: {name(chosen)}."
        case _:
            return ""


def instant_in_words(at: str) -> str:
    return in_utc(datetime.fromisoformat(at))


def in_utc(at: datetime) -> str:
    """Return an instant to the minute."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def instants_in_words(players: Sequence[str], name: Name) -> str:
    return listed([name(player) for player in players], "and")


def _either(words: Sequence[str]) -> str:
    return listed(words, "or")


def listed(words: Sequence[str], last: str) -> str:
    """Join words by commas, the last one by a conjunction."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1] if words else ""]))
