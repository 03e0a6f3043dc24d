// Marks of seats: a colour and a shape each, so that neither alone has to be told apart.

import { h } from "../dom.js";

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = [
  "M-5-5h10v10h-10z", // Square.
  "M0-6.5L6.5 5h-13z", // Triangle.
  "M0-7L7 0 0 7-7 0z", // Diamond.
  "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z", // Cross.
  "M0 6.5L6.5-5h-13z", // Triangle on its tip.
  "M0-7l2 5h5l-4 3 2 6-5-4-5 4 2-6-4-3h5z", // Star.
  "M-6-3.5L0-7l6 3.5v7L0 7l-6-3.5z", // Hexagon.
];
const CIRCLE = "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z";

/** An element of a picture. */
export function part(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The outline of a seat's mark, around 0, 0. */
export function shapeOf(seat) {
  return seat === 0 ? CIRCLE : SHAPES[(seat - 1) % SHAPES.length];
}

/** A seat's mark for use among words. */
export function markOf(seat) {
  return part("svg", { class: "seat-mark", viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    part("path", { d: shapeOf(seat), class: `seat-fill seat-${seat % 8}` }));
}

/** A seat by mark and name. */
export function seatLabel(seats, seat, viewer, you) {
  return h("span", { class: "seat-label" }, markOf(seat), ` ${seats[seat].name}`, seat === viewer ? ` (${you})` : "");
}
