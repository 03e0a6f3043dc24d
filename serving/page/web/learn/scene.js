// A picture of a position with something pointed out.

import { part } from "./seats.js";

const PAD = 6;

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

/** The box of an element in the units of its picture, which has to be on the page. */
function boxOf(svg, element) {
  const into = svg.getScreenCTM().inverse();
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [from, to] = [new DOMPoint(left, top).matrixTransform(into), new DOMPoint(right, bottom).matrixTransform(into)];
  return { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
}

/** Draw a frame around elements. */
export function pointOut(svg, elements) {
  for (const old of svg.querySelectorAll(".halo")) old.remove();
  for (const element of elements) {
    const { x, y, width, height } = boxOf(svg, element);
    if (!width) continue;
    svg.append(part("rect", { class: "halo", x: x - PAD, y: y - PAD, width: width + 2 * PAD, height: height + 2 * PAD, rx: PAD }));
  }
}

/** Show only the part of a picture in which these elements are. */
export function crop(svg, elements) {
  const boxes = elements.map((element) => boxOf(svg, element)).filter((box) => box.width);
  if (!boxes.length) return;
  const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.width)), Math.max(...boxes.map((box) => box.y + box.height))];
  svg.setAttribute("viewBox", `${left - PAD} ${top - PAD} ${right - left + 2 * PAD} ${bottom - top + 2 * PAD}`);
}
