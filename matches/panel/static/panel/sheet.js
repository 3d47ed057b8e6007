// @ts-check
/* A table of cells: arrow keys and Enter go up and down, and what was copied from a spreadsheet is laid into the cells from here on. */

/** @param {HTMLTableElement} sheet */
const cellsOf = (sheet) => [...sheet.tBodies[0].rows].map((row) => [...row.querySelectorAll("input")]);

/** @param {HTMLInputElement[][]} cells @param {EventTarget} cell */
function placeOf(cells, cell) {
  const row = cells.findIndex((line) => line.includes(/** @type {HTMLInputElement} */ (cell)));
  return { row, column: row < 0 ? -1 : cells[row].indexOf(/** @type {HTMLInputElement} */ (cell)) };
}

/** @type {Record<string, number>} */
const STEPS = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };

for (const sheet of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("[data-sheet]"))) {
  sheet.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS) || !event.target) return;
    const cells = cellsOf(sheet);
    const { row, column } = placeOf(cells, event.target);
    if (row < 0) return;
    event.preventDefault();
    const next = cells[row + STEPS[event.key]]?.[column];
    next?.focus();
    next?.select();
  });
  sheet.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n]/.test(text.trimEnd()) || !event.target) return;
    const cells = cellsOf(sheet);
    const from = placeOf(cells, event.target);
    if (from.row < 0) return;
    event.preventDefault();
    text.replace(/\r?\n$/, "").split(/\r?\n/).forEach((line, down) => {
      line.split("\t").forEach((value, right) => {
        const cell = cells[from.row + down]?.[from.column + right];
        if (cell) cell.value = value.trim();
      });
    });
    event.target.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
