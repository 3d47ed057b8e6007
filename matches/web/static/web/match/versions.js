// @ts-check
/* The replay's pages: one for each version and way of seeing, fetched once. */

const MOST_KEPT = 60;

/** @type {Map<string, Promise<string>>} */
const fetched = new Map();

/** What the page shows, and where the keys lead from it. */
export const here = () => document.getElementById("replay").dataset;

/** @param {string} version
    @param {string} as */
export const address = (version, as = here().as) => `${here().address}${version}/?as=${encodeURIComponent(as)}`;

/** @param {string} path
    @returns {Promise<string>} */
export function load(path) {
  if (!fetched.has(path)) {
    const page = fetch(path).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)));
    page.catch(() => fetched.delete(path));
    fetched.set(path, page);
    if (fetched.size > MOST_KEPT) fetched.delete(fetched.keys().next().value);
  }
  return fetched.get(path);
}

/** Ask again for the version that the page shows: there may be newer ones by now. */
export const forget = () => fetched.delete(address(here().version));

/** The versions to come that there is something to see at, the nearest first. */
export const coming = () => here().coming.split(" ").filter(Boolean);

/** Have at hand what is likely wanted next; what takes a look on record is only asked for by people.
    @param {string[]} versions */
export function prefetch(versions) {
  if (document.querySelector("#eyes [aria-current] .hint")) return;
  for (const version of versions) load(address(version)).catch(() => {});
}
