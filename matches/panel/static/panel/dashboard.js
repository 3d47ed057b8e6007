// @ts-check
/* The dashboard keeps itself fresh and leaves focus, selection and scrolling where they are. */

import { Idiomorph } from "../web/vendor/idiomorph.esm.js";

/** @typedef {CustomEvent<{ shouldSwap: boolean, serverResponse: string }> & { target: HTMLElement }} Swap */

document.addEventListener("htmx:beforeSwap", (/** @type {Swap} */ { target, detail }) => {
  if (target.id !== "glance" || !detail.shouldSwap) return;
  detail.shouldSwap = false;
  const fresh = new DOMParser().parseFromString(detail.serverResponse, "text/html").getElementById(target.id);
  if (fresh) Idiomorph.morph(target, fresh);
});
