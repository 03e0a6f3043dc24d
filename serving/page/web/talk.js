// What people say to each other: one of a few phrases, which everybody reads in their own language.

import { attempt, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { PHRASES } from "./speech.js";

/** A list of what can be said; choosing says it. */
export function phraseList(room) {
  const list = h("select", { id: "say", "aria-label": t("Say something"), title: t("Say something"), hidden: true,
    onchange: () => {
      const phrase = list.value;
      list.value = "";
      if (phrase) attempt(() => room.live.ask({ type: "say", phrase }));
    } }, h("option", { value: "" }, t("Say …")), Object.entries(PHRASES).map(([phrase, words]) => h("option", { value: phrase }, t(words))));
  return list;
}

/** Who plays against bots alone has nobody to talk to. */
export function updatePhrases({ view, phrases }) {
  const others = view.seats.some((seat) => seat.seat !== view.viewer && seat.kind !== "bot");
  phrases.hidden = view.viewer === null || view.status === "expired" || !others;
}

/** Show what has just been said. */
export function hearPhrases(events) {
  for (const event of events) if (event.kind === "say") toast(event.text);
}
