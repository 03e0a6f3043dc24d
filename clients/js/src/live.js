// The WebSocket of a match: views come by themselves, and again after a lost connection.

import { GanglandError } from "./errors.js";

/** @import { Gangland } from "./gangland.js" */
/** @import * as P from "../types/protocol.d.ts" */

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;
const HEARTBEAT_MS = 20_000;
const CONNECTING = 0;
const OPEN = 1;
/** After these the server will not answer otherwise next time. */
const FINAL = ["not_found", "unauthorized", "bad_request"];

/**
 * @typedef {object} Wanted
 * @property {boolean} [svg] The picture; true by default.
 * @property {boolean} [text] The table as text.
 * @property {boolean} [observation] The seat's observation.
 * @property {boolean} [state] The seat's redacted record.
 */

/**
 * @typedef {object} Handlers
 * @property {(view: P.View) => void} onview Whenever something changes. The events are those since
 *   the last view, also after a lost connection.
 * @property {(error: GanglandError) => void} [onerror] The server refuses for good.
 * @property {(connected: boolean) => void} [onstate] The connection was made, or lost; a lost one is
 *   made again by itself.
 */

/**
 * @template T
 * @typedef {T extends unknown ? Omit<T, "ref"> : never} WithoutRef
 */

/** @typedef {WithoutRef<Exclude<P.ClientMessage, P.Hello>>} Message */

/**
 * The pause before a connection is tried again: doubled each time, with a random part, so that a
 * server that starts again does not get all its clients at once.
 * @param {number} failures Tries that failed before.
 * @param {number} [random] From 0 to 1.
 * @returns {number} Milliseconds.
 */
export function pause(failures, random = Math.random()) {
  const whole = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return whole * (0.5 + random / 2);
}

/** A match, live. */
export class Live {
  /**
   * @param {Gangland} gangland The server.
   * @param {string} match
   * @param {string | undefined} token Without one it is a spectator's view.
   * @param {Handlers} handlers
   * @param {Wanted} [wanted]
   */
  constructor(gangland, match, token, handlers, wanted = {}) {
    if (!gangland.WebSocket) {
      throw new TypeError("no WebSocket here: Node has it from version 22, or pass settings.WebSocket");
    }
    this.url = new URL(`matches/${encodeURIComponent(match)}/ws`, gangland.base);
    this.url.protocol = this.url.protocol.replace("http", "ws");
    this.WebSocket = gangland.WebSocket;
    this.token = token;
    this.handlers = handlers;
    this.wanted = wanted;
    this.closed = false;
    this.since = 0;
    this.failures = 0;
    this.ref = 0;
    this.heard = false;
    /** @type {Map<number, {done: (answer: any) => void, fail: (error: Error) => void}>} */
    this.waiting = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    this.open();
  }

  /** Whether messages can be sent now. */
  get connected() {
    return this.socket?.readyState === OPEN;
  }

  open() {
    const socket = new this.WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) {
        socket.close();
        return;
      }
      const { since, token = null } = this;
      socket.send(JSON.stringify({ type: "hello", token, since, ...this.wanted }));
      this.timer = setTimeout(() => this.beat(), HEARTBEAT_MS);
      this.handlers.onstate?.(true);
    };
    socket.onmessage = ({ data }) => this.read(JSON.parse(String(data)));
    socket.onclose = () => this.lost(socket);
    // A close follows.
    socket.onerror = () => {};
  }

  /** Find out about a connection that broke without a word. */
  beat() {
    if (!this.heard && this.socket) {
      const socket = this.socket;
      socket.close();
      this.lost(socket);
      return;
    }
    this.heard = false;
    if (this.connected) this.socket?.send(JSON.stringify({ type: "ping" }));
    this.timer = setTimeout(() => this.beat(), HEARTBEAT_MS);
  }

  /** @param {P.ServerMessage} message */
  read(message) {
    this.heard = true;
    const ref = message.ref ?? undefined;
    const asked = ref === undefined ? undefined : this.waiting.get(ref);
    if (ref !== undefined) this.waiting.delete(ref);
    if (message.type === "view") {
      this.failures = 0;
      this.since = message.next_event;
      this.handlers.onview(message);
    }
    if (message.type !== "error") {
      asked?.done(message);
      return;
    }
    const error = new GanglandError(message.code, message.message);
    if (asked) {
      asked.fail(error);
    } else if (FINAL.includes(message.code)) {
      this.close();
      this.handlers.onerror?.(error);
    }
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (socket !== this.socket) return;
    this.socket = undefined;
    clearTimeout(this.timer);
    for (const { fail } of this.waiting.values()) {
      fail(new GanglandError("unavailable", "the connection was lost before the answer came"));
    }
    this.waiting.clear();
    if (this.closed) return;
    this.handlers.onstate?.(false);
    this.timer = setTimeout(() => this.open(), pause(this.failures));
    this.failures += 1;
  }

  /**
   * Send a message; the promise brings the answer to it. An action whose answer was lost can be
   * sent again: the server refuses a decision that was made already (`stale_decision`).
   * @param {Message} message
   * @returns {Promise<P.View | P.Hint | P.Pong>}
   */
  ask(message) {
    const { socket } = this;
    if (!socket || socket.readyState !== OPEN) {
      return Promise.reject(new GanglandError("unavailable", "not connected; trying again"));
    }
    this.ref += 1;
    const ref = this.ref;
    return new Promise((done, fail) => {
      this.waiting.set(ref, { done, fail });
      socket.send(JSON.stringify({ ...message, ref }));
    });
  }

  /**
   * Decide.
   * @param {number} decision The view's `decision`.
   * @param {number | string} action Number or notation of a legal action.
   */
  act(decision, action) {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "act", decision, action }));
  }

  /** Go back to the previous decision. */
  undo() {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "undo" }));
  }

  /** A bot's advice. @param {string} [bot] */
  hint(bot) {
    return /** @type {Promise<P.Hint>} */ (this.ask({ type: "hint", bot }));
  }

  /** Hand the seat to a bot. @param {string} [bot] */
  leave(bot) {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "leave", bot }));
  }

  /** Take the seat back from a bot. */
  return() {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "return" }));
  }

  /** Give the match up: it is lost, and a bot plays on. */
  concede() {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "concede" }));
  }

  /** Agree to end the match without a winner, or no longer do. @param {boolean} [agree] */
  end(agree = true) {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "end", agree }));
  }

  /** Say something to the others at the table. @param {P.Say["phrase"]} phrase */
  say(phrase) {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "say", phrase }));
  }

  /** Begin a rematch without who has not come. */
  begin() {
    return /** @type {Promise<P.View>} */ (this.ask({ type: "begin" }));
  }

  /** End the connection for good. */
  close() {
    this.closed = true;
    clearTimeout(this.timer);
    const { socket } = this;
    // A browser warns of a connection that is given up while it is made: such a one closes as it opens.
    if (socket && socket.readyState !== CONNECTING) socket.close();
    if (socket) this.lost(socket);
  }
}
