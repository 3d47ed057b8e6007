// @ts-check
/* A season's page: the next date by the reader's own clock, and a ladder that shows the episode at hand. */

/** Somebody without an account has no zone here; their browser knows it. */
function byTheReadersClock() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-own-time]"))) {
    const at = new Date(part.dataset.nextDate);
    /** @param {string} name @param {string} text */
    const tell = (name, text) => {
      const place = part.querySelector(`[data-${name}]`);
      if (place && place.textContent !== text) place.textContent = text;
    };
    tell("day", String(at.getDate()));
    tell("month", at.toLocaleDateString("en-GB", { month: "short" }));
    tell("weekday", at.toLocaleDateString("en-GB", { weekday: "long" }));
    tell("time", at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }));
    tell("zone", `Your time (${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ")})`);
  }
}

/** A ladder that is wider than its frame begins where the season is; it is never moved under the reader's hands. */
function showTheEpisodeAtHand() {
  const frame = /** @type {HTMLElement | null} */ (document.querySelector(".ladder-frame"));
  const at = /** @type {HTMLElement | null} */ (frame?.querySelector("th.at-hand"));
  if (!frame || !at || frame.scrollWidth <= frame.clientWidth) return;
  const name = /** @type {HTMLElement} */ (frame.querySelector("thead th"));
  frame.scrollLeft = at.offsetLeft - name.offsetWidth - (frame.clientWidth - name.offsetWidth - at.offsetWidth) / 2;
}

document.addEventListener("htmx:after:swap", byTheReadersClock);
byTheReadersClock();
showTheEpisodeAtHand();
