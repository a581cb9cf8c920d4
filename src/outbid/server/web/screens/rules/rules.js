// @ts-check
/* The sections of a rulebook are folded on a phone. In a wide window and on paper they are open, and so is the one that an
   address leads to. */

import { all } from "../dom.js";

/** @param {Iterable<Element | null | undefined>} parts */
const open = (parts) => [...parts].forEach((part) => part?.setAttribute("open", ""));

function lead() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  open([place?.closest(".part")]);
  place?.scrollIntoView();
}

addEventListener("beforeprint", () => open(all(".part")));
addEventListener("hashchange", lead);
if (matchMedia("(min-width: 600px)").matches) open(all(".part"));
lead();
