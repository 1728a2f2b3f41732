// Wide tables and code can be scrolled by keyboard; every region says what it is.
"use strict";
for (const box of document.querySelectorAll(".bd-article .cell_output .output, .bd-article .pst-scrollable-table-container, .bd-article pre")) {
  if (box.scrollWidth > box.clientWidth + 1 && !box.hasAttribute("tabindex")) {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "wide content, scrolls sideways");
  }
}
