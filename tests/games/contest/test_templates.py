"""Tests of the templates: each sampled submission and gift fits them."""

from random import Random

from games.contest import GAME
from games.contest.commands import Submit, Transfer
from games.contest.fields import Cards, Choice, Number, Player, Split
from games.contest.templates import FieldTemplate, SubmitTemplate, TransferTemplate, submit, transfer
from games.kernel import Chance, Table
from tests.games.contest.contents import content_of


def fits(template: FieldTemplate, value: object) -> bool:
    field, items = template.field, template.items
    chosen = value if isinstance(value, tuple) else (value,)
    match field:
        case Number():
            return isinstance(value, int) and field.least <= value <= field.most
        case Choice():
            return field.least <= len(chosen) <= field.most and set(chosen) <= set(field.options)
        case Player() | Cards():
            return field.least <= len(chosen) <= field.most and set(chosen) <= set(items)
        case Split():
            return isinstance(value, dict) and set(value) <= set(items) and sum(value.values()) == field.budget
        case _:
            return True


def test_sampled_commands_fit_their_template() -> None:
    checked = 0
    for seed in range(40):
        rng = Random(f"templates {seed}")
        table = Table(GAME, {"content": content_of(rng)}, 4, 0, Chance(b"%d" % seed))
        table.settle()
        while table.outcome is None:
            seat = rng.choice(table.due.prompts).seat
            command = table.sample(seat, rng)
            if isinstance(seat, int):
                view = table.witness(seat)
                checked += command_fits(command, submit(view, seat), transfer(view, seat))
            table.act(seat, command)
            table.settle()
    assert checked > 300


def command_fits(command: object, submission: SubmitTemplate, gift: TransferTemplate) -> int:
    if isinstance(command, Submit):
        assert {it.field.name for it in submission.fields} == set(command.values)
        for it in submission.fields:
            assert fits(it, command.values[it.field.name]), (it, command)
        return len(submission.fields)
    assert isinstance(command, Transfer)
    assert command.to in gift.to and command.amount <= gift.most[command.balance]
    return 1
