// Boxes in a picture: where things lie, in the picture's own units.

/** The part of a box that has this size, as near around something as the box allows. */
export function cut(box, width, height, about) {
  const held = (middle, size, from, room) => Math.min(Math.max(middle - size / 2, from), from + room - size);
  return {
    x: held(about.x + about.width / 2, width, box.x, box.width),
    y: held(about.y + about.height / 2, height, box.y, box.height), width, height,
  };
}

/** The box around elements of a picture that is on the page, in the picture's own units. */
export function around(svg, elements) {
  const into = svg.getScreenCTM().inverse();
  const corners = elements.flatMap((element) => {
    const box = element.getBoundingClientRect();
    return [[box.left, box.top], [box.right, box.bottom]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(into));
  });
  const [left, right] = [Math.min(...corners.map((p) => p.x)), Math.max(...corners.map((p) => p.x))];
  const [top, bottom] = [Math.min(...corners.map((p) => p.y)), Math.max(...corners.map((p) => p.y))];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whether one box lies in another. */
export function within(one, box) {
  return one.x >= box.x && one.y >= box.y && one.x + one.width <= box.x + box.width && one.y + one.height <= box.y + box.height;
}

/** Whether two boxes overlap. */
export function touches(one, box) {
  return one.x < box.x + box.width && one.y < box.y + box.height && one.x + one.width > box.x && one.y + one.height > box.y;
}

/** A box with so much more on each side. */
export function grown({ x, y, width, height }, by) {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** The box around boxes. */
export function bounds(...boxes) {
  const [x, y] = [Math.min(...boxes.map((one) => one.x)), Math.min(...boxes.map((one) => one.y))];
  const [right, bottom] = [Math.max(...boxes.map((one) => one.x + one.width)), Math.max(...boxes.map((one) => one.y + one.height))];
  return { x, y, width: right - x, height: bottom - y };
}

/** What of a box lies in another. */
export function overlap(one, box) {
  const [x, y] = [Math.max(one.x, box.x), Math.max(one.y, box.y)];
  const [right, bottom] = [Math.min(one.x + one.width, box.x + box.width), Math.min(one.y + one.height, box.y + box.height)];
  return { x, y, width: right - x, height: bottom - y };
}
