// @ts-check
/* Higher or Lower, before the first board: cards are dragged or tapped into groups. A group is sent as soon as it is whole and
   can be changed until all is locked in; what was filled in for the seat is sent when the seat says so. */

import { announce, ask, sentenceOf, toast } from "../page.js";
import { hush, say } from "./bubble.js";
import { SUITS, carried, spoken } from "./fruits.js";
import * as groups from "./groups.js";
import { drawn } from "./laying.js";
import { cell as cellOf, fill, lead, markCells } from "./parts.js";
import { send } from "./send.js";

/** @typedef {import("./groups.js").Group} Group */

/** @type {HTMLElement | null} */
let place = null;
/** @type {import("./laying.js").Given | null} */
let data = null;
/** @type {import("./tray.js").Offering | null} */
let offer = null;
/** @type {import("./laying.js").View} */
const view = { board: "", group: "", card: "", suit: "", filled: [] };

const BOARD = /^board ([A-E])$/;
const CARD = /^[A-E]\d+$/;
const ALONG = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 };

function draw() {
  fill(place, drawn(data, view, acts));
}

/** @param {string} board */
function turn(board) {
  if (view.board === board) return;
  Object.assign(view, { board, group: "" });
  const suits = groups.on(board)[0]?.suits ?? "A";
  if (!suits.includes(view.suit)) view.suit = suits[0];
  draw();
}

/** @param {string} suit */
function filter(suit) {
  view.suit = suit;
  draw();
}

/** Lay a card on a group, from the hand or from another group; the group says why where it can't be.
    @param {string} card
    @param {Group} group */
function put(card, group) {
  const reason = groups.refusal(card, group);
  if (reason) {
    say(reason, cellOf(group.name) ?? place);
    return;
  }
  hush();
  const left = groups.remove(card);
  groups.add(card, group);
  Object.assign(view, { card: "", board: group.board, group: groups.isWhole(group) ? "" : group.name });
  draw();
  announce(`${groups.called(group)}: ${groups.verdict(group, groups.cardsOf(group))}`);
  if (left) withdraw(left);
  if (groups.isWhole(group)) submit(group);
}

/** @param {string} card */
function takeBack(card) {
  const left = groups.remove(card);
  draw();
  announce(`${spoken(card)} is in your hand.`);
  if (left) withdraw(left);
}

/** @param {Group} group */
const submit = (group) => offer({ text: groups.text(group), label: `Lay ${group.shape}s of board ${group.board}`, confirm: false });
/** @param {Group} group */
const withdraw = (group) => offer({ text: `withdraw ${group.name}`, label: `Withdraw ${group.shape}s of board ${group.board}`, confirm: false });

/** A group is pressed: a chosen card goes there, or it is chosen for the cards to come.
    @param {Group} group */
function press(group) {
  if (view.card) return put(view.card, group);
  view.group = view.group === group.name ? "" : group.name;
  return draw();
}

/** A card in hand is pressed: it goes into the chosen group, or it is chosen for the group to come.
    @param {string} card */
function choose(card) {
  const group = groups.named(view.group);
  if (group) return put(card, group);
  const taken = groups.on(view.board)[0]?.suits ?? "";
  if (!taken.includes(card[0])) return say(`Board ${view.board} takes no ${SUITS[card[0]]}.`, cellOf(card) ?? place);
  view.card = view.card === card ? "" : card;
  return draw();
}

/** A card that lies in a group was looked for: its board comes in sight. @param {string} card */
function find(card) {
  const group = groups.holding(card);
  if (!group) return;
  Object.assign(view, { board: group.board, group: "", card: "" });
  draw();
  markCells([card], "found");
}

/** Ask the house to make up the groups that are missing; nothing is sent of what it makes. */
async function fillRest() {
  const { dataset } = document.getElementById("match");
  const token = /** @type {HTMLInputElement} */ (document.querySelector("#play [name=csrfmiddlewaretoken]")).value;
  const body = new URLSearchParams([["csrfmiddlewaretoken", token], ...groups.begun().map((text) => ["text", text])]);
  const answer = await ask(`${dataset.address}completion`, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => /** @type {null} */ (null));
  const told = await answer?.json().catch(() => /** @type {null} */ (null));
  if (!answer?.ok || !told) return toast(told ? sentenceOf(told) : "The connection is down.", "bad");
  const changed = groups.lay(told.groups);
  Object.assign(view, { card: "", group: "" });
  draw();
  const moved = changed.map((group) => `${group.shape}s of board ${group.board}`).join(", ");
  return announce(`${told.groups.length} groups are filled, not yet kept.${moved ? ` Changed so that all fits: ${moved}.` : ""}`);
}

function undo() {
  groups.clear();
  draw();
}

/** Send what is whole and not sent, one group after the other; true where all went through. */
async function keep() {
  for (const group of groups.waiting()) if (!(await send(groups.text(group)))) return false;
  return true;
}

async function lock() {
  if (await keep()) offer({ text: "lock", label: "Lock in", hint: "Your assignment is final then.", confirm: true });
}

const acts = { put: press, filter, fill: fillRest, undo, keep, lock };

/** @param {HTMLElement} where
    @param {import("./laying.js").Given} given
    @param {import("./tray.js").Offering} offering */
export function update(where, given, offering) {
  [place, data, offer] = [where, given, offering];
  groups.take(given.groups);
  if (!view.board) {
    view.board = (groups.all().find((group) => !groups.isWhole(group)) ?? groups.all()[0])?.board ?? "A";
    view.suit = groups.on(view.board)[0]?.suits[0] ?? "A";
  }
  if (view.card && groups.holding(view.card)) view.card = "";
  draw();
}

/** A card, a group, a board or a space of a group is pressed.
    @param {string} name */
export function cell(name) {
  const group = groups.named(name);
  if (group) press(group);
  else if (BOARD.test(name)) turn(name.slice(-1));
  else if (name.startsWith("gone ")) find(name.slice(5));
  else if (!CARD.test(name)) return false;
  else if (groups.holding(name)) takeBack(name);
  else choose(name);
  return true;
}

/** Letters turn to a board, digits are its groups, arrows lead through the hand.
    @param {KeyboardEvent} event */
export function key(event) {
  const letter = event.key.toUpperCase();
  const group = groups.on(view.board)[Number(event.key) - 1];
  if (data.boards[letter]) turn(letter);
  else if (group) press(group);
  else if (event.key === "Escape" && (view.card || view.group)) {
    Object.assign(view, { card: "", group: "" });
    draw();
  } else if (event.key in ALONG) along(ALONG[/** @type {keyof typeof ALONG} */ (event.key)]);
  else return false;
  return true;
}

/** @param {number} way */
function along(way) {
  const cards = Object.keys(SUITS).flatMap((suit) => Array.from({ length: 10 }, (_, at) => `${suit}${at + 1}`));
  const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement)?.dataset?.name ?? "");
  const next = cards[at < 0 ? cards.indexOf(`${view.suit}1`) : at + way];
  if (!next) return;
  if (next[0] !== view.suit) filter(next[0]);
  lead(place, next);
}

/** @param {string} name */
export const lift = (name) => CARD.test(name);
/** @param {string} name */
export const lifted = (name) => carried(name);

/** The group under a point, and the board whose tab it is.
    @param {number} x
    @param {number} y */
function under(x, y) {
  for (const element of document.elementsFromPoint(x, y)) {
    const name = /** @type {HTMLElement | null} */ (element.closest("#module [data-cell]"))?.dataset.cell ?? "";
    const holder = /** @type {HTMLElement | null} */ (element.closest("#module .group-tray"))?.dataset.cell ?? name;
    if (groups.named(holder)) return { group: groups.named(holder), board: "" };
    if (BOARD.test(name)) return { group: null, board: name.slice(-1) };
  }
  return { group: null, board: "" };
}

/** A card is carried over something: a tab opens its board, a group says whether it fits.
    @param {string} card
    @param {number} x
    @param {number} y */
export function over(card, x, y) {
  const { group, board } = under(x, y);
  if (board) turn(board);
  for (const tray of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".group-tray"))) {
    const own = groups.named(tray.dataset.cell);
    const here = own === group && !groups.cardsOf(own).includes(card);
    const reason = here ? groups.refusal(card, own) : "";
    tray.classList.toggle("fits", here && !reason);
    tray.classList.toggle("refuses", Boolean(reason));
    const words = reason || groups.verdict(own, here ? [...groups.cardsOf(own), card] : groups.cardsOf(own));
    const told = tray.querySelector(".verdict");
    if (told.textContent !== words) told.textContent = words;
  }
}

/** @param {string} card
    @param {number} x
    @param {number} y */
export function drop(card, x, y) {
  const { group } = under(x, y);
  if (group && !groups.cardsOf(group).includes(card)) put(card, group);
  else if (!group && groups.holding(card)) takeBack(card);
  else draw();
  return true;
}
