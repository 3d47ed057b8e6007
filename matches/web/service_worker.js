// @ts-check
/* Shows calls while no page is open. It keeps nothing and stands in the way of no request: what a page shows is never
   older than its reader's rights. */

const worker = /** @type {any} */ (self);

/** Whether somebody looks at a page already; then its own signs are enough.
    @param {string} page */
async function isSeen(page) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.some((/** @type {any} */ one) => one.focused && new URL(one.url).pathname === page);
}

/** @param {{ title: string, body: string, page: string, tag: string }} told */
async function show({ title, body, page, tag }) {
  if (await isSeen(page)) return;
  await worker.registration.showNotification(title, { body, tag, renotify: true, data: { page } });
}

/** @param {string} page */
async function lead(page) {
  const address = new URL(page, worker.location.origin).href;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find((/** @type {any} */ one) => one.url === address);
  await (open ? open.focus() : worker.clients.openWindow(address));
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data.page));
});
