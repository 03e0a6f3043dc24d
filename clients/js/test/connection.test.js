// Connections without a server: pauses, heartbeats, repeated requests.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Gangland, GanglandError, SeatTokens } from "gangland-client";
import { pause } from "../src/live.js";

test("pauses double up to ten seconds, and have a random part", () => {
  assert.deepEqual([0, 1, 2, 10].map((tried) => pause(tried, 1)), [300, 600, 1200, 10000]);
  assert.equal(pause(0, 0), 150);
});

/** A WebSocket that somebody else plays. */
class Fake {
  static made = [];
  constructor(url) {
    this.url = String(url);
    this.sent = [];
    this.readyState = 0;
    Fake.made.push(this);
  }
  accept() {
    this.readyState = 1;
    this.onopen();
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
}

test("a connection that went silent is made again, and goes on after the last event", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const gangland = new Gangland("http://example.org/games", { WebSocket: Fake });
  gangland.tokens.keep({ match: "m", seat: 0, token: "secret" });
  const states = [];
  const live = gangland.seat("m").live({ onview() {}, onstate: (state) => states.push(state) });
  const [first] = Fake.made;
  assert.equal(first.url, "ws://example.org/games/api/v1/matches/m/ws");
  first.accept();
  assert.deepEqual(first.sent, [{ type: "hello", token: "secret", since: 0 }]);
  first.onmessage({ data: JSON.stringify({ type: "view", next_event: 7 }) });
  mock.timers.tick(20_000);
  assert.equal(first.sent.at(-1).type, "ping");
  assert.deepEqual(states, [true]);
  mock.timers.tick(20_000); // nothing was heard since the ping
  assert.deepEqual(states, [true, false]);
  mock.timers.tick(300);
  assert.equal(Fake.made.length, 2);
  Fake.made[1].accept();
  assert.equal(Fake.made[1].sent[0].since, 7);
  live.close();
  mock.timers.tick(60_000);
  assert.equal(Fake.made.length, 2);
  assert.deepEqual(states, [true, false, true]);
  mock.timers.reset();
});

test("a connection given up while it is made closes as it opens, and says nothing", () => {
  Fake.made.length = 0;
  const gangland = new Gangland("http://example.org", { WebSocket: Fake });
  const states = [];
  const live = gangland.seat("m").live({ onview() {}, onstate: (state) => states.push(state) });
  const [socket] = Fake.made;
  live.close();
  assert.equal(socket.readyState, 0);
  socket.accept();
  assert.equal(socket.readyState, 3);
  assert.deepEqual([socket.sent, states], [[], []]);
});

test("reading is repeated while a server is busy, writing is not", async () => {
  let asked = 0;
  const busy = async () => {
    asked += 1;
    const body = { type: "error", code: "unavailable", message: "busy" };
    const headers = { "retry-after": "0" };
    return asked % 3 ? Response.json(body, { status: 503, headers }) : Response.json({ asked });
  };
  const gangland = new Gangland("http://example.org", { fetch: busy });
  assert.deepEqual(await gangland.games(), { asked: 3 });
  await assert.rejects(gangland.join("m"), { code: "unavailable", retryAfter: 0 });
  assert.equal(asked, 4);
});

test("an answer that is cut off is asked for again by reading, and refused by writing", async () => {
  let asked = 0;
  const cut = async () => {
    asked += 1;
    return new Response(asked % 2 ? '{"asked": ' : `{"asked": ${asked}}`);
  };
  const gangland = new Gangland("http://example.org", { fetch: cut });
  assert.deepEqual(await gangland.games(), { asked: 2 });
  await assert.rejects(gangland.join("m"), { code: "unavailable", message: /cut off/ });
  assert.equal(asked, 3);
});

test("damaged and blocked storage counts as empty", () => {
  const damaged = new SeatTokens({ getItem: () => "{", setItem() {} });
  assert.deepEqual(damaged.all(), []);
  assert.ok(new GanglandError("internal", "x") instanceof Error);
});
