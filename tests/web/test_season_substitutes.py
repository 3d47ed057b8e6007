"""The pages of an episode in which somebody was substituted: who acted is named, and who goes on since."""

from tests.api.guests import guest
from tests.api.seasons import Cup
from tests.panel.seasons import Bureau, account_of
from tests.web.test_seasons import page


def test_episode_names_who_acted_and_the_former_players_page_their_deeds() -> None:
    cup = Cup(5)
    winner, *_ = cup.players
    cup.main_match()
    newcomer = guest()
    cup.did(f"/players/{winner.id}/substitute", {"newcomer": newcomer.id, "reason": "Ill."})
    named = {it["player"]["id"]: it["player"]["username"] for it in cup.read("/standings")["results"]}
    ann, zoe = named[winner.id], named[newcomer.id]

    episode = cup.read("/episodes")["results"][0]
    assert episode["winners"] == [newcomer.id]
    won = next(it for it in episode["deeds"] if it["part"] == "won")
    assert won == {"part": "won", "player": newcomer.id, "acted": winner.id, "by": None, "game": None}
    deed = next(it for it in episode["deeds"] if it["part"] == "token" and it["by"])
    assert deed["by"] == winner.id

    both = f"{ann} (since then {zoe})"
    html = page(f"/seasons/{cup.id}/episodes/1")[1]
    assert both in html and f"from {ann}" in html
    assert "before that: won the main match, held a token of life" in page(f"/seasons/{cup.id}/players/{winner.id}")[1]
    assert f"{both} won" in Bureau(cup.id, account_of(cup.organiser)).page()
