// A solution, move by move.

import { center, draw } from "./board.js";
import { counted, el, number, svg } from "./dom.js";

const STEPS = { l: [-1, 0], u: [0, -1], r: [1, 0], d: [0, 1] };
const SPEEDS = [1, 3, 8, 20, 60, 200, 1000, 5000];
const ICONS = {
  first: "M3 3h2v14H3zM17 3v14L6 10z",
  back: "M15 3v14L4 10z",
  play: "M5 3l12 7-12 7z",
  pause: "M4 3h4v14H4zM12 3h4v14h-4z",
  step: "M5 3l11 7-11 7zM16 3h2v14h-2z",
};

const icon = (name) => svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

// Where player and box are after each move, as cells.
export function positions(level, lurd) {
  const player = new Int32Array(lurd.length + 1);
  const box = new Int32Array(lurd.length + 1);
  player[0] = level.player;
  box[0] = level.box;
  for (let move = 0; move < lurd.length; move++) {
    const letter = lurd[move];
    const [x, y] = STEPS[letter.toLowerCase()];
    const step = x + y * level.cols;
    player[move + 1] = player[move] + step;
    box[move + 1] = box[move] + (letter >= "A" && letter <= "Z" ? step : 0);
  }
  return { player, box };
}

// A figure with the board and controls.
export function player(level, lurd, label) {
  const { drawing, place, showPath } = draw(level, label);
  const at = positions(level, lurd);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let move = 0;
  let running = false;
  let last = 0;

  const button = (name, text, act) => el("button", { type: "button", class: "icon", "aria-label": text, title: text, click: act }, icon(name));
  const first = button("first", "To the start", () => go(0));
  const back = button("back", "One move back", () => go(Math.ceil(move) - 1));
  const play = button("play", "Play", () => (running ? pause() : start()));
  const step = button("step", "One move on", () => go(Math.floor(move) + 1));
  const slider = el("input", { type: "range", min: 0, max: lurd.length, value: 0, "aria-label": "Move", input: () => go(Number(slider.value)) });
  const shown = el("output", { class: "at" });
  const speed = el("select", { "aria-label": "Moves per second" }, ...SPEEDS.map((value) => el("option", { value }, `${number(value)} moves/s`)));
  speed.value = lurd.length > 20000 ? 1000 : lurd.length > 2000 ? 200 : 8;
  const path = el("input", { type: "checkbox", change: () => showPath(path.checked ? boxPath() : []) });

  function boxPath() {
    const cells = [...at.box].filter((cell, index) => index === 0 || cell !== at.box[index - 1]);
    return cells.map((cell) => center(level, cell));
  }

  function show() {
    const whole = Math.min(Math.floor(move), lurd.length);
    const next = Math.min(whole + 1, lurd.length);
    const part = Number(speed.value) <= 20 && !still.matches ? move - whole : 0;
    const between = (cells) => {
      const [x, y] = center(level, cells[whole]);
      const [u, v] = center(level, cells[next]);
      return [x + (u - x) * part, y + (v - y) * part];
    };
    place(between(at.player), between(at.box));
    slider.value = whole;
    const text = `${number(whole)} / ${number(lurd.length)}`;
    shown.textContent = text;
    slider.setAttribute("aria-valuetext", `${whole} of ${counted(lurd.length, "move")}`);
    first.disabled = back.disabled = move <= 0;
    step.disabled = move >= lurd.length;
  }

  function go(to) {
    pause();
    move = Math.max(0, Math.min(to, lurd.length));
    show();
  }

  function face(name, text) {
    play.replaceChildren(icon(name));
    play.setAttribute("aria-label", text);
    play.title = text;
  }

  function pause() {
    if (!running) return;
    running = false;
    move = Math.floor(move);
    face("play", "Play");
    show();
  }

  function start() {
    if (move >= lurd.length) move = 0;
    running = true;
    face("pause", "Pause");
    last = performance.now();
    requestAnimationFrame(frame);
  }

  function frame(now) {
    if (!running) return;
    // A tab that was in the background does not catch up; the first frame may
    // be stamped before the click.
    move += (Math.max(0, Math.min(now - last, 200)) / 1000) * Number(speed.value);
    last = Math.max(last, now);
    if (move >= lurd.length) {
      move = lurd.length;
      pause();
    }
    show();
    if (running) requestAnimationFrame(frame);
  }

  function key(event) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    // Where a key already means something it keeps its meaning.
    if (!plain || event.target !== figure) return;
    const acts = {
      " ": () => (running ? pause() : start()),
      ArrowRight: () => go(Math.floor(move) + 1),
      ArrowLeft: () => go(Math.ceil(move) - 1),
      Home: () => go(0),
      End: () => go(lurd.length),
    };
    if (acts[event.key]) {
      acts[event.key]();
      event.preventDefault();
    }
  }

  const figure = el(
    "figure",
    { class: "player", tabindex: 0, keydown: key, "aria-label": `${label}. Space plays, arrow keys step.` },
    drawing,
    el("div", { class: "controls", role: "group", "aria-label": "Animation" }, first, back, play, step, slider, shown),
    el("div", { class: "controls" }, speed, el("label", {}, path, " way of the box")),
  );
  show();
  return figure;
}
