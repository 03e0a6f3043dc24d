// A notice of the browser when it is one's turn and the page is in the background.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const offered = () => "Notification" in globalThis;

/** A button that asks for permission; none if the browser has been asked, or cannot. */
export function notifyButton() {
  if (!offered() || Notification.permission !== "default") return null;
  const button = h("button", { type: "button", class: "button small", id: "notify",
    title: t("A notice of the browser when it is your turn and you look at something else"),
    onclick: async () => {
      await Notification.requestPermission();
      button.remove();
    } }, t("Notify me"));
  return button;
}

/** Tell somebody who looks elsewhere that it is their turn. */
export function notify(view) {
  if (!document.hidden || view.decision === null) return;
  if (!offered() || Notification.permission !== "granted") return;
  const notice = new Notification(t("{title}: your turn", { title: view.title }), { body: view.question, tag: view.match });
  notice.onclick = () => { focus(); notice.close(); };
}
