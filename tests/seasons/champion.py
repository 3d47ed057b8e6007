"""A season of thirteen whose every main match is a contest, with all twelve presets, up to its champion."""

from pathlib import Path
from uuid import UUID

from django.core.management import call_command

from events.checkpoints import signing
from games.contest.presets import PRESETS
from matches.audit.croupier_verify import verify, verify_archive
from matches.seasons import archive
from tests.api.seasons import Cup
from tests.seasons.contest_play import PlayedTable

RULES = {"worst": 2, "by_place": [2, 1]}
MAIN_MATCHES = (
    ("harbour_watch", "quiet_shore"), ("emptied_house",), ("salt_road",), ("lone_lantern",), ("village_well",),
    ("fading_echo",), ("morning_fair",), ("rope_bridge",), ("council_of_seals",), ("sealed_almanac",), ("last_line",),
)  # fmt: skip
"""The contests of each episode, with a player less in each; the first is played at two tables, of 8 and 5 players."""
CORRECTED_IN = 5
"""The episode in which the main match of the second one is corrected."""


def play(cup: Cup) -> None:
    """Play the season to its champion."""
    for number, presets in enumerate(MAIN_MATCHES, start=1):
        play_main_match(cup, presets)
        if number == CORRECTED_IN:
            correct_second_episode(cup)
        play_death_match(cup)
    cup.did("/final")
    match = cup.set("/final/matches", "pyramid_poker")
    cup.loses(match, cup.living()[0])
    cup.did(f"/matches/{match}/approve")


def play_main_match(cup: Cup, presets: tuple[str, ...]) -> None:
    """An episode begins, its contests are played to their end, and their result is approved."""
    cup.did("/episodes", {"title": "An episode"})
    people = [it.id for it in cup.living()]
    seatings = [people[:8], people[8:]] if len(presets) > 1 else [people]
    tables = []
    for preset, players in zip(presets, seatings, strict=True):
        body = {"game": "contest", "contest": preset, "players": players, "results": RULES}
        (event,) = cup.did("/main-matches/tables", body, by=cup.host)
        assert event["contest"]["preset"] == preset
        tables.append(PlayedTable(cup, event["match"]))
    for table in tables:
        table.play_out()
    cup.did(f"/matches/{tables[0].match}/approve")


def play_death_match(cup: Cup) -> None:
    """Tokens, EC and DMO are named, and the EC loses the death match."""
    now = cup.read("/episodes")["results"][-1]
    if now["giving"]:
        exposed = [it.id for it in cup.living() if not now["tokens"].get(it.id)]
        cup.did("/tokens", {"player": min(exposed, key=lambda it: it in now["candidates"])})
    for path, name in (("/candidates", "candidate"), ("/opponents", "opponent")):
        now = cup.read("/episodes")["results"][-1]
        if not now[name]:
            cup.did(path, {"player": now["eligible"][-1]})
    match = cup.set("/death-matches", "pyramid_poker")
    cup.loses(match, cup.player(cup.read("/episodes")["results"][-1]["candidate"]))
    cup.did(f"/matches/{match}/approve")


def correct_second_episode(cup: Cup) -> None:
    """Somebody who took part, and had no other part in the episode, has really won its contest."""
    second = cup.read("/episodes")["results"][1]
    parts = {*second["winners"], *second["candidates"], *second["tokens"], second["candidate"], second["opponent"]}
    winner = next(it.id for it in cup.living() if it.id not in parts)
    body = {"winners": [winner], "candidates": None, "rewards": None, "reason": "A lot was given to the wrong bidder."}
    cup.did("/episodes/2/main-match/correct", body)
    assert cup.read("/episodes")["results"][1]["winners"] == [winner]


def check_champion_and_record(cup: Cup) -> None:
    """The season has a champion after all presets, its garnets add up, and its record is signed and can be replayed."""
    signing.sign_if_due(after_seconds=0)
    season = cup.read()
    assert season["champion"]
    tables = cup.read("/main-matches/tables")["results"]
    assert {it["contest"]["preset"] for it in tables} == set(PRESETS)
    garnets = sum(it["garnets"] for it in cup.read("/standings")["results"])
    assert garnets == season["garnets"]
    record = [line.decode() for line in archive.export(UUID(cup.id))]
    summary = verify(record, signing.signer().verifier_key)
    assert summary["signed"] and summary["events"] == season["version"]
    archive.replay(record)


def check_archive(cup: Cup, folder: Path) -> None:
    """The season's archive, with all its matches, verifies without the service."""
    file = folder / "season.zip"
    call_command("export_archive", str(file), season=cup.id)
    verify_archive(str(file), signing.signer().verifier_key)
