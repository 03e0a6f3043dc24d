// Pieces that have moved slide from where they were; off at once with reduced motion or at full pace.

const SLIDE_MS = 380;
const LEAST_PX = 8;
const MOST = 24;

/** Whether anything may move. */
export function moves(pace) {
  return pace !== "instant" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Where every piece lies that differs from all others: key → box on the screen. */
export function places(svg) {
  const found = new Map();
  const twice = new Set();
  for (const element of svg.querySelectorAll("[data-piece]")) {
    for (const key of [element.dataset.piece, `${element.dataset.piece} ${element.dataset.now}`]) {
      if (found.has(key)) twice.add(key);
      found.set(key, element);
    }
  }
  for (const key of twice) found.delete(key);
  return new Map([...found].map(([key, element]) => [key, { element, box: element.getBoundingClientRect() }]));
}

/** Let the pieces of a new picture slide from their places in the one before. */
export function slide(before, svg) {
  const scale = svg.getScreenCTM()?.a || 1;
  const moved = new Set();
  for (const [key, { element, box }] of places(svg)) {
    const from = before.get(key)?.box;
    if (!from || moved.has(element) || moved.size >= MOST) continue;
    const [dx, dy] = [from.x - box.x, from.y - box.y];
    if (Math.hypot(dx, dy) < LEAST_PX) continue;
    moved.add(element);
    element.animate([{ transform: `translate(${dx / scale}px, ${dy / scale}px)` }, { transform: "none" }],
      { duration: SLIDE_MS, easing: "ease-in-out" });
  }
  return moved.size;
}
