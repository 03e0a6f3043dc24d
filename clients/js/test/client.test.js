// The client against a real server at $GANGLAND; tests/clients/test_js.py starts one.

import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { Gangland, GanglandError, SeatTokens } from "gangland-client";

const server = process.env.GANGLAND ?? "http://127.0.0.1:8000";
const bots = (count) => Array(count).fill({ kind: "bot", bot: "random" });
const table = (...people) => ({
  game: "chicago",
  options: { players: people.length + 1 },
  seats: [...people, ...bots(1)],
});
const ann = { kind: "human", name: "Ann" };

/** A proxy whose connections can be cut. */
async function proxy() {
  const { hostname, port } = new URL(server);
  const sockets = new Set();
  const listening = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise((done) => listening.listen(0, "127.0.0.1", done));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${listening.address().port}`,
    cut,
    close: () => {
      listening.close();
      cut();
    },
  };
}

test("games, rules, tables, leaderboards and bots are listed", async () => {
  const gangland = new Gangland(server);
  const { games } = await gangland.games();
  assert.ok(games.some(({ game }) => game === "chicago"));
  const info = await gangland.game("chicago");
  assert.equal(info.title, "Dominate the Chicago Underworld");
  assert.ok((await gangland.rules("chicago")).sections.length > 3);
  assert.equal((await gangland.table("chicago", { players: 3 })).roles.length, 3);
  assert.equal((await gangland.leaderboard("chicago", { limit: 3 })).game, "chicago");
  const { seats } = await gangland.create(table(ann));
  const view = await seats[0].view({ wait: 20, state: true });
  const answer = await gangland.ask("chicago", { bot: "random", state: view.state });
  assert.ok(view.legal.some(({ id }) => id === answer.action));
});

test("a whole match over HTTP", async () => {
  const gangland = new Gangland(server);
  const { match, seats } = await gangland.create(table(ann));
  const [seat] = seats;
  let view = await seat.view({ svg: false, wait: 20 });
  const events = [...view.events];
  while (view.status !== "finished") {
    const more = { svg: false, wait: 20, since: view.next_event };
    view =
      view.decision === null
        ? await seat.view(more)
        : await seat.act(view.decision, view.legal[0].notation, more);
    events.push(...view.events);
  }
  assert.deepEqual(events.map(({ n }) => n), events.map((_, index) => index));
  assert.equal(view.result.standings[0].place, 1);
  assert.equal((await gangland.match(match)).status, "finished");
  const listed = await gangland.matches({ game: "chicago", status: "finished" });
  assert.ok(listed.matches.some((other) => other.match === match));
  assert.equal((await gangland.replay(match)).replay.game, "chicago");
  assert.ok((await seat.frame(0)).svg.includes("<svg"));
  const review = await seat.review();
  assert.equal(review.seat, 0);
  const sums = review.curve.map(({ chances }) => chances.reduce((sum, chance) => sum + chance, 0));
  assert.ok(sums.length > 1 && sums.every((sum) => Math.abs(sum - 1) < 1e-6));
});

test("the coach rates the last decision", async () => {
  const gangland = new Gangland(server);
  const { seats } = await gangland.create(table(ann));
  const [seat] = seats;
  const { decision, legal } = await seat.view({ svg: false, wait: 20 });
  await seat.act(decision, legal[0].id);
  const { assessment } = await seat.coach();
  assert.equal(assessment.played.action.id, legal[0].id);
  await assert.rejects(seat.coach({ decision: 10_000 }), { name: "GanglandError" });
});

test("a whole match over the WebSocket, with connections that break", async () => {
  const between = await proxy();
  const gangland = new Gangland(between.url);
  const { seats } = await gangland.create(table(ann));
  const states = [];
  const events = [];
  let decisions = 0;
  const final = await new Promise((done, fail) => {
    let answered = -1;
    const live = seats[0].live(
      {
        onstate: (connected) => states.push(connected),
        onerror: fail,
        onview: (view) => {
          events.push(...view.events.map(({ n }) => n));
          if (view.status === "finished") {
            live.close();
            done(view);
          } else if (view.decision !== null && view.decision !== answered) {
            answered = view.decision;
            decisions += 1;
            const lost = decisions === 2 || decisions === 4;
            const asked = live.act(view.decision, view.legal[0].id);
            if (lost) between.cut();
            asked.catch((error) => {
              assert.equal(error.code, "unavailable");
              answered = -1;
            });
          }
        },
      },
      { svg: false },
    );
  });
  between.close();
  assert.deepEqual(events, events.map((_, index) => index));
  assert.ok(final.result.standings.length === 2);
  assert.deepEqual(states.slice(0, 5), [true, false, true, false, true]);
});

test("views come one by one, undo, hint, leave and return work", async () => {
  const gangland = new Gangland(server);
  const { seats } = await gangland.create(table(ann));
  const [seat] = seats;
  const first = await seat.view({ wait: 20 });
  const hint = await seat.hint("random");
  assert.equal(hint.decision, first.decision);
  await seat.act(first.decision, hint.action.id);
  assert.ok((await seat.undo()).events.some(({ kind }) => kind === "undo"));
  await seat.leave("random");
  let seen = 0;
  for await (const view of gangland.seat(seat.match, 0).views({ svg: false })) {
    seen += 1;
    if (view.status === "finished") assert.ok(view.result);
  }
  assert.ok(seen >= 1);
});

test("the same over one connection", async () => {
  const { seats } = await new Gangland(server).create(table(ann));
  await seats[0].view({ wait: 20 });
  await new Promise((done, fail) => {
    const live = seats[0].live({
      onview() {},
      onerror: fail,
      onstate: async () => {
        try {
          assert.equal((await live.ask({ type: "ping" })).type, "pong");
          const { decision, action } = await live.hint("random");
          await live.act(decision, action.id);
          assert.equal((await live.undo()).type, "view");
          assert.equal((await live.leave("random")).away, true);
          await assert.rejects(live.act(999, 0), GanglandError);
          live.close();
          await assert.rejects(live.undo(), { code: "unavailable" });
          done();
        } catch (error) {
          fail(error);
        }
      },
    });
  });
});

test("talking, agreeing to end, conceding and rematches", async () => {
  const bob = { kind: "human", name: "Bob" };
  const gangland = new Gangland(server, { tokens: new SeatTokens() });
  const { seats } = await gangland.create(table(ann, bob));
  assert.equal((await seats[1].say("hello")).events.at(-1).text, "Bob says: Hello!");
  assert.equal((await seats[0].end()).seats[0].agrees, true);
  assert.equal((await seats[0].end(false)).seats[0].agrees, false);
  await seats[1].end();
  assert.equal((await seats[0].end()).result.ending, "agreed");
  const again = await seats[0].rematch();
  assert.equal((await seats[1].view()).rematch.match, again.match);
  assert.equal(gangland.seat(again.match).token, seats[0].token);
  assert.equal((await again.begin()).status, "playing");
  assert.equal((await again.concede()).seats[0].conceded, true);
  await assert.rejects(seats[1].rematch(), { code: "conflict" });
});

test("tokens of one's seats outlive the client that got them", async () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (k, v) => kept.set(k, v) };
  const gangland = new Gangland(server, { tokens: new SeatTokens(storage) });
  const { match } = await gangland.create(table(ann, { kind: "open" }));
  const friend = new Gangland(server, { tokens: new SeatTokens() });
  const joined = await friend.join(match, { name: "Bob" });
  assert.equal(joined.seat, 1);
  const reloaded = new Gangland(server, { tokens: new SeatTokens(storage) });
  assert.equal((await reloaded.seat(match).view()).viewer, 0);
  assert.equal((await friend.seat(match).view()).viewer, 1);
  assert.equal((await new Gangland(server).seat(match).view()).viewer, null);
  reloaded.tokens.forget(match);
  assert.equal((await reloaded.seat(match).view()).viewer, null);
});

test("what is refused is an error with the protocol's code", async () => {
  const gangland = new Gangland(server);
  await assert.rejects(gangland.game("chess"), { code: "not_found", status: 404 });
  const { match, seats } = await gangland.create(table(ann));
  const { decision } = await seats[0].view({ wait: 20 });
  await assert.rejects(seats[0].act(decision, 9999), { code: "illegal_action", status: 409 });
  gangland.tokens.keep({ match, seat: 0, token: "wrong" });
  await assert.rejects(gangland.seat(match).view(), { code: "unauthorized" });
  const views = gangland.seat(match).views();
  await assert.rejects(views.next(), { code: "unauthorized" });
  const nowhere = new Gangland("http://127.0.0.1:9", { retries: 0 });
  await assert.rejects(nowhere.games(), { code: "unavailable", status: 0 });
});
