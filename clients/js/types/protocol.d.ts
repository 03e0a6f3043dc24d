// Made from docs/openapi.json by clients/js/generate_types.py; changes belong there.
// Messages of the protocol; docs/serving.md describes them.

/** A game for somebody who chooses one. */
export interface AboutInfo {
  /** Group of choices that a person may leave to a bot to begin sooner, or empty. */
  dealt: string;
  /** A square SVG document. */
  emblem: string;
  /** A person's time for a game, from and to. */
  minutes: [number, number];
  pitch: string;
  presets: PresetInfo[];
  /** `light`, `medium` or `heavy`. */
  weight: string;
}

/** A decision: the action's number, or its notation. */
export interface Act {
  action: number | string;
  decision: number;
}

/** A decision as a bot sees it, from what the seat knew when it decided. */
export interface Assessment {
  /** The same after the action that was played. */
  after: number[];
  /** Each seat's probability of winning if the bot were to decide; they add up to 1. */
  before: number[];
  /** Up to three actions, the bot's likeliest first. */
  best: Tried[];
  /** What the action loses of the chance that the likeliest one has; negative for a gain. */
  cost: number;
  /** Number of the decision. */
  decision: number;
  /** Costs smaller than this mean nothing. */
  margin: number;
  played: Tried;
  /**
   * The frame in which it was made: of the finished match, or while the match runs, of those
   * that the person may see.
   */
  ply: number;
}

/** A bot that can take a seat, give hints, and answer at `/bots/{game}`. */
export interface BotInfo {
  doc: string;
  spec: string;
  /** Whether an observation and a mask are enough. */
  takes_observations: boolean;
  /** Whether it gives probabilities and chances of winning. */
  thinks: boolean;
}

/** A bot's decision. */
export interface BotReply {
  action: number;
  bot: string;
  /**
   * The deciding seat's probability of winning, 0 to 1; null if the bot gives none, or cannot
   * without the number of seats, which an observation does not hold.
   */
  chance: number | null;
  /** By legal action; null if the bot gives none. */
  probabilities: Record<string, number> | null;
  protocol: "gangland/1";
  type: "bot";
}

/**
 * A position for a bot: a seat's view as `state`, or `observation` and `legal`. `state` is what
 * `View.to_dict` writes and a view's `state` holds: `{"game", "fields", "rules_version",
 * "serial_version", "viewer"}`, redacted for the seat `viewer`, which must be the one to
 * decide. Observations are for bots with `takes_observations`.
 */
export interface BotRequest {
  /** By default the game's `default_bot`. */
  bot?: string | null;
  /** Whether probabilities and the chance of winning are wanted. */
  explain?: boolean;
  /** Legal actions; required with `observation`. */
  legal?: number[] | null;
  /**
   * Its numbers; or their little-endian float32 bytes in base64, which are read twice as fast.
   */
  observation?: number[] | string | null;
  /** Required with `observation` in games with several roles. */
  role?: string | null;
  /** Seed for the bot's random choices; random by default. */
  seed?: number | null;
  state?: Record<string, unknown> | null;
}

/** A seat for a bot. */
export interface BotSeat {
  /** By default the game's `default_bot`. */
  bot?: string | null;
  kind: "bot";
}

/** Passages that belong together, in the order in which one learns the game. */
export interface Chapter {
  passages: Passage[];
  title: string;
}

/**
 * Time limits for people; the tightest one applies. Only a person's own time counts. A turn is
 * a run of decisions of one seat, as far as that seat can know. When time is up, `expired` says
 * what is played: `pass` plays the first legal notation of `passes` (or like `bot` if none is
 * legal), `bot` plays what the substitute bot chooses. After `strikes` late decisions in a row
 * a bot takes over the seat.
 */
export interface Clock {
  /** Seconds for the whole match. */
  bank?: number | null;
  expired?: "pass" | "bot";
  /** Seconds added to the bank by each decision. */
  increment?: number;
  passes?: string[];
  per_decision?: number | null;
  per_turn?: number | null;
  strikes?: number;
}

/** The running clock of the seat that decides. */
export interface ClockState {
  /** Seconds until the server decides, when this was sent. */
  left: number;
  seat: number;
}

/** Ask what a bot thinks of one's own decision. */
export interface CoachRequest {
  /** By default the strongest that can rate decisions. */
  bot?: string | null;
  /** Its number; by default the last one. */
  decision?: number | null;
}

/** A bot's opinion of a decision. */
export interface Coaching {
  assessment: Assessment;
  bot: string;
  protocol: "gangland/1";
  type: "coach";
}

/** Chances at one moment of a match, as one seat could judge them. */
export interface CurvePoint {
  /** By seat; they add up to 1. */
  chances: number[];
  /** Frame of the finished match. */
  ply: number;
  turn: string;
}

/** Agree to end the match without a winner, once everybody who sits at the table has agreed. */
export interface EndMatch {
  /** False for not agreeing any longer. */
  agree?: boolean;
}

/** Something that happened, as far as the viewer may know. */
export interface Event {
  /** Later versions may add kinds; their texts are for people as well. */
  kind: "game" | "seat" | "say" | "clock" | "undo" | "end" | string;
  /** Number in this viewer's list of events, from 0. */
  n: number;
  /** Events with the same number came together. */
  step: number;
  text: string;
  /** Heading under which it belongs, such as a turn. */
  turn: string;
  /** Whose turn that is. */
  turn_seat: number | null;
  /** The events from this number up to this one did not happen after all. */
  undone_from: number | null;
}

/** One position of a match: fully shown if it is finished, else as the viewer saw it. */
export interface Frame {
  /** The action that led here; finished matches only. */
  action: LegalAction | null;
  /** Who played it; finished matches only. */
  actor: number | null;
  /** What happened since the previous frame. */
  events: string[];
  /** Number of frames. */
  frames: number;
  match: string;
  n: number;
  /** Whether everything is shown. */
  open: boolean;
  protocol: "gangland/1";
  svg: string;
  to_act: number | null;
  type: "frame";
  viewer: number | null;
}

/** A game with its options and bots. */
export interface GameInfo {
  /** Null if the game has no description. */
  about: AboutInfo | null;
  bots: BotInfo[];
  /** The strongest available; it also replaces people who leave. */
  default_bot: string;
  game: string;
  /** Codes of the languages besides English in which its texts are there. */
  languages: string[];
  /** Whether there are a guided game and a summary on one page. */
  lesson: boolean;
  max_players: number;
  min_players: number;
  num_actions: number;
  observation_size: number;
  options: OptionInfo[];
  protocol: "gangland/1";
  roles: string[];
  rules_version: number;
  score_unit: string;
  title: string;
  type: "game";
}

/** All games. */
export interface GameList {
  games: GameInfo[];
  protocol: "gangland/1";
  type: "games";
  /** Version of the server's package. */
  version: string;
}

/** What a game says, in another language. */
export interface GameTexts {
  game: string;
  language: string;
  protocol: "gangland/1";
  /**
   * Translations by English text, or by pattern with names in braces for what differs;
   * `gangland.serving.texts` says how they are used.
   */
  texts: Record<string, string>;
  type: "texts";
}

/** The first message: who the client is, and what its views are to contain. */
export interface Hello {
  observation?: boolean;
  ref?: number | null;
  since?: number;
  state?: boolean;
  svg?: boolean;
  text?: boolean;
  token?: string | null;
  type: "hello";
}

/** A bot's advice, from what the asking seat may know. */
export interface Hint {
  action: LegalAction;
  bot: string;
  /**
   * Each seat's probability of winning, 0 to 1, from what the asking seat may know; they add up
   * to 1. Null if the bot gives none.
   */
  chances: number[] | null;
  decision: number;
  protocol: "gangland/1";
  ref: number | null;
  /** Most probable first. */
  thoughts: Thought[];
  type: "hint";
}

/** Ask a bot for advice on the viewer's decision. */
export interface HintRequest {
  bot?: string | null;
}

/** A seat for a person; the response contains its token, for the creator to pass on. */
export interface HumanSeat {
  kind: "human";
  /** Without control and format characters, and not of white space alone. */
  name?: string;
}

/** Take an open seat. */
export interface Join {
  /** Without control and format characters, and not of white space alone. */
  name?: string;
  /** By default the first open one. */
  seat?: number | null;
}

/** Players of a game, best rating first. */
export interface Leaderboard {
  game: string;
  protocol: "gangland/1";
  rows: LeaderboardRow[];
  type: "leaderboard";
}

/** One player of a game's leaderboard; people by name, bots by spec. */
export interface LeaderboardRow {
  bot: boolean;
  matches: number;
  /** Win share that equally strong players would have at the same tables. */
  par: number;
  player: string;
  rank: number;
  /** Plackett-Luce: mean minus three standard deviations. */
  rating: number;
  win_share: number;
  /** Shared wins count as fractions. */
  wins: number;
}

/** Hand the seat to a bot. */
export interface Leave {
  /** By default the match's substitute. */
  bot?: string | null;
}

/** One choice. */
export interface LegalAction {
  /** What distinguishes it from others of its group, for a slider. */
  amount: number | null;
  /** Kind of action; empty for one that stands alone. */
  group: string;
  id: number;
  notation: string;
  sentence: string;
}

/** One step of a guided game; the first one is number 0. */
export interface LessonStep {
  /** What has happened since the step before. */
  events: string[];
  game: string;
  n: number;
  /** The action that leads on; null if there is nothing to play. */
  play: LegalAction | null;
  protocol: "gangland/1";
  question: string;
  /** What speaks for it by the game's rules of thumb. */
  reason: string;
  scene: SceneInfo;
  /** The learner's seat. */
  seat: number;
  steps: number;
  /** Title of the game. */
  title: string;
  type: "lesson";
  why: string;
}

/** A new match and the tokens of its human seats. */
export interface MatchCreated {
  match: string;
  protocol: "gangland/1";
  tokens: SeatToken[];
  type: "created";
}

/** What everybody may know about a match. */
export interface MatchInfo {
  /** ISO 8601, UTC. */
  created: string;
  game: string;
  match: string;
  options: Record<string, boolean | number | string>;
  protocol: "gangland/1";
  /** Whether the leaderboard will count it. */
  rated: boolean;
  result: MatchResult | null;
  seats: SeatInfo[];
  status: "waiting" | "playing" | "finished" | "expired";
  title: string;
  type: "match";
}

/** Listed matches, newest first. */
export interface MatchList {
  matches: MatchInfo[];
  protocol: "gangland/1";
  type: "matches";
}

/** Outcome of a finished match, best place first. */
export interface MatchResult {
  /** Whether the game's cap ended it. */
  capped: boolean;
  /**
   * Whether the game was played to its end, or the people at the table agreed to end it: then
   * nobody has won, and there are no standings.
   */
  ending: "played" | "agreed";
  score_unit: string;
  standings: Standing[];
}

/** A match to be created; one entry of `seats` for each seat of the game. */
export interface NewMatch {
  clock?: Clock | null;
  game: string;
  /** Whether the match appears in the list of matches. */
  listed?: boolean;
  options?: Record<string, boolean | number | string>;
  seats: (HumanSeat | OpenSeat | BotSeat)[];
  /** For experiments: whoever knows it can predict all chance. Such a match is not rated. */
  seed?: number | null;
  /** Bot that replaces people who leave. */
  substitute?: string | null;
}

/** A seat that anybody may join; the match waits for it. */
export interface OpenSeat {
  kind: "open";
}

/** An option of a game, ready for a form. */
export interface OptionInfo {
  default: boolean | number | string;
  doc: string;
  /** The values are true and false. */
  flag: boolean;
  /** Largest integer allowed at the default options. */
  high: number | null;
  /** Smallest integer allowed, null if no integers are. */
  low: number | null;
  name: string;
  /** Words allowed. */
  words: string[];
}

/** A paragraph, a list or a table of the rules as people read them. */
export interface Passage {
  /** The same as HTML. */
  html: string;
  /** Ids of the rules that it explains. */
  rules: string[];
  /** As Markdown. */
  text: string;
}

/** A card, a place, a marker or a number on the table, and what is always true of it. */
export interface PieceInfo {
  /** Labels and values. */
  facts: ([string, string])[];
  kind: string;
  name: string;
  /** SVG document; empty if there is none. */
  picture: string;
  /** Ids of the rules that this rests on. */
  rules: string[];
  text: string[];
}

/** What is on a game's table, by the names in the `data-piece` attributes of its pictures. */
export interface Pieces {
  game: string;
  pieces: Record<string, PieceInfo>;
  protocol: "gangland/1";
  type: "pieces";
}

/** Answered with `Pong`. */
export interface Ping {
  ref?: number | null;
  type: "ping";
}

/** Answer to `Ping`. */
export interface Pong {
  protocol: "gangland/1";
  ref: number | null;
  type: "pong";
}

/** Options for a kind of game. */
export interface PresetInfo {
  doc: string;
  name: string;
  options: Record<string, boolean | number | string>;
}

/** An error. `code` is for programs, `message` for people. */
export interface Problem {
  code: "bad_request" | "unauthorized" | "not_found" | "illegal_action" | "not_your_turn" | "stale_decision" | "conflict" | "too_large" | "too_many" | "unavailable" | "internal";
  message: string;
  protocol: "gangland/1";
  ref: number | null;
  type: "error";
}

/** A rematch that somebody has asked for. */
export interface Rematch {
  match: string;
  /** Who asked. */
  seat: number;
}

/** A finished match for `gangland replay`. */
export interface ReplayFile {
  protocol: "gangland/1";
  /** A line of the replay format. */
  replay: Record<string, unknown>;
  type: "replay";
}

/** A finished match as a bot sees it from one seat's point of view. */
export interface Review {
  /** Those in which the bot would most likely do the same. */
  agreed: number;
  bot: string;
  /** Up to three decisions, the most costly first. */
  costly: Assessment[];
  /** Chances at the person's decisions, all or some of them, and at the end who won. */
  curve: CurvePoint[];
  /** Decisions that the person made. */
  decisions: number;
  game: string;
  match: string;
  protocol: "gangland/1";
  seat: number;
  type: "review";
}

/** One rule; emphasis and code are marked as in Markdown. */
export interface Rule {
  id: string;
  text: string;
}

/** Rules that belong together. */
export interface RuleSection {
  rules: Rule[];
  title: string;
}

/** A game's rules for players. */
export interface Rulebook {
  /**
   * The rules as people read them; empty for a game that has nothing but their exact wording.
   */
  chapters: Chapter[];
  game: string;
  /** Code of the language of the chapters. */
  language: string;
  protocol: "gangland/1";
  /** The exact wording of every rule, in English. */
  sections: RuleSection[];
  title: string;
  type: "rules";
}

/** Say something to the others at the table: an event of the kind `say` for everybody. */
export interface Say {
  phrase: "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "one_moment" | "ouch" | "revenge" | "good_game";
}

/** A position of a real match, and what can be seen in it. */
export interface SceneInfo {
  /** What to point out: `data-piece` or `data-region` in the picture. */
  marks: string[];
  /** Ids of the rules that it rests on. */
  rules: string[];
  /** Parts of the picture to show; empty for all of it. */
  show: string[];
  svg: string;
  text: string;
  title: string;
}

/** Who plays a seat; public. */
export interface SeatInfo {
  /** Whether its person agrees to end the match. */
  agrees: boolean;
  bot: string | null;
  /** Whether its person has conceded: lost, while a bot plays on. */
  conceded: boolean;
  /** `bot` also after a bot has taken over. */
  kind: "human" | "open" | "bot";
  /** Name of the seat in the game. */
  name: string;
  /**
   * Who plays it; for an open seat of a rematch, for whom it is kept, and for other open seats
   * null.
   */
  player: string | null;
  role: string;
  seat: number;
}

/** The secret token of a seat. */
export interface SeatToken {
  match: string;
  protocol: "gangland/1";
  seat: number;
  token: string;
  type: "seat";
}

/** As `POST .../actions`. */
export interface SocketAct {
  action: number | string;
  decision: number;
  ref?: number | null;
  type: "act";
}

/** As `POST .../begin`. */
export interface SocketBegin {
  ref?: number | null;
  type: "begin";
}

/** As `POST .../concede`. */
export interface SocketConcede {
  ref?: number | null;
  type: "concede";
}

/** As `POST .../end`. */
export interface SocketEnd {
  /** False for not agreeing any longer. */
  agree?: boolean;
  ref?: number | null;
  type: "end";
}

/** As `POST .../hint`. */
export interface SocketHint {
  bot?: string | null;
  ref?: number | null;
  type: "hint";
}

/** As `POST .../leave`. */
export interface SocketLeave {
  /** By default the match's substitute. */
  bot?: string | null;
  ref?: number | null;
  type: "leave";
}

/** As `POST .../return`. */
export interface SocketReturn {
  ref?: number | null;
  type: "return";
}

/** As `POST .../say`. */
export interface SocketSay {
  phrase: "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "one_moment" | "ouch" | "revenge" | "good_game";
  ref?: number | null;
  type: "say";
}

/** As `POST .../undo`. */
export interface SocketUndo {
  ref?: number | null;
  type: "undo";
}

/** The result of one seat. */
export interface Standing {
  place: number;
  reward: number;
  score: number;
  /** The score in words, for people. */
  score_text: string;
  seat: number;
  win_share: number;
}

/** A game on one page. */
export interface Summary {
  game: string;
  goal: SceneInfo;
  protocol: "gangland/1";
  things: ThingInfo[];
  title: string;
  turn: SceneInfo;
  type: "summary";
  win: SceneInfo;
}

/** What a table with these options looks like: one entry of `roles` for each seat. */
export interface Table {
  game: string;
  /** All options, resolved. */
  options: Record<string, boolean | number | string>;
  protocol: "gangland/1";
  /** Role of each seat. */
  roles: string[];
  type: "table";
}

/** Options of a table that is not created yet. */
export interface TableRequest {
  options?: Record<string, boolean | number | string>;
}

/** Something to know. */
export interface ThingInfo {
  rules: string[];
  text: string;
}

/** A legal action with a bot's probability. */
export interface Thought {
  id: number;
  notation: string;
  probability: number | null;
  sentence: string;
}

/** An action as a bot sees it. */
export interface Tried {
  action: LegalAction;
  /** Each seat's probability of winning after it; they add up to 1. */
  chances: number[];
  /** How likely the bot plays it, 0 to 1. */
  probability: number;
  /** By the game's rules of thumb; may be empty. */
  reason: string;
}

/**
 * A match as one viewer may see it. `version` grows with every change that this viewer can see,
 * and reveals nothing about secret decisions of others: while somebody decides in secret there
 * are no new events, and the current frame is replaced by the next one. `decision` numbers the
 * seat's own decisions: an action must name the one that it answers, so that late and repeated
 * actions are refused.
 */
export interface View {
  /** Whether a bot plays for the viewer, who may return. */
  away: boolean;
  can_undo: boolean;
  clock: ClockState | null;
  /** Null unless the viewer is to decide. */
  decision: number | null;
  /** From event `since` on; all of them by default. */
  events: Event[];
  /** Frames of the replay viewer that this viewer may see. */
  frames: number;
  game: string;
  /**
   * Number of the viewer's last decision that stands and that no bot made; null if there is
   * none.
   */
  last_decision: number | null;
  /** Empty unless the viewer is to decide. */
  legal: LegalAction[];
  match: string;
  /** The `since` that continues after this view. */
  next_event: number;
  /** If asked for. */
  observation: number[] | null;
  options: Record<string, boolean | number | string>;
  protocol: "gangland/1";
  /** What the viewer is asked; empty otherwise. */
  question: string;
  /** `ref` of the message that this answers. */
  ref: number | null;
  /** Once somebody has asked for one; `POST .../rematch` accepts. */
  rematch: Rematch | null;
  result: MatchResult | null;
  seats: SeatInfo[];
  /** Redacted record, if asked for. */
  state: Record<string, unknown> | null;
  status: "waiting" | "playing" | "finished" | "expired";
  /** Picture; legal actions carry `data-action` attributes. */
  svg: string | null;
  /** The table as text, if asked for. */
  text: string | null;
  title: string;
  /**
   * The seat to decide; null before and after the game, and while the viewer may not know who
   * decides.
   */
  to_act: number | null;
  /** Heading of the present part of the game, such as a turn. */
  turn: string;
  type: "view";
  version: number;
  /** The viewer's seat; null for a spectator. */
  viewer: number | null;
}

/** What a client sends over the WebSocket. */
export type ClientMessage =
  | Hello
  | Ping
  | SocketAct
  | SocketBegin
  | SocketConcede
  | SocketEnd
  | SocketHint
  | SocketLeave
  | SocketReturn
  | SocketSay
  | SocketUndo;

/** What the server sends over the WebSocket. */
export type ServerMessage =
  | Hint
  | Pong
  | Problem
  | View;
