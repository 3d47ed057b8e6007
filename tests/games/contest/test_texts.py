"""Texts of a contest in its rules: commitments in events and states, read where answers are compared."""

from typing import Any

import pytest

from games.contest import GAME
from games.kernel import HOST, SPECTATOR, Chance, Illegal, KeptText, Table, texts_in, to_json

FIELD = {"kind": "text", "name": "word", "most": 60}
QUIZ = {"name": "quiz", "fields": [FIELD], "scheme": {"kind": "answer", "field": "word", "answers": ["seven"]}}


def table_of(*rounds: Any, seats: int = 2) -> Table:
    content = {"title": "A contest", "rounds": list(rounds)}
    table = Table(GAME, {"content": content}, seats, 0, Chance(b"a seed"))
    table.settle()
    return table


def submitted(table: Table, *words: str) -> Table:
    for seat, word in enumerate(words):
        table.act(seat, {"type": "submit", "round": table.state.number, "values": {"word": word}})
    table.settle()
    return table


def test_events_and_states_hold_no_text() -> None:
    table = submitted(table_of(QUIZ), "a long word", "seven")
    for witness in (HOST, SPECTATOR, 0, 1):
        assert "a long word" not in f"{table.witness(witness)}{table.events(witness)}"
    assert table.state.points == (0, 1), "The answers were compared."


def test_witness_gets_the_commitments_of_the_events_that_it_sees() -> None:
    table = table_of(QUIZ)
    table.act(0, {"type": "submit", "round": 1, "values": {"word": "seven"}})
    named = {witness: len(list(texts_in(table.witness(witness)))) for witness in (0, 1, SPECTATOR)}
    assert named == {0: 1, 1: 0, SPECTATOR: 0}


def test_r22_withdrawn_answer_is_not_correct() -> None:
    table = table_of(QUIZ)
    for seat in (0, 1):
        table.act(seat, {"type": "submit", "round": 1, "values": {"word": "seven"}})
    (_, withdrawn), *_ = texts_in(table.witness(0))
    table._chance = table._chance.keeping({name: part for name, part in table.parts.items() if name != withdrawn})
    table.settle()
    assert table.state.points == (0, 1)


def test_totals_list_each_text_by_itself() -> None:
    plain = {**QUIZ, "scheme": {"kind": "none"}, "reveal": "totals"}
    table = submitted(table_of(plain), "yes", "yes")
    (totals,) = table.state.played[0].totals
    assert [(type(text), count) for text, count in totals.counts] == [(KeptText, 1), (KeptText, 1)]
    closed = table.readable(next(event for event in table.log if type(event).__name__ == "RoundClosed"))
    assert GAME.notation.sentence(closed, ("A", "B")) == "The totals: word: yes 2."


@pytest.mark.parametrize("value", [{"text": "a" * 64}, "", "  ", "x" * 61, 7])
def test_r5_text_is_submitted_as_a_text(value: Any) -> None:
    table = table_of(QUIZ)
    with pytest.raises(Illegal) as refusal:
        table.act(0, {"type": "submit", "round": 1, "values": {"word": value}})
    assert refusal.value.code == "bad_value"


def test_r31_previous_text_counts_again_under_its_commitment() -> None:
    table = submitted(table_of({**QUIZ, "repeat": 2, "default": {"kind": "previous"}}), "seven", "eight")
    before = dict(table.parts)
    table.act(HOST, {"type": "close", "round": 2})
    table.settle()
    first, second = table.state.played
    assert first.entries == second.entries and table.parts == before


@pytest.mark.parametrize("kind", ["fixed", "random"])
def test_r31_other_default_texts_are_kept(kind: str) -> None:
    default = {"kind": kind, "values": {"word": "seven"}} if kind == "fixed" else {"kind": kind}
    table = table_of({**QUIZ, "default": default})
    table.act(HOST, {"type": "close", "round": 1})
    table.settle()
    assert len(list(texts_in(table.state.played[0].entries))) == 2
    assert table.state.points == ((1, 1) if kind == "fixed" else (0, 0))


def test_r25_text_of_a_judgement_is_kept_and_told() -> None:
    judged = {"name": "judged", "fields": [FIELD], "scheme": {"kind": "host"}}
    table = submitted(table_of(judged), "one", "two")
    table.act(HOST, {"type": "resolve", "round": 1, "points": {"0": 3}, "text": "Well written."})
    resolved = next(event for event in table.log if type(event).__name__ == "Resolved")
    assert "Well written." not in f"{table.log}{table.state}"
    assert GAME.notation.sentence(resolved, ("A", "B")) == "The host has judged: (a text)"
    assert "Well written." in GAME.notation.sentence(table.readable(resolved), ("A", "B"))
    assert table.readable(table.state).played[0].text == "Well written."


def test_r25_judgement_without_a_text_keeps_none() -> None:
    table = submitted(table_of({"name": "judged", "scheme": {"kind": "host"}, "fields": [FIELD]}), "one", "two")
    kept = len(table.parts)
    table.act(HOST, {"type": "resolve", "round": 1, "points": {}})
    assert len(table.parts) == kept


def test_r36_reason_of_an_amendment_is_kept() -> None:
    table = table_of(QUIZ | {"scheme": {"kind": "none"}}, {"name": "later", "fields": [FIELD]})
    content = to_json(table.options)["content"]
    content["rounds"][1]["title"] = "Another title"
    table.act(HOST, {"type": "amend", "content": content, "reason": "A mistake."})
    assert "A mistake." not in f"{table.log[-1]}"
    assert "A mistake." in GAME.notation.sentence(table.readable(table.log[-1]), ("A", "B"))
