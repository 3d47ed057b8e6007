"""By the rules: a record that is chained well and was never played is found, and every draw is drawn again."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import DEFAULT_BOARDS
from matches.audit import croupier_verify, replay
from matches.audit.croupier_verify import Bad, Changed, verify
from matches.domain.clocks import ClockTimes
from matches.domain.events import TimeCredited
from matches.services import appealing, appending, hosting, playing, timing
from matches.storage import repository
from tests.matches.tampering import redrawn
from tests.matches.test_audit import Line, exported, finished, parsed, rechain, written
from tests.table_setting import new_account, play_on, play_to_the_end, running_match, send, wait_until


@pytest.mark.parametrize("slug", catalogue)
def test_every_act_of_a_match_could_have_been_decided(slug: str) -> None:
    lines = finished(slug)
    judged = replay.judged(lines)
    assert judged.acts > 20
    assert judged.draws == parsed(lines)[-len(judged.draws) :] if judged.draws else not catalogue[slug].draws


def test_a_match_with_every_act_of_a_host_could_have_been_decided() -> None:
    mira, tobias, host = new_account(), new_account(), new_account()
    match = running_match("pyramid_poker", mira, tobias, opener=host)
    act = {"match_id": match.id, "by": host.id, "reason": "A test."}
    play_on(match, 4)
    hosting.pause(**act)
    hosting.resume(**act)
    appealing.appeal(match_id=match.id, player=mira.id, kind="move", text="A slip.")
    hosting.answer_appeal(match_id=match.id, by=host.id, number=1, decision="approved", reason="It was.")
    hosting.rewind(**act, to_version=repository.version_of(match.id) - 6)
    hosting.view_truth(match_id=match.id, by=host.id)
    play_on(match, 6)
    hosting.substitute(**act, seat=1, player=new_account().id)
    hosting.rule(match_id=match.id, by=host.id, text="So be it.")
    play_to_the_end(match)
    lines = exported(match.id)
    verify(lines)
    judged = replay.judged(lines)
    assert {draw["line"] for draw in judged.draws} == {0, 1}, "a rewind draws on another line"


def test_a_resignation_an_adjudication_and_a_void_match_could_have_been_decided() -> None:
    for end in ("resign", "adjudicate", "void"):
        mira, host = new_account(), new_account()
        match = running_match("pentagram", mira, new_account(), opener=host)
        play_on(match, 3)
        act = {"match_id": match.id, "by": host.id, "reason": "A test."}
        if end == "adjudicate":
            hosting.adjudicate(**act, winners=[1])
        elif end == "void":
            hosting.void(**act)
        else:
            playing.submit(match_id=match.id, seat=0, player=str(mira.id), command={"type": "resign"},
                            key="r", fingerprint=b"")  # fmt: skip
        lines = exported(match.id)
        verify(lines)
        replay.judged(lines)


def a_fact_changed(kind: str, field: str, value: Callable[[Any], Any]) -> Callable[[list[Line]], int]:
    """Tamper with the first event of a kind that has the field."""

    def act(lines: list[Line]) -> int:
        place = next(n for n, line in enumerate(lines) if line.get("type") == kind and line["public"].get(field))
        lines[place]["public"] = {**lines[place]["public"], field: value(lines[place]["public"][field])}
        return place

    return act


def another_seat(lines: list[Line]) -> int:
    """Somebody else's move."""
    place = next(n for n, line in enumerate(lines) if line.get("type") == "brick_placed")
    actor = next(line["actor"] for line in lines[place:] if line["actor"] != lines[place]["actor"])
    same = lines[place]["at"]
    for line in lines[1:]:
        if line.get("at") == same:
            line["actor"] = actor
    return place


def another_brick(brick: str) -> str:
    """Not this one."""
    return "2S" if brick == "AS" else "AS"


def an_event_left_out(lines: list[Line]) -> int:
    """One event of an act is gone."""
    place = next(n for n, line in enumerate(lines) if line.get("type") == "construction_finished")
    del lines[place]
    for version, line in enumerate(lines[place : lines[0]["version"]], start=place):
        line["version"] = version
    lines[0]["version"] -= 1
    return place


LIES: dict[str, tuple[str, Callable[[list[Line]], int]]] = {
    "an illegal place": ("pyramid_poker", a_fact_changed("brick_placed", "cell", lambda _: "G1")),
    "no such hand": ("pyramid_poker", a_fact_changed("brick_assigned", "hand", lambda _: 4)),
    "another brick drawn": ("pyramid_poker", a_fact_changed("brick_drawn", "brick", another_brick)),
    "another seat's move": ("pyramid_poker", another_seat),
    "an event left out": ("pyramid_poker", an_event_left_out),
    "other winnings": ("pentagram", a_fact_changed("space_paid", "coins", lambda coins: {k: [9, 9] for k in coins})),
    "a dearer card": ("peeling_the_banana", a_fact_changed("bought", "price", lambda price: price + 1)),
    "a wrong call told right": ("higher_or_lower", a_fact_changed("card_guessed", "correct", lambda _: False)),
    "other points": ("reality_benders", a_fact_changed("duel_resolved", "points", lambda points: [7, 7])),
}


@pytest.mark.parametrize("lie", LIES)
def test_act_that_no_command_gives_is_detected_in_a_rechained_log(lie: str) -> None:
    slug, tell = LIES[lie]
    lines = deepcopy(parsed(finished(slug)))
    place = tell(lines)
    rechain(lines, 1)
    with pytest.raises(Bad) as bad:
        replay.judged(written(lines))
    assert bad.value.version <= place + 2, bad.value


DRAWS: dict[str, Callable[[list[Any], Random], Any]] = {
    "another result": lambda step, rng: step.__setitem__(2, rng.choice([card for card in step[1] if card != step[2]])),
    "other items": lambda step, rng: step[1].reverse(),
    "an item less": lambda step, rng: step[1].remove(rng.choice([card for card in step[1] if card != step[2]])),
    "no draw": lambda step, rng: step.__setitem__(0, "picked"),
}


@pytest.mark.parametrize("kind", DRAWS)
def test_standalone_verifier_repeats_every_draw_of_a_brick(kind: str) -> None:
    good, rng = parsed(finished("pyramid_poker")), Random(kind)
    first = good[0]["version"] + 1
    for place in range(first, len(good) - 1):
        lines = deepcopy(good)
        DRAWS[kind](lines[place]["steps"][0], rng)
        with pytest.raises(Bad) as bad:
            verify(written(lines))
        assert bad.value.version <= place


@pytest.mark.parametrize("field", ["draw", "line", "at"])
def test_draw_with_another_version_is_refused(field: str) -> None:
    good = parsed(finished("pyramid_poker"))
    for place in range(good[0]["version"] + 1, len(good)):
        lines = deepcopy(good)
        lines[place][field] += 1
        with pytest.raises(Bad):
            verify(written(lines))


def test_omitted_or_repeated_draw_is_detected() -> None:
    good = parsed(finished("pyramid_poker"))
    for place in range(good[0]["version"] + 1, len(good)):
        short = deepcopy(good)
        del short[place]
        with pytest.raises(Bad):
            verify(written(short))
        short[0]["draws"] -= 1
        with pytest.raises(Changed, match=r"not the draw that the seed gives|the file has no draw"):
            verify(written(short))
        with pytest.raises(Bad, match="nothing belongs here"):
            verify(written([*good, good[place]]))


def test_the_rules_find_another_draw_than_they_make() -> None:
    lines = parsed(finished("peeling_the_banana"))
    place = lines[0]["version"] + 1
    lines[place]["steps"][0][1].reverse()
    with pytest.raises(Bad, match="the rules draw something else here") as bad:
        replay.judged(written(lines))
    assert bad.value.version == place


def test_shortened_shuffle_over_spaces_is_refused() -> None:
    good = parsed(finished("higher_or_lower"))
    for place in range(good[0]["version"] + 1, good[0]["version"] + good[0]["draws"] + 1):
        if not good[place]["purpose"].startswith("board "):
            continue
        for left in range(len(good[place]["steps"])):
            lines = deepcopy(good)
            lines[place]["steps"] = lines[place]["steps"][:left]
            with pytest.raises(Bad):
                verify(written(lines))


def is_broken(lines: list[Line], reason: str) -> int:
    """Check that a record contradicts itself in what its hashes prove, and return at which version."""
    with pytest.raises(Bad, match=reason) as bad:
        verify(written(lines))
    assert bad.type is Bad
    return bad.value.version


def test_shuffle_that_begins_with_another_order_is_detected() -> None:
    """Else the house could choose the order to begin with, and so the deck."""
    lines = deepcopy(parsed(finished("pentagram")))
    draw = lines[lines[0]["version"] + 1]
    order = list(range(len(draw["steps"][0][1])))
    kind, items, result = draw["steps"][0]
    # Two equal cards hide nothing; two others change places before and after the shuffle alike.
    one, other = next((a, b) for a in order for b in order if items[a] != items[b])
    swap = {items[one]: items[other], items[other]: items[one]}
    draw["steps"] = [[kind, [swap.get(card, card) for card in items], [swap.get(card, card) for card in result]]]
    place = next(n for n, line in enumerate(lines) if line.get("type") == "deck_shuffled")
    secret = {"order": draw["steps"][0][2]}
    lines[place] |= {
        "secret": secret, "digest": croupier_verify.digest(bytes.fromhex(lines[place]["salt"]), secret).hex(),
    }  # fmt: skip
    rechain(lines, 1)
    is_broken(lines, "the seed gives another result for 'deck'")


def forge_brick(lines: list[Line], purpose: str) -> tuple[Line, Line, str]:
    """Replace a brick by the one that the seed gives for another purpose.

    The seed gives the same brick for both purposes now and then, mostly where few are left: the last brick that
    changes is taken. Return its event, its draw and the new brick.
    """
    dealt = [line for line in lines if line.get("type") == "brick_dealt"]
    draws = lines[lines[0]["version"] + 1 : lines[0]["version"] + lines[0]["draws"] + 1]
    log = lines[1 : lines[0]["version"] + 1]
    for event, draw in zip(reversed(dealt), reversed(draws), strict=True):
        bag = draw["steps"][0][1]
        words = croupier_verify.words(croupier_verify._keys(log)[0], draw["at"], purpose)
        brick = bag[croupier_verify.below(words, len(bag))]
        if brick != event["secret"]["brick"]:
            break
    else:
        pytest.fail(f"the seed gives the same bricks for {purpose!r}")
    secret = {"brick": brick}
    event |= {"secret": secret, "digest": croupier_verify.digest(bytes.fromhex(event["salt"]), secret).hex()}
    rechain(lines, 1)
    return event, draw, brick


def test_draw_under_an_invented_purpose_is_refused() -> None:
    lines = deepcopy(parsed(finished("pyramid_poker")))
    _, draw, brick = forge_brick(lines, "brick 2")
    draw |= {"purpose": "brick 2", "steps": [["choice", draw["steps"][0][1], brick]]}
    is_broken(lines, "the seed gives another result for 'brick'")


def test_draw_under_another_purpose_of_the_game_is_refused() -> None:
    lines = deepcopy(parsed(finished("pyramid_poker")))
    event, draw, brick = forge_brick(lines, "first")
    draw |= {"purpose": "first", "steps": [["choice", draw["steps"][0][1], brick]]}
    assert is_broken(lines, "the seed gives another result for 'brick'") == event["version"]


def test_repeated_draw_is_refused() -> None:
    good = parsed(finished("pyramid_poker"))
    place = good[0]["version"] + good[0]["draws"]
    idle = deepcopy(good)
    idle[place]["steps"] *= 2
    with pytest.raises(Changed, match="not the draw that the seed gives"):
        verify(written(idle))
    twice = [deepcopy(good[0]), *good[1 : place + 1], good[place], *good[place + 1 :]]
    twice[0]["draws"] += 1
    with pytest.raises(Changed, match="no event tells what was drawn here"):
        verify(written(twice))


@pytest.mark.parametrize(
    ("slug", "kind", "field"),
    [
        ("higher_or_lower", "board_dealt", "board"), ("higher_or_lower", "board_chosen", "board"),
        ("pyramid_poker", "brick_dealt", "brick"), ("pentagram", "deck_shuffled", "order"),
    ],
)  # fmt: skip
def test_event_without_its_drawn_field_does_not_crash_the_verifier(slug: str, kind: str, field: str) -> None:
    lines = deepcopy(parsed(finished(slug)))
    event = next(line for line in lines if line.get("type") == kind)
    if event["public"].pop(field, None) is None:
        secret = {name: value for name, value in event["secret"].items() if name != field}
        event |= {"secret": secret, "digest": croupier_verify.digest(bytes.fromhex(event["salt"]), secret).hex()}
    rechain(lines, 1)
    with pytest.raises(Bad, match=f"lacks what its type has: KeyError..{field}"):
        verify(written(lines))


def test_a_running_match_can_not_be_judged() -> None:
    with pytest.raises(Bad, match="isn't over"):
        replay.judged(exported(running_match("pentagram").id))


def chosen_by_the_house(lines: list[Line]) -> list[Line]:
    """Replace the choice that was drawn for the flagged seat by another one."""
    choice = next(line for line in lines if line.get("type") in ("card_placed", "colour_chosen"))
    assert choice["actor"] == "clock"
    others = {"cyan": "pink", "pink": "cyan"} if choice["type"] == "colour_chosen" else {}
    choice["public"]["colour"] = others.get(choice["public"]["colour"], "nowhere")
    rechain(lines, 1)
    return lines


@pytest.mark.parametrize("slug", ["pentagram", "higher_or_lower"])
def test_judged_flag_falls_when_due_and_never_earlier(slug: str) -> None:
    """The dealer draws in the seat's place, and the draws come out again."""
    clocks = {name: ClockTimes(base=1) for name in catalogue[slug].clocks}
    match = running_match(slug, new_account(), new_account(), clocks=clocks)
    play_on(match, 0)
    wait_until(lambda: timing.let_flag_fall(match_id=match.id))
    hosting.adjudicate(match_id=match.id, by=match.opened_by_id, winners=[0], reason="A test.")
    lines = exported(match.id)
    verify(lines)
    drawn = {draw["purpose"] for draw in replay.judged(lines).draws}
    assert {"pentagram": "placement", "higher_or_lower": "colour"}[slug] in drawn
    is_broken(chosen_by_the_house(parsed(tuple(lines))), "the seed gives another result")
    changed = parsed(tuple(lines))
    place = next(n for n, line in enumerate(changed) if line.get("type") == "flag_fallen")
    for line in changed[place : place + 20]:
        if line.get("at") == changed[place]["at"]:
            line["at"] = changed[place - 1]["at"][:-2] + ("1Z" if changed[place - 1]["at"][-2] != "1" else "2Z")
    rechain(changed, 1)
    with pytest.raises(Bad, match="no flag of that seat had fallen"):
        replay.judged(written(changed))


@pytest.mark.parametrize("assigned", [5, 99], ids=["some groups", "all groups but no last word"])
def test_groups_filled_by_the_dealer_are_verified_card_by_card(assigned: int) -> None:
    """For a flagged seat; where all its groups lay there already there was nothing to draw."""
    clocks = {"choice": ClockTimes(3600), "setup": ClockTimes(2), "turn": ClockTimes(3600)}
    match = running_match("higher_or_lower", new_account(), new_account(), clocks=clocks)
    play_on(match, 1)
    for _ in range(assigned):
        prompts = [it for it in repository.load(match.id).due.prompts if it.seat == 1]
        groups = repository.load(match.id, 1).state.groups[1]
        if not prompts or len(groups) == len(layout_of(DEFAULT_BOARDS).groups["pink"]):
            break
        send(match.id, 1, Random(assigned))
    wait_until(lambda: timing.let_flag_fall(match_id=match.id) and not repository.load(match.id).due.prompts)
    play_on(match, 3)
    hosting.adjudicate(match_id=match.id, by=match.opened_by_id, winners=[0], reason="A test.")
    lines = exported(match.id)
    judged = replay.judged(lines)
    verify(lines)
    filled = [draw for draw in judged.draws if draw["purpose"] == "fill"]
    assert len(filled) == (1 if assigned == 99 else 2)
    good = parsed(tuple(lines))
    for draw in filled[:1]:
        place = good.index(draw)
        for step in range(len(draw["steps"])):
            for tamper in (list.reverse, list.pop):
                changed = deepcopy(good)
                items = changed[place]["steps"][step][1]
                tamper(items)
                if items != draw["steps"][step][1]:
                    redrawn(changed[place], changed)
                    with pytest.raises(Bad):
                        verify(written(changed))


def test_record_without_its_last_lines_is_reported_as_truncated() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    play_to_the_end(match)
    lines = exported(match.id)
    drawn = parsed(tuple(lines))[0]["draws"]
    for cut in (lines[:-1], lines[:-drawn], []):
        with pytest.raises(Bad, match="missing: the file ends before it"):
            verify(cut)


def test_time_credit_before_an_act_does_not_change_the_judged_act(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an outage the next act, whatever it is, brings the credit with it."""
    match = running_match("pyramid_poker", new_account(), new_account())
    owed = TimeCredited(seconds=7, reason="The house was away.")
    play_on(match, 3)
    with monkeypatch.context() as after_an_outage:
        since = repository.version_of(match.id)
        after_an_outage.setattr(appending.outages, "owed_to", lambda _, now, __: owed if now.version == since else None)
        play_on(match, 1)
    play_to_the_end(match)
    lines = exported(match.id)
    assert any(line.get("type") == "time_credited" for line in parsed(tuple(lines)))
    assert verify(lines)["draws"] == 30
    replay.judged(lines)


@pytest.mark.parametrize("player", ["bot", "dealer"])
def test_moves_of_a_stand_in_pass_the_judgement(player: str) -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    act = {"match_id": match.id, "by": match.opened_by_id, "seat": 1, "reason": "A test."}
    play_on(match, 3)
    hosting.seat_stand_in(**act, player=player)
    for _ in range(6):
        playing.attend(match_id=match.id)
        if repository.load(match.id).due.prompts[0].seat == 0:
            play_on(match, 1)
    hosting.end_stand_in(**act)
    play_to_the_end(match)
    lines = exported(match.id)
    verify(lines)
    replay.judged(lines)
