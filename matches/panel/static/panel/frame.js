// @ts-check
/* The framework's pages under a policy without eval: Alpine reads single expressions alone, and no globals. What the
   framework writes otherwise is rewritten here before Alpine reads it. */

(() => {
  const page = /** @type {any} */ (window);
  page.htmx.config.includeIndicatorStyles = false;
  page.htmx.config.allowEval = false;

  const KEPT = "sidebarDesktopOpen";
  const ADDRESS = "window.location.pathname + window.location.search";
  /** @type {Map<string, string>} */
  const REWRITTEN = new Map([
    ["openSearchResults = true; currentIndex = 0", "[openSearchResults = true, currentIndex = 0]"],
    [
      "openSearchResults = false; if ($refs.searchInput.value === '') { $refs.searchInput.blur() } else { $refs.searchInput.value = '' }",
      "[openSearchResults = false, $page.clear($refs.searchInput)]",
    ],
    ["window.location.href = $el.href + window.location.hash", "$page.follow($el)"],
    [
      `activeTab && activeTab !== 'general' ? ${ADDRESS} + '#' + activeTab : ${ADDRESS}`,
      "$page.address() + (activeTab && activeTab !== 'general' ? '#' + activeTab : '')",
    ],
    ["'width: ' + changeListWidth + 'px'", "{width: changeListWidth + 'px'}"],
  ]);
  const GUARDED = /^if \((?<guard>!\$event\.metaKey && !\$event\.ctrlKey)\) (?<act>.+)$/;

  /** @param {string} text */
  const rewritten = (text) => REWRITTEN.get(text) ?? text.replace(GUARDED, "$<guard> && $<act>");

  /** The frame of every page: which tab is open, and the menu. @param {string} tab */
  const frame = (tab) => ({
    activeTab: tab,
    sidebarMobileOpen: false,
    sidebarDesktopOpen: localStorage.getItem(KEPT) !== "0",
    init() {
      this.activeTab = page.getCurrentTab() || tab;
      /** @type {any} */ (this).$watch(KEPT, (/** @type {boolean} */ value) => localStorage.setItem(KEPT, value ? "1" : "0"));
    },
    openMenu() {
      this.sidebarMobileOpen = !this.sidebarMobileOpen;
      /** @type {any} */ (this).$nextTick(() => document.getElementById("closes-menu")?.focus());
    },
    closeMenu() {
      this.sidebarMobileOpen = false;
      /** @type {any} */ (this).$nextTick(() => document.getElementById("opens-menu")?.focus());
    },
  });

  const outside = {
    address: () => location.pathname + location.search,
    /** @param {HTMLInputElement} field */
    clear(field) {
      if (field.value === "") field.blur();
      else field.value = "";
    },
    /** @param {HTMLAnchorElement} link */
    follow(link) { location.href = link.href + location.hash; },
  };

  document.addEventListener("alpine:init", () => {
    const { Alpine } = page;
    for (const name of ["theme", "searchForm", "searchDropdown", "searchCommand"]) Alpine.data(name, page[name]);
    Alpine.data("frame", frame);
    Alpine.magic("page", () => outside);
    Alpine.interceptInit((/** @type {Element} */ place) => {
      if (place === document.body) {
        const tab = place.getAttribute("x-data")?.match(/activeTab: '([^']*)'/)?.[1] ?? "";
        place.setAttribute("x-data", `frame('${tab}')`);
        place.removeAttribute("x-init");
      }
      for (const { name, value } of [...place.attributes]) {
        if (name.startsWith("x-") && rewritten(value) !== value) place.setAttribute(name, rewritten(value));
      }
    });
  });
})();
