// Small helpers for the document: elements, notices, focus.

import { fitLabels } from "./fit.js";
import { t } from "./i18n.js";
import { translateLabels } from "./speech.js";

/** An element with properties (on... are listeners, others attributes) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Replace everything inside an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const TOAST_MS = 6000;

/** Show a notice that goes by itself; read out at once. */
export function toast(message) {
  const notice = h("div", { class: "toast" }, message);
  document.getElementById("toasts").append(notice);
  setTimeout(() => notice.remove(), TOAST_MS);
}

/** Do it; what goes wrong is said. */
export async function attempt(doing) {
  try {
    return await doing();
  } catch (error) {
    toast(error.message);
    return null;
  }
}

/** Announce something to people who listen rather than look. */
export function announce(message) {
  document.getElementById("announcer").textContent = message;
}

/** A picture of a game from the server as an element of this document, in the reader's language. */
export function picture(svg, name, game = "") {
  const element = board(svg, name, game);
  fitLabels(element);
  return element;
}

/** The same, but its labels are still to be fitted: for boards, whose print may grow first; see legible.js. */
export function board(svg, name, game = "") {
  const parsed = h("template");
  parsed.innerHTML = svg; // The same tree as an XML parser's, in two thirds of the time.
  const element = document.adoptNode(parsed.content.firstElementChild);
  element.removeAttribute("width");
  element.removeAttribute("height");
  translateLabels(element, game);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  return element;
}

/** Copy text, by whatever means the browser allows. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("The link is copied."));
  } catch {
    toast(text);
  }
}

/** Hand a link on: by the device's own menu where one touches the screen, else by the clipboard. */
export async function share(url, title) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      if (error.name === "AbortError") return; // Somebody has thought better of it.
    }
  }
  await copy(url);
}

/** A number between 0 and 1 in percent, never rounded to a certainty that it is not. */
export function percent(share) {
  if (share > 0 && share < 0.01) return "<1 %";
  if (share < 1 && share > 0.99) return ">99 %";
  return `${Math.round(share * 100)} %`;
}

/** Shares with the sum 1 in whole percents with the sum 100; the largest remainders are rounded up. */
export function percents(shares) {
  const whole = shares.map((share) => Math.floor(share * 100));
  const left = 100 - whole.reduce((sum, count) => sum + count, 0);
  const remainder = (k) => shares[k] * 100 - whole[k];
  const order = shares.map((_, k) => k).sort((one, other) => remainder(other) - remainder(one));
  for (const k of order.slice(0, left)) whole[k] += 1;
  return whole.map((count, k) => {
    if (count === 0 && shares[k] > 0) return "<1 %";
    return count === 100 && shares[k] < 1 ? ">99 %" : `${count} %`;
  });
}

/** A picture that says nothing that is not said beside it. */
export function ornament(svg) {
  const element = picture(svg, "");
  element.removeAttribute("role");
  element.removeAttribute("aria-label");
  element.setAttribute("aria-hidden", "true");
  return element;
}
