"""The checks of commands, with every refusal of this game."""

from collections.abc import Sequence

from games.kernel import Illegal
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.pieces import NAMES, OFFERED, RULES, SPELLS, TARGETS
from games.reality_benders.state import State


def rules_wanted(state: State) -> int:
    """Return the number of rules of a submission: as in the options, or as many as are still absent. R5"""
    return min(state.options.rules_each, len(RULES) - len(state.rules))


def check_bend(state: State, seat: int, bend: Bend) -> None:
    """Raise Illegal unless the bending is legal. R5 and R6"""
    wanted = rules_wanted(state)
    if len(bend.rules) != wanted:
        raise Illegal("wrong_number_of_rules", f"Submit {_new_rules(wanted)}, not {len(bend.rules)}.")
    for rule in (*bend.rules, *_given(bend.bridge)):
        _check_new_rule(state, rule)
    _check_each_once((*bend.rules, *_given(bend.bridge)))
    if bend.bridge is not None:
        _check_item(state, seat, "bridge")
    if bend.break_ is not None:
        _check_item(state, seat, "break")
        _check_break(state, bend.break_)


def check_cast(state: State, seat: int, cast: Cast) -> None:
    """Raise Illegal unless the cast is legal. R6, R8, R9 and R10"""
    _check_spells((cast.spell, *cast.targets[:3]))
    name, wanted = NAMES[cast.spell], TARGETS[cast.spell]
    if cast.spell not in state.hands[seat]:
        raise Illegal("not_in_hand", f"You hold no {name}; cast one of {', '.join(state.hands[seat])}.")
    if state.casts and state.casts[seat].spell == cast.spell:
        raise Illegal("no_repeat", f"You cast {name} in the last round; cast another spell first.")
    if len(cast.targets) != wanted:
        raise Illegal("wrong_targets", f"{name} takes {_count(wanted)}, not {len(cast.targets)}.")
    if len(set(cast.targets)) < wanted:
        raise Illegal("equal_targets", f"{name} takes two different targets.")
    if cast.bonus:
        _check_item(state, seat, "bonus")


def check_offer(offer: Offer) -> None:
    """Raise Illegal unless the offer is legal. R17"""
    if len(offer.spells) != 3:
        raise Illegal("bad_offer", f"Offer exactly three spells, not {len(offer.spells)}.")
    _check_spells(offer.spells)
    if len(set(offer.spells)) < 3 or not set(offer.spells) <= set(OFFERED):
        raise Illegal("bad_offer", "Offer three different spells of A to H.")


def check_pick(state: State, seat: int, pick: Pick) -> None:
    """Raise Illegal unless the pick is legal. R17"""
    _check_spells((pick.spell,))
    offered = state.offers[seat] or ()
    if pick.spell not in offered:
        raise Illegal("not_offered", f"Pick one of the spells offered: {', '.join(offered)}.")


def _check_new_rule(state: State, rule: str) -> None:
    _check_rule(rule)
    if rule[0] == rule[2]:
        raise Illegal("self_loop", f"{rule} leads from a spell to itself; name two different spells.")
    if rule in state.rules:
        raise Illegal("edge_exists", f"{rule} is a rule already; submit one that isn't.")


def _check_each_once(rules: Sequence[str]) -> None:
    twice = next((rule for rule in rules if rules.count(rule) > 1), None)
    if twice is not None:
        raise Illegal("same_edge_twice", f"{twice} stands twice in your submission; each rule must differ.")


def _check_break(state: State, rule: str) -> None:
    _check_rule(rule)
    if rule not in state.rules:
        raise Illegal("edge_absent", f"{rule} is no rule now; break one that is.")


def _check_item(state: State, seat: int, item: str) -> None:
    if item not in state.items[seat]:
        raise Illegal("item_used", f"You have no {item} left in this match.")


def _check_rule(rule: str) -> None:
    spells = rule.split(">")
    if len(spells) != 2:
        raise Illegal("no_such_spell", f"A rule is written like A>D, not {rule[:20]!r}.")
    _check_spells(spells)


def _check_spells(spells: Sequence[str]) -> None:
    for spell in spells:
        if spell not in SPELLS:
            raise Illegal("no_such_spell", f"There is no spell {spell[:20]!r}; the spells are A to I.")


def _given(rule: str | None) -> tuple[str, ...]:
    return () if rule is None else (rule,)


def _new_rules(wanted: int) -> str:
    return ("no new rule", "exactly one new rule", "exactly two new rules")[wanted]


def _count(targets: int) -> str:
    return ("no target", "one target", "two targets")[targets]
