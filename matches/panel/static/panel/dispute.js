// @ts-check
// The press that prints the page; without scripts the browser's own menu does.
const press = document.getElementById("prints");
if (press) {
  press.hidden = false;
  press.addEventListener("click", () => window.print());
}
