// @ts-check
/* A lesson's page: a match's board and hands, a tutor who says what to do, and a veil over all but what it is about. */

import { announce, ask, toast } from "../page.js";
import * as board from "./board.js";
import { hush, say } from "./bubble.js";
import * as drag from "./drag.js";
import { take } from "./frame.js";
import * as modules from "./modules.js";
import * as motion from "./motion.js";
import * as sounds from "./sounds.js";
import * as tray from "./tray.js";

/** @typedef {{ places: string[], text: string }} Points What a step is about, and the command that it asks for. */

const AROUND = 6;
const AWAY = "The next step didn't come. Try again.";

const told = () => document.getElementById("live").dataset;
/** @returns {Points} */
const points = () => JSON.parse(document.getElementById("points-data").textContent);
const setting = () => `croupier.lesson.${document.getElementById("match").dataset.match}`;

/** What lies open under the veil: the places of the step, the button that it asks for, and a question that waits.
    @returns {Element[]} */
function lit() {
  const { places, text } = points();
  const found = places.flatMap((name) => {
    const part = name.startsWith("part ");
    const quoted = CSS.escape(part ? name.slice(5) : name);
    const one = document.querySelector(part ? `[data-part="${quoted}"]` :
      `:is(#board, .part) :is([data-cell="${quoted}"], [data-place="${quoted}"])`);
    return one ? [one] : [];
  });
  const shown = [...document.querySelectorAll("#choices .choice, #picked:not([hidden]), #module")];
  const own = shown.filter((one) => one.clientHeight > 0 && (!one.matches(".choice") || one.getAttribute("value") === text));
  return [...found, ...(text ? own : [])];
}

/** @param {DOMRect} box
    @param {number} top */
function hole({ left, top: own, width, bottom }, top) {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const y = Math.max(top, own - AROUND);
  const looks = { x: left - AROUND, y, width: width + 2 * AROUND, height: Math.max(0, bottom + AROUND - y), rx: 10 };
  for (const [name, value] of Object.entries(looks)) rect.setAttribute(name, String(value));
  return rect;
}

/** Lay the veil over the board and what lies beside it. */
function veil() {
  const cover = document.getElementById("veil");
  const { places } = points();
  cover.toggleAttribute("hidden", !places.length);
  const top = document.getElementById("stage").getBoundingClientRect().top;
  cover.querySelector("#veil-cloth").setAttribute("y", String(top));
  const boxes = lit().map((one) => one.getBoundingClientRect());
  cover.querySelector("#veil-holes").replaceChildren(...boxes.map((box) => hole(box, top)));
  cover.querySelector("#veil-rings").replaceChildren(...boxes.slice(0, places.length).map((box) => hole(box, top)));
}

/** The page is at a step: what is sent goes to it, and this browser remembers it. */
function follow() {
  const { address, step, title } = told();
  document.getElementById("match").dataset.address = address;
  /** @type {HTMLFormElement} */ (document.getElementById("play")).action = `${address}commands`;
  document.title = title;
  const steps = document.querySelectorAll(".coach-steps li").length;
  if (Number(step) === steps) localStorage.removeItem(setting());
  else if (Number(step) > 1) localStorage.setItem(setting(), step);
}

function tell() {
  const words = ["coach-title", "coach-says", "coach-ask"].map((id) => document.getElementById(id)?.textContent.trim() ?? "");
  announce(words.filter(Boolean).join(". ").replace(/\s+/g, " "));
}

/** Whoever has done a step by keys is led to the next one: to what leads on, or to what is asked. */
function lead() {
  const at = document.activeElement;
  if (at && at !== document.body && at.id !== "command-box") return;
  document.getElementById(told().mine === "1" ? "coach-title" : "onward")?.focus({ preventScroll: true });
}

/** @param {import("./frame.js").Change | null} detail */
function show(detail) {
  tray.update();
  board.update(detail);
  follow();
  if (detail && location.pathname !== told().address) {
    history.pushState(null, "", told().address);
    document.getElementById("resume")?.remove();
    hush();
    tell();
    lead();
  }
  veil();
  if (detail) motion.show(detail.from).then(veil);
}

/** Go on without doing it oneself.
    @param {string} address */
async function go(address) {
  tray.close();
  try {
    const answer = await ask(`${address}frame`, { headers: { Accept: "application/json" } });
    if (!answer.ok || !take(await answer.json())) location.assign(address);
  } catch {
    toast(AWAY, "bad");
  }
}

/** Where this browser was, to whoever comes to the beginning again. */
function resume() {
  const [line, step] = [document.getElementById("resume"), Number(localStorage.getItem(setting()))];
  if (!line || !(step > 1)) return;
  const link = line.querySelector("a");
  link.href = `${line.dataset.lesson}/${step}/`;
  link.querySelector("span").textContent = String(step);
  line.hidden = false;
}

resume();
await modules.load(document.getElementById("match").dataset.game);
show(null);
document.addEventListener("croupier:before", motion.look);
document.addEventListener("croupier:frame", (/** @type {CustomEvent<import("./frame.js").Change>} */ event) => show(event.detail));
document.addEventListener("croupier:refused", (/** @type {CustomEvent<string>} */ event) => {
  event.preventDefault();
  say(event.detail, lit()[0] ?? document.getElementById("coach"));
});
document.addEventListener("click", (/** @type {MouseEvent & { target: Element }} */ event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("#onward"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.pathname);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.repeat || document.activeElement !== document.body || told().mine === "1") return;
  document.getElementById("onward")?.click();
});
window.addEventListener("popstate", () => location.reload());
window.addEventListener("resize", veil);
document.addEventListener("scroll", veil, { capture: true, passive: true });
new MutationObserver(veil).observe(document.getElementById("live"), { subtree: true, attributes: true, attributeFilter: ["hidden"] });
for (const part of [tray, board, drag, sounds]) part.listen();
document.body.dataset.ready = "yes";
