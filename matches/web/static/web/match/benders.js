// @ts-check
/* Reality Benders: rules from spell to spell, a spell with its targets, three spells to offer. */

import { announce } from "../page.js";
import { button, fill, lead, made, markCells } from "./parts.js";

/** @typedef {{ spell: string, name: string, targets: number, reason: string }} Spell */
/** @typedef {{ stage: "bend" | "cast" | "offer", names: Record<string, string>, rules: string[], wanted: number,
      items: string[], spells: Spell[], offered: string[] }} Given What the server's tray tells. */

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
const titled = (letter) => `${letter}, ${data.names[letter]}`;

function reset() {
  [rules, items, slot, from, spell, targets, bonus, told] = [[], {}, 0, "", "", [], false, ""];
}

/** @param {string} sentence */
function say(sentence) {
  told = sentence;
  announce(sentence);
}

/** Where the next rule goes: an item that waits for one, else a slot. */
const waiting = () => Object.keys(items).find((item) => items[item] === "") ?? "";

/** @param {string} letter */
function bend(letter) {
  if (!from) {
    from = letter;
    return say(`From ${titled(letter)}; now the spell it leads to.`);
  }
  const rule = `${from}>${letter}`;
  const item = waiting();
  const fault = faultOf(rule, item);
  from = "";
  if (fault) return say(fault);
  if (item) items[item] = rule;
  else {
    rules[slot] = rule;
    slot = [...Array(data.wanted).keys()].find((number) => !rules[number]) ?? 0;
  }
  return say(`${rule} it is.`);
}

/** @param {string} rule
    @param {string} item */
function faultOf(rule, item) {
  if (rule[0] === rule[2]) return "A rule leads from one spell to another.";
  const there = data.rules.includes(rule);
  if (item === "break") return there ? "" : `${rule} is no rule now; break one that is.`;
  if (there) return `${rule} is a rule already; choose another.`;
  const others = [...rules.filter((_, number) => item || number !== slot), ...(item === "bridge" ? [] : [items.bridge])];
  return others.includes(rule) ? `${rule} is in your choice already.` : "";
}

/** @param {string} letter */
function aim(letter) {
  const known = data.spells.find((one) => one.spell === spell);
  if (!known || known.targets === 0) return cast(letter);
  if (targets.includes(letter)) targets = targets.filter((one) => one !== letter);
  else targets = [...targets, letter].slice(-known.targets);
  return say(`${known.name} on ${targets.join(" and ") || "nothing yet"}.`);
}

/** @param {string} letter */
function cast(letter) {
  const known = data.spells.find((one) => one.spell === letter);
  if (known.reason) return say(`${known.name}: ${known.reason}.`);
  spell = letter;
  targets = [];
  return say(known.targets ? `${known.name} takes ${known.targets === 1 ? "one target" : "two targets"}.` : `${known.name} it is.`);
}

/** @param {string} letter */
function toggle(letter) {
  if (!data.offered.includes(letter)) return say("Imagination itself can't be offered.");
  targets = targets.includes(letter) ? targets.filter((one) => one !== letter) : [...targets, letter].slice(-3);
  return say(targets.length === 3 ? "Three spells; lock in." : `${3 - targets.length} more to offer.`);
}

const STAGES = {
  bend: {
    choose: bend,
    ready: () => rules.filter(Boolean).length === data.wanted && !waiting() && !from,
    text: () => ["bend", ...rules, ...["bridge", "break"].filter((item) => items[item]).flatMap((item) => [item, items[item]])].join(" "),
    marked: () => [from, ...rules.filter(Boolean).flatMap((rule) => [rule[0], rule[2]])],
    parts: bendParts,
  },
  cast: {
    choose: aim,
    ready: () => spell && targets.length === data.spells.find((one) => one.spell === spell).targets,
    text: () => `cast ${spell}${targets.length ? `:${targets.join(",")}` : ""}${bonus ? " bonus" : ""}`,
    marked: () => [spell, ...targets],
    parts: castParts,
  },
  offer: {
    choose: toggle,
    ready: () => targets.length === 3,
    text: () => `offer ${[...targets].sort().join(",")}`,
    marked: () => targets,
    parts: () => [made("div", { class: "choices" }, ...data.offered.map((letter) =>
      button(titled(letter), () => pick(() => toggle(letter)), { pressed: targets.includes(letter) })))],
  },
};

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
  const label = `Rule ${number + 1}: ${rule ?? "choose two spells"}`;
  return button(label, () => act(() => { rules[number] = undefined; slot = number; from = ""; }), {
    hint: rule ? "press to clear" : "", pressed: number === slot && !rule && !waiting(), name: `rule${number}` });
}

/** @param {string} item */
function itemButton(item) {
  const rule = items[item];
  const label = item === "bridge" ? "Bridge, one rule more" : "Break, one rule away";
  return button(rule ? `${label}: ${rule}` : label, () => act(() => {
    if (rule === undefined) items[item] = "";
    else delete items[item];
    from = "";
  }), { hint: "once a match, and public", pressed: rule !== undefined, name: item });
}

function bendParts() {
  const held = ["bridge", "break"].filter((item) => data.items.includes(item));
  return [
    made("div", { class: "choices" }, ...[...Array(data.wanted).keys()].map(slotButton), ...held.map(itemButton)),
    made("div", { class: "choices letters" }, ...Object.keys(data.names).map((letter) =>
      button(letter, () => pick(() => bend(letter)), { pressed: from === letter }))),
  ];
}

function castParts() {
  const spells = data.spells.map((one) =>
    button(titled(one.spell), () => pick(() => cast(one.spell)), {
      disabled: Boolean(one.reason), hint: one.reason || (one.targets ? `${one.targets} to aim at` : ""), pressed: spell === one.spell, name: `spell${one.spell}` }));
  const known = data.spells.find((one) => one.spell === spell);
  const aims = known?.targets
    ? [made("div", { class: "choices letters" }, ...Object.keys(data.names).map((letter) =>
        button(`on ${letter}`, () => pick(() => aim(letter)), { pressed: targets.includes(letter) })))]
    : [];
  const extra = data.items.includes("bonus")
    ? [button("With the bonus", () => act(() => { bonus = !bonus; }), { hint: "once a match", pressed: bonus, name: "bonus" })] : [];
  return [made("div", { class: "choices" }, ...spells), ...aims, made("div", { class: "choices" }, ...extra)];
}

function lock() {
  const stage = STAGES[data.stage];
  if (stage.ready()) offer({ text: stage.text(), label: "Lock in", hint: stage.text(), confirm: true });
  else announce("Choose first.");
}

function draw() {
  const stage = STAGES[data.stage];
  fill(place, ...stage.parts(),
    made("div", { class: "choices" },
      button("Lock in", lock, { letter: "Enter", idle: !stage.ready(), kind: "choice primary", name: "lock" }),
      made("p", { class: "verdict", text: stage.ready() ? stage.text() : told })));
  mark();
}

/** Show on the board what is chosen. */
export function mark() {
  markCells(STAGES[data.stage].marked().filter(Boolean), "chosen");
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

/** @param {string} name */
export function cell(name) {
  if (!(name in data.names)) return false;
  pick(() => STAGES[data.stage].choose(name));
  return true;
}

/** @param {KeyboardEvent} event */
export function key(event) {
  const letter = event.key.toUpperCase();
  if (letter.length === 1 && letter in data.names) return cell(letter);
  if (event.key === "Escape") {
    act(reset);
    return true;
  }
  if (event.key !== "Enter") return false;
  lock();
  return true;
}
