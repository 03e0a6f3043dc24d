// A seat of a match, or a spectator's place: what it sees and what it can do.

import { Live } from "./live.js";

/** @import { Gangland } from "./gangland.js" */
/** @import { Handlers, Wanted } from "./live.js" */
/** @import * as P from "../types/protocol.d.ts" */

/** @typedef {Wanted & {since?: number}} Query Contents of a view; events from `since` on. */

/** One's place at a match. */
export class Seat {
  /**
   * @param {Gangland} gangland The server.
   * @param {string} match
   * @param {string} [token] The seat's; without one it is a spectator's place.
   * @param {number} [seat] The seat's number.
   */
  constructor(gangland, match, token, seat) {
    this.gangland = gangland;
    this.match = match;
    this.token = token;
    this.seat = seat;
  }

  /**
   * @param {"GET" | "POST"} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {object} [query]
   * @param {AbortSignal} [signal]
   */
  request(method, path, body, query, signal) {
    const full = `matches/${encodeURIComponent(this.match)}/${path}`;
    return this.gangland.request(method, full, { body, query, signal, token: this.token });
  }

  /**
   * What this seat sees.
   * @param {Query & {wait?: number, after?: number, signal?: AbortSignal}} [query] `wait` is the
   *   longest time in seconds to wait for this seat's decision, or, with `after`, for a view
   *   later than this version.
   * @returns {Promise<P.View>}
   */
  view({ signal, ...query } = {}) {
    return this.request("GET", "view", undefined, query, signal);
  }

  /**
   * Decide.
   * @param {number} decision The view's `decision`.
   * @param {number | string} action Number or notation of a legal action.
   * @param {Query & {wait?: number}} [query]
   * @returns {Promise<P.View>}
   */
  act(decision, action, query) {
    return this.request("POST", "actions", { decision, action }, query);
  }

  /** Go back to the previous decision. @param {Query} [query] @returns {Promise<P.View>} */
  undo(query) {
    return this.request("POST", "undo", {}, query);
  }

  /** A bot's advice. @param {string} [bot] @returns {Promise<P.Hint>} */
  hint(bot) {
    return this.request("POST", "hint", bot === undefined ? {} : { bot });
  }

  /**
   * What a bot thinks of a decision that this seat has made.
   * @param {P.CoachRequest} [wanted] The decision, by default the last one, and the bot.
   * @returns {Promise<P.Coaching>}
   */
  coach(wanted = {}) {
    return this.request("POST", "coach", wanted);
  }

  /**
   * The finished match as a bot sees it: a curve of chances, and the costly decisions.
   * @param {{bot?: string}} [query] By default the strongest bot that can rate decisions.
   * @returns {Promise<P.Review>}
   */
  review(query) {
    return this.request("GET", "review", undefined, query);
  }

  /**
   * Hand the seat to a bot.
   * @param {string} [bot] By default the match's substitute.
   * @param {Query} [query]
   * @returns {Promise<P.View>}
   */
  leave(bot, query) {
    return this.request("POST", "leave", bot === undefined ? {} : { bot }, query);
  }

  /** Take the seat back from a bot. @param {Query} [query] @returns {Promise<P.View>} */
  return(query) {
    return this.request("POST", "return", {}, query);
  }

  /**
   * Give the match up: it is lost, and a bot plays on.
   * @param {Query} [query]
   * @returns {Promise<P.View>}
   */
  concede(query) {
    return this.request("POST", "concede", {}, query);
  }

  /**
   * Agree to end the match without a winner, or no longer do.
   * @param {boolean} [agree]
   * @param {Query} [query]
   * @returns {Promise<P.View>}
   */
  end(agree = true, query) {
    return this.request("POST", "end", { agree }, query);
  }

  /**
   * Say something to the others at the table.
   * @param {P.Say["phrase"]} phrase
   * @param {Query} [query]
   * @returns {Promise<P.View>}
   */
  say(phrase, query) {
    return this.request("POST", "say", { phrase }, query);
  }

  /**
   * Ask for a rematch of the finished match, or sit down at the one that was asked for; the token
   * is kept. Leaving the rematch before declines it.
   * @returns {Promise<Seat>} The same seat there.
   */
  async rematch() {
    /** @type {P.SeatToken} */
    const taken = await this.request("POST", "rematch");
    this.gangland.tokens.keep(taken);
    return new Seat(this.gangland, taken.match, taken.token, taken.seat);
  }

  /** Begin a rematch without who has not come. @param {Query} [query] @returns {Promise<P.View>} */
  begin(query) {
    return this.request("POST", "begin", {}, query);
  }

  /**
   * One position of the match, from 0.
   * @param {number} n
   * @param {{viewer?: number}} [query] Whose view of it, once the match is finished.
   * @returns {Promise<P.Frame>}
   */
  frame(n, query) {
    return this.request("GET", `frames/${n}`, undefined, query);
  }

  /**
   * Get every change, over a WebSocket that connects again whenever it breaks.
   * @param {Handlers} handlers
   * @param {Wanted} [wanted] Contents of the views.
   * @returns {Live}
   */
  live(handlers, wanted) {
    return new Live(this.gangland, this.match, this.token, handlers, wanted);
  }

  /**
   * The views as they come, up to that of the finished match::
   *
   *     for await (const view of seat.views()) { ... }
   *
   * Views that come while the last one is looked at are joined to one, with all their events.
   * @param {Wanted} [wanted] Contents of the views.
   * @returns {AsyncGenerator<P.View, void, void>}
   * @throws {GanglandError} If the server refuses: no such match, or a wrong token.
   */
  async *views(wanted) {
    /** @type {P.View | undefined} */
    let next;
    /** @type {Error | undefined} */
    let refused;
    let wake = () => {};
    const live = this.live(
      {
        onview: (view) => {
          next = next ? { ...view, events: [...next.events, ...view.events] } : view;
          wake();
        },
        onerror: (error) => {
          refused = error;
          wake();
        },
      },
      wanted,
    );
    try {
      for (;;) {
        if (!next && !refused) await new Promise((done) => (wake = () => done(undefined)));
        if (refused) throw refused;
        const view = /** @type {P.View} */ (next);
        next = undefined;
        yield view;
        if (view.status === "finished" || view.status === "expired") return;
      }
    } finally {
      live.close();
    }
  }
}
