// The press that prints the page; without scripts the browser's own menu does.
const prints = document.getElementById("prints");
prints.hidden = false;
prints.addEventListener("click", () => window.print());
