"""Faults in the layout of a page: lines that touch, stick out or break badly."""

from collections.abc import Sequence

from playwright.sync_api import Page

APART = 5
"""Pixels between a line's letters and a button, at least; the line's own leading is among them."""
MISPLACED = """(apart) => {
  const top = document.querySelector(":modal") ?? document.body;
  const isApart = (it) => it.closest(".unseen, .skip, svg, select");
  const isShown = (it) => it.checkVisibility({ checkVisibilityCSS: true }) && !isApart(it);
  const words = (it) => it.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
  const shown = (selector) => [...top.querySelectorAll(selector)].filter(isShown);
  const lines = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const of = texts.currentNode.parentElement;
    if (!words(texts.currentNode) || !isShown(of)) continue;
    range.selectNodeContents(texts.currentNode);
    for (const box of range.getClientRects()) {
      if (box.width > 1 && box.height > 1) lines.push({ of, box, said: words(texts.currentNode) });
    }
  }
  const found = [];

  const isFramed = (it) => parseFloat(getComputedStyle(it).borderTopWidth) > 0;
  const buttons = shown("button, .button, .press").filter(isFramed);
  const others = [...buttons, ...shown(".foretold, .notice")];
  // What scrolls beneath a bar that sticks to the window doesn't touch it.
  const layer = (it) => {
    for (; it; it = it.parentElement) if (["sticky", "fixed"].includes(getComputedStyle(it).position)) return it;
    return null;
  };
  const near = [...lines, ...others.map((of) => ({ of, box: of.getBoundingClientRect(), said: words(of) }))];
  for (const button of buttons) {
    const frame = button.getBoundingClientRect();
    const itsLayer = layer(button);
    const touching = near.find(({ of, box }) => {
      const across = Math.min(frame.right, box.right) - Math.max(frame.left, box.left);
      const gap = Math.max(frame.top - box.bottom, box.top - frame.bottom);
      return !button.contains(of) && !of.contains(button) && across > 0 && gap > -frame.height && gap < apart
        && layer(of) === itsLayer;
    });
    if (touching) found.push(`"${words(button)}" touches "${touching.said}"`);
  }

  const drawn = (it) => Math.max(0, ...(getComputedStyle(it).boxShadow.match(/(\\d+)px inset/g) ?? []).map(parseFloat));
  for (const tile of shown(".season-tile")) {
    const { left, right } = tile.getBoundingClientRect();
    const inside = drawn(tile);
    const isOut = (box) => box.left < left + inside || box.right > right - inside;
    const out = lines.find(({ of, box }) => tile.contains(of) && isOut(box));
    if (out) found.push(`"${out.said}" is drawn over the frame of "${words(tile)}"`);
  }

  for (const time of shown("time")) {
    if (time.getClientRects().length > 1 || time.offsetHeight > 1.9 * parseFloat(getComputedStyle(time).fontSize)) {
      found.push(`the time "${words(time)}" breaks`);
    }
  }

  const stray = top.innerText.match(/\\S+ ,/);
  if (stray) found.push(`a space stands before the comma of "${stray[0]}"`);
  return found;
}"""


def misplaced(page: Page, widths: Sequence[int]) -> list[str]:
    """Whatever sticks out of the page, buttons that touch the lines around them, lines drawn over a tile's frame, times
    that take two lines, and spaces before commas, at each width."""
    faults = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"the page sticks out at {width}")
        faults += [f"{it} at {width}" for it in page.evaluate(MISPLACED, APART)]
    return faults
