// @ts-check
/* Higher or lower, before the first board: which cards lie on which group, with the server's verdict as you choose. */

import { announce } from "../page.js";
import { button, fill, made } from "./parts.js";
import { refusalOf } from "./send.js";

/** @typedef {{ name: string, size: number, suits: string, cards: string[] }} Group */
/** @typedef {{ card: string, in: string }} Card `in` is the group that it lies on. */
/** @typedef {{ name: string, cards: Card[] }} Suit */
/** @typedef {{ groups: Group[], hand: Suit[] }} Given What the server's tray tells. */

/** @type {HTMLElement | null} */
let place = null;
/** @type {Given | null} */
let data = null;
/** @type {import("./tray.js").Offering | null} */
let offer = null;
let current = "";
/** @type {Record<string, string[]>} */
let drafts = {};
let verdict = "";
let asked = 0;

/* By the seat's holder: whoever signs in here next has no business with it. */
function draftsKey() {
  const { match, account } = document.getElementById("match").dataset;
  return `croupier.draft.${match}.${account}`;
}

const kept = () => JSON.parse(localStorage.getItem(draftsKey()) ?? "{}");
/** @param {string} name */
const groupOf = (name) => data.groups.find((group) => group.name === name);
const draft = () => drafts[current] ?? groupOf(current).cards;
const text = () => `assign ${current} ${draft().join(" ")}`;

/** Another tab may have laid other groups: of this one's, only the group that has changed is kept anew.
    @param {...string} names */
function keep(...names) {
  const all = kept();
  for (const name of names) {
    if (drafts[name]) all[name] = drafts[name];
    else delete all[name];
  }
  drafts = all;
  localStorage.setItem(draftsKey(), JSON.stringify(all));
}

/** @param {string} name */
function select(name) {
  current = name;
  judge();
}

/** @param {Card} card */
function taken(card) {
  if (draft().includes(card.card)) return "";
  if (card.in && card.in !== current) return card.in;
  return Object.keys(drafts).find((name) => name !== current && drafts[name].includes(card.card)) ?? "";
}

/** @param {string} card */
function toggle(card) {
  const cards = draft();
  const size = groupOf(current).size;
  if (cards.includes(card)) drafts[current] = cards.filter((one) => one !== card);
  else if (cards.length < size) drafts[current] = [...cards, card];
  else return announce(`The group takes ${size} cards; take one back first.`);
  keep(current);
  return judge();
}

async function judge() {
  const group = groupOf(current);
  const missing = group.size - draft().length;
  verdict = missing ? `${missing} more` : "Asking the dealer";
  draw();
  if (missing) return;
  const number = (asked += 1);
  const refusal = same() ? "" : await refusalOf(text());
  if (number !== asked) return;
  verdict = refusal || (same() ? "Submitted." : kindOf(draft()));
  draw();
  announce(verdict);
}

/** @param {string[]} cards */
function kindOf(cards) {
  const suits = new Set(cards.map((card) => card[0]));
  return suits.size === 1 ? "All of one suit." : "All different in suit and number.";
}

const same = () => [...draft()].sort().join() === [...groupOf(current).cards].sort().join();

/** @param {Group} group */
function groupButton(group) {
  const laid = group.cards.length > 0;
  const begun = drafts[group.name]?.length ?? 0;
  const wanting = `${begun} of ${group.size}, of ${[...group.suits].join(", ")}`;
  const hint = laid ? group.cards.join(" ") : begun ? `${drafts[group.name].join(" ")}: ${wanting}` : wanting;
  const one = button(group.name, () => select(group.name), { hint, pressed: group.name === current, name: group.name });
  one.classList.add("group", laid ? "laid" : begun ? "begun" : "open");
  return one;
}

/** @param {Card} card */
function cardButton(card) {
  const where = taken(card);
  const foreign = !groupOf(current).suits.includes(card.card[0]);
  const one = button(card.card, () => toggle(card.card), {
    pressed: draft().includes(card.card), disabled: Boolean(where) || foreign, name: card.card });
  if (where) one.title = `Lies on ${where}`;
  return one;
}

/** @param {Suit} suit */
function row(suit) {
  return made("div", { class: "suit" }, made("span", { class: "hint", text: suit.name }),
    made("div", { class: "choices cards" }, ...suit.cards.map(cardButton)));
}

function submit() {
  offer({ text: text(), label: `Submit ${current}`, confirm: false });
}

function withdraw() {
  offer({ text: `withdraw ${current}`, label: `Withdraw ${current}`, confirm: false });
}

function draw() {
  const done = data.groups.filter((group) => group.cards.length).length;
  const group = groupOf(current);
  const whole = draft().length === group.size && !same() && (verdict.startsWith("All "));
  fill(place,
    made("p", { class: "hint", text: `${done} of ${data.groups.length} groups submitted` }),
    made("div", { class: "choices groups" }, ...data.groups.map(groupButton)),
    made("div", { class: "hand" }, ...data.hand.map(row)),
    made("div", { class: "choices" },
      ...(group.cards.length ? [button(`Withdraw ${current}`, withdraw, { name: "withdraw" })] : []),
      button(`Submit ${current}`, submit, { disabled: !whole, kind: "choice primary", name: "submit" }),
      made("p", { class: "verdict", text: `${current}: ${draft().join(" ") || "no cards"}. ${verdict}` })));
}

/** @param {HTMLElement} where
    @param {Given} given
    @param {import("./tray.js").Offering} offering */
export function update(where, given, offering) {
  [place, offer] = [where, offering];
  data = given;
  const laid = data.groups.filter((group) => group.cards.length).map((group) => group.name);
  for (const name of laid) delete drafts[name];
  keep(...laid);
  const open = groupOf(current);
  if (!open || open.cards.length) current = (data.groups.find((group) => !group.cards.length) ?? data.groups[0]).name;
  judge();
}

/** A card or a group of the board's panel.
    @param {string} name */
export function cell(name) {
  const card = data.hand.flatMap((suit) => suit.cards).find((one) => one.card === name);
  if (groupOf(name)) select(name);
  else if (card && !taken(card) && groupOf(current).suits.includes(name[0])) toggle(name);
  else return Boolean(card);
  return true;
}
