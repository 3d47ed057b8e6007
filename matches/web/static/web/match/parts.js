/* Small pieces of page that the games' modules are made of. */

/** An element with text, attributes and what it does when it is clicked. */
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

/** A button of the tray; `letter` is its key. One that is `idle` has nothing to do yet, but keeps the focus. */
export function button(label, click, { letter = "", hint = "", pressed = null, disabled = false, idle = false, kind = "choice", name = label } = {}) {
  const it = made("button", { type: "button", class: kind, click, disabled, aria_disabled: idle && "true", text: label });
  if (pressed !== null) it.setAttribute("aria-pressed", String(pressed));
  it.dataset.name = name;
  if (letter) it.append(" ", made("kbd", { text: letter }));
  if (hint) it.append(made("span", { class: "hint", text: hint }));
  return it;
}

/** Replace what a place holds, and leave the focus on the same control: the one with the same name. */
export function fill(place, ...children) {
  const held = place.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  place.replaceChildren(...children);
  if (held) lead(place, held);
}

/** Lead the focus to the control of this name. */
export function lead(place, name) {
  place.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}

/** The board's cell of this name. */
export const cell = (name) => document.querySelector(`#board [data-cell="${CSS.escape(name)}"]`);

/** Mark these cells with a class, and no others. */
export function markCells(names, mark) {
  for (const old of document.querySelectorAll(`#board .${mark}`)) old.classList.remove(mark);
  for (const name of names) cell(name)?.classList.add(mark);
}
