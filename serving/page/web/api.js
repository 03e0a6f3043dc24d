// The protocol: HTTP calls, the WebSocket of a match, and the tokens of one's own seats.

import { language, N_, SOURCE, t } from "./i18n.js";
import { translated } from "./speech.js";

const BASE = new URL("api/v1/", document.baseURI);
const SEATS = "gangland.seats";
const SEATS_KEPT = 50;
const RETRY_MS = [300, 1000, 2000, 5000, 10000];

/** What the codes of the protocol mean, for languages that the server does not speak. */
const PROBLEMS = {
  bad_request: N_("The server does not accept this: {message}"),
  unauthorized: N_("This belongs to another seat."),
  not_found: N_("It is not here, or not any more."),
  illegal_action: N_("The rules do not allow this now."),
  not_your_turn: N_("It is not your turn."),
  stale_decision: N_("The game has gone on meanwhile."),
  conflict: N_("This is not possible now."),
  too_large: N_("This is too much at once."),
  too_many: N_("Too many requests; wait a moment."),
  unavailable: N_("The server cannot do this at the moment; try again."),
  internal: N_("Something went wrong on the server."),
};

/** An answer of the server that is no success; `code` is the protocol's. */
export class ApiError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The error in an answer of the server, in the reader's language. */
function problem({ code, message }) {
  const known = language() !== SOURCE && PROBLEMS[code];
  return new ApiError(code, known ? t(known, { message }) : message);
}

/** Ask the server, and get its answer in the reader's language; `token` names a seat. */
export async function call(path, request) {
  return translated(await ask(path, request), ask, path.match(/^matches\/([^/?]+)/)?.[1]);
}

/** Ask the server. */
async function ask(path, { method = "GET", body, token } = {}) {
  const headers = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(new URL(path, BASE), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError("unavailable", t("The server cannot be reached."));
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw problem({ code: "internal", message: t("Error {status}", { status: response.status }), ...answer });
  }
  return answer;
}

// --- one's own seats -------------------------------------------------------------------------

/** All seats of this browser: match → {seat, token, game, title, at}. */
export function ownSeats() {
  try {
    return JSON.parse(localStorage.getItem(SEATS)) ?? {};
  } catch {
    return {};
  }
}

/** Keep a seat; the oldest go. */
export function keepSeat(match, seat) {
  const entries = Object.entries({ ...ownSeats(), [match]: { ...seat, at: Date.now() } });
  entries.sort((a, b) => b[1].at - a[1].at);
  localStorage.setItem(SEATS, JSON.stringify(Object.fromEntries(entries.slice(0, SEATS_KEPT))));
}

/** Forget a seat. */
export function dropSeat(match) {
  const { [match]: _, ...others } = ownSeats();
  localStorage.setItem(SEATS, JSON.stringify(others));
}

// --- the WebSocket ---------------------------------------------------------------------------

/** A match, live: views come by themselves, and again after a lost connection. */
export class Live {
  /** @param {{onview: Function, onproblem: Function, onstate: Function}} handlers */
  constructor(match, token, handlers) {
    this.match = match;
    this.token = token;
    this.handlers = handlers;
    this.answers = new Map();
    this.ref = 0;
    this.failures = 0;
    this.closed = false;
    this.reading = Promise.resolve();
    this.open();
  }

  open() {
    const url = new URL(`matches/${this.match}/ws`, BASE);
    url.protocol = url.protocol.replace("http", "ws");
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      if (this.left) {
        this.socket.close();
        return;
      }
      this.handlers.onstate(true);
      this.write({ type: "hello", token: this.token ?? null });
    };
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => this.lost();
  }

  /** Messages are read in the order in which they came: a translation may have to be fetched first. */
  hear(message) {
    const { socket } = this;
    const heard = translated(message, ask, this.match);
    this.reading = this.reading.then(() => heard).then(() => {
      if (socket === this.socket && !this.left) this.read(message);
    });
  }

  read(message) {
    if (message.type === "view") this.failures = 0;
    const answer = this.answers.get(message.ref);
    this.answers.delete(message.ref);
    if (message.type === "view") this.handlers.onview(message);
    if (answer) {
      if (message.type === "error") answer.fail(problem(message));
      else answer.done(message);
    } else if (message.type === "error") {
      if (message.code === "not_found" || message.code === "unauthorized") this.closed = true;
      this.handlers.onproblem(problem(message));
    }
  }

  lost() {
    for (const answer of this.answers.values()) {
      answer.fail(new ApiError("unavailable", t("The connection was lost; try again.")));
    }
    this.answers.clear();
    if (this.closed) return;
    this.handlers.onstate(false);
    const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  write(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** Send a message; the promise brings the server's answer to it. */
  ask(message) {
    if (this.socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new ApiError("unavailable", t("Not connected; trying again.")));
    }
    this.ref += 1;
    const ref = this.ref;
    return new Promise((done, fail) => {
      this.answers.set(ref, { done, fail });
      this.write({ ...message, ref });
    });
  }

  close() {
    this.closed = this.left = true;
    clearTimeout(this.timer);
    // A browser warns of a connection that is given up while it is made: such a one closes as it opens.
    if (this.socket.readyState !== WebSocket.CONNECTING) this.socket.close();
  }
}
