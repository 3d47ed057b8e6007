"""A page as a browser on a slow machine meets it: what it weighs, when it is first seen, whether it stalls or jumps."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

SLOWER = 4
"""How many times slower than this machine the browser's is."""
LONG_MS = 50
_SIZE = {"width": 1440, "height": 900}
_TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
_QUIET_SECONDS, _MOST_SECONDS = 0.6, 20.0
_WATCH = """
window.shifts = []
const named = (node) => node && (node.id || node.className?.baseVal || node.className || node.nodeName)
new PerformanceObserver((list) => list.getEntries().forEach((entry) => entry.hadRecentInput || shifts.push(
  [entry.value, entry.sources.map((source) => named(source.node)).join(', ')]
))).observe({type: 'layout-shift', buffered: true})
"""
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
_THINGS = """
[...document.querySelectorAll(':is(#board, .part) [data-cell]')].map(cell => {
  const {left, top, width, height} = cell.getBoundingClientRect()
  return [cell.dataset.cell, left + width / 2, top + height / 2]
}).filter(([name, x, y]) => x > 0 && y > 0 && x < innerWidth && y < innerHeight).sort(
  ([one], [other]) => sources.includes(other) - sources.includes(one)
)
"""
_SOURCES = "JSON.parse(document.getElementById('tray-data')?.textContent ?? '{}').choices?.map(it => it.source) ?? []"


@dataclass(frozen=True)
class Sight:
    """A page's first sight with nothing in the cache: bytes and requests on the wire, ms to its first paint."""

    weight: int
    requests: int
    paint: float


@contextmanager
def page_of(browser: Any, url: str, session: Any = None) -> Iterator[tuple[Any, Any]]:
    """A page of a fresh browser of a slow machine, and its wire; `session` is where somebody has signed in."""
    context = browser.new_context(base_url=url, viewport=_SIZE, storage_state=session)
    context.set_default_timeout(30_000)
    context.add_init_script(_WATCH)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    try:
        yield page, wire
    finally:
        context.close()


def signed_in(browser: Any, url: str, name: str, password: str) -> Any:
    """The cookies of somebody who has signed in."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", password)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    state = context.storage_state()
    context.close()
    return state


def first_sight(browser: Any, url: str, path: str, session: Any = None) -> Sight:
    """Load a page anew and wait until nothing more comes."""
    loaded: dict[str, int] = {}

    def asked(event: Any) -> None:
        # Pictures that stand in the page itself were counted with it.
        if event["request"]["url"].startswith("http"):
            loaded.setdefault(event["requestId"], 0)

    def came(event: Any) -> None:
        if event["requestId"] in loaded:
            loaded[event["requestId"]] += int(event["encodedDataLength"])

    with page_of(browser, url, session) as (page, wire):
        wire.send("Network.enable")
        wire.on("Network.requestWillBeSent", asked)
        wire.on("Network.loadingFinished", came)
        page.goto(path)
        known, since, began = -1, time.monotonic(), time.monotonic()
        while time.monotonic() < min(since + _QUIET_SECONDS, began + _MOST_SECONDS):
            page.wait_for_timeout(50)
            if len(loaded) != known:
                known, since = len(loaded), time.monotonic()
        return Sight(sum(loaded.values()), len(loaded), page.evaluate(_PAINTED) or 0.0)


def dragged(browser: Any, page: Any, wire: Any, seconds: float = 2.6) -> list[float] | None:
    """Carry the first thing that can be lifted all over the board, 60 moves a second. Gives the processor's time in ms
    that each task of the page took, the longest first; None where nothing can be lifted."""
    if not _lift(page):
        return None
    box = page.locator("#board, .part.laying").last.bounding_box()
    (x, y), (wide, high) = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (box["width"], box["height"])
    page.wait_for_timeout(300)
    browser.start_tracing(page=page, categories=_TRACED)
    began = time.monotonic()
    while (at := time.monotonic() - began) < seconds:
        to = {"x": x + 0.45 * wide * sin(2 * pi * at / 1.3), "y": y + 0.45 * high * cos(2 * pi * at / 2.1)}
        wire.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "button": "left", "buttons": 1, **to})
        time.sleep(max(0.0, 1 / 60 - (time.monotonic() - began - at)))
    traced = json.loads(browser.stop_tracing())["traceEvents"]
    assert page.evaluate("document.body.dataset.dragging"), "It was let go."
    page.keyboard.press("Escape")
    page.mouse.up()
    # Of the process that drew the drag; what others of this machine took of a task's time is not the page's.
    process = next((each["pid"], each["tid"]) for each in traced if each["name"] == "EventDispatch")
    tasks = [each for each in traced if each["name"] == "RunTask" and (each["pid"], each["tid"]) == process]
    return sorted((each.get("tdur", 0) / 1000 for each in tasks), reverse=True)


def _lift(page: Any) -> bool:
    """Lift the first thing that can be, those first that the tray says lead somewhere."""
    sources = page.evaluate(_SOURCES)
    for _, x, y in page.evaluate(f"sources => {_THINGS.strip()}", sources):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 12, y + 12, steps=2)
        if page.evaluate("document.body.dataset.dragging"):
            return True
        page.mouse.up()
        page.keyboard.press("Escape")
    return False


def shifted(page: Any, moves: Callable[[], Iterator[int]]) -> tuple[float, list[Any]]:
    """How far a match's page jumps by itself while moves arrive, of which each gives the version that it leads to: the
    sum, and what jumped."""
    page.mouse.move(5, 5)
    page.wait_for_timeout(1000)
    page.evaluate("shifts.length = 0")
    for version in moves():
        page.wait_for_function("version => +document.getElementById('live').dataset.version >= version", arg=version)
        page.wait_for_timeout(1000)
    found = page.evaluate("shifts")
    return sum(value for value, _ in found), found
