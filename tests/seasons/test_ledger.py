"""Garnets that change hands."""

import pytest

from matches.seasons.domain import episodes, garnets, results, roster, scheduling
from matches.seasons.domain.events import GarnetsMoved
from tests.seasons.staged import Paper, match_settings


def paper_of(**options: object) -> Paper:
    return Paper("ann", "ben", "cat", starting_garnets=3, **options)


def test_player_gives_own_garnets_to_another() -> None:
    paper = paper_of()
    assert paper.act(garnets.move_garnets, "ann", "ben", 2, "A debt.", by="ann") == [
        GarnetsMoved("ann", "ben", 2, "transfer", "A debt.")
    ]
    assert [player.garnets for player in paper.season.players.values()] == [1, 5, 3]


def test_gift_of_missing_or_foreign_garnets_is_refused() -> None:
    paper = paper_of()
    assert paper.refusal(garnets.move_garnets, "ann", "ben", 4, "A debt.", by="ann") == "too_few_garnets"
    assert paper.refusal(garnets.move_garnets, "ben", "ann", 1, "Mine.", by="ann") == "forbidden"
    assert paper.refusal(garnets.move_garnets, None, "ann", 1, "Luck.", by="ann") == "forbidden"
    assert paper.refusal(garnets.move_garnets, "ann", None, 1, "Alms.", by="ann") == "same_player"
    assert paper.refusal(garnets.move_garnets, "ann", "ann", 1, "Why?", by="ann") == "same_player"
    assert paper.refusal(garnets.move_garnets, "ann", "zoe", 1, "Who?", by="ann") == "not_enrolled"


def test_a_season_may_forbid_gifts() -> None:
    paper = paper_of(transfers=False)
    assert paper.refusal(garnets.move_garnets, "ann", "ben", 1, "A debt.", by="ann") == "no_transfers"


@pytest.mark.parametrize(
    ("source", "target", "cause", "issued"),
    [(None, "ann", "award", 11), ("ann", None, "fine", 7), ("ann", "ben", "reversal", 9)],
)
def test_an_organiser_awards_fines_and_corrects_and_the_sum_is_explained(
    source: str | None, target: str | None, cause: str, issued: int
) -> None:
    paper = paper_of()
    assert paper.act(garnets.move_garnets, source, target, 2, "So it is.") == [
        GarnetsMoved(source, target, 2, cause, "So it is.")
    ]
    assert paper.season.issued == issued == sum(player.garnets for player in paper.season.players.values())


def test_fine_beyond_the_balance_is_refused() -> None:
    assert paper_of().refusal(garnets.move_garnets, "ann", None, 4, "Late.") == "too_few_garnets"


def dueling() -> Paper:
    """Cat is EC and has to meet ben in a death match, whose loser's garnets go to the winner."""
    return paper_of(loser_garnets="winner", reward=0).main_match("ann", "cat").death_match("ben", "m1")


def gift(paper: Paper, giver: str) -> str:
    """The refusal of a garnet for ann."""
    return paper.refusal(garnets.move_garnets, giver, "ann", 1, "So long.", by=giver)


def test_players_of_a_death_match_give_no_garnets_until_its_result_counts() -> None:
    paper = dueling()
    before = gift(paper, "cat"), gift(paper, "ben")
    paper.ends("m1", 1)
    assert (*before, gift(paper, "cat"), gift(paper, "ben")) == ("match_open",) * 4
    paper.act(results.approve, "m1")
    assert paper.season.players["ben"].garnets == 6, "All that the loser had."
    paper.act(garnets.move_garnets, "ben", "ann", 1, "Well met.", by="ben")


def test_others_and_organisers_move_garnets_during_a_death_match() -> None:
    paper = dueling()
    paper.act(garnets.move_garnets, "ann", "cat", 1, "Courage.", by="ann")
    paper.act(garnets.move_garnets, "cat", "ann", 1, "Ann was mistaken.")
    paper.act(garnets.move_garnets, "cat", None, 1, "Late.")


def test_garnets_are_given_during_main_match_tables_and_the_final() -> None:
    paper = paper_of()
    paper.act(episodes.open_episode, "An episode")
    paper.act(scheduling.schedule_table, match_settings("m1"), ["ann", "ben"])
    paper.act(garnets.move_garnets, "ann", "ben", 1, "A deal.", by="ann")
    paper.act(episodes.close_episode, "A power cut.")
    paper.act(roster.withdraw, "cat", "Away.")
    paper.act(scheduling.open_final)
    paper.act(scheduling.schedule_final_match, match_settings("m2"))
    paper.act(garnets.move_garnets, "ann", "ben", 1, "Another deal.", by="ann")


def test_players_of_an_annulled_death_match_may_give_garnets_again() -> None:
    paper = dueling()
    paper.act(results.annul, "m1", "A power cut.")
    paper.act(garnets.move_garnets, "cat", "ann", 1, "A debt.", by="cat")
