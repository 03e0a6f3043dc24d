// Translates what a game says by the patterns of a catalogue, as serving/texts.py does.

const HOLE = /\{([\p{L}\p{N}_]+)\}/gu;
const NUMBER = "[-+−]?\\$?\\p{Nd}[\\p{Nd},.]*%?";
const WORDS = "(?:(?!(?<!\\bCo)[.!?] ).)+?";
const SENTENCES = /(?<=[.!?])(?<!\bCo\.) (?=\S)/u; // A company's name ends no sentence.
const LIST = /(, and |, or |, | and | or |; )/u;
const LETTERS = /\p{L}{2}/u;
const AND = { ", and ": " and ", ", or ": " or " };
const KEPT = 10_000;

export class Translator {
  /** @param {Record<string, string>} texts Translations by text or pattern. */
  constructor(texts) {
    this.exact = new Map(Object.entries(texts).filter(([text, said]) => text && said));
    const own = (text) => [...text.replace(HOLE, "")].length;
    this.patterns = [...this.exact.keys()].filter((text) => text.match(HOLE))
      .map((text) => [own(text), text])
      .sort(([n, one], [m, other]) => m - n || (one < other ? -1 : 1))
      .map(([, text]) => [expression(text), this.exact.get(text), literals(text)]);
    this.known = new Map();
  }

  /** The text in the catalogue's language, as far as it knows it. */
  translate(text) {
    return this.found(text) || text;
  }

  /** Whether nothing of it stays in English but what stands in a pattern's holes. */
  knows(text) {
    return this.found(text) !== null || !LETTERS.test(text);
  }

  found(text) {
    if (!this.known.has(text)) {
      if (this.known.size >= KEPT) this.known.clear();
      this.known.set(text, this.find(text));
    }
    return this.known.get(text);
  }

  find(text) {
    if (this.exact.has(text)) return this.exact.get(text);
    for (const [form, pattern, words] of this.patterns) {
      if (!words.every((word) => text.includes(word))) continue; // Quicker than the expression.
      const hit = form.exec(text);
      if (hit) return filled(pattern, Object.fromEntries(Object.entries(hit.groups).map(([name, value]) => [name, this.value(value)])));
    }
    const parts = text.split(SENTENCES);
    if (parts.length === 1) return null;
    const said = parts.map((part) => this.found(part));
    return said.includes(null) ? null : said.join(" ");
  }

  /** What stands in a hole: a text of its own, a list of them, or a name. */
  value(text) {
    const whole = this.found(text);
    if (whole !== null) return whole;
    const parts = text.split(LIST);
    if (parts.length === 1) return text;
    return parts.map((part, k) => {
      if (k % 2 === 0) return this.value(part);
      const link = AND[part] ?? part;
      return this.exact.get(link) ?? link;
    }).join("");
  }
}

/** The pattern with values in its holes. */
function filled(pattern, values) {
  return pattern.replace(HOLE, (hole, name) => (Object.hasOwn(values, name) ? values[name] : hole));
}

/** The words of a pattern beside its holes. */
function literals(pattern) {
  return pattern.split(HOLE).filter((part, k) => k % 2 === 0 && part);
}

/** The regular expression of a pattern; a name that comes again stands for the same. */
function expression(pattern) {
  const seen = new Set();
  const parts = pattern.split(HOLE).map((part, k) => {
    if (k % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>${part.startsWith("n") ? NUMBER : WORDS})`;
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}
