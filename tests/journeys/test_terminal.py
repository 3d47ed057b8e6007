"""manage.py play against the running service: what a person types, and what they are told."""

import re
import subprocess
from collections.abc import Callable
from io import StringIO
from typing import NamedTuple

import pytest
from django.core.management import CommandError, call_command

from config.runner.embedded.server import free_port
from games import catalogue
from tests.cases import some_slow
from tests.journeys.house import PASSWORD, House


class Evening(NamedTuple):
    """A game's first prompt, a line that is legal there, one that isn't with what is said to it, and a board's line.

    The illegal line is typed before and after the legal one.
    """

    prompt: str
    legal: str
    illegal: str
    answer: str
    board: str


EVENINGS = {
    "contest": Evening(
        "submit",
        "submit choice share",
        "submit choice win",
        "Your choice takes 1 of these options: share, keep.",
        "Seat +Points",
    ),
    "higher_or_lower": Evening(
        "choose_colour", "colour cyan", "lock", "Assign these groups first: ", "Board A +Board B +Board C"
    ),
    "peeling_the_banana": Evening("choose_first", "first 0", "buy seconds", "Now you may play card.", "Seat 0 +Seat 1"),
    "pentagram": Evening(
        "place", "O3", "K4 w", "A worker on black 4 costs 4 black", "orange +yellow +black +purple +blue +workers .*"
    ),
    "pyramid_poker": Evening(
        "choose_first", "first 0", "C3", "C3 needs both bricks below it: B3 and B4.", "1 +2 +3 +4 +5 +6 +7 +8"
    ),
    "reality_benders": Evening(
        "bend", "bend A>B", "bend A>A", "A>A leads from a spell to itself;", "A B C D E F G H I   > a rule: .*"
    ),
}


def test_every_game_has_an_evening() -> None:
    assert set(EVENINGS) == set(catalogue)


def play(house: House, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return house.manage("play", *arguments, typed=typed)


@pytest.fixture
def terminal(house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that plays in this process and returns the printed text."""

    def typing(*arguments: str, typed: str) -> str:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        call_command("play", *arguments, "--url", house.url)
        return capsys.readouterr().out

    return typing


@pytest.mark.parametrize("slug", some_slow(sorted(EVENINGS), always=("pyramid_poker",)))
def test_an_evening_at_the_terminal(house: House, slug: str) -> None:
    evening, title = EVENINGS[slug], catalogue[slug].title
    tries = [evening.illegal, evening.legal, evening.illegal]
    lines = ["help", "legal", "Is this a move?", "rules", *tries, "board", "quit"]

    done = play(house, slug, "--token", house.guest("ada").token, typed="\n".join(lines) + "\n")

    output = done.stdout
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "\x1b" not in output, "No colours where nobody looks."
    opening, _, rest = output.partition(f"{evening.prompt}> ")
    assert opening.startswith(f"{title}, match ") and "A bot took seat 1." in opening
    helped, listed, nonsense, rules, *answers = re.split(r"^(?:\w+ / )*\w+> ", rest, flags=re.MULTILINE)
    assert "legal    list your legal commands" in helped
    assert evening.legal in listed.split("  ")
    assert nonsense.startswith("Write") and nonsense.endswith(".\n")
    assert title in rules and "Notation" in rules
    assert any(answer.startswith(evening.answer) for answer in answers), answers
    assert re.fullmatch(r"The match goes on\. Come back with --match [0-9a-f-]{36}\n", answers[-1])
    assert re.search(f"^ *{evening.board}$", answers[-2], re.MULTILINE), "The board's lines are whole."


def test_match_left_at_the_terminal_can_be_resumed(house: House, terminal: Callable[..., str]) -> None:
    ada = house.guest("ada")
    match = ada.open("pyramid_poker", ada, "bot")
    login = ("--username", ada.name, "--password", PASSWORD)
    left = terminal("pyramid_poker", *login, "--match", match, typed="first 0\nA3\n")
    assert left.endswith("You left the table; the match goes on. Come back with --match.\n")

    back = terminal("pyramid_poker", *login, "--match", ada.read(match)["code"], typed="resign\n")

    assert "Seat 0 places" in back.replace("puts", "places") and "You lost." in back
    assert f"manage.py export {ada.read(match)['code']} --output" in back
    assert ada.read(match)["status"] == "finished"


@pytest.mark.slow
def test_a_guest_needs_no_account(house: House) -> None:
    done = play(house, "pentagram", typed="O3\nresign\n")
    assert done.returncode == 0 and "You lost." in done.stdout


def test_options_and_seats_reach_the_table(house: House, terminal: Callable[..., str]) -> None:
    ada = house.guest("ada")
    arguments = ("--seats", "4", "--options", '{"zero_column": "dealt"}', "--token", ada.token)
    output = terminal("pentagram", *arguments, typed="quit\n")
    assert "A bot took seat 3." in output
    assert ada.read(output.split()[-1])["options"]["zero_column"] == "dealt"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--username", "ada", "--password", "guessed at"), "Name or password wrong."),
        (("--token", "mistyped"), "The token is unknown, expired or revoked."),
        (("--token", "ключ"), "A token consists of letters, digits and signs of ASCII only"),
        (("--options", "{base: 8"), '--options is JSON, such as {"base": 8}.'),
        (("--options", '{"base": 1000}'), "base is 8 to 12 spaces, not 1000."),
        (("--options", "[]"), "`options`: Expected `object`, got `array`."),
        (("--seats", "7"), "Pyramid Poker seats 2, not 7."),
        (("--match", "NOSUCH"), "There is no match with this id or code."),
        (("--match", "../me"), "--match is a match's id or code"),
    ],
)
def test_fault_is_reported_in_one_line(
    house: House, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    who = () if {"--username", "--token"} & set(arguments) else ("--token", house.guest("ada").token)
    with pytest.raises(CommandError) as refused:
        call_command("play", "pyramid_poker", "--url", house.url, *who, *arguments)
    assert message in str(refused.value) and "\n" not in str(refused.value)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_unreachable_server_is_reported_in_one_line(house: House) -> None:
    done = play(house, "pyramid_poker", "--url", f"http://127.0.0.1:{free_port()}")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"CommandError: .+ doesn't answer \(ConnectError\)\. Is bin/up running, .*\n", done.stderr)


def test_a_match_is_resumed_by_its_own_game_and_its_own_player(house: House) -> None:
    ada, bela = house.guest("ada"), house.guest("berit")
    match = ada.open("pentagram", ada, "bot")
    options = ("--url", house.url, "--match", match, "--token")
    with pytest.raises(CommandError, match=f"match of Pentagram 2: play pentagram --match {match}"):
        call_command("play", "pyramid_poker", *options, ada.token)
    with pytest.raises(CommandError, match="You have no seat at this match"):
        call_command("play", "pentagram", *options, bela.token)
