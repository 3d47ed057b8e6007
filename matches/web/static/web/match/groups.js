// @ts-check
/* Which cards lie in which group of Higher or Lower: what the house has, what is only laid out here, and what goes where. */

import { SUITS, numberOf, spoken } from "./fruits.js";

/** @typedef {{ name: string, board: string, shape: string, size: number, suits: string, cards: string[] }} Group `cards` are those
      that the house has. */

const MOST_MIXED = 3; /* A board takes three suits, so a larger group is of one. */

/** @type {Group[]} */
let groups = [];
/** What is laid out here and not sent: by group, where it differs from what the house has.
    @type {Record<string, string[]>} */
let drafts = {};
/** Groups that are on their way back: the house still has them. */
const leaving = new Set();

/* By the seat's holder: whoever signs in here next has no business with it. */
function draftsKey() {
  const { match, account } = document.getElementById("match").dataset;
  return `croupier.draft.${match}.${account}`;
}

const kept = () => JSON.parse(localStorage.getItem(draftsKey()) ?? "{}");

/** Another tab may have laid other groups: of this one's, only the groups that have changed are kept anew.
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

/** The house tells what it has.
    @param {Group[]} told */
export function take(told) {
  groups = told;
  drafts = kept();
  const sent = groups.filter((group) => group.cards.length).map((group) => group.name);
  for (const name of leaving) if (!sent.includes(name)) leaving.delete(name);
  const settled = sent.filter((name) => !leaving.has(name));
  for (const name of settled) delete drafts[name];
  const used = new Set(groups.filter((group) => settled.includes(group.name)).flatMap((group) => group.cards));
  const robbed = Object.keys(drafts).filter((name) => drafts[name].some((card) => used.has(card)));
  for (const name of robbed) drafts[name] = drafts[name].filter((card) => !used.has(card));
  keep(...settled, ...robbed);
}

export const all = () => groups;
/** @param {string} board */
export const on = (board) => groups.filter((group) => group.board === board);
/** @param {string} name */
export const named = (name) => groups.find((group) => group.name === name);
/** @param {Group} group */
export const cardsOf = (group) => drafts[group.name] ?? group.cards;
/** @param {Group} group */
export const isWhole = (group) => cardsOf(group).length === group.size;
/** Whole, and the house has it. @param {Group} group */
export const isSent = (group) => !drafts[group.name] && group.cards.length > 0;
export const waiting = () => groups.filter((group) => isWhole(group) && !isSent(group));
/** The drafts as commands, whole or not. */
export const begun = () => groups.filter((group) => !isSent(group) && cardsOf(group).length).map(text);
/** @param {Group} group */
export const text = (group) => `assign ${group.name} ${cardsOf(group).join(" ")}`;
/** The group that a card lies in. @param {string} card */
export const holding = (card) => groups.find((group) => cardsOf(group).includes(card));

/** Squares of board B. @param {Group} group */
export const called = (group) => `${group.shape[0].toUpperCase()}${group.shape.slice(1)}s`;

/** Take a card out of its group; gives the group where the house has to be told.
    @param {string} card */
export function remove(card) {
  const group = holding(card);
  if (!group) return null;
  const told = isSent(group) ? group : null;
  if (told) leaving.add(group.name);
  drafts[group.name] = cardsOf(group).filter((one) => one !== card);
  if (!drafts[group.name].length && !told) delete drafts[group.name];
  keep(group.name);
  return told;
}

/** @param {string} card
    @param {Group} group */
export function add(card, group) {
  drafts[group.name] = [...cardsOf(group), card];
  keep(group.name);
}

/** Lay out whole groups that were made up for the seat; gives those whose begun cards had to change.
    @param {{ name: string, cards: string[] }[]} made */
export function lay(made) {
  const changed = made.filter(({ name, cards }) => (drafts[name] ?? []).some((card) => !cards.includes(card)));
  for (const { name, cards } of made) drafts[name] = cards;
  keep(...made.map(({ name }) => name));
  return changed.map(({ name }) => named(name));
}

/** Take back all that isn't sent. */
export function clear() {
  const names = Object.keys(drafts);
  drafts = {};
  localStorage.setItem(draftsKey(), "{}");
  return names.length;
}

/** @param {string[]} cards */
function kinds(cards) {
  const suits = [...new Set(cards.map((card) => card[0]))];
  const numbers = [...new Set(cards.map(numberOf))];
  return { suits, numbers, differ: suits.length === cards.length && numbers.length === cards.length };
}

/** Why a card can't go into a group, or "".
    @param {string} card
    @param {Group} group */
export function refusal(card, group) {
  const cards = cardsOf(group);
  if (cards.includes(card)) return "It lies there already.";
  if (!group.suits.includes(card[0])) return `Board ${group.board} takes no ${SUITS[card[0]]}.`;
  if (cards.length >= group.size) return `${called(group)} are full: take a card out first.`;
  const { suits, differ } = kinds([...cards, card]);
  if (suits.length === 1 || (differ && group.size <= MOST_MIXED)) return "";
  const before = kinds(cards);
  if (before.suits.length === 1 && (cards.length > 1 || group.size > MOST_MIXED)) return `These are all ${SUITS[before.suits[0]]}; so must ${spoken(card)} be.`;
  if (before.suits.includes(card[0])) return `All different: there is ${SUITS[card[0]]} already.`;
  return `All different: there is a ${numberOf(card)} already.`;
}

/** What is missing, or that the group fits.
    @param {Group} group
    @param {string[]} cards */
export function verdict(group, cards) {
  const missing = group.size - cards.length;
  const { suits, numbers } = kinds(cards);
  if (!cards.length) return group.size > MOST_MIXED ? `Needs ${group.size} of one suit.` : `Needs ${group.size} ${group.size === 1 ? "card" : "cards"}.`;
  if (!missing) return suits.length === 1 ? `Fits: all ${SUITS[suits[0]]}.` : "Fits: all different.";
  if (suits.length === 1 && (cards.length > 1 || group.size > MOST_MIXED)) return `${missing} more of ${SUITS[suits[0]]}.`;
  if (suits.length === 1) return `${missing} more: all ${SUITS[suits[0]]}, or all different.`;
  const left = [...group.suits].filter((suit) => !suits.includes(suit)).map((suit) => SUITS[suit]);
  return `${missing} more: ${left.join(" or ")}, no ${numbers.join(" or ")}.`;
}
