// The rules of a game: a page of its own, and a sheet over the table.

import { call } from "./api.js";
import { fill, h } from "./dom.js";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/;
const books = new Map();

export async function rules(main, game) {
  const book = await bookOf(game);
  fill(main, h("article", { class: "page rules" },
    h("div", { class: "heading-row" }, h("h1", {}, book.title), h("a", { class: "button small", href: "#/" }, "To the lobby")),
    ...chapters(book)));
}

/** Show the rules over whatever is on the page; `rule` is the one to open at. */
export async function rulesSheet(game, rule = "") {
  const book = await bookOf(game);
  const sheet = h("dialog", { class: "sheet", "aria-label": `Rules of ${book.title}` },
    h("div", { class: "heading-row" }, h("h1", {}, book.title),
      h("button", { type: "button", class: "quiet", "aria-label": "Close the rules", onclick: () => sheet.close() }, "✕")),
    h("div", { class: "rules" }, ...chapters(book)));
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
  sheet.addEventListener("close", () => sheet.remove());
  document.body.append(sheet);
  sheet.showModal();
  if (rule) goTo(sheet, rule);
}

/** Open the chapter of a rule, and mark it. */
function goTo(sheet, rule) {
  const line = sheet.querySelector(`li[data-rule="${CSS.escape(rule)}"]`);
  if (!line) return;
  line.closest("details").open = true;
  line.classList.add("marked");
  line.tabIndex = -1;
  line.scrollIntoView({ block: "center" });
  line.focus({ preventScroll: true });
}

async function bookOf(game) {
  if (!books.has(game)) books.set(game, await call(`games/${game}/rules`));
  return books.get(game);
}

function chapters(book) {
  const list = h("div", {}, book.sections.map((section, k) => h("details", { open: k === 0 },
    h("summary", {}, section.title.replace(/^\d+ /, "")),
    h("ul", {}, section.rules.map((rule) => h("li", { "data-rule": rule.id }, h("code", {}, rule.id), h("p", {}, prose(rule.text))))))));
  const find = h("input", { type: "search", placeholder: "Find in the rules", "aria-label": "Find in the rules",
    oninput: () => narrow(list, find.value) });
  return [find, list];
}

/** Emphasis and code, as Markdown marks them. */
function prose(text) {
  return text.split(INLINE).map((part) => {
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return h("strong", {}, part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return h("em", {}, part.slice(1, -1));
    return part;
  });
}

function narrow(list, text) {
  const wanted = text.trim().toLowerCase();
  for (const [k, chapter] of [...list.children].entries()) {
    let hits = 0;
    for (const rule of chapter.querySelectorAll("li")) {
      rule.hidden = !rule.textContent.toLowerCase().includes(wanted);
      if (!rule.hidden) hits += 1;
    }
    chapter.hidden = hits === 0;
    chapter.open = wanted ? hits > 0 : k === 0;
  }
}
