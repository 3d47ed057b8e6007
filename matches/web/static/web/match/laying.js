// @ts-check
/* What an assignment in Higher or Lower looks like: the boards as tabs, one of them large with its groups as trays, the
   hand by suits, and a bar below. */

import { SUITS, face, fruit, shape, shown, spaces, spoken } from "./fruits.js";
import * as groups from "./groups.js";
import { button, made } from "./parts.js";

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {{ groups: Group[], boards: Record<string, string>, colour: string, stuck: boolean, note: string, fills: boolean }} Given What the server's
      tray tells. */
/** @typedef {{ board: string, group: string, card: string, suit: string, filled: string[] }} View What is in sight and chosen; `suit` is
      the one in sight on a phone. */
/** @typedef {{ put: (group: Group) => void, filter: (suit: string) => void, fill: () => void, undo: () => void,
      keep: () => void, lock: () => void }} Acts */

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** @param {Group} group */
function standing(group) {
  if (groups.isSent(group)) return "kept";
  return groups.isWhole(group) ? "filled" : groups.cardsOf(group).length ? "begun" : "open";
}

/** @param {Given} data
    @param {View} view */
function tabs(data, view) {
  return made("div", { class: "board-tabs", role: "group", aria_label: "Boards" }, ...Object.entries(data.boards).map(([board, codes]) => {
    const own = groups.on(board);
    const done = own.filter(groups.isWhole).length;
    const tab = button("", () => {}, { pressed: board === view.board, name: `board ${board}`, kind: "board-tab" });
    tab.setAttribute("aria-label", `Board ${board}, takes ${[...own[0]?.suits ?? ""].map((suit) => SUITS[suit]).join(", ")}; ${done} of ${own.length} groups laid`);
    tab.dataset.cell = `board ${board}`;
    tab.append(spaces(board, codes, { colour: data.colour, small: true }), made("b", { text: board }),
      made("span", { class: "suits" }, ...[...own[0]?.suits ?? ""].map(fruit)),
      made("span", { class: "marks" }, ...own.map((group) => {
        const mark = shape(group.shape, data.colour);
        mark.classList.add(standing(group));
        return mark;
      })));
    return tab;
  }));
}

/** @param {Group} group
    @param {Given} data
    @param {View} view */
function trayOf(group, data, view) {
  const cards = groups.cardsOf(group);
  const chosen = group.name === view.group;
  const head = button("", () => {}, { kind: "group-head", pressed: chosen, name: group.name });
  head.append(shape(group.shape, data.colour), made("b", { text: groups.called(group) }),
    made("span", { class: "hint", text: `${cards.length} of ${group.size}` }));
  const slots = cards.map((card) => {
    const one = made("button", { type: "button", class: "fruit-card", data_cell: card, data_name: `laid ${card}`,
      aria_label: `${spoken(card)}, take it back`, title: "Take it back" }, ...face(card));
    return one;
  });
  for (let at = cards.length; at < group.size; at += 1) slots.push(made("span", { class: "slot" }));
  const sure = groups.isWhole(group) && !groups.isSent(group) ? " Not kept yet." : "";
  return made("div", { class: `group-tray ${standing(group)}${chosen ? " selected" : ""}`, data_cell: group.name }, head,
    made("div", { class: "slots" }, ...slots), made("p", { class: "verdict", text: groups.verdict(group, cards) + sure }));
}

function rule() {
  return made("p", { class: "rule" }, made("b", { text: "A group is either" }), made("span", { class: "fan" }, ...["A2", "A7", "A9"].map(shown)),
    "all one suit ", made("b", { text: "or" }), made("span", { class: "fan" }, ...["A2", "B7", "C9"].map(shown)), "all different suits and numbers.");
}

/** @param {string} card
    @param {Given} data
    @param {View} view */
function cardOf(card, data, view) {
  const group = groups.holding(card);
  const where = group ? `on board ${group.board}, ${groups.called(group).toLowerCase()}` : "in hand";
  const one = made("button", { type: "button", class: group ? "gone" : "fruit-card", data_cell: group ? `gone ${card}` : card,
    data_name: card, aria_label: `${spoken(card)}, ${where}`, title: group ? `${spoken(card)} lies ${where}` : "" },
  ...(group ? [made("b", { text: card.slice(1) }), made("i", { text: group.board }), shape(group.shape, data.colour)] : face(card)));
  if (!group) one.setAttribute("aria-pressed", String(card === view.card));
  return one;
}

/** @param {string} suit
    @param {Given} data
    @param {View} view
    @param {Acts} acts */
function rowOf(suit, data, view, acts) {
  const cards = NUMBERS.map((number) => `${suit}${number}`);
  const left = cards.filter((card) => !groups.holding(card)).length;
  const taken = groups.on(view.board)[0]?.suits.includes(suit) ?? false;
  const told = taken ? `${left} left` : `not on board ${view.board}`;
  const head = button("", () => acts.filter(suit), { kind: "suit-head", pressed: suit === view.suit, name: `suit ${suit}` });
  head.append(fruit(suit), made("b", { text: SUITS[suit] }), made("span", { class: "hint", text: told }), made("span", { class: "count", text: String(left) }));
  head.setAttribute("aria-label", `${SUITS[suit]}, ${told}`);
  return made("div", { class: `suit-row${taken ? "" : " refused"}${suit === view.suit ? " in-sight" : ""}` }, head,
    made("div", { class: "suit-cards" }, ...cards.map((card) => cardOf(card, data, view))));
}

/** @param {Given} data
    @param {View} view
    @param {Acts} acts */
function bar(data, view, acts) {
  const [all, whole, waiting] = [groups.all().length, groups.all().filter(groups.isWhole).length, groups.waiting().length];
  const left = all - whole;
  const fits = view.card ? groups.on(view.board).filter((group) => !groups.refusal(view.card, group)) : [];
  const puts = fits.map((group) => button(`Put ${spoken(view.card)} in ${groups.called(group)}`, () => acts.put(group),
    { kind: "button", name: `put ${group.name}` }));
  const lock = button("Lock in", acts.lock, { disabled: left > 0 || data.stuck, kind: "button", name: "lock" });
  lock.title = left ? "Lay every group first." : "Your assignment is final then.";
  const offers = [];
  if (waiting) offers.push(button("Take them back", acts.undo, { kind: "button second", name: "undo" }),
    button(`Keep ${waiting === 1 ? "this group" : `these ${waiting} groups`}`, acts.keep, { kind: "button second", name: "keep" }));
  else if (left && data.fills) offers.push(button("Fill the rest for me", acts.fill, { kind: "button second", name: "fill" }));
  return made("div", { class: `bar${data.stuck ? " stuck" : ""}` },
    made("p", { class: "progress" }, made("b", { text: `${whole} of ${all} groups` }),
      made("span", { class: "note", text: data.stuck ? data.note : waiting ? "Change what you like; what isn't kept at the deadline is filled anew." : data.note })),
    ...(puts.length ? puts : offers), ...(puts.length ? [] : [lock]),
    made("span", { class: "hint to-go", text: left ? `${left} ${left === 1 ? "group" : "groups"} to go` : "" }));
}

/** The whole table of an assignment.
    @param {Given} data
    @param {View} view
    @param {Acts} acts
    @returns {HTMLElement} */
export function drawn(data, view, acts) {
  const own = groups.on(view.board);
  const whole = own.filter(groups.isWhole).map((group) => group.name);
  const takes = made("p", { class: "takes" }, "takes ", ...[...own[0]?.suits ?? ""].map((suit) => made("span", {}, fruit(suit), ` ${SUITS[suit]} `)));
  return made("div", { class: "part laying", data_part: "laying" }, tabs(data, view),
    made("section", { class: "big", aria_label: `Board ${view.board}` },
      made("header", {}, made("h2", { text: `Board ${view.board}` }), takes),
      spaces(view.board, data.boards[view.board], { colour: data.colour, chosen: view.group, whole }),
      made("div", { class: "trays" }, ...own.map((group) => trayOf(group, data, view))), rule()),
    made("section", { class: "hand", aria_label: "Your hand" },
      made("header", {}, made("h2", { text: "Your hand" }), made("p", { class: "hint", text: "Drag a card, or tap it and then a group." })),
      ...Object.keys(SUITS).map((suit) => rowOf(suit, data, view, acts))),
    bar(data, view, acts));
}
