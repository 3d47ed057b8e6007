// @ts-check
/* The tray: the choices that the server offers, the sheet that asks once more, and the game's own module. */

import { send } from "./send.js";
import { cell as cellOf, markCells } from "./parts.js";

/** @typedef {{ text: string, label: string, hint?: string, key?: string, cell?: string, confirm?: boolean, listed?: boolean,
      always?: boolean, own?: boolean, source?: string, inputs?: string[][], sent?: () => void }} Choice A command that may be sent, and
      how it is offered. One of a form has its `inputs`; `sent` is called once it is accepted. */
/** @typedef {(choice: Choice) => void} Offering How a game's module offers a choice that it made. */
/** @typedef {{ update: (place: HTMLElement, data: any, offer: Offering) => void, mark?: () => void, cell?: (name: string) => boolean,
      hover?: (name: string) => void, key?: (event: KeyboardEvent) => boolean, lift?: (name: string) => boolean,
      lifted?: (name: string) => SVGSVGElement | null, over?: (name: string, x: number, y: number) => void,
      drop?: (name: string, x: number, y: number) => boolean, asked?: (choices: Choice[], cell: string) => Told | null,
      submit?: (button: HTMLElement | null, offer: Offering) => boolean }} Module A
      game's own script. `lift` says whether a cell's thing may be dragged, `lifted` draws it while it is, `over` hears where it is,
      `drop` takes it there or says that it can't. `asked` hears what the sheet asks about, and tells more than hints do.
      `submit` sends a form of the game's own, or says that the button isn't of it. */
/** @typedef {{ told: HTMLElement, show: (choice: Choice) => void }} Told What stands above the sheet's buttons in place of their
      hints; `show` hears which of them is about to be pressed. */
/** @typedef {{ choices: Choice[], module: string, data: any, reasons?: Record<string, string> }} Offered */
/** @typedef {{ choices: Choice[], cell: string, caller: HTMLElement }} Sheet */

/** @type {Record<string, Module>} */
const MODULES = {};
/** @type {Offered} */
const NOTHING = { choices: [], module: "", data: {} };
const SETTING = "croupier.confirm";

let offered = NOTHING;
let laid = "";
/** @type {Sheet | null} */
let sheet = null;

/** Let trays that name this module be filled by it.
    @param {string} name
    @param {Module} brought */
export function bring(name, brought) {
  MODULES[name] = brought;
}

/** The game's own module, where the tray has one. */
export const module = () => MODULES[offered.module] ?? null;

/** When a move is asked about before it goes out: `costly`, `always` or `never`. */
export const asking = () => localStorage.getItem(SETTING) ?? "costly";
/** @param {string} when */
export const setAsking = (when) => localStorage.setItem(SETTING, when);

/** @param {string} name
    @param {string} text
    @param {Record<string, string>} attributes */
function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** @param {Choice} choice */
function choiceButton(choice) {
  const button = element("button", choice.label, { type: "button", class: "choice" });
  if (choice.key) button.append(" ", element("kbd", choice.key.toUpperCase()));
  if (choice.hint) button.append(element("span", choice.hint, { class: "hint" }));
  button.addEventListener("click", () => dispatch(choice));
  return button;
}

/** @param {Choice} choice */
async function dispatch({ text, inputs, sent }) {
  close();
  if (await send(text, inputs)) sent?.();
}

/** Show the choices and wait for one of them.
    @param {Choice[]} choices
    @param {string} cell */
function open(choices, cell) {
  const place = document.getElementById("picked");
  if (!place) return;
  sheet = { choices, cell, caller: /** @type {HTMLElement} */ (document.activeElement) };
  const cancel = element("button", "Cancel", { type: "button", class: "choice quiet" });
  cancel.append(" ", element("kbd", "Esc"));
  cancel.addEventListener("click", close);
  const more = module()?.asked?.(choices, cell);
  const buttons = choices.map((choice) => {
    if (!more) return choiceButton(choice);
    const button = choiceButton({ ...choice, hint: "" });
    for (const sign of ["focus", "pointerenter"]) button.addEventListener(sign, () => more.show(choice));
    return button;
  });
  place.replaceChildren(...(more ? [more.told] : []), ...buttons, cancel);
  place.hidden = false;
  const at = cellOf(cell)?.getBoundingClientRect();
  for (const side of /** @type {const} */ (["left", "top", "right", "bottom"])) place.style.setProperty(`--${side}`, `${at?.[side] ?? 0}px`);
  mark();
  // A focus of its own accord leads the sheet to the middle of a small screen, and the cell it asks about out of it.
  /** @type {HTMLElement} */ (place.querySelector(".choice")).focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

/** Put the sheet away; the focus goes back to the cell or the button that it came from. */
export function close() {
  const place = document.getElementById("picked");
  const back = place?.contains(document.activeElement) ? origin(sheet) : null;
  sheet = null;
  if (place) {
    place.hidden = true;
    place.replaceChildren();
  }
  module()?.asked?.([], "");
  mark();
  back?.focus();
}

/** Where a sheet came from; a module may have drawn its button anew since.
    @param {Sheet} sheet
    @returns {HTMLElement | SVGElement | null} */
function origin({ cell, caller }) {
  if (cell) return cellOf(cell);
  if (caller.isConnected) return caller;
  return document.querySelector(`#module [data-name="${CSS.escape(caller.dataset.name ?? "")}"]`);
}

/** Show on the board which cell the sheet is about; what a module has chosen there is the module's to mark. */
function mark() {
  markCells(sheet?.cell ? [sheet.cell] : [], "asked");
}

/** Send the choice, or ask first where it reveals or costs something, as the player has set it.
    @param {Choice} choice */
export function offer(choice, cell = "") {
  const ask = choice.always || asking() === "always" || (asking() === "costly" && choice.confirm);
  if (ask) open([choice], cell);
  else dispatch(choice);
}

/** The cell of this name. */
export const cellAt = cellOf;

/** Where the thing at a cell may be dragged to.
    @param {string} source */
export const goals = (source) => offered.choices.filter((choice) => choice.source === source).map((choice) => choice.cell);

/** Why nothing can be done at a cell, or "".
    @param {string} cell */
export const why = (cell) => offered.reasons?.[cell] ?? "";

/** The thing at a cell was dragged to another.
    @param {string} source
    @param {string} cell */
export function dropped(source, cell) {
  const choices = offered.choices.filter((choice) => choice.source === source && choice.cell === cell);
  if (choices.length === 1) offer(choices[0], cell);
  else if (choices.length) open(choices, cell);
}

/** A cell of the board is chosen; true where the tray knows what that means.
    @param {string} cell */
export function pick(cell) {
  if (module()?.cell?.(cell)) return true;
  const choices = offered.choices.filter((choice) => choice.cell === cell);
  if (choices.length === 1) offer(choices[0], cell);
  else if (choices.length) open(choices, cell);
  return choices.length > 0;
}

/** A key is pressed outside any field; true where the tray took it.
    @param {KeyboardEvent} event */
export function key(event) {
  if (event.key === "Escape" && sheet) {
    close();
    return true;
  }
  const wanted = event.key.toLowerCase();
  const open = sheet?.choices.find((choice) => choice.key === wanted);
  if (open) {
    dispatch(open);
    return true;
  }
  if (sheet) return false;
  if (module()?.key?.(event)) return true;
  const alone = offered.choices.filter((choice) => choice.key === wanted && (choice.listed || !choice.cell));
  if (alone.length === 1) offer(alone[0]);
  return alone.length === 1;
}

/** The page shows a new frame: read what it offers, and drop a sheet that it no longer does or has no place for. A game's
    `own` choice is one that its script has made of what it was given. */
export function update() {
  const data = document.getElementById("tray-data");
  offered = data ? JSON.parse(data.textContent) : NOTHING;
  document.body.dataset.module = offered.module || "none";
  const same = JSON.stringify(offered.data) === laid;
  const stands = (/** @type {Choice} */ asked) =>
    asked.always || (asked.own && same) || offered.choices.some((one) => one.text === asked.text);
  if (sheet && !(document.getElementById("picked") && sheet.choices.every(stands))) close();
  const place = document.getElementById("module");
  const current = module();
  if (place && place.dataset.module !== (offered.module || "")) {
    place.replaceChildren();
    place.dataset.module = offered.module || "";
  }
  // What is drawn already stays as it is, button by button: a finger may be on one.
  if (place && current && same && place.firstChild) current.mark?.();
  else if (place && current) current.update(place, offered.data, (choice) => offer({ ...choice, own: true }));
  laid = JSON.stringify(offered.data);
  mark();
}

/** The form's buttons and its box, sent by a script instead. */
export function listen() {
  document.addEventListener("submit", async (/** @type {SubmitEvent & { target: HTMLFormElement }} */ event) => {
    if (event.target.id !== "play") return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (module()?.submit?.(button, offer)) return;
    if (button?.name === "choice") {
      const known = offered.choices.find((choice) => choice.text === button.value);
      const [label, always] = [button.textContent.trim(), button.hasAttribute("data-always")];
      offer(known ?? { text: button.value, label, hint: button.dataset.confirm, confirm: true, always });
      return;
    }
    const box = /** @type {HTMLInputElement | null} */ (document.getElementById("command-box"));
    const text = box?.value.trim();
    if (!text) return;
    // The next move may be typed while this one is on its way; one that is refused comes back to be mended.
    box.value = "";
    if (!(await send(text)) && !box.value) box.value = text;
  });
}
