// A picture of a position with something pointed out.

import { around, bounds, grown } from "../boxes.js";
import { MOST, closer, enlarge } from "../legible.js";
import { part } from "./seats.js";

const PAD = 6;
const WIDEST = 5; // A frame's line.
const THINNEST = 2;
const BLANK = 0.2; // Of a text's height: what is free above and below its letters.
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

/** Draw a frame around elements, as far as that runs through no text; districts are framed by their outline. */
export function pointOut(svg, elements) {
  for (const old of svg.querySelectorAll(".halo")) old.remove();
  svg.append(...elements.map((element) => outline(svg, element) ?? frame(svg, element)).filter(Boolean));
}

function outline(svg, element) {
  const shape = element.querySelector(":scope > polygon");
  if (!shape) return null;
  const { a, b, c, d, e, f } = svg.getScreenCTM().inverse().multiply(shape.getScreenCTM());
  return part("polygon", { class: "halo", points: shape.getAttribute("points"), transform: `matrix(${[a, b, c, d, e, f]})`, "stroke-width": WIDEST });
}

function frame(svg, element) {
  const own = around(svg, [element]);
  if (!own.width) return null;
  const others = written(svg, element);
  const box = bounds(own, ...others.filter((other) => standsOn(own, other)));
  const gap = gaps(box, others);
  const stroke = Math.min(WIDEST, Math.max(THINNEST, Math.min(...Object.values(gap)) - 1));
  const pad = (room) => Math.min(PAD, room / 2, room - stroke / 2);
  const [left, top] = [pad(gap.left), pad(gap.top)];
  return part("rect", { class: "halo", x: box.x - left, y: box.y - top, width: box.width + left + pad(gap.right), height: box.height + top + pad(gap.bottom), rx: PAD, "stroke-width": stroke });
}

/** Boxes of all texts that are not in an element, and of the chips and cards that carry them. */
function written(svg, element) {
  const texts = [...svg.querySelectorAll("text")].filter((text) => !element.contains(text) && text.textContent.trim());
  const carriers = new Set(texts.map((text) => text.closest("[data-piece]:not(:has([data-piece]))")));
  return [
    ...texts.map((text) => around(svg, [text])).map((box) => ({ ...box, y: box.y + BLANK * box.height, height: (1 - 2 * BLANK) * box.height })),
    ...[...carriers].filter((one) => one && !one.contains(element)).map((one) => around(svg, [one])),
  ];
}

/** Free space between a box and another on each of its sides; negative where they overlap. */
function away(box, other) {
  return {
    left: box.x - other.x - other.width, top: box.y - other.y - other.height,
    right: other.x - box.x - box.width, bottom: other.y - box.y - box.height,
  };
}

/** Whether something smaller stands on the edge of a box. */
function standsOn(box, other) {
  return other.width < box.width && other.height < box.height && Math.max(...Object.values(away(box, other))) < -PAD;
}

/** How far it is from the sides of a box to what is next on each of them. */
function gaps(box, others) {
  const found = { left: 2 * PAD, top: 2 * PAD, right: 2 * PAD, bottom: 2 * PAD };
  for (const other of others) {
    const [side, far] = Object.entries(away(box, other)).reduce((best, one) => (one[1] > best[1] ? one : best));
    if (far >= -PAD) found[side] = Math.min(found[side], far);
  }
  return found;
}

/**
 * Show only the part of a picture in which these elements are: panels as a whole, of a map as much
 * around what is pointed out as can be read, with no label cut.
 */
export function crop(svg, elements, marked) {
  const { x: left, y: top, width: across, height: down } = svg.viewBox.baseVal;
  const whole = { x: left, y: top, width: across, height: down };
  const box = bounds(elements.length ? grown(around(svg, elements), ROOM) : whole,
    ...marked.map((one) => grown(around(svg, [one]), PAD + WIDEST / 2)));
  const wide = Math.min(svg.parentElement.clientWidth, (TALLEST * box.width) / box.height, LARGEST * box.width);
  const about = marked.length ? around(svg, marked) : box;
  const onMap = elements.some((one) => one.closest('[data-region="map"]'));
  const shown = onMap ? closer(svg, box, wide, about, box.width / CLOSEST) : box;
  svg.setAttribute("viewBox", `${shown.x} ${shown.y} ${shown.width} ${shown.height}`);
  svg.style.width = `${wide}px`;
  svg.style.aspectRatio = `${box.width} / ${box.height}`;
  enlarge(svg, whole, onMap ? undefined : MOST);
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll("text")) {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const whole = left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    if (!whole) text.setAttribute("visibility", "hidden");
  }
}
