"""Dead ends, and the dealer's fill at the flag."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from games.higher_or_lower import GAME, solvers
from games.higher_or_lower.assigning import all_differ
from games.higher_or_lower.commands import AssignGroup
from games.higher_or_lower.completion import Completions
from games.higher_or_lower.legal import completion, shuffle_of
from games.higher_or_lower.pieces import ALLOWED, DEFAULT_BOARDS, NUMBER_OF, Group
from games.kernel import HOST, SPECTATOR, Chance, Illegal, Table
from tests.games.higher_or_lower.staged import (
    DEAD_END,
    OWN_SUITS,
    SIZES,
    assign,
    assign_all,
    assigning,
    refusal,
    say,
)


@pytest.fixture
def no_solver_waits() -> Iterator[None]:
    """None is left from tests before, and none for those after."""
    solvers._idle.cache_clear()
    yield
    solvers._idle.cache_clear()


def test_r6_dead_end_is_accepted_and_shown_to_its_seat_only() -> None:
    table = assigning()
    completable = [assign(table, 0, *group)[0].completable for group in DEAD_END]
    assert completable == [True, True, True, False]
    assert table.witness(0).completable == (False, None)
    assert table.witness(1).completable == (None, None)


def test_r6_a_dead_end_lifts_when_a_group_is_replaced() -> None:
    table = assigning()
    for group in DEAD_END:
        assign(table, 0, *group)
    (event,) = assign(table, 0, "E", "circle", ["A3", "A4"])
    assert event.completable is True


@pytest.mark.parametrize("seed", range(6))
def test_r6_completable_agrees_with_trying_every_way(seed: int) -> None:
    rng = Random(seed)
    missing = rng.sample(list(SIZES), 3)
    left = [card for place in missing for card in OWN_SUITS[place]]
    first = rng.sample(left, SIZES[missing[0]])
    groups = [Group(*place, tuple(cards)) for place, cards in OWN_SUITS.items() if place not in missing]
    if valid(missing[0], first):
        groups.append(Group(*missing.pop(0), tuple(sorted(first))))
        left = [card for card in left if card not in first]
    with Completions(DEFAULT_BOARDS, "cyan", groups) as completions:
        assert completions.exist() == any(every_fill(missing, left))


def test_r8_the_flag_fills_only_the_flagged_seats_missing_groups() -> None:
    table = assigning()
    say(table, 0, "assign A circle A1 A2 A3 A4")
    say(table, 1, "assign B circle A1 A2 A3")
    fallen, filled = table.flag(0)
    assert (fallen.clock, filled.seat) == ("setup", 0)
    assert [(group.board, group.shape) for group in filled.groups] == sorted(SIZES.keys() - {("A", "circle")})
    assert_valid([*table.state.groups[0], *filled.groups])
    assert [prompt.seat for prompt in table.due.prompts] == [1]
    say(table, 1, "assign A circle A4 A5 A6 A7")


@pytest.mark.parametrize("witness", [0, 1, SPECTATOR])
def test_r8_filled_groups_are_hidden_from_everybody(witness: object) -> None:
    table = assigning()
    say(table, 0, "assign A circle A1 A2 A3 A4")
    table.flag(0)
    view = table.witness(witness)  # type: ignore[arg-type]
    assert table.events(witness)[-1] == {"type": "groups_filled", "seat": 0, "groups": None}  # type: ignore[arg-type]
    assert view.filled == (None, ())
    assert len(view.groups[0]) == (witness == 0)


def test_r8_with_nothing_missing_nothing_is_filled() -> None:
    table = assigning()
    assign_all(table, 0)
    assert [event.__class__.__name__ for event in table.flag(0)] == ["FlagFallen"]
    assert refusal(table, 0, "lock") == "locked"


def test_r8_the_fill_is_settled_by_the_seed() -> None:
    once, again, other = assigning(b"a"), assigning(b"a"), assigning(b"b")
    assert once.flag(0) == again.flag(0) != other.flag(0)


def test_r8_every_valid_fill_can_come_out_and_nothing_else() -> None:
    missing = [("D", "square"), ("E", "circle"), ("A", "triangle"), ("B", "square")]
    left = [card for place in missing for card in OWN_SUITS[place]]
    groups = [Group(*place, tuple(cards)) for place, cards in OWN_SUITS.items() if place not in missing]
    drawn = set()
    for seed in range(100):
        with Completions(DEFAULT_BOARDS, "cyan", groups) as completions:
            drawn.add(frozenset(completions.fill(Chance(bytes([seed])).draws("x").shuffled)))
    expected = {frozenset(fill) for fill in every_fill(missing, left)}
    assert drawn == expected
    assert len(expected) == 12


def test_r9_latest_of_the_fewest_groups_is_withdrawn() -> None:
    for order in (DEAD_END, DEAD_END[::-1], (*DEAD_END[2:], *DEAD_END[:2])):
        table = assigning()
        for group in order:
            assign(table, 0, *group)
        _, withdrawn, filled = table.flag(0)
        assert (withdrawn.board, withdrawn.shape) == order[-1][:2]
        assert_valid([*table.state.groups[0], *filled.groups])


def test_r9_a_group_assigned_again_is_the_latest() -> None:
    table = assigning()
    for group in (*DEAD_END, DEAD_END[0]):
        assign(table, 0, *group)
    assert table.flag(0)[1].board == DEAD_END[0][0]


def test_r9_withdrawn_groups_are_shown_to_their_seat_only() -> None:
    table = assigning()
    for group in DEAD_END:
        assign(table, 0, *group)
    table.flag(0)
    event = {"type": "group_withdrawn", "seat": 0}
    assert table.events(0)[-2] == {**event, "board": "E", "shape": "circle"}
    assert table.events(1)[-2] == {**event, "board": None, "shape": None}


@pytest.mark.parametrize("seed", range(12))
def test_r9_the_fewest_withdrawals_agree_with_trying_every_set(seed: int) -> None:
    groups = careless_groups(Random(seed))
    with Completions(DEFAULT_BOARDS, "cyan", groups) as completions:
        withdrawals = completions.fewest_withdrawals()
    latest_first = [(group.board, group.shape) for group in reversed(groups)]
    sets = (out for count in range(len(groups) + 1) for out in combinations(latest_first, count))
    assert withdrawals == next(out for out in sets if can_stand(groups, out))


@pytest.mark.usefixtures("no_solver_waits")
def test_ruling_7_a_fill_does_not_depend_on_how_the_solver_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = assigning().flag(0)
    solver = solvers.Solver
    solvers._idle.cache_clear()
    monkeypatch.setattr(solvers, "Solver", lambda _, bootstrap_with: solver("minisat22", bootstrap_with[::-1]))
    assert assigning().flag(0) == expected


@pytest.mark.usefixtures("no_solver_waits")
def test_ruling_7_fill_does_not_depend_on_earlier_questions_to_the_solver() -> None:
    fresh = assigning().flag(0)
    for seed in range(4):
        with Completions(DEFAULT_BOARDS, "cyan", careless_groups(Random(seed))) as completions:
            completions.fewest_withdrawals()
    assert len(solvers._idle(DEFAULT_BOARDS, "cyan")) == 1
    assert assigning().flag(0) == fresh


def test_two_who_ask_at_once_have_a_solver_each() -> None:
    with (
        Completions(DEFAULT_BOARDS, "cyan", [Group("A", "circle", ("A1", "A2", "A3", "A4"))]) as one,
        Completions(DEFAULT_BOARDS, "cyan") as other,
    ):
        assert one._solver is not other._solver
        assert one.exist() and other.exist()


@pytest.mark.usefixtures("no_solver_waits")
def test_ruling_8_questions_of_each_seat_have_the_whole_bound_with_a_fresh_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Completions(DEFAULT_BOARDS, "cyan", careless_groups(Random(3))) as completions:
        completions.fewest_withdrawals()
        met = solvers.conflicts_of(completions._solver)
    assert met > 0
    monkeypatch.setattr("games.higher_or_lower.completion.CONFLICTS", met)
    monkeypatch.setattr(solvers, "WORN", met)
    with Completions(DEFAULT_BOARDS, "cyan") as completions:
        assert solvers.conflicts_of(completions._solver) == met
        assert completions.exist()
    assert solvers._idle(DEFAULT_BOARDS, "cyan") == []


def test_ruling_8_past_the_bound_the_dealer_withdraws_all_and_fills(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.higher_or_lower import dealing

    class Spent(Completions):
        def exist(self) -> bool:
            return not self._groups

        def _possible_without(self, out: object) -> bool:
            return False

    monkeypatch.setattr(dealing, "Completions", Spent)
    table = assigning()
    say(table, 0, "assign A circle A1 A2 A3 A4", "assign A square A5 A6 A7")
    withdrawn = [(event.board, event.shape) for event in table.flag(0)[1:-1]]
    assert withdrawn == [("A", "square"), ("A", "circle")]
    assert_valid(table.state.filled[0])


def test_ruling_8_a_fill_without_further_answers_goes_by_the_last_completion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Completions(DEFAULT_BOARDS, "cyan") as completions:
        assert completions.exist()
        monkeypatch.setattr("games.higher_or_lower.completion.CONFLICTS", 0)
        assert not completions.exist()
        assert_valid(completions.fill(shuffle_of(Random(1))))


def test_sample_withdraws_when_stuck_and_locks_in_when_complete() -> None:
    table, rng = assigning(), Random(5)
    for group in DEAD_END:
        assign(table, 0, *group)
    forms = []
    while table.due.prompt_of(0):
        command = table.sample(0, rng)
        forms.append(GAME.notation.form(command))
        table.act(0, command)
    assert forms[0].startswith("withdraw") and forms[-1] == "lock"
    assert all(form.startswith("assign") for form in forms[1:-1])
    assert_valid(table.state.groups[0])


def test_a_replay_needs_no_solver() -> None:
    table = assigning()
    table.flag(0)
    table.flag(1)
    table.settle()
    assert Table.replay(GAME, {}, 2, 0, table.events(HOST)).state == table.state


def valid(place: tuple[str, str], cards: tuple[str, ...] | list[str]) -> bool:
    """R5, said once more."""
    suits = {card[0] for card in cards}
    return (
        len(cards) == SIZES[place] and suits <= set(ALLOWED[place[0]]) and (len(suits) == 1 or all_differ(tuple(cards)))
    )


def assert_valid(groups: object) -> None:
    """All fifty cards lie in groups that take them."""
    laid = list(groups)  # type: ignore[call-overload]
    assert {(group.board, group.shape) for group in laid} == set(SIZES)
    assert sorted(card for group in laid for card in group.cards) == sorted(NUMBER_OF)
    assert all(valid((group.board, group.shape), group.cards) for group in laid)


def every_fill(missing: list[tuple[str, str]], left: list[str]) -> list[tuple[Group, ...]]:
    """Every way to fill the missing groups with the cards left, by trying all."""
    if not missing:
        return [()]
    place, *others = missing
    return [
        (Group(*place, cards), *more)
        for cards in combinations(left, SIZES[place])
        if valid(place, cards)
        for more in every_fill(others, [card for card in left if card not in cards])
    ]


def careless_groups(rng: Random) -> list[Group]:
    """Valid groups of one suit, laid without a thought for the rest."""
    left, groups = list(NUMBER_OF), []
    for place in rng.sample(list(SIZES), 8):
        suit = rng.choice(ALLOWED[place[0]])
        cards = [card for card in left if card[0] == suit][: SIZES[place]]
        if len(cards) == SIZES[place]:
            groups.append(Group(*place, tuple(cards)))  # type: ignore[arg-type]
            left = [card for card in left if card not in cards]
    return groups


def can_stand(groups: list[Group], out: tuple[tuple[str, str], ...]) -> bool:
    """True if the groups except `out` can be completed."""
    staying = [group for group in groups if (group.board, group.shape) not in out]
    with Completions(DEFAULT_BOARDS, "cyan", staying) as completions:
        return completions.exist()


def completed(table: Table, drafts: Sequence[AssignGroup]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Complete seat 0's groups in the table and return their cards by place; the rules accept each after the others."""
    groupings = completion(table.witness(0), 0, drafts, Random(5))
    for command in groupings:
        assign(table, 0, command.board, command.shape, command.cards)
    return {(command.board, command.shape): command.cards for command in groupings}


def test_the_rest_that_is_made_up_for_a_seat_keeps_its_drafts_and_can_be_locked_in() -> None:
    table = assigning()
    assign(table, 0, "A", "circle", ("A1", "A2", "A3", "A4"))
    drafts = (
        AssignGroup("B", "circle", ("A5", "B6")),
        AssignGroup("C", "square", ("D7", "D9")),
        AssignGroup("D", "square", ("E1", "E2")),
    )
    groups = completed(table, drafts)
    for draft in drafts:
        assert set(draft.cards) <= set(groups[draft.board, draft.shape])
    assert ("A", "circle") not in groups and len(groups) == 14
    say(table, 0, "lock")
    assert table.state.locked == (0,)


def test_a_draft_that_the_rules_refuse_is_made_up_anew() -> None:
    groups = completed(assigning(), (AssignGroup("A", "circle", ("D1", "A1", "Z9", "")),))
    assert {card[0] for card in groups["A", "circle"]} <= {"A", "B", "E"}


def test_nothing_is_made_up_where_what_is_assigned_leaves_no_way() -> None:
    table = assigning()
    for group in DEAD_END:
        assign(table, 0, *group)
    with pytest.raises(Illegal) as refused:
        completion(table.witness(0), 0, (), Random(1))
    assert refused.value.code == "not_completable"
