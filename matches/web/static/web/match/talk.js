// @ts-check
/* The talk beside the table: opened and closed, heard live, said once, and what a reader does about a remark. */

import { announce, ask, sentenceOf, toast } from "../page.js";
import { morph } from "./frame.js";

const LOOK_MS = 6000;
const MOST_KEPT = 200;
const OVER = ["finished", "void"];
const UNHEARD = "No answer came back. Send it again: it is said once, however often it arrives.";
const JSON_ONLY = { Accept: "application/json" };

/** @typedef {{ thread: string, whole: boolean, lines?: string, closed?: boolean }} TalkFrame */

const drawer = document.getElementById("talk");
const openers = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".talk-open")]);
let isLive = false;
let isSaying = false;
let isOver = false;
/** @type {HTMLElement | null} */
let openedBy = null;

const list = (/** @type {string} */ thread) => document.getElementById(`said-${thread}`);
const pane = () => /** @type {HTMLElement} */ (drawer.querySelector(".said"));
const remarks = () => /** @type {HTMLElement[]} */ ([...drawer.querySelectorAll(".remark")]);
const numbered = (/** @type {Element} */ remark) => Number(/** @type {HTMLElement} */ (remark).dataset.number);
const newest = (/** @type {Element} */ room) => numbered(room.lastElementChild ?? room) || 0;
const seenKey = (/** @type {string} */ thread) => `talk ${drawer.dataset.match} ${thread}`;

/** The last number of a thread that the reader has had before them.
    @param {string} thread */
function seen(thread) {
  try { return Number(localStorage.getItem(seenKey(thread))); } catch { return 0; }
}

/** Times in the reader's zone, blocked people's remarks folded, menus where there is something to choose. */
function dress() {
  const folded = new Set(remarks().filter((it) => it.classList.contains("folded")).map((it) => it.dataset.account));
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: drawer.dataset.zone });
  for (const remark of remarks()) {
    remark.classList.toggle("folded", folded.has(remark.dataset.account));
    remark.classList.toggle("own", remark.dataset.account === drawer.dataset.account);
    const time = remark.querySelector("time");
    time.textContent = clock.format(new Date(time.dateTime));
    /** @type {HTMLElement | null} */
    const shown = remark.querySelector(".show-hidden");
    if (shown) shown.hidden = !moderates(remark);
  }
  unread();
}

/** @param {Element} remark */
const moderates = (remark) => drawer.dataset.moderates.split(" ").includes(remark.parentElement.id.replace("said-", ""));

/** A dot where something was said that the reader hasn't had before them. */
function unread() {
  let isNew = false;
  for (const room of drawer.querySelectorAll(".thread > ol")) {
    const thread = room.id.replace("said-", "");
    if (!drawer.hidden && !document.hidden) {
      try { localStorage.setItem(seenKey(thread), String(newest(room))); } catch { /* the dot comes back */ }
    } else if (newest(room) > seen(thread) && !room.lastElementChild.classList.contains("own")) isNew = true;
  }
  for (const dot of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".talk-open .unread"))) dot.hidden = !isNew;
}

/** @param {() => void} change */
function keepingPlace(change) {
  const place = pane();
  const isBelow = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
  change();
  dress();
  if (isBelow) place.scrollTop = place.scrollHeight;
}

/** A frame of the talk.
    @param {TalkFrame} frame */
export function hear(frame) {
  if (!drawer) return;
  isLive = true;
  const room = list(frame.thread);
  if (frame.closed || !room) {
    look();
    return;
  }
  const told = document.createElement("template");
  told.innerHTML = frame.lines;
  keepingPlace(() => {
    if (frame.whole) room.replaceChildren();
    for (const remark of [...told.content.children]) place(room, remark);
    while (room.children.length > MOST_KEPT) room.firstElementChild.remove();
  });
}

/** Put a remark where its number belongs; one that stands there already is told anew.
    @param {Element} room
    @param {Element} remark */
function place(room, remark) {
  const old = document.getElementById(remark.id);
  if (old) {
    if (old.classList.contains("folded")) remark.classList.add("folded");
    old.replaceWith(remark);
    return;
  }
  const isBlocked = drawer.querySelector(`.folded[data-account="${/** @type {HTMLElement} */ (remark).dataset.account}"]`);
  remark.classList.toggle("folded", Boolean(isBlocked));
  let before = room.lastElementChild;
  while (before && numbered(before) > numbered(remark)) before = before.previousElementSibling;
  if (before) before.after(remark); else room.prepend(remark);
}

/** The socket is gone: what is said meanwhile is asked for. */
export function miss() { isLive = false; }

/** Once the match is over its players hear what spectators have said. */
export function update() {
  const { status } = document.getElementById("live").dataset;
  if (drawer && !isOver && OVER.includes(status) && document.body.dataset.ready) look();
  isOver = OVER.includes(status);
}

/** @param {string} markup */
function show(markup) {
  keepingPlace(() => morph("threads", markup));
}

/** Ask for all threads anew. */
async function look() {
  try {
    const answer = await ask(drawer.dataset.address, { headers: { "X-Requested-With": "fetch" } });
    if (answer.ok) show(await answer.text());
  } catch { /* the next look hears it */ }
}

/** @param {string} address
    @param {URLSearchParams} body */
async function post(address, body) {
  const answer = await ask(address, { method: "POST", body, headers: JSON_ONLY });
  if (answer.ok) show(await answer.text());
  else toast(sentenceOf(await answer.json().catch(() => /** @type {null} */ (null))), "bad");
  return answer.ok;
}

/** Say what is written, once. It stays in its field, under its key, until it is said.
    @param {HTMLFormElement} form */
async function say(form) {
  if (isSaying) return;
  isSaying = true;
  const field = /** @type {HTMLInputElement} */ (form.querySelector("#remark"));
  const key = /** @type {HTMLInputElement} */ (form.elements.namedItem("key"));
  const words = field.value;
  try {
    const isSaid = await post(form.action, new URLSearchParams(/** @type {any} */ (new FormData(form))));
    key.value = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    if (isSaid && field.value === words) field.value = "";
    if (isSaid) pane().scrollTop = pane().scrollHeight;
  } catch {
    toast(UNHEARD, "bad");
    look();
  } finally {
    isSaying = false;
  }
}

/** @param {boolean} isOpen */
function open(isOpen) {
  drawer.hidden = !isOpen;
  for (const opener of openers) opener.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) {
    pane().scrollTop = pane().scrollHeight;
    (/** @type {HTMLElement | null} */ (drawer.querySelector("#remark")) ?? document.getElementById("talk-title")).focus();
  } else (openedBy ?? openers[0]).focus();
  unread();
}

/** The menu of a remark, below it; pressed again it goes.
    @param {HTMLElement} button */
function choose(button) {
  const remark = /** @type {HTMLElement} */ (button.closest(".remark"));
  const wasOpen = button.getAttribute("aria-expanded") === "true";
  for (const one of drawer.querySelectorAll(".remark .menu")) one.remove();
  for (const one of drawer.querySelectorAll(".more")) one.setAttribute("aria-expanded", "false");
  if (wasOpen) return;
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("talk-menu"));
  const menu = /** @type {HTMLFormElement} */ (template.content.cloneNode(true)).querySelector("form");
  const told = { thread: remark.parentElement.id.replace("said-", ""), number: remark.dataset.number, account: remark.dataset.account };
  for (const [name, value] of Object.entries(told)) /** @type {HTMLInputElement} */ (menu.elements.namedItem(name)).value = value;
  if (!moderates(remark)) menu.querySelector(".by-hosts")?.remove();
  const isHidden = remark.classList.contains("gone");
  const isFolded = remark.classList.contains("folded");
  for (const [act, isOff] of /** @type {[string, boolean][]} */ (
    [["hide", isHidden], ["restore", !isHidden], ["block", isFolded], ["unblock", !isFolded]]
  )) if (isOff) menu.querySelector(`[value="${act}"]`)?.remove();
  remark.append(menu);
  button.setAttribute("aria-expanded", "true");
  /** @type {HTMLElement} */ (menu.querySelector("input:not([type=hidden]), button")).focus();
  menu.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLElement} button */
async function showHidden(button) {
  const remark = /** @type {HTMLElement} */ (button.closest(".remark"));
  const thread = remark.parentElement.id.replace("said-", "");
  const answer = await ask(`/api/v1/matches/${drawer.dataset.match}/remarks/${thread}/${remark.dataset.number}`, { headers: JSON_ONLY });
  if (!answer.ok) return;
  const words = document.createElement("bdi");
  words.textContent = (await answer.json()).text;
  button.replaceWith(words);
}

export function listen() {
  if (!drawer) return;
  dress();
  pane().scrollTop = pane().scrollHeight;
  for (const opener of openers) opener.addEventListener("click", (event) => {
    event.preventDefault();
    openedBy = opener;
    open(drawer.hidden === true);
  });
  document.getElementById("talk-close").addEventListener("click", (event) => {
    event.preventDefault();
    open(false);
  });
  drawer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    const menu = drawer.querySelector('.more[aria-expanded="true"]');
    if (menu) {
      choose(/** @type {HTMLElement} */ (menu));
      /** @type {HTMLElement} */ (menu).focus();
    } else open(false);
  });
  drawer.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (button?.classList.contains("more")) choose(button);
    else if (button?.classList.contains("show-hidden")) showHidden(button);
  });
  drawer.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id === "say") return say(form);
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
    return post(form.action, body).then((isDone) => isDone && announce("Done."), () => toast(UNHEARD, "bad"));
  });
  document.getElementById("talk-open-to")?.addEventListener("change", ({ target }) => {
    /** @type {HTMLSelectElement} */ (target).form.requestSubmit();
  });
  document.addEventListener("visibilitychange", unread);
  setInterval(() => { if (!document.hidden && (!isLive || isOver) && !drawer.hidden) look(); }, LOOK_MS);
}
