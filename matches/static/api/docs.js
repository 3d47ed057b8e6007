// The badge would ask a validator outside; the token page's cookie needs its cross-site proof.
const place = document.getElementById("docs");
SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  requestInterceptor(request) {
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
    if (token && new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = token[1];
    }
    return request;
  },
});
