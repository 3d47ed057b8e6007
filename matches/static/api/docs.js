// @ts-check
// The badge would ask a validator outside; the token page's cookie needs its cross-site proof. The page has its own
// heading, and a deep link would stand inside a button, out of a screen reader's reach.
const place = document.getElementById("docs");
/** @type {any} */ (window).SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: false,
  plugins: [{ wrapComponents: { InfoContainer: () => () => /** @type {null} */ (null) } }],
  validatorUrl: null,
  persistAuthorization: false,
  /** @param {{ url: string, headers: Record<string, string> }} request */
  requestInterceptor(request) {
    const name = `${place.dataset.csrfCookie}=`;
    const token = document.cookie.split("; ").find((it) => it.startsWith(name));
    if (token && new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = token.slice(name.length);
    }
    return request;
  },
});

// Swagger UI has dark colours but leaves it to the page to ask for them.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();
