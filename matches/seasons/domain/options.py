"""Options that an organiser sets when they open a season; `season_opened` contains all of them."""

import re
from datetime import time
from typing import Literal

from games import catalogue
from games.kernel import Aids, Options
from matches.domain.calls import Quiet
from matches.domain.events import SecretsOpen
from matches.domain.names import is_time_zone

DUEL = 2
"""Players of a death match."""

POOL = tuple(sorted(slug for slug, game in catalogue.items() if DUEL in game.seats and not game.host_commands))
"""The games for two players that need no judgement of a host."""

MOST_GARNETS = 10**9
"""Most garnets that are moved at once."""

LONGEST_DELAY = 3600
"""Longest delay of spectators in seconds."""

LONGEST_CHECK_IN = 24 * 60
"""Longest check-in in minutes."""

LONGEST_NOTICE = 7 * 24 * 60
"""Longest least notice in minutes."""

_QUIET_HOURS = re.compile(r"((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII)
WhoOpensRooms = Literal["nobody", "staff", "players"]
RoomsAtEnd = Literal["everybody", "members", "nobody"]
MOST_ROOM_MEMBERS = 100
_MOST_ROOMS = 100
_LONGEST_WAIT = 30 * 24 * 60
_MOST_PLAYERS = 100
_MOST_MATCHES = 9


class SeasonOptions(Options, frozen=True, kw_only=True):
    """Options of a season. A season can be played with every default.

    `pool` contains the games of death matches and the final; EC and DMO may each ban `bans_each` of them before a death
    match. `priority` is the holder of a death match's priority seat: `garnets` means the richer one, the DMO if equal.
    With `approval` a result takes effect once an organiser approves it. A loser's garnets are confiscated, or go to
    the winner. With `transfers` players may give garnets to each other, but not while in an open death match. A season
    that isn't `public` exists for its staff and players only. Spectators of its matches see everything
    `spectator_delay` seconds late, and the season records a match's end when they see it. `aids` are the aids of its
    matches. With `secrets_open` on `season` the secrets of a main match's tables open when the season ends; those of
    other matches open when the match ends.

    Nothing falls due for players sooner than `least_notice_minutes` after it was announced: no match opens, no set-up
    or check-in closes and no deadline ends before. A match with a time has a check-in in the last `check_in_minutes`
    before play opens, 0 for none. `absence` decides a match with an absent player: an `organiser` decides, a duel is a
    `loss`, or a bot plays as their `stand_in`. Players have so many minutes for a decision, 0 for no deadline:
    `token_minutes`, `candidate_minutes`, `opponent_minutes`, `ban_minutes`. They are reminded when `remind_percent` of
    the time is over and `remind_minutes` before its end, 0 for neither. `decision_default` decides when the time is
    over: an `organiser`, the season's chance (`random`), or the player who has served `longest`; a game need not be
    banned.

    In the `quiet_hours`, `22:00-08:00` by the clock of `time_zone`, no match and no check-in begins, no set-up closes
    and no deadline of a decision ends; empty for none. The clocks within a match go on.

    `private_rooms` says who opens private rooms of its people: `nobody`, its `staff`, or `players` too. A player has at
    most `rooms_each` open ones, each of at most `room_size` members. With `hosts_read_rooms` hosts may read them, each
    look on record for the members. At the season's end `everybody` who may see the season reads its private rooms and
    confessionals, only their `members`, or `nobody`.
    """

    public: bool = True
    most_players: int = 13
    starting_garnets: int = 1
    reward: int = 2
    loser_garnets: Literal["confiscate", "winner"] = "confiscate"
    transfers: bool = True
    approval: bool = True
    priority: Literal["dmo", "ec", "garnets"] = "dmo"
    pool: tuple[str, ...] = POOL
    bans_each: int = 0
    best_of: int = 3
    spectator_delay: int = 0
    aids: Aids = "memory"
    secrets_open: SecretsOpen = "match"
    least_notice_minutes: int = 10
    check_in_minutes: int = 0
    absence: Literal["organiser", "loss", "stand_in"] = "organiser"
    token_minutes: int = 0
    candidate_minutes: int = 0
    opponent_minutes: int = 0
    ban_minutes: int = 0
    decision_default: Literal["organiser", "random", "longest"] = "organiser"
    remind_percent: int = 50
    remind_minutes: int = 60
    quiet_hours: str = ""
    time_zone: str = "UTC"
    private_rooms: WhoOpensRooms = "nobody"
    rooms_each: int = 5
    room_size: int = 8
    hosts_read_rooms: bool = False
    rooms_at_end: RoomsAtEnd = "members"

    def __post_init__(self) -> None:
        _refuse_outside("most_players", self.most_players, 3, _MOST_PLAYERS)
        _refuse_outside("starting_garnets", self.starting_garnets, 0, MOST_GARNETS)
        _refuse_outside("reward", self.reward, 0, MOST_GARNETS)
        _refuse_outside("bans_each", self.bans_each, 0, len(POOL))
        _refuse_outside("best_of", self.best_of, 1, _MOST_MATCHES)
        _refuse_outside("spectator_delay", self.spectator_delay, 0, LONGEST_DELAY)
        _refuse_outside("least_notice_minutes", self.least_notice_minutes, 1, LONGEST_NOTICE)
        _refuse_outside("check_in_minutes", self.check_in_minutes, 0, LONGEST_CHECK_IN)
        for name in ("token_minutes", "candidate_minutes", "opponent_minutes", "ban_minutes", "remind_minutes"):
            _refuse_outside(name, getattr(self, name), 0, _LONGEST_WAIT)
        _refuse_outside("remind_percent", self.remind_percent, 0, 99)
        if not is_time_zone(self.time_zone):
            raise ValueError("time_zone is a zone of the IANA database, such as Europe/Vienna.")
        if self.quiet_hours and self.quiet is None:
            raise ValueError("quiet_hours is empty, or two different times of day such as 22:00-08:00.")
        _refuse_outside("rooms_each", self.rooms_each, 1, _MOST_ROOMS)
        _refuse_outside("room_size", self.room_size, 2, MOST_ROOM_MEMBERS)
        strange = sorted(set(self.pool) - set(POOL))
        if strange or not self.pool or len(set(self.pool)) < len(self.pool):
            raise ValueError(f"pool names, each once, some of {', '.join(POOL)}.")
        if self.best_of % 2 == 0:
            raise ValueError(f"best_of is an odd number, not {self.best_of}.")
        if self.best_of > len(self.pool):
            raise ValueError("best_of is at most the number of games in pool: each final match is of another one.")
        if self.bans_each * DUEL >= len(self.pool):
            raise ValueError("bans_each leaves no game of the pool to play.")

    @property
    def quiet(self) -> Quiet | None:
        """Return the quiet hours; None if there are none."""
        match = _QUIET_HOURS.fullmatch(self.quiet_hours)
        if match is None or match[1] == match[2]:
            return None
        return Quiet(time.fromisoformat(match[1]), time.fromisoformat(match[2]), self.time_zone)


def _refuse_outside(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is {least} to {most}, not {value}.")
