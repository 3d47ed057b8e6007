// @ts-check
/* The hand of spells: rows beside the board, or cards that scroll sideways; each says what it does. */

import { say } from "./bubble.js";
import { made } from "./parts.js";

const LONG_MS = 500;

/** @typedef {import("./benders.js").Spell} Spell */

/** Whose hand holds it: a disc for the first seat, a square for the second, struck where it may not be repeated.
    @param {Spell} spell */
const marks = (spell) => made("span", { class: "held", aria_hidden: "true" }, ...spell.held.map((copies, seat) =>
  made("i", { class: `s${seat}${copies ? " has" : ""}${copies && spell.barred[seat] ? " rests" : ""}`, text: copies > 1 ? String(copies) : "" })));

/** @param {Spell} spell
    @param {boolean} chosen */
function card(spell, chosen) {
  const words = spell.reason || spell.does;
  const it = made("button", { type: "button", class: "spell", title: words, aria_pressed: String(chosen), aria_disabled: spell.reason && "true",
    aria_label: `${spell.name}: ${spell.does}${spell.reason ? ` ${spell.reason}` : ""}` },
  made("b", { text: spell.spell }), made("strong", { text: spell.name }), marks(spell), made("span", { class: "does", text: words }));
  it.dataset.cell = `hand ${spell.spell}`;
  it.dataset.name = it.dataset.cell;
  return made("li", {}, it);
}

/** @param {Spell[]} spells
    @param {string[]} chosen */
export function hand(spells, chosen) {
  const list = made("ul", { class: "hand part", aria_label: "Spells" }, ...spells.map((spell) => card(spell, chosen.includes(spell.spell))));
  const at = document.querySelector("#module .hand")?.scrollLeft ?? 0;
  queueMicrotask(() => { list.scrollLeft = at; });
  return list;
}

/** What the spell under a long press, or where the focus of keys rests, does; a mouse that rests there is told by the title.
    @param {Element | null} element */
function tell(element) {
  const told = element?.closest(".spell, #board .cell:has(.letter)");
  const words = told?.getAttribute("title") ?? told?.querySelector("title")?.textContent;
  if (words) say(words, told);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pressing;
document.addEventListener("pointerdown", (event) => {
  clearTimeout(pressing);
  const at = /** @type {Element} */ (event.target);
  if (event.pointerType === "touch") pressing = setTimeout(() => tell(at), LONG_MS);
});
document.addEventListener("focusin", (event) => {
  clearTimeout(pressing);
  const at = /** @type {Element} */ (event.target);
  if (at.matches("#board .cell:focus-visible")) pressing = setTimeout(() => tell(at), LONG_MS);
});
document.addEventListener("focusout", () => clearTimeout(pressing));
for (const kind of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(kind, (/** @type {any} */ event) => {
    if (kind !== "pointermove" || Math.abs(event.movementX) + Math.abs(event.movementY) > 2) clearTimeout(pressing);
  });
}
