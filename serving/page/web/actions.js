// What may be done: targets on the picture and the list beside it, which light each other up.

import { amountGroups, amountPicker } from "./amounts.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { adoptTitles, choiceAt, labelOf } from "./pieces.js";
import { say } from "./speech.js";

const FILTER_FROM = 12;
const FOLD_FROM = 4;
const DIGITS = 9;

/** Make the elements of the picture that stand for actions into buttons, and name its pieces. */
export function wireBoard(room) {
  const { board } = room.sheet;
  const svg = board.querySelector("svg");
  if (!svg) return;
  adoptTitles(svg);
  const legal = new Map(room.view.legal.map((action) => [String(action.id), action]));
  for (const element of svg.querySelectorAll("[data-action]")) {
    const action = legal.get(element.dataset.action);
    if (!action) continue;
    button(room, element, action.sentence, [action.id], () => room.act(action.id));
  }
  for (const element of svg.querySelectorAll("[data-actions]")) {
    const actions = element.dataset.actions.split(" ").map((id) => legal.get(id)).filter(Boolean);
    if (!actions.length) continue;
    const named = `${labelOf(room.pieces, element)} ${actions.map((action) => action.sentence).join(" ")}`;
    button(room, element, named, actions.map((action) => action.id), () => {
      room.inspector.pin(room.inspector.find(element) ?? element, actions, room.act);
    });
    element.setAttribute("aria-haspopup", "dialog");
  }
  namePieces(room, svg);
}

function button(room, element, label, ids, doing) {
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.setAttribute("aria-label", label);
  element.classList.add("target");
  element.addEventListener("click", (event) => {
    if (room.inspector.pressed) return;
    // Clicks of programs and of readers aloud lie nowhere.
    const chosen = event.detail ? choiceAt(event) ?? element : element;
    if (chosen === element) doing();
    else chosen.dispatchEvent(new MouseEvent("click"));
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    doing();
  });
  for (const [name, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    element.addEventListener(name, () => ids.forEach((id) => light(room, id, on)));
  }
}

/** Pieces without an action can be asked about, too: by pointer, touch, and the arrow keys. */
function namePieces(room, svg) {
  for (const element of svg.querySelectorAll("[data-piece], [data-tip]")) {
    if (element.closest(".target")) continue;
    element.setAttribute("role", "img");
    element.setAttribute("tabindex", "-1");
    element.setAttribute("aria-label", labelOf(room.pieces, element));
    element.classList.add("askable");
    element.addEventListener("click", (event) => {
      if (room.inspector.pressed || event.target.closest(".target")) return;
      event.stopPropagation();
      const beneath = choiceAt(event);
      if (beneath) beneath.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      else room.inspector.pin(element);
    });
  }
}

/** From one piece to the next with the arrow keys, by where they lie. */
export function walk(board, event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[event.key];
  if (!step || !board.contains(document.activeElement)) return;
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const from = document.activeElement === board ? centre(board) : centre(document.activeElement);
  let best = null;
  for (const element of board.querySelectorAll(".target, .askable")) {
    if (element === document.activeElement) continue;
    const [dx, dy] = centre(element).map((value, k) => value - from[k]);
    const ahead = dx * step[0] + dy * step[1];
    if (ahead <= 2) continue;
    const away = ahead + 2.5 * Math.abs(dx * step[1] + dy * step[0]);
    if (!best || away < best.away) best = { away, element };
  }
  if (!best) return;
  event.preventDefault();
  best.element.focus({ preventScroll: false });
}

/** The same choices as a list, for those who read, and for what has no place on the picture. */
export function showActions(room) {
  const { view, sheet } = room;
  if (view.status !== "playing") return;
  const heading = h("h2", { tabindex: "-1" }, view.decision === null ? t("Wait for your turn") : t("Your choices"));
  if (view.decision === null) {
    const words = view.viewer === null ? t("You are watching what everybody may know.") : t("The others are at it.");
    fill(sheet.actions, heading, h("p", { class: "note" }, view.away ? t("A bot plays for you. Come back any time.") : words));
    return;
  }
  const sums = amountGroups(view.legal);
  const plain = view.legal.filter((action) => !sums.has(action.group));
  const pickers = [...sums].map(([name, actions]) => h("li", {}, amountPicker(room, name, actions)));
  const list = h("ol", { class: "choices" }, pickers, rows(room, plain));
  const filter = plain.length < FILTER_FROM ? null : h("input", {
    type: "search", placeholder: t("Find one of {n}", { n: plain.length }), "aria-label": t("Find a choice"),
    oninput: (event) => narrow(list, event.target.value),
  });
  const onCards = sheet.board.querySelector("[data-actions]")
    ? h("p", { class: "note" }, t("Click a card on the table to see what you can do with it.")) : null;
  fill(sheet.actions, heading, onCards, filter, list);
  number(list);
  if (room.focusBack) {
    room.focusBack = false;
    heading.focus({ preventScroll: true });
  }
}

/** Choices one by one; many of a kind in a fold of their own, after the others. */
function rows(room, actions) {
  const kinds = Map.groupBy ? Map.groupBy(actions, (action) => action.group) : group(actions);
  const folded = [...kinds].filter(([name, some]) => name && some.length >= FOLD_FROM && some.length < actions.length);
  const apart = new Set(folded.flatMap(([, some]) => some));
  const single = actions.filter((action) => !apart.has(action)).map((action) => row(room, action));
  const folds = folded.map(([name, some]) => h("li", { class: "fold" },
    h("details", { ontoggle: (event) => number(event.target.closest(".choices")) },
      h("summary", {}, `${say(room.view.game, name)} …`, h("span", { class: "tag" }, some.length)),
      h("ol", {}, some.map((action) => row(room, action))))));
  return [...single, ...folds];
}

function group(actions) {
  const kinds = new Map();
  for (const action of actions) kinds.set(action.group, [...(kinds.get(action.group) ?? []), action]);
  return kinds;
}

function row(room, action) {
  return h("li", { class: "choice" }, h("button", {
    type: "button", "data-id": action.id,
    onclick: () => room.act(action.id),
    onmouseenter: () => light(room, action.id, true), onmouseleave: () => light(room, action.id, false),
    onfocus: () => light(room, action.id, true), onblur: () => light(room, action.id, false),
  }, h("kbd", { "aria-hidden": "true" }), h("span", {}, action.sentence)));
}

/** The buttons of the list that can be seen, in their order. */
export function shownChoices(list) {
  return [...list.querySelectorAll(".take, .choice:not([hidden]) > button")].filter((one) => {
    const fold = one.closest("details");
    return !fold || fold.open;
  });
}

function number(list) {
  if (!list) return;
  for (const key of list.querySelectorAll("kbd")) key.textContent = "";
  shownChoices(list).slice(0, DIGITS).forEach((one, k) => { const key = one.querySelector("kbd"); if (key) key.textContent = k + 1; });
}

function narrow(list, text) {
  const wanted = text.trim().toLowerCase();
  for (const line of list.querySelectorAll(".choice")) line.hidden = !line.textContent.toLowerCase().includes(wanted);
  for (const fold of list.querySelectorAll(".fold")) {
    fold.hidden = !fold.querySelector(".choice:not([hidden])");
    if (wanted) fold.querySelector("details").open = !fold.hidden;
  }
  number(list);
}

function light(room, id, on) {
  for (const element of room.sheet.board.querySelectorAll(`[data-action="${id}"], [data-actions~="${id}"]`)) {
    element.classList.toggle("lit", on);
  }
  room.sheet.actions.querySelector(`button[data-id="${id}"]`)?.classList.toggle("lit", on);
}
