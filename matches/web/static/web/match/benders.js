// @ts-check
/* Reality Benders: arrows drawn from spell to spell, a spell laid on what it aims at, three spells to offer. */

import { announce } from "../page.js";
import { hand } from "./benders_hand.js";
import { away, clearMakes, follow, make, makes, nodeAt, point } from "./benders_makes.js";
import { say } from "./bubble.js";
import { button, cell as cellOf, fill, lead, made, markCells } from "./parts.js";

/** @typedef {{ spell: string, name: string, does: string, targets: number, held: number[], barred: boolean[], reason: string }} Spell */
/** @typedef {{ stage: "bend" | "cast" | "offer", rules: string[], wanted: number, items: string[], spells: Spell[],
      offered: string[], locking: string, foresees: boolean }} Given What the server's tray tells; what a spell would make of the
      rules is drawn where it `foresees`. */

const HAND = "hand ";

/** @type {HTMLElement | null} */
let place = null;
/** @type {Given | null} */
let data = null;
/** @type {import("./tray.js").Offering | null} */
let offer = null;
/** @type {(string | undefined)[]} */
let rules = [];
/** @type {Record<string, string>} */
let items = {};
let slot = 0;
let from = "";
let spell = "";
/** @type {string[]} */
let targets = [];
let bonus = false;
let told = "";

/** @param {string} letter */
const known = (letter) => data?.spells.find((one) => one.spell === letter);
/** @param {string} letter */
const name = (letter) => known(letter).name;
/** @param {string} rule */
const titled = (rule) => `${name(rule[0])} to ${name(rule[2])}`;
/** @param {string[]} letters */
const listed = (letters) => letters.map(name).join(" and ");

function reset() {
  [rules, items, slot, from, spell, targets, bonus, told] = [[], {}, 0, "", "", [], false, ""];
}

/** @param {string} sentence */
function tell(sentence) {
  told = sentence;
  announce(sentence);
}

/** Where the next rule goes: an item that waits for one, else a slot. */
const waiting = () => Object.keys(items).find((item) => items[item] === "") ?? "";

/** @param {string} letter */
function bend(letter) {
  if (!from) {
    from = letter;
    return tell(`From ${name(letter)}; now the spell it leads to.`);
  }
  if (from === letter) {
    from = "";
    return tell("Choose where the rule begins.");
  }
  return lay(from, letter);
}

/** A rule is drawn.
    @param {string} start
    @param {string} goal */
function lay(start, goal) {
  const [rule, item] = [`${start}>${goal}`, waiting()];
  const fault = faultOf(rule, item);
  from = "";
  if (fault) {
    // A click that chooses puts bubbles away: this one comes after it.
    queueMicrotask(() => say(fault, cellOf(goal)));
    told = fault;
    return;
  }
  if (item) items[item] = rule;
  else {
    rules[slot] = rule;
    slot = [...Array(data.wanted).keys()].find((number) => !rules[number]) ?? 0;
  }
  tell(item === "break" ? `${titled(rule)} goes.` : `${titled(rule)} it is.`);
}

/** @param {string} rule
    @param {string} item */
function faultOf(rule, item) {
  const there = data.rules.includes(rule);
  if (item === "break") return there ? "" : `${titled(rule)} is no rule now; break one that is.`;
  if (there) return `${titled(rule)} is a rule already.`;
  const others = [...rules.filter((_, number) => item || number !== slot), ...(item === "bridge" ? [] : [items.bridge])];
  return others.includes(rule) ? `${titled(rule)} is in your choice already.` : "";
}

/** @param {string} letter */
function aim(letter) {
  const aims = known(spell)?.targets ?? 0;
  if (!aims) return cast(letter);
  if (targets.includes(letter)) targets = targets.filter((one) => one !== letter);
  else targets = [...targets, letter].slice(-aims);
  return tell(sentence());
}

/** @param {string} letter */
function cast(letter) {
  const one = known(letter);
  if (one.reason) return tell(one.reason);
  if (spell !== letter) targets = [];
  spell = letter;
  return tell(sentence());
}

/** What has been chosen to cast, or what it still takes. */
function sentence() {
  const one = known(spell);
  if (!one) return "";
  const left = one.targets - targets.length;
  if (left) return `${one.name}${targets.length ? ` on ${listed(targets)}` : ""}: ${left === 1 ? "choose a spell to aim at" : "choose two spells to aim at"}.`;
  return `${one.name}${targets.length ? ` on ${listed(targets)}` : ""}. ${one.does}`;
}

/** @param {string} letter */
function toggle(letter) {
  if (!data.offered.includes(letter)) return tell("Imagination itself can't be offered.");
  targets = targets.includes(letter) ? targets.filter((one) => one !== letter) : [...targets, letter].slice(-3);
  return tell(targets.length === 3 ? `You offer ${listed(targets)}.` : `${3 - targets.length} more to offer.`);
}

const STAGES = {
  bend: {
    choose: bend,
    ready: () => rules.filter(Boolean).length === data.wanted && !waiting() && !from,
    text: () => ["bend", ...rules, ...["bridge", "break"].filter((item) => items[item]).flatMap((item) => [item, items[item]])].join(" "),
    marked: () => [from, ...rules.filter(Boolean).flatMap((rule) => [rule[0], rule[2]])],
    parts: bendParts,
    draw: drawRules,
  },
  cast: {
    choose: aim,
    ready: () => spell && targets.length === known(spell).targets,
    text: () => `cast ${spell}${targets.length ? `:${targets.join(",")}` : ""}${bonus ? " bonus" : ""}`,
    marked: () => [spell, ...targets],
    parts: castParts,
    draw: drawCast,
  },
  offer: {
    choose: toggle,
    ready: () => targets.length === 3,
    text: () => `offer ${[...targets].sort().join(",")}`,
    marked: () => targets,
    parts: () => [hand(data.spells.filter((one) => data.offered.includes(one.spell)).map((one) => ({ ...one, reason: "" })), targets)],
    draw: () => {},
  },
};

function drawRules() {
  for (const rule of [...rules, items.bridge]) if (rule) make(rule[0], rule[2]);
  if (items.break) away(items.break[0], items.break[2]);
}

/** What the spell would do as far as it needs no thinking: the rules at its target, the two that it joins. */
function drawCast() {
  if (!data.foresees) return;
  const [x, y] = targets;
  if (spell === "B" && y) for (const [start, goal] of [[x, y], [y, x]]) make(start, goal);
  if (spell === "H" && y) make(x, y, "loose");
  if (!x || !["D", "E"].includes(spell)) return;
  for (const rule of data.rules.filter((one) => one.includes(x))) {
    if (spell === "D") make(rule[2], rule[0]);
    else away(rule[0], rule[2]);
  }
}

/** @param {() => void} change */
function act(change) {
  change();
  draw();
}

/** A spell is chosen; the one that makes the choice whole leads to the button that locks it in.
    @param {() => void} change */
function pick(change) {
  act(change);
  if (STAGES[data.stage].ready()) lead(place, "lock");
}

/** @param {number} number */
function slotButton(number) {
  const rule = rules[number];
  const label = rule ? titled(rule) : data.wanted === 1 ? "New rule" : `New rule ${number + 1}`;
  return button(label, () => act(() => { rules[number] = undefined; slot = number; from = ""; }), {
    pressed: number === slot && !rule && !waiting(),
    kind: rule ? "choice" : "choice empty", name: `rule${number}` });
}

/** @param {string} item */
function itemButton(item) {
  const [rule, label] = [items[item], item === "bridge" ? "Bridge" : "Break"];
  const hint = rule ? titled(rule) : rule === "" ? "now draw it" : item === "bridge" ? "a rule more" : "a rule away";
  return button(label, () => act(() => {
    if (rule === undefined) items[item] = "";
    else delete items[item];
    from = "";
  }), { hint, pressed: rule !== undefined, name: item });
}

function bendParts() {
  return [made("div", { class: "made" }, ...[...Array(data.wanted).keys()].map(slotButton))];
}

function castParts() {
  return [hand(data.spells, [spell])];
}

/** The items that can be used with what is chosen; each once a match. */
function itemButtons() {
  if (data.stage === "bend") return ["bridge", "break"].filter((item) => data.items.includes(item)).map(itemButton);
  return data.stage === "cast" && data.items.includes("bonus") ? [bonusButton()] : [];
}

const bonusButton = () => button("Bonus too", () => act(() => { bonus = !bonus; }),
  { hint: "a point if you win", pressed: bonus, name: "bonus" });

function lock() {
  const stage = STAGES[data.stage];
  if (stage.ready()) offer({ text: stage.text(), label: "Lock in", hint: `${summed()} ${data.locking}`, confirm: true });
  else announce(told || "Choose first.");
}

/** What is about to be locked in. */
function summed() {
  if (data.stage === "cast") return `${name(spell)}${targets.length ? ` on ${listed(targets)}` : ""}${bonus ? ", with the bonus" : ""}.`;
  if (data.stage === "offer") return `${listed(targets)}.`;
  const over = [items.bridge && `bridge ${titled(items.bridge)}`, items.break && `break ${titled(items.break)}`];
  return `${[...rules.map(titled), ...over].filter(Boolean).join(", ")}.`;
}

function draw() {
  const stage = STAGES[data.stage];
  fill(place, ...stage.parts(), made("p", { class: "verdict", text: told || data.locking }),
    made("div", { class: "locking" }, ...itemButtons(),
      button("Lock in", lock, { letter: "Enter", idle: !stage.ready(), kind: "choice primary", name: "lock" })));
  mark();
}

/** Show on the board what is chosen and what it makes. */
export function mark() {
  const stage = STAGES[data.stage];
  markCells(stage.marked().filter(Boolean), "chosen");
  makes();
  stage.draw();
}

/** @param {HTMLElement} where
    @param {Given} given
    @param {import("./tray.js").Offering} offering */
export function update(where, given, offering) {
  [place, offer] = [where, offering];
  if (!data || JSON.stringify(data) !== JSON.stringify(given)) reset();
  data = given;
  draw();
}

/** @param {string} cell */
export function cell(cell) {
  const card = cell.startsWith(HAND);
  const letter = card ? cell.slice(HAND.length) : cell;
  if (!known(letter)) return false;
  if (card && data.stage === "cast" && known(letter).reason) return false;
  if (data.stage === "offer" && !data.offered.includes(letter)) return false;
  pick(() => (card && data.stage === "cast" ? cast(letter) : STAGES[data.stage].choose(letter)));
  return true;
}

/** @param {KeyboardEvent} event */
export function key(event) {
  const letter = event.key.toUpperCase();
  if (letter.length === 1 && known(letter)) {
    pick(() => STAGES[data.stage].choose(letter));
    return true;
  }
  if (event.key === "Escape") {
    act(reset);
    return true;
  }
  if (event.key !== "Enter") return false;
  lock();
  return true;
}

/** Whether rules are drawn between spells now, by a bend or by a spell that takes two.  */
const draws = () => data.stage === "bend" || (data.stage === "cast" && known(spell)?.targets === 2);

/** @param {string} cell */
export function lift(cell) {
  if (!data) return false;
  const letter = cell.startsWith(HAND) ? cell.slice(HAND.length) : "";
  return letter ? data.stage === "cast" && !known(letter).reason : draws();
}

/** @param {string} cell */
export const lifted = (cell) => (cell.startsWith(HAND) ? point(cell.slice(HAND.length)) : point());

/** @param {string} cell
    @param {number} x
    @param {number} y */
export function over(cell, x, y) {
  const goal = nodeAt(x, y);
  const aimed = goal !== cell ? goal : "";
  if (!cell.startsWith(HAND)) follow(cell, aimed || { x, y });
  if (aimed && cellOf(aimed)?.classList.contains("over")) return;
  for (const old of document.querySelectorAll("#board .over")) old.classList.remove("over");
  if (aimed) cellOf(aimed)?.classList.add("goal", "over");
}

/** @param {string} cell
    @param {number} x
    @param {number} y */
export function drop(cell, x, y) {
  const goal = nodeAt(x, y);
  clearMakes("drawn");
  if (cell.startsWith(HAND)) {
    if (!goal && !document.elementsFromPoint(x, y).some((one) => one.id === "board")) return true;
    const letter = cell.slice(HAND.length);
    pick(() => {
      cast(letter);
      if (goal && known(letter).targets) aim(goal);
    });
    return true;
  }
  if (goal && goal !== cell) {
    pick(() => {
      if (data.stage === "bend") return lay(cell, goal);
      targets = [cell, goal];
      return tell(sentence());
    });
  }
  return true;
}
