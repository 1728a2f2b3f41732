// Wide tables and code can be scrolled by keyboard; a figure that had to be made small opens at its full size.
"use strict";
for (const box of document.querySelectorAll(".bd-article .cell_output .output, .bd-article .pst-scrollable-table-container, .bd-article pre")) {
  if (box.scrollWidth > box.clientWidth + 1 && !box.hasAttribute("tabindex")) {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "wide content, scrolls sideways");
  }
}
for (const image of document.querySelectorAll(".bd-article .cell_output img, .bd-article figure img")) {
  image.decode().then(() => {
    if (image.naturalWidth < 1.3 * image.clientWidth || image.closest("a")) return;
    const link = document.createElement("a");
    Object.assign(link, { href: image.src, className: "larger", title: "open the figure at full size" });
    image.replaceWith(link);
    link.append(image);
  }, () => {});
}
