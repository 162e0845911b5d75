// Blocks that scroll take the focus, so that the arrow keys can scroll them
function markScrollable() {
    for (const block of document.querySelectorAll("pre, .table-wrapper")) {
        if (block.scrollWidth > block.clientWidth) {
            block.tabIndex = 0;
        } else {
            block.removeAttribute("tabindex");
        }
    }
}

window.addEventListener("load", markScrollable);
window.addEventListener("resize", markScrollable);
