// Bots for people: what they are called, and what they are like.

import { N_, t } from "./i18n.js";

/** Levels of a game's bot: what each is called, and how it plays. */
const LEVELS = {
  easy: [N_("Easy"), N_("Has taught itself the game, but often does something else than it thinks best: for a first game.")],
  medium: [N_("Medium"), N_("Has taught itself the game, but now and then does something else than it thinks best.")],
  hard: [N_("Hard"), N_("Has taught itself the game by playing against itself. Decides at once.")],
  strong: [N_("Strong"), N_("Has taught itself the game, and plays ahead before it decides: strong, but slow.")],
};

/** A bot's name: what it is, not where it lies. */
export function botName(spec) {
  const { kind, which, budget } = parts(spec);
  if (kind === "bot" && which in LEVELS) return t(LEVELS[which][0]);
  if (spec === "heuristic:specified") return t("Simple rules of thumb");
  const trained = ["", "bot"].includes(which) ? t("Trained bot") : t("Trained bot {which}", { which: spaced(which) });
  if (kind === "search") return t("{bot}, searching {effort}", { bot: trained, effort: effort(budget) });
  if (kind === "ppo") return trained;
  const names = { heuristic: t("Rules of thumb"), random: t("Random"), ismcts: t("Search") };
  return [names[kind] ?? kind, spaced(which)].filter(Boolean).join(" ");
}

/** How a bot plays, in a sentence for somebody who chooses one. */
export function botWords(spec) {
  const { kind, which, budget } = parts(spec);
  if (kind === "bot" && which in LEVELS) return t(LEVELS[which][1]);
  if (spec === "heuristic:specified") return t("Follows a few plain rules: for a first game.");
  if (kind === "search") return t("Has taught itself the game, and plays ahead for {time} before it decides: strong, but slow.", { time: effort(budget) });
  const words = {
    ppo: t(LEVELS.hard[1]),
    heuristic: t("Follows rules of thumb that people wrote down. Decides at once."),
    random: t("Does anything that the rules allow, without a plan."),
    ismcts: t("Plays ahead in its head before it decides, without having learned the game."),
  };
  return words[kind] ?? t("Comes from whoever runs this server.");
}

/** What kind of bot a spec names, which of its kind, and what follows a question mark. */
function parts(spec) {
  const [kind, rest = ""] = spec.split(/:(.*)/s);
  const [path, budget = ""] = rest.split("?");
  return { kind, which: path.split("/").at(-1), budget }; // Of a path, the part that distinguishes bots of a game.
}

/** How much a search may do: a time, or a number of positions. */
function effort(budget) {
  return /^\d+$/.test(budget) ? t("{count} positions", { count: budget }) : spaced(budget);
}

/** A number apart from its unit. */
function spaced(words) {
  return words.replace(/^(\d+)(m?s)$/, "$1 $2");
}
