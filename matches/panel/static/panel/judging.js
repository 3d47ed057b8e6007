// @ts-check
/* The form of a judgement: what each player has with the points that are typed, and how many these are in all. */

const outputs = /** @type {NodeListOf<HTMLOutputElement>} */ (document.querySelectorAll("output[data-before]"));
const given = /** @type {HTMLOutputElement | null} */ (document.querySelector("output[data-given]"));
const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".judging .points input"));

/** @param {string} sentence @param {number} sum */
const said = (sentence, sum) => sentence.replace("{sum}", String(sum).replace("-", "−"));

function show() {
  for (const output of outputs) {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(output.htmlFor.value));
    const points = field.valueAsNumber;
    output.value = Number.isNaN(points) ? "" : said(output.dataset.sentence, Number(output.dataset.before) + points);
  }
  const all = [...fields].map((field) => field.valueAsNumber).filter((points) => !Number.isNaN(points));
  given.value = said(given.dataset.given, all.reduce((sum, points) => sum + points, 0));
}

if (given) {
  document.addEventListener("input", show);
  show();
}
