"""Features of a season: their folds, and the choice among what they have numbered."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from games.kernel import Event, Illegal
from matches.panel.seasons.declared_forms import form_of
from matches.seasons.domain import features, roster
from matches.seasons.domain.acts import offer
from matches.seasons.domain.announcing import refuse_untimely
from matches.seasons.domain.claim_acts import AnswerClaim, MakeClaim, WithdrawClaim
from matches.seasons.domain.events import PlayerWithdrew
from matches.seasons.domain.feature import Feature
from tests.seasons.staged import HOST, Paper

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def _evolve(leavers: tuple[str, ...], event: Event) -> tuple[str, ...]:
    return (*leavers, event.player) if isinstance(event, PlayerWithdrew) else leavers


LEAVERS: Feature[tuple[str, ...]] = Feature("leavers", (), (), _evolve, lambda event, name: "", {})


def test_feature_folds_an_event_that_is_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "FEATURES", (*features.FEATURES, LEAVERS))
    paper = Paper("ann", "ben")
    assert paper.season.state_of(LEAVERS) == ()
    paper.act(roster.withdraw, "ann", "An illness.")
    assert paper.season.state_of(LEAVERS) == ("ann",)


def _refuse_early(leavers: tuple[str, ...], events: Sequence[Event], now: datetime) -> None:
    if leavers and any(isinstance(it, PlayerWithdrew) for it in events) and now < NOON:
        raise Illegal("too_early", "Another player has left: wait until noon.")


def test_feature_refuses_an_act_by_its_state_and_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = LEAVERS._replace(refuse_untimely=_refuse_early)
    monkeypatch.setattr(features, "FEATURES", (*features.FEATURES, leaving))
    paper = Paper("ann", "ben", "cat")
    morning, events = NOON - timedelta(hours=1), [PlayerWithdrew(player="ben", reason="Ill.")]
    refuse_untimely(paper.season, events, morning)
    paper.act(roster.withdraw, "ann", "Ill.")
    refuse_untimely(paper.season, events, NOON)
    with pytest.raises(Illegal, match="wait until noon"):
        refuse_untimely(paper.season, events, morning)


def test_dialog_offers_the_numbered_things_that_are_accepted_by_their_labels() -> None:
    paper = Paper("ann", "ben")
    for player in ("ann", "ben"):
        paper.act(MakeClaim("conduct", "Somebody shouted.").decide, by=player)
    paper.act(WithdrawClaim(1).decide, by="ann")
    room = SimpleNamespace(state=paper.season, call=str.title)
    form = form_of(AnswerClaim)(room=room, offer=offer(paper.season, HOST, "answer-claim"))
    field = form.fields["number"]
    first, second = ("1", "1, Ann: somebody's conduct"), ("2", "2, Ben: somebody's conduct")
    assert list(field.choices) == [("", ""), first, second]
    assert list(field.widget.choices) == [second]
