// Wide tables can be scrolled by keyboard and stack on phones; a figure shown small opens at its full size; one switch shows or hides all code.
"use strict";
function reach() {
  const boxes = document.querySelectorAll("article :is(.cell_output, .output, .table-wrapper, .scroll, pre)");
  boxes.forEach((box, place) => {
    if (box.scrollWidth > box.clientWidth + 1 && !box.hasAttribute("tabindex")) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", `wide content ${place + 1}, scrolls sideways`);
    }
  });
}
for (const table of document.querySelectorAll("table:is(.docutils, .coverage)")) { // a phone shows each cell under its column's name
  const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, i) => { cell.dataset.label = heads[i]; });
}
addEventListener("resize", reach);
reach();

document.querySelectorAll(".caption[role=heading]").forEach((words) => { words.ariaLevel = "2"; });
document.querySelector(".sidebar-drawer").ariaLabel = "all pages";
const tools = document.querySelector(".content-icon-container");
Object.assign(tools, { role: "region", ariaLabel: "this page" });
const source = document.querySelector(".view-this-page a[href$='.ipynb']");
if (source) Object.assign(source, { textContent: "Download", title: "this notebook, as it was executed", download: "" });

for (const image of document.querySelectorAll("article :is(.cell_output, figure, #in-short) img")) {
  image.decode().then(() => {
    if (image.naturalWidth < 1.6 * image.clientWidth || image.closest("a")) return;
    const link = document.createElement("a");
    Object.assign(link, { href: image.src, className: "larger", title: "open the figure at full size" });
    image.replaceWith(link);
    link.append(image);
  }, () => {});
}

const folds = document.querySelectorAll("details.hide"), KEPT = "show-all-code";
if (folds.length) {
  const button = Object.assign(document.createElement("button"), { type: "button", id: "all-code" });
  const turn = (open) => {
    folds.forEach((fold) => { fold.open = open; });
    button.textContent = open ? "Hide all code" : "Show all code";
    try { localStorage.setItem(KEPT, open ? "yes" : "no"); } catch { /* not kept, then */ }
  };
  let kept = "no";
  try { kept = localStorage.getItem(KEPT); } catch { /* the browser keeps nothing */ }
  folds.forEach((fold) => fold.querySelector("summary").removeAttribute("aria-label")); // its words say it
  turn(kept === "yes");
  button.addEventListener("click", () => turn(button.textContent === "Show all code"));
  tools.prepend(button);
}
