// @ts-check
/* The seating board: cards are dragged to a table, or tapped and then the table; the choice on each card does it too, and is what is sent. */

/** @param {HTMLElement} card @param {HTMLElement} place @param {Element | null} before */
function seat(card, place, before = null) {
  const chosen = /** @type {HTMLSelectElement} */ (card.querySelector("select"));
  place.querySelector("ul").insertBefore(card, before);
  chosen.value = place.dataset.table;
  const board = /** @type {HTMLElement} */ (card.closest("[data-seating]"));
  for (const it of /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll("[data-count]"))) {
    it.textContent = String(it.closest("[data-table]").querySelectorAll("[data-player]").length);
  }
  lift(board, null);
}

/** @param {HTMLElement} board @param {HTMLElement | null} card */
function lift(board, card) {
  board.querySelectorAll(".lifted").forEach((it) => it.classList.remove("lifted"));
  card?.classList.add("lifted");
}

/** The form's preview follows what a card's choice says.
    @param {HTMLElement} card */
const tell = (card) => card.querySelector("select").dispatchEvent(new Event("change", { bubbles: true }));

for (const board of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-seating]"))) {
  /** @param {Event} event */
  const placeOf = (event) => /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (event.target).closest("[data-table]"));
  /** @param {Event} event */
  const cardOf = (event) => /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-player]"));
  board.addEventListener("change", (event) => {
    const card = cardOf(event);
    const table = /** @type {HTMLSelectElement} */ (event.target).value;
    const place = /** @type {HTMLElement} */ (board.querySelector(`[data-table="${CSS.escape(table)}"]`));
    if (!card || card.closest("[data-table]") === place) return;
    seat(card, place);
    card.querySelector("select").focus();
  });
  board.addEventListener("click", (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest("select")) return;
    const card = cardOf(event);
    const lifted = /** @type {HTMLElement | null} */ (board.querySelector(".lifted"));
    const place = placeOf(event);
    if (lifted && place && card !== lifted) {
      seat(lifted, place, card);
      tell(lifted);
    } else lift(board, card === lifted ? null : card);
  });
  board.addEventListener("dragstart", (event) => {
    const card = cardOf(event);
    if (!card) return;
    lift(board, card);
    event.dataTransfer.setData("text/plain", card.dataset.player);
    event.dataTransfer.effectAllowed = "move";
  });
  board.addEventListener("dragover", (event) => {
    const place = placeOf(event);
    if (!place || !board.querySelector(".lifted")) return;
    event.preventDefault();
    board.querySelectorAll(".over").forEach((it) => it.classList.toggle("over", it === place));
    place.classList.add("over");
  });
  board.addEventListener("drop", (event) => {
    const lifted = /** @type {HTMLElement | null} */ (board.querySelector(".lifted"));
    const place = placeOf(event);
    if (!lifted || !place) return;
    event.preventDefault();
    const card = cardOf(event);
    seat(lifted, place, card === lifted ? null : card);
    tell(lifted);
  });
  board.addEventListener("dragend", () => {
    lift(board, null);
    board.querySelectorAll(".over").forEach((it) => it.classList.remove("over"));
  });
}
