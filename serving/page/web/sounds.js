// Short sounds, made here rather than loaded: off unless somebody wants them.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { original } from "./speech.js";

const KEY = "gangland.sound";
const SHORT_S = 0.12;
const LOUD = 0.16;

/** What is heard: tones as [start in s, Hz, length in s, form], or a rattle of so many knocks. */
const SOUNDS = {
  turn: { tones: [[0, 523, 0.14, "triangle"], [0.13, 784, 0.22, "triangle"]] },
  dice: { knocks: 5 },
  money: { tones: [[0, 1318, 0.07, "square"], [0.07, 1760, 0.14, "square"]], loud: 0.3 },
  hit: { tones: [[0, 140, 0.28, "sawtooth"], [0.02, 70, 0.36, "sine"]] },
  end: { tones: [[0, 392, 0.2, "triangle"], [0.18, 523, 0.2, "triangle"], [0.36, 659, 0.5, "triangle"]] },
};
const HEARD = [
  ["dice", /[⚀-⚅]/u],
  ["hit", /\b(hits?|shots?|shoots?|shootout|fires?|falls?|killed|loses? (a|\d+) (henchm|racketeer|thug|member))/i],
  ["money", /\$\d|\b\d+ G\b|\bpays?\b/i],
];
let context = null;
let played = [];

/** Whether sounds are wanted. */
export function wanted() {
  return localStorage.getItem(KEY) === "on";
}

/** A button that turns sounds on and off; one is played at once, which browsers ask for. */
export function soundButton() {
  const button = h("button", { id: "sound", type: "button", class: "button small",
    title: t("Sounds for your turn, dice, money, hits and the end"), onclick: () => {
      localStorage.setItem(KEY, wanted() ? "off" : "on");
      show();
      if (wanted()) play("turn");
    } });
  const show = () => {
    button.textContent = wanted() ? t("Sound on") : t("Sound off");
    button.setAttribute("aria-pressed", String(wanted()));
  };
  show();
  return button;
}

/** What there is to hear in news of a match: at most one sound for events, and one for one's turn or the end. */
export function soundsOf(events, view, asked) {
  const heard = HEARD.find(([, form]) => events.some((event) => event.kind === "game" && form.test(original(event, "text"))));
  const found = heard ? [heard[0]] : [];
  if (view.status === "finished" && events.some((event) => event.kind === "end")) found.push("end");
  else if (asked && view.decision !== null && view.viewer !== null) found.push("turn");
  return found;
}

/** Play sounds one after the other, if they are wanted. */
export function hear(names) {
  if (!wanted()) return;
  names.forEach((name, k) => play(name, k * 0.35));
}

function play(name, after = 0) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {}); // Until the first click or key.
  const sound = SOUNDS[name];
  const begin = context.currentTime + after;
  for (const [start, pitch, length, form] of sound.tones ?? []) tone(begin + start, pitch, length, form, sound.loud ?? 1);
  for (let k = 0; k < (sound.knocks ?? 0); k += 1) knock(begin + 0.07 * k + 0.02 * Math.random());
  played = [...played, name].slice(-20);
  document.body.dataset.heard = played.join(" ");
}

function tone(start, pitch, length, form, loud) {
  const source = new OscillatorNode(context, { type: form, frequency: pitch });
  source.connect(fading(start, length, loud));
  source.start(start);
  source.stop(start + length);
}

/** A die on wood: a little noise that fades quickly. */
function knock(start) {
  const length = Math.floor(context.sampleRate * SHORT_S);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let k = 0; k < length; k += 1) samples[k] = (2 * Math.random() - 1) * (1 - k / length) ** 8;
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(fading(start, SHORT_S, 1));
  source.start(start);
}

function fading(start, length, loud) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(LOUD * loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(context.destination);
  return gain;
}
