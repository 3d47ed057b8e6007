// @ts-check
/* Small pieces of page that the games' modules are made of. */

/** @typedef {{ text?: string, click?: ((event: Event) => void) | null, [attribute: string]: any }} Looks */

/** An element with text, attributes and what it does when it is clicked.
    @param {string} name
    @param {Looks} looks
    @param {...(Node | string)} children */
export function made(name, { text = "", click = null, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(key.replaceAll("_", "-"), value === true ? "" : value);
  }
  if (click) element.addEventListener("click", click);
  element.append(...children);
  return element;
}

/** A button of the tray; `letter` is its key. One that is `idle` has nothing to do yet, but keeps the focus.
    @param {string} label
    @param {() => void} click
    @param {{ letter?: string, hint?: string, pressed?: boolean | null, disabled?: boolean, idle?: boolean, kind?: string,
      name?: string }} looks */
export function button(label, click, { letter = "", hint = "", pressed = null, disabled = false, idle = false, kind = "choice", name = label } = {}) {
  const it = made("button", { type: "button", class: kind, click, disabled, aria_disabled: idle && "true", text: label });
  if (pressed !== null) it.setAttribute("aria-pressed", String(pressed));
  it.dataset.name = name;
  if (letter) it.append(" ", made("kbd", { text: letter }));
  if (hint) it.append(made("span", { class: "hint", text: hint }));
  return it;
}

/** Replace what a place holds, and leave the focus on the same control: the one with the same name.
    @param {HTMLElement} place
    @param {...(Node | string)} children */
export function fill(place, ...children) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const held = place.contains(focused) ? focused.dataset.name : null;
  place.replaceChildren(...children);
  if (held) lead(place, held);
}

/** Lead the focus to the control of this name.
    @param {HTMLElement} place
    @param {string} name */
export function lead(place, name) {
  /** @type {HTMLElement | null} */ (place.querySelector(`[data-name="${CSS.escape(name)}"]`))?.focus({ preventScroll: true });
}

/** The board's cell of this name.
    @param {string} name
    @returns {SVGElement | null} */
export const cell = (name) => document.querySelector(`:is(#board, .part) [data-cell="${CSS.escape(name)}"]`);

/** Mark these cells with a class, and no others.
    @param {string[]} names
    @param {string} mark */
export function markCells(names, mark) {
  for (const old of document.querySelectorAll(`:is(#board, .part) .${mark}`)) old.classList.remove(mark);
  for (const name of names) cell(name)?.classList.add(mark);
}
