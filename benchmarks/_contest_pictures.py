"""Pictures of the pages of contests, for whoever looks at their style: at four sizes, light and dark."""

import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from PIL import Image

from benchmarks import stage

SIZES = {"desk": (1440, 900), "laptop": (1366, 768), "sideways": (844, 390), "phone": (390, 844)}
NAMES = (
    *("Amara", "Ben", "Chloé", "Dmitri", "Esperanza", "Farid"),
    *("Grace", "Hye-jin", "Ivo", "Jun", "Kalle", "Lúcia", "Max"),
)
MOST_SCREENS = 4
FIELDS = ("camp", "bid", "target", "shares", "order", "card", "word")


class Scene(NamedTuple):
    """A page, who looks at it, and a selector of the details that are opened on it."""

    name: str
    account: Any
    address: str
    opens: str = ""


def take(folder: Path) -> int:
    """Take each scene at each size and in both schemes; return the number of pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with stage.service():
        from tests.web.chromium import browsing
        from tests.web.site import Visitors, served

        with tempfile.TemporaryDirectory() as logs, served(Path(logs)) as site, browsing() as browser:
            visitors = Visitors(browser, site)
            count = sum(1 for scene in _scenes() for _ in _pictures(visitors, scene, folder))
            visitors.leave()
    return count


def _pictures(visitors: Any, scene: Scene, folder: Path) -> Iterator[Path]:
    """Take a page at all sizes, screen below screen as somebody who scrolls sees it."""
    for size, (width, height) in SIZES.items():
        page = visitors.page(scene.account, touch=height < 500 or width < 500)
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(scene.address)
            page.evaluate("document.fonts.ready.then(() => true)")
            for part in page.locator(scene.opens).all() if scene.opens else ():
                part.evaluate("it => { it.open = true }")
            path = folder / f"{scene.name}-{size}-{scheme}.png"
            _screens(page, height).save(path)
            yield path
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            print(f"{scene.name} scrolls sideways at {width} pixels.")
        page.close()


def _screens(page: Any, height: int) -> Image.Image:
    """Return the screens of a page, at most so many, in one picture."""
    whole = page.evaluate("document.documentElement.scrollHeight")
    screens = []
    for top in range(0, min(whole, MOST_SCREENS * height), height):
        page.evaluate("top => new Promise(done => { scrollTo(0, top); requestAnimationFrame(done) })", top)
        screens.append(Image.open(BytesIO(page.screenshot())))
    picture = Image.new("RGB", (screens[0].width, sum(it.height for it in screens)))
    for number, screen in enumerate(screens):
        picture.paste(screen, (0, number * screen.height))
    return picture


def _scenes() -> Iterator[Scene]:
    """Yield the scenes; each has its contest, played up to what is to be seen."""
    from games.contest.presets import load
    from games.kernel import to_json
    from matches.contests.services import trials
    from matches.models import Account
    from tests.contests.contents import draft, new_contest
    from tests.contests.table import ContestMatch
    from tests.panel.office import room
    from tests.table_setting import play_on, play_to_the_end
    from tests.web.contest_setting import content_of, contest, named

    author, lantern = named("Organiser"), to_json(load("lone_lantern"))
    made = new_contest(author, **to_json(load("emptied_house")))
    trials.start(account=author, draft=draft(**to_json(load("emptied_house"))), seats=13, runs=20)
    while trials.play_slice(60):
        pass
    yield Scene("library", author, "/contests")
    yield Scene("contest", author, f"/contests/{made.id}")
    yield Scene("editor", author, f"/contests/{made.id}/edit", "main details:nth-of-type(-n+1)")
    faulty = new_contest(author, title="", rules="")
    yield Scene("faults", author, f"/contests/{faulty.id}/edit", "main details")

    players = [named(name) for name in NAMES]
    form = contest(content_of(*FIELDS), *players)
    play_on(form, 4, Random(2))
    yield Scene("form", players[-1], f"/m/{form.code}/")
    vote = contest(to_json(load("quiet_shore")), *players)
    play_on(vote, 13, Random(3))
    yield Scene("reveal", players[0], f"/m/{vote.code}/")
    numbers = contest(lantern, *players)
    play_on(numbers, 26, Random(4))
    yield Scene("numbers", None, f"/m/{numbers.code}/")
    yield Scene("rules", players[0], f"/m/{numbers.code}/rules")
    played = contest(to_json(load("salt_road")), *players)
    play_to_the_end(played, Random(5))
    yield Scene("scores", players[0], f"/m/{played.code}/")
    yield Scene("replay", None, f"/m/{played.code}/replay/?round=3")

    table = ContestMatch.begun(seats=13).submitted(1, 4, 7)
    yield Scene("host", Account.objects.get(id=table.host.id), room(table.row))
    judged = ContestMatch.begun(seats=7).submitted()
    yield Scene("judging", Account.objects.get(id=judged.host.id), room(judged.row, "judge/"))
