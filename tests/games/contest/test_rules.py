"""The rules of a contest: given a content, when players act, then these events and this result."""

from typing import Any

import pytest

from games.contest import GAME
from games.contest.events import (
    AnswersPublished,
    BalanceChanged,
    Defaulted,
    Entry,
    PlayersLeft,
    PointsChanged,
    RoundClosed,
    RoundOpened,
    RoundSkipped,
    SecretPointsChanged,
    Totals,
)
from games.kernel import (
    HOST,
    SPECTATOR,
    Chance,
    HostFlagFallen,
    Illegal,
    Progress,
    Table,
    commitments,
    is_committed,
    read_text,
    to_json,
)

SIDE = {"name": "side", "kind": "choice", "options": ["left", "right"]}
BID = {"name": "bid", "kind": "number", "most": 50, "balance": "gold"}
GOLD = {"name": "gold", "title": "Gold", "start": 10, "pays": True, "gives": "publicly"}
VOTE = {"name": "vote", "fields": [SIDE], "scheme": {"kind": "majority", "field": "side"}}


def table(*rounds: dict[str, Any], seats: int = 3, **parts: Any) -> Table:
    """Return a table of a contest with these rounds, at its first round."""
    made = Table(GAME, {"content": {"title": "A contest", "rounds": list(rounds), **parts}}, seats, 0, Chance(b"seed"))
    made.settle()
    return made


def submit(at: Table, *values: Any, number: int | None = None) -> None:
    """Submit each seat's values, None for a seat that submits nothing, and let the dealer go on."""
    current = at.state.number
    for seat, its in enumerate(values):
        if its is not None:
            at.act(seat, {"type": "submit", "round": number or current, "values": its})
    at.settle()


def sides(*names: str | None) -> list[Any]:
    return [None if name is None else {"side": name} for name in names]


def refusal(at: Table, seat: Any, command: dict[str, Any]) -> str:
    before = at.log
    with pytest.raises(Illegal) as refused:
        at.act(seat, command)
    assert at.log == before
    return refused.value.code


def events(at: Table, *kinds: type) -> list[Any]:
    return [event for event in at.log if isinstance(event, kinds)]


def test_r3_r33_round_is_evaluated_when_all_have_submitted() -> None:
    at = table(VOTE)
    submit(at, *sides("left", "left", None))
    assert at.due.seats == (2,) and not events(at, RoundClosed)
    submit(at, None, None, {"side": "right"})
    assert events(at, PointsChanged) == [PointsChanged((1, 1, 0))]
    assert at.outcome and at.outcome.winners == (0, 1) and at.outcome.ranking == ((0, 1), (2,))
    assert at.outcome.score == {0: 1, 1: 1, 2: 0}


def test_r3_submission_is_replaced_and_withdrawn_while_the_round_is_open() -> None:
    at = table(VOTE)
    submit(at, *sides("left", None, None))
    submit(at, *sides("right", None, None))
    assert at.state.values_of(0) == {"side": "right"}
    at.act(0, {"type": "withdraw", "round": 1})
    assert at.due.seats == (0, 1, 2) and at.state.values_of(0) is None


def test_submission_is_known_to_its_seat_alone() -> None:
    at = table(VOTE)
    submit(at, *sides("left", None, None))
    assert at.witness(0).values_of(0) == {"side": "left"}
    for witness in (1, SPECTATOR):
        assert at.witness(witness).submitted == {0} and at.witness(witness).values_of(0) is None


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({}, "bad_value"),
        ({"side": "up"}, "bad_value"),
        ({"side": ["left", "right"]}, "bad_value"),
        ({"x": 1}, "bad_value"),
        ({"side": "left", "x": 1}, "bad_value"),
        ({"side": 1.5}, "malformed"),
    ],
)
def test_r5_value_that_does_not_fit_its_field_is_refused(values: Any, code: str) -> None:
    assert refusal(table(VOTE), 0, {"type": "submit", "round": 1, "values": values}) == code


def test_command_for_another_round_is_refused() -> None:
    at = table({**VOTE, "repeat": 2})
    submit(at, *sides("left", "left", "left"))
    for command in ({"type": "submit", "round": 1, "values": {"side": "left"}}, {"type": "submit", "round": 3}):
        assert refusal(at, 0, command) == "other_round"
    assert refusal(at, HOST, {"type": "close", "round": 1}) == "other_round"


@pytest.mark.parametrize(
    ("reveal", "shown"),
    [
        ("nothing", RoundClosed()),
        ("totals", RoundClosed(totals=(Totals("side", (("left", 2), ("right", 1))),))),
        ("choices", RoundClosed(choices=({"side": "left"}, {"side": "left"}, {"side": "right"}))),
        (
            "everything",
            RoundClosed(entries=(Entry(0, {"side": "left"}), Entry(1, {"side": "right"}), Entry(2, {"side": "left"}))),
        ),
    ],
)
def test_round_publishes_what_its_content_says(reveal: str, shown: RoundClosed) -> None:
    at = table({**VOTE, "reveal": reveal})
    submit(at, *sides("left", "right", "left"))
    assert events(at, RoundClosed) == [shown]


def test_later_reveal_comes_at_the_end() -> None:
    at = table({**VOTE, "later": True}, {"name": "last"})
    submit(at, *sides("left", "right", "left"))
    assert events(at, RoundClosed) == [RoundClosed()] and at.witness(SPECTATOR).played[0].entries[0].values is None
    submit(at, {}, {}, {})
    assert at.witness(SPECTATOR).played[0].entries[1] == Entry(1, {"side": "right"})


@pytest.mark.parametrize(("show", "own", "other"), [("live", 1, 1), ("own", 1, None), ("end", None, None)])
def test_r26_points_are_seen_by_whom_the_score_says(show: str, own: int | None, other: int | None) -> None:
    at = table({**VOTE, "repeat": 2}, score={"show": show})
    submit(at, *sides("left", "left", "right"))
    assert at.witness(0).points[0] == own and at.witness(1).points[0] == other
    assert at.state.points == (1, 1, 0)
    submit(at, *sides("left", "left", "right"))
    assert at.witness(SPECTATOR).points == (2, 2, 0)


def test_r6_auction_holds_the_bid_back_and_charges_the_price() -> None:
    scheme = {"kind": "second_price", "field": "bid", "prizes": [4]}
    at = table({"name": "lot", "fields": [BID], "scheme": scheme}, {"name": "last"}, balances=[GOLD])
    submit(at, {"bid": 8}, None, None)
    gift = {"type": "transfer", "to": 1, "balance": "gold", "amount": 3}
    assert refusal(at, 0, gift) == "not_enough"
    at.act(0, gift | {"amount": 2})
    submit(at, None, {"bid": 5}, {"bid": 3})
    assert events(at, BalanceChanged) == [BalanceChanged("gold", (-5, 0, 0))]
    assert at.state.balances["gold"] == (3, 12, 10) and at.state.points == (4, 0, 0)


def test_bid_above_the_balance_is_refused() -> None:
    at = table({"name": "lot", "fields": [BID]}, balances=[GOLD])
    assert refusal(at, 0, {"type": "submit", "round": 1, "values": {"bid": 11}}) == "bad_value"


def test_price_without_an_auction_goes_to_the_bank() -> None:
    at = table({"name": "fee", "fields": [BID]}, {"name": "last"}, balances=[GOLD])
    submit(at, {"bid": 4}, {"bid": 0}, {"bid": 10})
    assert at.state.balances["gold"] == (6, 10, 0)


def test_price_of_a_judged_round_is_paid_before_the_judgement() -> None:
    at = table({**JUDGED, "fields": [BID]}, {"name": "last"}, balances=[GOLD])
    submit(at, {"bid": 4}, {"bid": 0}, {"bid": 10})
    assert at.due.prompts[0].seat is HOST and at.state.balances["gold"] == (6, 10, 0)
    at.act(HOST, {"type": "resolve", "round": 1, "points": {"0": 5}, "text": "Well bid."})
    at.settle()
    assert at.state.balances["gold"] == (6, 10, 0) and at.state.points == (5, 0, 0)


def test_public_good_is_paid_and_shared() -> None:
    scheme = {"kind": "public_good", "field": "bid", "percent": 150}
    at = table({"name": "pot", "fields": [BID], "scheme": scheme}, {"name": "last"}, balances=[GOLD])
    submit(at, {"bid": 10}, {"bid": 5}, {"bid": 0})
    assert at.state.balances["gold"] == (7, 12, 17)


def test_r8_the_seasons_garnets_start_with_the_amount_of_each_seat() -> None:
    stones = {**GOLD, "name": "stones", "garnets": True, "starts": [3, 0, 10**9]}
    assert table(VOTE, balances=[stones]).state.balances["stones"] == (3, 0, 10**9)
    with pytest.raises(Illegal) as refused:
        table(VOTE, balances=[stones], seats=4)
    assert refused.value.code == "bad_options"


def test_r8_loss_of_a_balance_stops_at_zero() -> None:
    scheme = {"kind": "majority", "field": "side", "balance": "gold", "points": 3, "others": -30}
    at = table({**VOTE, "scheme": scheme}, {"name": "last"}, balances=[GOLD])
    submit(at, *sides("left", "left", "right"))
    assert at.state.balances["gold"] == (13, 13, 0) and at.state.points == (0, 0, 0)


@pytest.mark.parametrize(
    ("gift", "code"),
    [
        ({"balance": "x"}, "not_given"),
        ({"to": 0}, "no_such_player"),
        ({"to": 7}, "no_such_player"),
        ({"amount": 11}, "not_enough"),
        ({"amount": 0}, "malformed"),
    ],
)
def test_gift_that_cannot_be_made_is_refused(gift: dict[str, Any], code: str) -> None:
    at = table(VOTE, balances=[GOLD])
    assert refusal(at, 0, {"type": "transfer", "to": 1, "balance": "gold", "amount": 1} | gift) == code


def test_r7_gifts_of_a_round_are_limited() -> None:
    at = table({**VOTE, "gifts": 1, "repeat": 2}, balances=[GOLD])
    gift = {"type": "transfer", "to": 1, "balance": "gold", "amount": 1}
    at.act(0, gift)
    assert refusal(at, 0, gift) == "too_many_gifts"
    submit(at, *sides("left", "left", "left"))
    at.act(0, gift)
    assert at.state.balances["gold"] == (8, 12, 10)


def test_secret_gift_is_known_to_both_alone() -> None:
    gold = GOLD | {"secret": True, "gives": "secretly"}
    at = table(VOTE, balances=[gold])
    at.act(0, {"type": "transfer", "to": 1, "balance": "gold", "amount": 4})
    assert at.witness(0).balances["gold"][0] == 6 and at.witness(1).balances["gold"][1] == 14
    assert at.witness(2).balances["gold"] == (None, None, 10)
    assert to_json(at.events(2)[-1])["amount"] is None


@pytest.mark.parametrize(
    ("default", "values", "points"),
    [
        ({}, {}, (1, 1, 0)),
        ({"kind": "fixed", "values": {"side": "left"}}, {"side": "left"}, (1, 1, 1)),
        ({"kind": "fixed", "values": {"side": "left"}, "penalty": 5}, {"side": "left"}, (1, 1, -4)),
        ({"kind": "fixed", "values": {"side": "up"}}, {}, (1, 1, 0)),
        ({"kind": "previous"}, {}, (1, 1, 0)),
    ],
)
def test_r31_default_counts_for_a_seat_whose_time_is_over(default: Any, values: Any, points: Any) -> None:
    at = table({**VOTE, "default": default})
    submit(at, *sides("left", "left", None))
    at.flag(2)
    at.settle()
    assert events(at, Defaulted) == [Defaulted(2, values)] and at.state.points == points


def test_previous_default_repeats_the_last_submission() -> None:
    at = table({**VOTE, "repeat": 2, "default": {"kind": "previous"}})
    submit(at, *sides("left", "left", "right"))
    at.flag(2)
    assert at.state.values_of(2) == {"side": "right"}


def test_random_default_is_drawn_from_the_seed() -> None:
    drawn = set()
    for _ in range(2):
        at = table({**VOTE, "default": {"kind": "random"}})
        at.flag(0)
        drawn.add(at.state.values_of(0)["side"])
    assert len(drawn) == 1 and drawn <= {"left", "right"}


def test_r4_round_of_a_role_asks_everybody_and_gives_the_form_to_the_role() -> None:
    vote = {**VOTE, "who": "role:spy", "reveal": "totals"}
    at = table(vote, roles=[{"name": "spy", "title": "Spy"}, {"name": "guest", "count": 0}])
    spy = at.state.roles.index("spy")
    others = [seat for seat in range(3) if seat != spy]
    assert at.due.seats == (0, 1, 2)
    assert at.witness(spy).roles[spy] == "spy" and at.witness(others[0]).roles[spy] is None
    assert refusal(at, others[0], {"type": "submit", "round": 1, "values": {"side": "left"}}) == "bad_value"
    submit(at, *({"side": "left"} if seat == spy else {} for seat in range(3)))
    assert events(at, RoundClosed)[0].totals == (Totals("side", (("left", 1),)),)


def test_r2_acquainted_roles_know_each_other() -> None:
    at = table(VOTE, seats=4, least_seats=4, roles=[{"name": "spy", "count": 2, "acquainted": True}])
    spies = [seat for seat, role in enumerate(at.state.roles) if role == "spy"]
    assert at.witness(spies[0]).companions[spies[0]] == (spies[1],)
    assert at.witness(spies[0]).roles[spies[1]] is None


def test_round_in_turn_shows_each_submission_to_the_next() -> None:
    at = table({**VOTE, "who": "in_turn"})
    assert at.due.seats == (0,) and not GAME.is_sealed(at.state)
    at.act(0, {"type": "submit", "round": 1, "values": {"side": "right"}})
    assert at.due.seats == (1,) and at.witness(1).values_of(0) == {"side": "right"}
    assert refusal(at, 0, {"type": "submit", "round": 1, "values": {"side": "left"}}) == "not_your_turn"


def test_order_by_points_begins_with_the_most() -> None:
    at = table(VOTE, {**VOTE, "name": "turns", "who": "in_turn", "order": "points"})
    submit(at, *sides("left", "right", "right"))
    assert at.state.order == (1, 2, 0)


def test_team_is_asked_alone() -> None:
    at = table({**VOTE, "who": "team:red"}, seats=4, teams=["red", "blue"])
    assert len(at.due.seats) == 2 and all(at.state.teams[seat] == 0 for seat in at.due.seats)


def test_cards_leave_the_hand_when_the_round_is_over() -> None:
    field = {"name": "played", "kind": "cards", "deck": "deck"}
    decks = [{"name": "deck", "cards": [f"{number} of cups" for number in range(1, 10)], "hand": 2}]
    at = table(
        {"name": "play", "repeat": 3, "fields": [field], "scheme": {"kind": "sum", "field": "played"}},
        decks=decks,
        most_seats=3,
    )
    assert at.witness(1).hands[0].cards is None
    for _ in range(2):
        submit(at, *({"played": [at.state.cards_of(seat, "deck")[0]]} for seat in range(3)))
    assert all(hand.cards == () for hand in at.state.hands)
    submit(at, {}, {}, {})
    assert at.outcome


def test_players_who_lose_leave_the_contest() -> None:
    at = table({**VOTE, "repeat": 2, "scheme": VOTE["scheme"] | {"out": "others"}}, seats=4)
    submit(at, *sides("left", "left", "left", "right"))
    assert events(at, PlayersLeft) == [PlayersLeft((3,))] and at.due.seats == (0, 1, 2)
    assert refusal(at, 3, {"type": "submit", "round": 2, "values": {"side": "left"}}) == "not_your_turn"


def test_progress_has_the_round_the_teams_who_has_left_and_the_gains_of_garnets() -> None:
    at = table(JUDGED, seats=3, teams=["red", "blue"], balances=[{**GOLD, "garnets": True, "starts": [4, 5, 6]}])
    at.act(0, {"type": "transfer", "to": 2, "balance": "gold", "amount": 3})
    assert GAME.progress(at.state) == Progress(1, 1, False, at.state.teams, (), (-3, 0, 3))
    submit(at, *({"text": word} for word in ("one", "two", "three")))
    assert GAME.progress(at.state) == Progress(1, 1, True, at.state.teams, (), (-3, 0, 3))
    out = table({**VOTE, "repeat": 2, "scheme": VOTE["scheme"] | {"out": "others"}}, seats=4)
    submit(out, *sides("left", "left", "left", "right"))
    assert GAME.progress(out.state) == Progress(2, 2, left=(3,))


def test_nobody_leaves_where_everybody_would() -> None:
    at = table({**VOTE, "repeat": 2, "scheme": VOTE["scheme"] | {"out": "others"}}, seats=2)
    submit(at, *sides("left", "right"))
    assert not events(at, PlayersLeft)


@pytest.mark.parametrize(("end", "rounds"), [({"points": 2}, 2), ({}, 5), ({"survivors": 2}, 5)])
def test_r28_contest_ends_by_its_condition_or_after_its_last_round(end: Any, rounds: int) -> None:
    at = table({**VOTE, "repeat": 5}, end=end, least_seats=3)
    while at.outcome is None:
        submit(at, *sides("left", "left", "right"))
    assert len(events(at, RoundClosed)) == rounds


def test_round_whose_condition_fails_is_skipped() -> None:
    at = table({**VOTE, "needs": {"most": 2}}, VOTE | {"name": "other"})
    assert events(at, RoundSkipped) == [RoundSkipped(0, 1)] and at.state.round.name == "other"


def test_r27_ties_are_broken_by_the_measures_in_order() -> None:
    at = table({"name": "fee", "fields": [BID]}, balances=[GOLD], score={"ties": ["gold", "chance"]})
    submit(at, {"bid": 4}, {"bid": 0}, {"bid": 0})
    assert at.outcome and {at.outcome.ranking[0], at.outcome.ranking[1]} == {(1,), (2,)}
    assert at.outcome.ranking[2] == (0,)


def test_weight_of_a_balance_counts_at_the_end() -> None:
    at = table({"name": "fee", "fields": [BID]}, balances=[GOLD | {"weight": 2}])
    submit(at, {"bid": 4}, {"bid": 0}, {"bid": 10})
    assert at.outcome and at.outcome.score == {0: 12, 1: 20, 2: 0}


def test_player_who_resigns_leaves_and_comes_last() -> None:
    at = table(VOTE)
    at.act(2, {"type": "resign"})
    submit(at, *sides("left", "left"))
    assert at.outcome and at.outcome.ranking == ((0, 1), (2,)) and at.outcome.reason == "played"


def test_r34_last_player_left_has_won() -> None:
    at = table(VOTE)
    at.act(0, {"type": "resign"})
    at.act(2, {"type": "resign"})
    assert at.outcome and at.outcome.ranking == ((1,), (2,), (0,)) and at.outcome.reason == "resigned"


JUDGED = {
    "name": "speech",
    "fields": [{"name": "text", "kind": "text"}],
    "scheme": {"kind": "host", "most": 5, "others": 1},
}


def test_r25_host_judges_a_round() -> None:
    at = table(JUDGED)
    submit(at, *({"text": word} for word in ("one", "two", "three")))
    assert at.due.prompts[0].seat is HOST and at.due.seats == ()
    assert refusal(at, 0, {"type": "resolve", "round": 1, "points": {}}) == "unknown_command"
    for points in ({"0": 6}, {"7": 1}, {"x": 1}):
        assert refusal(at, HOST, {"type": "resolve", "round": 1, "points": points}) == "bad_points"
    at.act(HOST, {"type": "resolve", "round": 1, "points": {"0": 5, "2": 3}, "text": "Well spoken."})
    at.settle()
    assert at.outcome and at.outcome.score == {0: 5, 1: 0, 2: 3}
    assert read_text(at.state.played[0].text, Chance(seed=None, parts=at.parts)) == "Well spoken."


def test_r29_r32_silence_of_the_host_has_a_default() -> None:
    at = table(JUDGED)
    submit(at, *({"text": word} for word in ("one", "two", "three")))
    assert isinstance(at.flag(HOST)[0], HostFlagFallen)
    at.settle()
    assert at.outcome and at.outcome.score == {0: 1, 1: 1, 2: 1}


def test_host_closes_a_round_for_all_who_are_missing() -> None:
    at = table({**VOTE, "default": {"kind": "fixed", "values": {"side": "right"}}})
    submit(at, *sides("left", None, None))
    at.act(HOST, {"type": "close", "round": 1})
    at.settle()
    assert at.state.points == (0, 1, 1)


def test_r30_open_round_is_sealed_from_the_host() -> None:
    at = table({**VOTE, "repeat": 2}, {**VOTE, "name": "open", "sealed": False})
    assert GAME.is_sealed(at.state)
    submit(at, *sides("left", "left", "left"))
    submit(at, *sides("left", "left", "left"))
    assert at.state.stage == "open" and not GAME.is_sealed(at.state)


def test_r35_answers_are_committed_to_and_published_when_the_round_is_over() -> None:
    number = {"name": "year", "kind": "number", "least": 0, "most": 3000}
    scheme = {"kind": "answer", "field": "year", "answers": [1969], "points": 2}
    at = table({"name": "quiz", "fields": [number], "scheme": scheme})
    sealed = at.options.content.rounds[0].scheme
    assert sealed.answers == () and sealed.part and "1969" not in repr(at.events(SPECTATOR))
    submit(at, {"year": 1969}, {"year": 1970}, {"year": 1969})
    (published,) = events(at, AnswersPublished)
    assert is_committed(published.part, sealed.part.sealed) and published.part.value == [1969]
    assert at.outcome and at.outcome.winners == (0, 2)


def test_secret_round_is_published_when_it_opens() -> None:
    secret = {**VOTE, "name": "twist", "title": "A twist", "secret": True}
    at = table(VOTE, secret)
    shown = at.options.content.rounds[1]
    assert shown.fields == () and shown.title == "" and shown.part
    submit(at, *sides("left", "left", "left"))
    opened = events(at, RoundOpened)[1]
    assert opened.part and is_committed(opened.part, shown.part.sealed)
    assert at.witness(SPECTATOR).round.title == "A twist" and at.witness(1).round.fields


def test_options_hold_every_commitment_that_the_log_publishes() -> None:
    scheme = {"kind": "answer", "field": "side", "answers": ["left"]}
    at = table({**VOTE, "scheme": scheme, "secret": True})
    promised = set(commitments(to_json(at.options)))
    submit(at, *sides("left", "left", "right"))
    published = [it.part for it in events(at, RoundOpened, AnswersPublished)]
    assert len(promised) == 2 and all(any(is_committed(part, it) for it in promised) for part in published)
    assert "left" not in repr(at.options) and at.outcome and at.outcome.winners == (0, 1)


def amended(at: Table, **changes: Any) -> dict[str, Any]:
    content = to_json(at.options.content)
    content["rounds"][1] |= changes
    return {"type": "amend", "content": content, "reason": "A mistake."}


def test_r36_host_amends_a_round_that_has_not_opened() -> None:
    at = table(VOTE, VOTE | {"name": "other", "title": "Wrnog"})
    at.act(HOST, amended(at, title="Right"))
    submit(at, *sides("left", "left", "left"))
    assert at.state.round.title == "Right" and at.witness(0).round.title == "Right"


@pytest.mark.parametrize("changes", [{}, {"repeat": 2}, {"secret": True}, {"who": "role:spy"}])
def test_amendment_that_is_not_allowed_is_refused(changes: dict[str, Any]) -> None:
    at = table(VOTE, VOTE | {"name": "other"})
    assert refusal(at, HOST, amended(at, **changes)) == "not_amendable"


def test_round_that_is_open_is_not_amended() -> None:
    at = table(VOTE, VOTE | {"name": "other"})
    command = amended(at)
    command["content"]["rounds"][0]["title"] = "New"
    assert refusal(at, HOST, command) == "not_amendable"


@pytest.mark.parametrize("seats", [4, 9])
def test_r1_contest_is_for_the_players_that_its_content_names(seats: int) -> None:
    with pytest.raises(Illegal) as refused:
        table(VOTE, seats=seats, least_seats=5, most_seats=8)
    assert refused.value.code == "bad_options"


def test_faulty_content_is_refused_with_its_places() -> None:
    with pytest.raises(Illegal, match=r"Teams: .* Round 1, Who is asked: "):
        table({**VOTE, "who": "team:green"}, teams=["red"])


def test_secret_points_are_counted_for_everybody() -> None:
    at = table(VOTE, score={"show": "own"})
    submit(at, *sides("left", "left", "right"))
    assert [(it.seat, it.points) for it in events(at, SecretPointsChanged)] == [(0, 1), (1, 1), (2, 0)]
