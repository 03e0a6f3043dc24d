// Sums of money: a slider with steps, a limit up to which the page bids by itself, and a bot for it.

import { call } from "./api.js";
import { announce, fill, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { say } from "./speech.js";

const FEW = 3;
export const BIDDING = "Bid";

/** Groups of choices that differ in an amount alone: name → choices, smallest first. */
export function amountGroups(legal) {
  const groups = new Map();
  for (const action of legal) {
    if (action.amount === null || action.amount === undefined) continue;
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  }
  for (const [name, actions] of groups) {
    if (actions.length < FEW) groups.delete(name);
    else actions.sort((one, other) => one.amount - other.amount);
  }
  return groups;
}

/** A slider over the choices of a group, with a button that takes the one it stands at. */
export function amountPicker(room, group, actions) {
  const name = say(room.view.game, group);
  let at = 0;
  const slider = h("input", { type: "range", min: 0, max: actions.length - 1, value: 0, "aria-label": t("{name}: how much", { name }), oninput: () => move(Number(slider.value)) });
  const take = h("button", { type: "button", class: "button take", "data-id": actions[0].id, onclick: () => room.act(actions[at].id) });
  const step = (label, words, by) => h("button", { type: "button", class: "button small step", "aria-label": words, onclick: () => move(at + by) }, label);
  const less = step("−", t("{name}: less", { name }), -1);
  const more = step("+", t("{name}: more", { name }), 1);
  const move = (to) => {
    at = Math.min(Math.max(to, 0), actions.length - 1);
    slider.value = at;
    slider.setAttribute("aria-valuetext", actions[at].sentence);
    take.textContent = actions[at].sentence.replace(/\.$/, "");
    take.dataset.id = actions[at].id;
    less.disabled = at === 0;
    more.disabled = at === actions.length - 1;
  };
  move(0);
  return h("div", { class: "amounts", role: "group", "aria-label": name },
    h("div", { class: "amount-row" }, less, slider, more), take,
    group === BIDDING ? limits(room, actions) : null);
}

/** Bidding by itself, for the card that is for sale. */
function limits(room, actions) {
  const { focus } = room;
  if (!focus) return null;
  const sums = actions.map((action) => action.amount).filter((sum) => sum > 0);
  const sum = h("select", { "aria-label": t("Bid for me up to"), class: "limit" }, sums.map((one) => h("option", { value: one }, `${one} G`)));
  return h("div", { class: "bidding" },
    h("div", { class: "amount-row" }, h("button", { type: "button", class: "button small", id: "bid-limit",
      onclick: () => { room.limit = { focus, sum: Number(sum.value) }; automatic(room); } }, t("Bid for me, up to")), sum),
    room.info?.about?.dealt ? h("button", { type: "button", class: "button small", id: "fast-deal",
      onclick: () => { setFast(room, true); automatic(room); } }, t("Let a bot do all my bidding")) : null);
}

/** Whether a bot does all bidding of this match. */
export function setFast(room, on) {
  room.fast = on;
  const key = `gangland.fast.${room.match}`;
  if (on) localStorage.setItem(key, "1");
  else localStorage.removeItem(key);
}

export function isFast(match) {
  return localStorage.getItem(`gangland.fast.${match}`) === "1";
}

/** Note before the match begins that a bot is to do the bidding. */
export function wishFast(match) {
  localStorage.setItem(`gangland.fast.${match}`, "1");
}

/** Whether the choice at hand is made by the page; it is made if so. */
export function automatic(room) {
  const { view } = room;
  if (view.decision === null || room.busy || room.queue.length || room.answering === view.decision) return false;
  const bids = view.legal.filter((action) => action.group === BIDDING && action.amount !== null);
  if (!bids.length) return false;
  if (room.limit && room.limit.focus === room.focus) {
    room.answering = view.decision;
    byLimit(room, bids);
    return true;
  }
  room.limit = null;
  if (!room.fast) return false;
  room.answering = view.decision;
  byBot(room);
  return true;
}

function byLimit(room, bids) {
  const least = bids.reduce((one, other) => (other.amount < one.amount ? other : one));
  const pass = room.view.legal.find((action) => action.group !== BIDDING);
  const chosen = least.amount <= room.limit.sum || !pass ? least : pass;
  if (chosen === pass) {
    announce(t("Above your limit of {sum} G.", { sum: room.limit.sum }));
    room.limit = null;
  }
  queueMicrotask(() => room.act(chosen.id));
}

async function byBot(room) {
  const { view } = room;
  try {
    room.info ??= await call(`games/${view.game}`);
    const quick = room.info.bots.find((bot) => bot.spec === "heuristic")?.spec;
    const hint = await room.live.ask(quick ? { type: "hint", bot: quick } : { type: "hint" });
    if (room.fast && hint.decision === room.view.decision) room.act(hint.action.id);
  } catch (error) {
    room.answering = null;
    setFast(room, false);
    toast(error.message);
    room.redraw();
  }
}

/** What the page does by itself, with a button to stop it. */
export function automaticNotice(room, place) {
  const limited = room.limit && room.limit.focus === room.focus;
  place.hidden = !limited && !(room.fast && room.view.legal.some((action) => action.group === BIDDING));
  if (place.hidden) return;
  fill(place, h("span", {}, limited ? t("Bidding for you, up to {sum} G.", { sum: room.limit.sum }) : t("A bot bids for you.")),
    h("button", { type: "button", class: "button small", id: "stop-bidding", onclick: () => {
      room.limit = room.answering = null;
      setFast(room, false);
      room.redraw();
    } }, t("Stop")));
}
