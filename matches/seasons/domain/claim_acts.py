"""The acts of a dispute, declared once (declared.py): claims with their answers, and rulings. At any time, also after
the season. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Self

from games.kernel import Event, Illegal
from matches.domain.declared import Ask, Body, Dialog, Reason, Rest, Statement, gettext_noop, numbered
from matches.seasons.domain import claims, roster
from matches.seasons.domain.claim_events import ClaimAnswered, ClaimDecision, ClaimKind, ClaimMade, ClaimWithdrawn
from matches.seasons.domain.deciding import Caller, match_of, refuse_unless_running_it
from matches.seasons.domain.declared import SOME_TEXT, DeskForm, MatchId, SeasonAct
from matches.seasons.domain.state import Season


def _labels(season: Season, name: Callable[[str], str]) -> Mapping[int, str]:
    return {it.number: f"{it.number}, {name(it.player)}: {claims.CLAIMS[it.kind]}" for it in season.claims}


ClaimNumber = Annotated[int, numbered(_labels)]


class MakeClaim(SeasonAct, frozen=True):
    """Claim that somebody didn't come, a result is wrong, a rule was broken, or somebody misbehaved: for players
    and former ones. It stands in the record."""

    name = "claim"
    rest = Rest(
        "makeClaim", "claims",
        Body("ClaimBody", "What is claimed; a no-show and a wrong result name their match."),
        ("not_in_season", "claim_needs_match", "too_many_claims"), is_for_players=True,
    )  # fmt: skip
    desk = DeskForm(
        gettext_noop("Make a claim"), gettext_noop("Send the claim"),
        gettext_noop(
            "An organiser or host answers within two days. The claim and the answer become part of the season's record."
        ),
        {
            "kind": Ask(
                gettext_noop("What happened"), words={kind: it.capitalize() for kind, it in claims.CLAIMS.items()}
            ),
            "match": Ask(gettext_noop("Match"), words={"": gettext_noop("No match")}),
            "text": Ask(gettext_noop("Description")),
        },
    )  # fmt: skip
    example = {"kind": "conduct", "text": "Somebody shouted.", "match": None}

    kind: ClaimKind
    text: Statement
    match: MatchId | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        if by.account not in season.players:
            raise Illegal("forbidden", "That is for the players of the season, and former ones.")
        if self.match is not None:
            match_of(season, self.match)
        claims.refuse_claim(season.claims, by.account, self.kind, self.match)
        number = len(season.claims) + 1
        return [ClaimMade(number=number, player=by.account, kind=self.kind, text=self.text, match=self.match)]

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls("conduct", SOME_TEXT)


class WithdrawClaim(SeasonAct, frozen=True):
    """Withdraw a claim that waits for an answer: for whoever made it."""

    name = "withdraw-claim"
    rest = Rest(
        "withdrawClaim", "claims/<int:number>/withdraw", None, ("no_such_claim", "claim_closed"), is_for_players=True
    )

    number: ClaimNumber

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        if claims.open_claim(season.claims, self.number).player != by.account:
            raise Illegal("forbidden", "That is for whoever made the claim.")
        return [ClaimWithdrawn(number=self.number)]

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(claim.number) for claim in season.claims)


class AnswerClaim(SeasonAct, frozen=True):
    """Uphold or reject a claim, with a reason: for organisers and hosts. What follows is an act of its own."""

    name = "answer-claim"
    section = "claims"
    rest = Rest(
        "answerClaim", "claims/<int:number>/answer", Body("ClaimAnswerBody", "The answer to a claim, and why."),
        ("no_such_claim", "claim_closed"),
    )  # fmt: skip
    dialog = Dialog("Answer a claim", "balance", "What follows is another act.")
    example = {"decision": "rejected", "reason": "Nobody else heard it."}

    number: ClaimNumber
    decision: ClaimDecision
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        refuse_unless_running_it(by)
        claims.open_claim(season.claims, self.number)
        return [ClaimAnswered(number=self.number, decision=self.decision, reason=self.reason, by=by.account)]

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(claim.number, "rejected", SOME_TEXT) for claim in season.claims)


class PostRuling(SeasonAct, frozen=True):
    """Say for all to read how a rule is meant: for organisers and hosts."""

    name = "rule"
    section = "rulings"
    rest = Rest(
        "postSeasonRuling", "rulings",
        Body("SeasonRulingBody", "How a rule is meant; of one match of the season, or of the season."),
        ("not_in_season",),
    )  # fmt: skip
    dialog = Dialog(
        "Post a ruling", "gavel",
        asks={
            "text": Ask("Ruling", "How the rule is meant; stands in the record, for all to read."),
            "match": Ask("Of the match", words={"": "The season as a whole"}),
        },
    )  # fmt: skip
    example = {"text": "A pass is a move.", "match": None}

    text: Statement
    match: MatchId | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.rule(season, by, self.text, self.match)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(SOME_TEXT)
