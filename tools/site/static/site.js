// Wide tables can be scrolled by keyboard; a figure shown small opens at its full size; one switch shows or hides all code.
"use strict";
function reach() {
  const boxes = document.querySelectorAll(".bd-article .cell_output, .bd-article .cell_output .output, .bd-article .pst-scrollable-table-container, .bd-article .scroll, .bd-article pre");
  boxes.forEach((box, place) => {
    if (box.scrollWidth > box.clientWidth + 1 && !box.hasAttribute("tabindex")) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", `wide content ${place + 1}, scrolls sideways`);
    }
  });
}
document.querySelector(".bd-sidebar-primary .navbar-brand")?.parentElement.setAttribute("role", "banner");
document.querySelectorAll(".bd-sidebar-primary summary").forEach((toggle) => toggle.setAttribute("aria-label", "show or hide the pages below"));
document.querySelectorAll(".search-button__button").forEach((button) => { if (button.textContent.trim()) button.removeAttribute("aria-label"); });
addEventListener("resize", reach);
reach();

for (const image of document.querySelectorAll(".bd-article .cell_output img, .bd-article figure img, #in-short img")) {
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
  document.querySelector(".article-header-buttons").prepend(button);
}
