// @ts-check
/* Copies of things on the board, to be carried about over it. */

/** A picture of its own of what is drawn here; null for what isn't drawn.
    @param {Element} element
    @returns {SVGSVGElement | null} */
export function copied(element) {
  if (!(element instanceof SVGGraphicsElement)) return null;
  const { x, y, width, height } = element.getBBox();
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  picture.setAttribute("aria-hidden", "true");
  const copy = /** @type {SVGGraphicsElement} */ (element.cloneNode(true));
  for (const part of [copy, ...copy.querySelectorAll("[id], [data-cell], [data-place]")]) {
    for (const name of ["id", "data-cell", "data-place", "role", "tabindex"]) part.removeAttribute(name);
  }
  // What a group hands down to its parts stands above it.
  const above = getComputedStyle(element);
  picture.style.font = above.font;
  for (const name of ["font-size", "font-weight", "text-anchor", "stroke-width", "stroke-linecap", "stroke-linejoin"]) {
    copy.setAttribute(name, above.getPropertyValue(name));
  }
  picture.append(copy);
  return picture;
}
