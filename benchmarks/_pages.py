"""A page in a browser on a slow machine: its size, the time of its first paint, long tasks and layout shifts."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

SLOWER = 4
"""Slowdown of the browser's machine in comparison with this one."""
LONG_MS = 50
_SIZE = {"width": 1440, "height": 900}
_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
_TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
_MARK = "watched"
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
    """The first load of a page with an empty cache: bytes and requests on the wire, ms to its first paint."""

    weight: int
    requests: int
    paint: float


@contextmanager
def page_of(browser: Any, url: str, session: Any = None, *, is_phone: bool = False) -> Iterator[tuple[Any, Any]]:
    """A page of a new browser on a slow machine, and its DevTools session; `session` is the storage of a signed-in
    browser."""
    shape = _PHONE if is_phone else {"viewport": _SIZE}
    context = browser.new_context(base_url=url, storage_state=session, **shape)
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
    """Return the cookies of a signed-in browser."""
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
    """Load a page and wait until no more requests are made."""
    loaded: dict[str, int] = {}

    def on_request(event: Any) -> None:
        # Pictures that are embedded in the page were counted with it.
        if event["request"]["url"].startswith("http"):
            loaded.setdefault(event["requestId"], 0)

    def on_finished(event: Any) -> None:
        if event["requestId"] in loaded:
            loaded[event["requestId"]] += int(event["encodedDataLength"])

    with page_of(browser, url, session) as (page, wire):
        wire.send("Network.enable")
        wire.on("Network.requestWillBeSent", on_request)
        wire.on("Network.loadingFinished", on_finished)
        page.goto(path)
        count, since, began = -1, time.monotonic(), time.monotonic()
        while time.monotonic() < min(since + _QUIET_SECONDS, began + _MOST_SECONDS):
            page.wait_for_timeout(50)
            if len(loaded) != count:
                count, since = len(loaded), time.monotonic()
        return Sight(sum(loaded.values()), len(loaded), page.evaluate(_PAINTED) or 0.0)


def dragged(browser: Any, page: Any, wire: Any, seconds: float = 2.6) -> list[float] | None:
    """Drag the first movable thing all over the board, 60 moves a second.

    Return the processor time of each task of the page in ms, the longest first; None if nothing is movable.
    """
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
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    assert page.evaluate("document.body.dataset.dragging"), "It was let go."
    page.keyboard.press("Escape")
    page.mouse.up()
    return _tasks(trace, "EventDispatch")


def tasks_during(browser: Any, page: Any, act: Callable[[], None]) -> list[float]:
    """Return the processor time of each task of the page while it shows an act, in ms, the longest first."""
    browser.start_tracing(page=page, categories=_TRACED)
    page.evaluate(f"performance.mark('{_MARK}')")
    act()
    return _tasks(json.loads(browser.stop_tracing())["traceEvents"], _MARK)


def _tasks(trace: list[dict[str, Any]], name: str) -> list[float]:
    """Return the tasks of the thread that has an event of this name; processor time excludes what other programs on
    this machine used."""
    thread = next((each["pid"], each["tid"]) for each in trace if each["name"] == name)
    tasks = [each for each in trace if each["name"] == "RunTask" and (each["pid"], each["tid"]) == thread]
    return sorted((each.get("tdur", 0) / 1000 for each in tasks), reverse=True)


def _lift(page: Any) -> bool:
    """Start to drag the first movable thing; things that are sources of choices in the tray come first."""
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
    """Return how far a match's page shifts by itself while moves arrive, and what shifted; `moves` yields the version
    after each move."""
    page.mouse.move(5, 5)
    page.wait_for_timeout(1000)
    page.evaluate("shifts.length = 0")
    for version in moves():
        page.wait_for_function("version => +document.getElementById('live').dataset.version >= version", arg=version)
        page.wait_for_timeout(1000)
    shifts = page.evaluate("shifts")
    return sum(value for value, _ in shifts), shifts
