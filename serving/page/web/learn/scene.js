// A picture of a position with something pointed out.

import { around, closer, enlarge } from "../legible.js";
import { part } from "./seats.js";

const PAD = 6;
const ROOM = 4;
const TALLEST = 460;
const LARGEST = 1.3;
const CLOSEST = 6;

/** The elements of a picture by their names: pieces and regions, or a piece inside a region. */
export function named(svg, names) {
  return names.flatMap((name) => {
    let inside = [svg];
    for (const word of name.split("/")) {
      const quoted = CSS.escape(word);
      inside = inside.flatMap((one) => [...one.querySelectorAll(`[data-region="${quoted}"], [data-piece="${quoted}"]`)]);
    }
    return inside;
  });
}

/** Draw a frame around elements. */
export function pointOut(svg, elements) {
  for (const old of svg.querySelectorAll(".halo")) old.remove();
  for (const element of elements) {
    const { x, y, width, height } = around(svg, [element]);
    if (!width) continue;
    svg.append(part("rect", { class: "halo", x: x - PAD, y: y - PAD, width: width + 2 * PAD, height: height + 2 * PAD, rx: PAD }));
  }
}

/**
 * Show only the part of a picture in which these elements are, or as much of it around what is
 * pointed out as can be read, with no label cut.
 */
export function crop(svg, elements, marked) {
  const { x: left, y: top, width: across, height: down } = svg.viewBox.baseVal;
  const whole = { x: left, y: top, width: across, height: down };
  const { x, y, width, height } = elements.length ? around(svg, elements) : whole;
  const box = { x: x - ROOM, y: y - ROOM, width: width + 2 * ROOM, height: height + 2 * ROOM };
  const wide = Math.min(svg.parentElement.clientWidth, (TALLEST * box.width) / box.height, LARGEST * box.width);
  const about = marked.length ? around(svg, marked) : box;
  const shown = closer(svg, box, wide, about, box.width / CLOSEST);
  svg.setAttribute("viewBox", `${shown.x} ${shown.y} ${shown.width} ${shown.height}`);
  svg.style.width = `${wide}px`;
  svg.style.aspectRatio = `${box.width} / ${box.height}`;
  enlarge(svg, whole);
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll("text")) {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const whole = left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    if (!whole) text.setAttribute("visibility", "hidden");
  }
}
