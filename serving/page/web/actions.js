// What may be done: targets on the picture and the list beside it, which light each other up.

import { fill, h } from "./dom.js";

const FILTER_FROM = 12;
const DIGITS = 9;

/** Make the elements of the picture that stand for actions into buttons. */
export function wireBoard(room) {
  const legal = new Map(room.view.legal.map((action) => [String(action.id), action]));
  for (const element of room.sheet.board.querySelectorAll("[data-action]")) {
    const action = legal.get(element.dataset.action);
    if (!action) continue;
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", action.sentence);
    element.classList.add("target");
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = action.sentence;
    element.prepend(title);
    element.addEventListener("click", () => room.act(action.id));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      room.act(action.id);
    });
    for (const [name, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
      element.addEventListener(name, () => light(room, action.id, on));
    }
  }
}

/** The same choices as a list, for those who read, and for what has no place on the picture. */
export function showActions(room) {
  const { view, sheet } = room;
  if (view.status !== "playing") return;
  const heading = h("h2", { tabindex: "-1" }, view.decision === null ? "Wait for your turn" : "Your choices");
  if (view.decision === null) {
    const words = view.viewer === null ? "You are watching what everybody may know." : "The others are at it.";
    fill(sheet.actions, heading, h("p", { class: "note" }, view.away ? "A bot plays for you. Come back any time." : words));
    return;
  }
  const list = h("ol", { class: "choices" }, view.legal.map((action, k) => h("li", {},
    h("button", {
      type: "button", "data-id": action.id,
      onclick: () => room.act(action.id),
      onmouseenter: () => light(room, action.id, true), onmouseleave: () => light(room, action.id, false),
      onfocus: () => light(room, action.id, true), onblur: () => light(room, action.id, false),
    },
    h("kbd", { "aria-hidden": "true" }, k < DIGITS ? k + 1 : ""),
    h("span", {}, action.sentence), " ",
    h("code", {}, action.notation)))));
  const filter = view.legal.length < FILTER_FROM ? null : h("input", {
    type: "search", placeholder: `Find one of ${view.legal.length}`, "aria-label": "Find a choice",
    oninput: (event) => narrow(list, event.target.value),
  });
  fill(sheet.actions, heading, filter, list);
  if (room.focusBack) {
    room.focusBack = false;
    heading.focus({ preventScroll: true });
  }
}

function narrow(list, text) {
  const wanted = text.trim().toLowerCase();
  let shown = 0;
  for (const row of list.children) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
    if (!row.hidden) shown += 1;
    row.querySelector("kbd").textContent = !row.hidden && shown <= DIGITS ? shown : "";
  }
}

function light(room, id, on) {
  for (const element of room.sheet.board.querySelectorAll(`[data-action="${id}"]`)) element.classList.toggle("lit", on);
  room.sheet.actions.querySelector(`button[data-id="${id}"]`)?.classList.toggle("lit", on);
}
