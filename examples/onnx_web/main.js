// Guess what the bot plays. The network runs here, in the page.

import * as ort from "onnxruntime-web/wasm";

ort.env.wasm.wasmPaths = new URL("./", document.baseURI).href;
ort.env.wasm.numThreads = 1; // More would need special headers, and the network is small.

const at = (id) => document.getElementById(id);
const tally = { right: 0, asked: 0 };
let room = null;

/** What the bot thinks of a position: its action, every action's probability, its own chance of winning. */
async function think(position) {
  const { session, data } = room;
  const mask = new Uint8Array(data.actions);
  for (const { id } of position.legal) mask[id] = 1;
  const feeds = {
    observation: new ort.Tensor("float32", Float32Array.from(position.observation), [1, position.observation.length]),
    action_mask: new ort.Tensor("bool", mask, [1, data.actions]),
  };
  if (data.roles.length > 1) feeds.role = new ort.Tensor("int64", [BigInt(position.role)], [1]);
  const { action, probabilities, chances, value } = await session.run(feeds);
  const chance = chances ? chances.data[0] : chanceOf(value.data[0], position.seats);
  return { action: Number(action.data[0]), probabilities: probabilities.data, chance };
}

/** The chance at which a single winner of so many seats expects this result; others share -1. */
function chanceOf(value, seats) {
  return Math.min(1, Math.max(0, (value * (seats - 1) + 1) / seats));
}

function show() {
  const position = room.data.positions[room.n];
  const parsed = new DOMParser().parseFromString(position.svg, "image/svg+xml").documentElement;
  parsed.setAttribute("aria-label", `${room.data.title}, as ${position.seat} sees it`);
  at("board").replaceChildren(document.importNode(parsed, true));
  at("question").textContent = `${position.seat} decides. What does the bot play?`;
  at("answer").textContent = "";
  at("next").hidden = true;
  at("choices").replaceChildren(...position.legal.map((action) => {
    const button = document.createElement("button");
    button.textContent = action.sentence;
    button.dataset.id = action.id;
    button.onclick = () => guess(action.id);
    const row = document.createElement("li");
    row.append(button);
    return row;
  }));
  for (const target of at("board").querySelectorAll("[data-action]")) {
    target.style.cursor = "pointer";
    target.onclick = () => guess(Number(target.dataset.action));
  }
}

async function guess(id) {
  if (!at("next").hidden) return;
  at("next").hidden = false;
  const position = room.data.positions[room.n];
  const started = performance.now();
  const thought = await think(position);
  const ms = (performance.now() - started).toFixed(1);
  tally.asked += 1;
  tally.right += thought.action === id;
  const name = position.legal.find((action) => action.id === thought.action).sentence;
  at("answer").textContent = `${thought.action === id ? "Yes." : "No:"} ${name} (${ms} ms; it wins here with `
    + `${Math.round(100 * thought.chance)} %.) ${tally.right} of ${tally.asked} right.`;
  for (const button of at("choices").querySelectorAll("button")) {
    const share = thought.probabilities[Number(button.dataset.id)];
    button.disabled = true;
    button.style.setProperty("--share", `${100 * share}%`);
    button.append(` — ${(100 * share).toFixed(1)} %`);
    button.classList.toggle("best", Number(button.dataset.id) === thought.action);
  }
  at("next").focus();
}

/** How many positions the network decides here as it does in Python. */
async function compare() {
  let same = 0;
  for (const position of room.data.positions) {
    const { action } = await think(position);
    same += action === position.expected;
  }
  at("check").textContent = `${same} of ${room.data.positions.length} decisions are the same as in Python.`;
}

async function main() {
  const [data, session] = await Promise.all([
    fetch("positions.json").then((response) => response.json()),
    ort.InferenceSession.create("bot.onnx"),
  ]);
  room = { data, session, n: 0 };
  at("title").textContent = data.title;
  at("next").onclick = () => {
    room.n = (room.n + 1) % data.positions.length;
    show();
  };
  show();
  await compare();
}

main().catch((error) => {
  at("answer").textContent = `That did not work: ${error.message}`;
  throw error;
});
