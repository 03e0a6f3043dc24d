// The secret tokens of one's own seats, kept across reloads of a page.

const KEY = "gangland.tokens";
const KEPT = 50;

/** @typedef {{match: string, seat: number, token: string}} SeatToken */

/** @returns {Pick<Storage, "getItem" | "setItem">} */
function memory() {
  const items = new Map();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
}

/** @returns {Pick<Storage, "getItem" | "setItem">} */
function available() {
  try {
    // Reading it throws where a browser blocks storage, and Node lacks it.
    return globalThis.localStorage ?? memory();
  } catch {
    return memory();
  }
}

/** Tokens by match; in the browser's local storage, or in memory where there is none. */
export class SeatTokens {
  /** @param {Pick<Storage, "getItem" | "setItem">} [storage] */
  constructor(storage = available()) {
    this.storage = storage;
  }

  /**
   * All tokens that are kept, the latest first.
   * @returns {SeatToken[]}
   */
  all() {
    try {
      const kept = JSON.parse(this.storage.getItem(KEY) ?? "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  /**
   * The token of one's seat in a match, by default of the first seat.
   * @param {string} match
   * @param {number} [seat]
   * @returns {SeatToken | undefined}
   */
  find(match, seat) {
    const own = this.all().filter((kept) => kept.match === match);
    own.sort((a, b) => a.seat - b.seat);
    return seat === undefined ? own[0] : own.find((kept) => kept.seat === seat);
  }

  /**
   * Keep a token; the oldest of more than fifty are forgotten.
   * @param {SeatToken} token
   */
  keep({ match, seat, token }) {
    const others = this.all().filter((kept) => kept.match !== match || kept.seat !== seat);
    this.write([{ match, seat, token }, ...others].slice(0, KEPT));
  }

  /**
   * Forget the tokens of a match.
   * @param {string} match
   */
  forget(match) {
    this.write(this.all().filter((kept) => kept.match !== match));
  }

  /** @param {SeatToken[]} tokens */
  write(tokens) {
    this.storage.setItem(KEY, JSON.stringify(tokens));
  }
}
