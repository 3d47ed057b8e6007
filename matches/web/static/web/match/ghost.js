// @ts-check
/* The ghost of a piece over a banana: where it would lie, and the piece itself while it hangs at the pointer. */

/** @typedef {[number, number]} Space Its row and its column, from 1; of an offset, from 0. */

const SVG = "http://www.w3.org/2000/svg";
const FLOATS = 0.55; /* The held piece hangs so many spaces above where it would lie, that this can be seen. */
const BESIDE = 0.75; /* So many spaces off the sheet the piece still counts as held over it. */

/** @type {SVGSVGElement | null} */
let held = null;
let size = 0;

/** @param {string} name
    @param {Record<string, string | number>} attributes
    @param {...(Node | string)} children */
function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Any space of the sheet: its row and column, and the shape that gives its place and size. */
function anySpace() {
  for (const one of document.querySelectorAll("#board [data-cell]")) {
    const found = /^([a-z])(\d+)$/.exec(/** @type {SVGElement} */ (one).dataset.cell);
    if (found) return { row: Number(found[2]), col: found[1].charCodeAt(0) - 96, shape: /** @type {SVGRectElement} */ (one.querySelector("rect")) };
  }
  return null;
}

/** The sides of the spaces that no other one shares.
    @param {Space[]} spaces
    @param {number} side */
function outline(spaces, side) {
  const known = new Set(spaces.map(String));
  return spaces.map(([row, col]) => {
    const [x, y] = [col * side, row * side];
    return [
      known.has(`${row - 1},${col}`) ? "" : `M${x} ${y}h${side}`,
      known.has(`${row + 1},${col}`) ? "" : `M${x} ${y + side}h${side}`,
      known.has(`${row},${col - 1}`) ? "" : `M${x} ${y}v${side}`,
      known.has(`${row},${col + 1}`) ? "" : `M${x + side} ${y}v${side}`,
    ].join("");
  }).join("");
}

/** Draw where a piece would lie: what it fills anew, what it covers again, or that it can't lie there.
    @param {Space[]} cells
    @param {(space: Space) => string} markOf
    @param {boolean} whole */
export function show(cells, markOf, whole) {
  document.getElementById("ghost")?.remove();
  const known = cells.length ? anySpace() : null;
  if (!known) return;
  const side = known.shape.width.baseVal.value;
  const [left, top] = [known.shape.x.baseVal.value - known.col * side, known.shape.y.baseVal.value - known.row * side];
  const squares = cells.map(([row, col]) => {
    const kind = !whole ? "out" : markOf([row, col]) === "#" ? "new" : "over";
    const words = { out: "×", new: "+1", over: "+0" }[kind];
    return drawn("g", { class: kind },
      drawn("rect", { x: col * side, y: row * side, width: side, height: side }),
      drawn("text", { x: (col + 0.5) * side, y: (row + 0.64) * side, "font-size": side * 0.38, "text-anchor": "middle" }, words));
  });
  const line = drawn("path", { d: outline(cells, side), class: "line" });
  const layer = drawn("g", { id: "ghost", class: whole ? "fits" : "out", "aria-hidden": "true", transform: `translate(${left} ${top})` }, ...squares, line);
  known.shape.parentNode.parentNode.append(layer);
}

/** Where a piece lies whose middle is at a point of the page; null beside the sheet.
    @param {Space[]} lie
    @param {number} x
    @param {number} y
    @returns {Space | null} */
export function anchorAt(lie, x, y) {
  const known = anySpace();
  if (!known) return null;
  const { left, top, width } = known.shape.getBoundingClientRect();
  const [high, wide] = [0, 1].map((axis) => 1 + Math.max(...lie.map((one) => one[axis])));
  const board = document.querySelector("#board svg").getBoundingClientRect();
  const room = BESIDE * width;
  if (x < board.left - room || x > board.right + room || y < board.top - room || y > board.bottom + room) return null;
  const row = Math.round((y - top) / width - high / 2) + known.row;
  const col = Math.round((x - left) / width - wide / 2) + known.col;
  return [Math.max(1, row), Math.max(1, col)];
}

/** The piece, as large as it would lie, to hang at the pointer.
    @param {Space[]} lie
    @returns {SVGSVGElement} */
export function lifted(lie) {
  size = anySpace()?.shape.getBoundingClientRect().width ?? 40;
  const most = 2 + Math.max(...lie.flat());
  held = /** @type {SVGSVGElement} */ (drawn("svg", { width: most * size, height: (most + 2 * FLOATS) * size, class: "held-piece", "aria-hidden": "true" }));
  turn(lie);
  return held;
}

/** Draw the held piece anew, as it has been turned.
    @param {Space[]} lie */
export function turn(lie) {
  if (!held) return;
  const [high, wide] = [0, 1].map((axis) => 1 + Math.max(...lie.map((one) => one[axis])));
  const [whole, tall] = [held.width.baseVal.value, held.height.baseVal.value];
  const place = `translate(${(whole - wide * size) / 2} ${(tall - high * size) / 2 - FLOATS * size}) rotate(-5 ${wide * size / 2} ${high * size / 2})`;
  const inset = 5; /* The stroke round it makes the corners round. */
  const d = lie.map(([row, col]) => {
    const joined = (/** @type {number} */ down, /** @type {number} */ right) => lie.some((one) => one[0] === row + down && one[1] === col + right);
    const [top, left] = [row * size + (joined(-1, 0) ? 0 : inset), col * size + (joined(0, -1) ? 0 : inset)];
    const [low, far] = [(row + 1) * size - (joined(1, 0) ? 0 : inset), (col + 1) * size - (joined(0, 1) ? 0 : inset)];
    return `M${left} ${top}H${far}V${low}H${left}Z`;
  }).join("");
  const seams = lie.map(([row, col]) => [
    lie.some((one) => one[0] === row && one[1] === col + 1) ? `M${(col + 1) * size} ${(row + 0.3) * size}v${0.4 * size}` : "",
    lie.some((one) => one[0] === row + 1 && one[1] === col) ? `M${(col + 0.3) * size} ${(row + 1) * size}h${0.4 * size}` : "",
  ].join("")).join("");
  held.replaceChildren(drawn("g", { transform: place },
    drawn("path", { d, class: "deep", transform: `translate(0 ${0.1 * size})` }), drawn("path", { d, class: "face" }), drawn("path", { d: seams, class: "seam" })));
}
