"""The acts on results, declared once (declared.py): of a main match, and of the season's matches. Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

import msgspec

from games.kernel import Event
from matches.domain.declared import REWIND, SOMEBODY, Ask, Body, Dialog, Reason, Rest, Version
from matches.seasons.domain import episodes, result_table, results
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import SOME_TEXT, WHY, MatchId, PlayerId, PlayerIds, Rewards, SeasonAct, Title
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.result_table import ResultRow
from matches.seasons.domain.state import Season


class RecordMainMatch(SeasonAct, frozen=True):
    """Record who won the main match and who lost it, as it was typed in or as its tables ended. Tokens and
    rewards follow; where only one player is left to be the EC, they are named."""

    name = "main-match"
    rest = Rest(
        "recordMainMatch", "main-matches",
        Body(
            "MainMatchBody",
            "A main match's result. Without `winners` or `candidates` they are the best and the last of its tables.\n\n"
            "`rewards` are garnets by player.",
        ),
        ("no_episode", "already_recorded", "tables_running", "bad_result", "not_enrolled", "not_living"),
    )  # fmt: skip
    dialog = Dialog("Record the main match", "fact_check")
    example = {"title": "Dice", "winners": [SOMEBODY], "candidates": [SOMEBODY], "rewards": {SOMEBODY: 1}}

    title: Title = msgspec.field(name="name")
    winners: PlayerIds | None = None
    candidates: PlayerIds | None = None
    rewards: Rewards = msgspec.field(default_factory=dict)

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.record_main_match(season, by, self.title, self.winners, self.candidates, self.rewards)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return what the tables say, or any result at all."""
        yield cls(SOME_TEXT)
        if len(season.living) >= DUEL:
            yield cls(SOME_TEXT, tuple(season.living[:1]), tuple(season.living[-1:]))


class EnterResults(SeasonAct, frozen=True):
    """Enter the whole main match as a table, all of it or nothing: for the season's organisers."""

    name = "enter-results"
    dialog = Dialog(
        "Enter all results", "table_view",
        "The best of each match have won and get a token of life, the last have lost. All of the table is recorded, or "
        "nothing.",
    )  # fmt: skip

    title: Title
    rows: tuple[ResultRow, ...]

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return result_table.enter(season, by, self.title, self.rows)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return a table in which the first of the living has won, and the last has lost."""
        ends = [*season.living[:1], *season.living[-1:]]
        rows = (ResultRow(number=place, player=it, place=place) for place, it in enumerate(ends, start=1))
        yield cls(SOME_TEXT, tuple(rows))


class Approve(SeasonAct, frozen=True):
    """Let a match's result take effect: for the season's organisers. For a table whose rules prepare a result, that is
    the result of its whole main match."""

    name = "approve"
    section = "matches"
    rest = Rest(
        "approveSeasonResult", "matches/<uuid:match>/approve", None,
        (
            "not_in_season", "nothing_to_approve", "already_approved", "not_finished", "no_episode", "tables_running",
            "bad_result",
        ),
    )  # fmt: skip
    dialog = Dialog("Approve a result", "verified", "What follows from the result happens at once.")

    match: MatchId

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return results.approve(season, by, self.match)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match) for match in season.matches)


class CorrectResult(SeasonAct, frozen=True):
    """Say that the other player has won: for the season's organisers. A death match is corrected until the final,
    a match of the final at any time. Further events undo the effects: the final goes on, or the season has the
    other champion. Send it with `dry_run=1` first to read them all."""

    name = "correct"
    section = "matches"
    settles = True
    rest = Rest(
        "correctResult", "matches/<uuid:match>/correct",
        Body("CorrectionBody", "Who has really won, and why that is known."),
        (
            "not_in_season", "nothing_to_approve", "not_finished", "bad_result", "too_late", "not_enrolled",
            "not_living",
        ),
    )  # fmt: skip
    dialog = Dialog("Correct a result", "edit_note")
    example = {"reason": "A card was misread."}

    match: MatchId
    winner: PlayerId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return results.correct(season, by, self.match, self.winner, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match.id, player, SOME_TEXT) for match in season.matches.values() for player in match.players)


class Rewind(SeasonAct, frozen=True):
    """Let a match whose result doesn't count yet go on from an earlier version, with draws from another seed: for
    organisers and hosts. Its result is dropped, and its next end is reported. It is paused until its host resumes
    it. Send it with `dry_run=1` first: the response names the secrets that its end has revealed."""

    name = "rewind"
    section = "matches"
    settles = True
    rest = Rest(
        "rewindSeasonMatch", "matches/<uuid:match>/rewind",
        REWIND,
        (
            "not_in_season", "already_approved", "not_finished", "match_over", "no_such_version", "amid_an_act",
            "no_further_seed",
        ),
    )  # fmt: skip
    dialog = Dialog(
        "Rewind a finished match", "history",
        "Its result falls, and it is played on with new draws, paused until its host resumes it. Whoever looked at its "
        "record since the end knows the secrets that the preview names.",
        {"match": Ask(), "to_version": Ask("Back to version", "Each line of the match's record names its version.")},
    )  # fmt: skip
    example = {"to_version": 3, "reason": "A rule was misread."}

    match: MatchId
    to_version: Version
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return results.reopen(season, by, self.match, self.to_version, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return each match at its first version; which others it may go back to is for its record to say."""
        return (cls(match, 1, SOME_TEXT) for match in season.matches)


class Annul(SeasonAct, frozen=True):
    """Declare that an open match of the season doesn't count: for organisers and hosts. Another may be set. An
    organiser can also annul a death match or a match of the final that counted, which undoes its effects."""

    name = "annul"
    section = "matches"
    settles = True
    rest = Rest("annulMatch", "matches/<uuid:match>/annul", WHY, ("not_in_season", "already_approved", "too_late"))
    dialog = Dialog(
        "Annul a match", "block",
        "The match doesn't count; if it is still played, it is declared void. If it has counted, its loser is back in "
        "the season, and what it moved goes back.",
    )  # fmt: skip
    example = {"reason": "A power cut."}

    match: MatchId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return results.annul(season, by, self.match, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match, SOME_TEXT) for match in season.matches)
