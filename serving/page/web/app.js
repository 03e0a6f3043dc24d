// Which page is shown: the part of the address after #.

import { announce, fill, h } from "./dom.js";
import { leaderboard } from "./leaderboard.js";
import { lobby } from "./lobby.js";
import { replay } from "./replay.js";
import { rules } from "./rules.js";
import { table } from "./table.js";

const THEMES = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const PAGES = [
  [/^#?\/?$/, lobby, "lobby", "Play"],
  [/^#\/leaderboard(?:\/(\w+))?$/, leaderboard, "leaderboard", "Leaderboard"],
  [/^#\/rules\/(\w+)$/, rules, "rules", "Rules"],
  [/^#\/m\/([\w-]+)$/, table, "table", "Table"],
  [/^#\/m\/([\w-]+)\/replay$/, replay, "replay", "Replay"],
];

const main = document.getElementById("main");
let leave = null;

/** Show the page of the address; the page before is told to clean up. */
async function show() {
  leave?.();
  leave = null;
  const found = PAGES.map(([form, ...page]) => [location.hash.match(form), ...page]);
  const [match, page, name, title] = found.find(([hit]) => hit) ?? [[], nowhere, "", "Not found"];
  document.title = `${title} · Gangland`;
  document.body.dataset.page = name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  fill(main);
  window.scrollTo(0, 0);
  let gone = false;
  leave = () => {
    gone = true;
  };
  try {
    const clean = await page(main, ...match.slice(1));
    if (gone) clean?.();
    else leave = clean;
  } catch (error) {
    if (gone) return;
    fill(main, h("div", { class: "empty" }, h("h1", {}, "That did not work"), h("p", {}, error.message),
      h("p", {}, h("a", { class: "button", href: "#/" }, "To the lobby"))));
    announce(error.message);
  }
}

function nowhere(place) {
  fill(place, h("div", { class: "empty" }, h("h1", {}, "Nothing here"),
    h("p", {}, h("a", { class: "button", href: "#/" }, "To the lobby"))));
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.textContent = SIGNS[theme];
  button.title = `Colours: ${theme}`;
  button.setAttribute("aria-label", `Colours: ${theme}; change`);
  button.onclick = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem("gangland.theme", next);
    setTheme(next);
  };
}

const kept = localStorage.getItem("gangland.theme");
setTheme(THEMES.includes(kept) ? kept : "auto");
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // The part after # says which page is shown.
  main.focus();
});
addEventListener("hashchange", show);
show();
