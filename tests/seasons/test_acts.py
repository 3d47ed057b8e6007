"""What is offered is what the decider accepts: to everybody, at every stage of a season."""

import msgspec
import pytest

from games.kernel import Illegal
from matches.seasons.domain.acts import ACTS, offer, offers
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.episode_acts import BanGame, NameOpponent, OpenEpisode
from matches.seasons.domain.match_acts import SetTable
from matches.seasons.domain.result_acts import Approve
from matches.seasons.domain.roster_acts import Withdraw
from tests.seasons.staged import HOST, ORGANISER, Paper, match_settings

EVERYBODY = (ORGANISER, HOST, Caller("ann"), Caller("ben"), Caller("cat"), Caller("dan"), Caller("stranger"))


def enrolling() -> Paper:
    return Paper("ann", "ben", "cat", "dan", bans_each=1)


def recorded() -> Paper:
    return enrolling().main_match("ann", "dan")


def named() -> Paper:
    return enrolling().main_match("ann", "dan", giving_to="ben")


def set_up() -> Paper:
    return named().death_match("cat", "m1")


def reported() -> Paper:
    paper = set_up()
    paper.ends("m1", 0)
    return paper


def two_left() -> Paper:
    paper = reported()
    paper.act(Approve("m1").decide)
    paper.act(Withdraw("ann", "Away.").decide)
    return paper


STAGES = {it.__name__: it for it in (enrolling, recorded, named, set_up, reported, two_left)}
OFFERED = {
    "enrolling": {"organiser": {"enrol", "enrol-list", "open-joining", "open-episode"}, "dan": set()},
    "recorded": {"organiser": {"token", "close-episode"}, "ann": {"token"}, "dan": set()},
    "named": {"organiser": {"opponent", "close-episode", "correct-token"}, "dan": {"opponent"}, "ann": set()},
    "set_up": {
        "organiser": {"annul", "propose-times", "set-time", "correct-token"},
        "dan": {"propose-times"},
        "cat": {"propose-times"},
    },
    "reported": {"organiser": {"annul", "approve", "correct", "correct-token", "rewind"}, "dan": set()},
    "two_left": {"organiser": {"correct", "final", "annul", "correct-token", "enrol-late", "reinstate"}, "dan": set()},
}
# Offered at nearly every stage: people leave, garnets move, rules are explained.
ALWAYS = {
    "withdraw",
    "substitute",
    "appoint",
    "dismiss",
    "garnets",
    "rule",
    "rename",
    "correct-main-match",
    "change-options",
    "claim",
}


@pytest.mark.parametrize("stage", STAGES)
def test_every_offer_is_accepted_and_other_acts_are_refused_in_a_sentence(stage: str) -> None:
    season = STAGES[stage]().season
    for by in EVERYBODY:
        for name, found in offers(season, by).items():
            for act in found.choices:
                assert act.decide(season, by), act
            tried = list(ACTS[name].tries(season, by))
            for act in tried:
                assert msgspec.convert(msgspec.to_builtins(act), type(act)) == act, "Its values are of their types."
            if found.is_available or not tried:
                continue
            assert found.refusal.endswith(".") and found.code, (name, by)
            for act in tried:
                with pytest.raises(Illegal):
                    act.decide(season, by)


@pytest.mark.parametrize("stage", OFFERED)
def test_each_stage_offers_its_step_to_the_caller_whose_turn_it_is(stage: str) -> None:
    season = STAGES[stage]().season
    callers = {"organiser": ORGANISER, "ann": Caller("ann"), "cat": Caller("cat"), "dan": Caller("dan")}
    for who, expected in OFFERED[stage].items():
        found = {name for name, it in offers(season, callers[who]).items() if it.is_available}
        assert found - ALWAYS == expected, f"OFFERED[{stage!r}] says what {who} is offered; ALWAYS is at every stage."


def test_offers_list_only_eligible_players_and_games() -> None:
    season = named().season
    assert offer(season, Caller("dan"), "opponent").values("player") == ["cat"]
    paired = named()
    paired.act(NameOpponent("cat").decide, by="dan")
    assert set(offer(paired.season, Caller("cat"), "ban").values("game")) == set(season.options.pool)
    paired.act(BanGame("pentagram").decide, by="dan")
    assert "pentagram" not in offer(paired.season, Caller("cat"), "ban").values("game")
    assert not offer(paired.season, Caller("dan"), "ban").is_available
    assert "pentagram" not in offer(paired.season, HOST, "death-match").values("game")


def test_the_refusal_of_a_step_out_of_order_is_the_deciders_own() -> None:
    paper = enrolling()
    paper.act(OpenEpisode("First").decide)
    expected = {
        "token": "no_token_to_give", "candidate": "not_recorded", "opponent": "no_candidate",
        "death-match": "no_candidate", "approve": "", "final": "episode_open", "final-match": "no_final",
    }  # fmt: skip
    assert {name: offer(paper.season, ORGANISER, name).code for name in expected} == expected


def test_table_offers_each_unseated_player_and_tries_each_once() -> None:
    people = [f"player {number}" for number in range(30)]
    paper = Paper(*people, most_players=30)
    paper.act(OpenEpisode("First").decide)
    for seated in range(0, 27, 3):
        found = offer(paper.season, HOST, "table")
        assert {it for pair in found.values("players") for it in pair} == set(people[seated:])
        assert len(list(ACTS["table"].tries(paper.season, HOST))) <= len(people)
        paper.act(SetTable(match_settings(f"m{seated}", "pentagram"), tuple(people[seated : seated + 3])).decide)


def test_table_is_not_offered_when_all_but_one_are_seated() -> None:
    paper = Paper("ann", "ben", "cat", "dan")
    paper.act(OpenEpisode("First").decide)
    paper.act(SetTable(match_settings("m1", "pentagram"), ("ann", "ben", "cat")).decide, by=HOST.account)
    found = offer(paper.season, HOST, "table")
    assert (found.is_available, found.code) == (False, "already_seated")
