"""The sentences for a season's events, in English."""

import pytest

from matches.seasons.domain.events import EpisodeOpened
from matches.seasons.reads.sentences import episode_label, sentence


@pytest.mark.parametrize(
    ("title", "called", "expected"),
    [
        ("Zombie Night", "Episode 3: Zombie Night", "Episode 3 began: Zombie Night"),
        ("Episode 3", "Episode 3", "Episode 3 began."),
        ("episode 3 ", "Episode 3", "Episode 3 began."),
        ("Episode 30", "Episode 3: Episode 30", "Episode 3 began: Episode 30"),
        ("A: B", "Episode 3: A: B", "Episode 3 began: A: B"),
    ],
)
def test_episode_title_contains_its_number_once(title: str, called: str, expected: str) -> None:
    assert episode_label(3, title) == called
    assert sentence(EpisodeOpened(number=3, title=title), str) == expected
