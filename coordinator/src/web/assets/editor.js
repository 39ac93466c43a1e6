// Draw or paste a level, get its shortest solution.

import { boxMark, canvas, center, floorPath, goalMark, manMark, parse } from "./board.js";
import { byId, copyButton, counted, el, facts, number, say, svg, textField } from "./dom.js";
import { player } from "./player.js";

const MAX = 60;
const TOOLS = [["#", "Wall"], ["-", "Floor"], ["@", "Player"], ["$", "Box"], [".", "Goal"]];
const NAMES = { "#": "wall", "-": "floor", "@": "player", "+": "player on the goal", "$": "box", "*": "box on the goal", ".": "goal" };
const START = "--#--@\n-$----\n-#-##-\n-#--#-\n-##-#-\n----.-";

let level = parse(START);
let cursor = 0;
let tool = "#";
const past = [];

const toText = () => {
  const { rows, cols, cells } = level;
  return Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join("")).join("\n");
};

// ---- drawing

const drawing = { floor: null, marks: null, cursor: null };

function redraw() {
  const parts = {
    floor: svg("path", { class: "floor" }),
    marks: svg("g"),
    cursor: svg("rect", { class: "cursor", width: 1, height: 1 }),
  };
  Object.assign(drawing, parts);
  const grid = canvas(level, { class: "board grid", preserveAspectRatio: "xMinYMid", tabindex: 0, role: "application", "aria-label": "Board. Arrow keys move, # - @ $ . draw, Enter draws with the chosen tool.", "aria-describedby": "cell" }, parts.floor, parts.marks, parts.cursor);
  grid.addEventListener("pointerdown", (event) => {
    const cell = cellAt(grid, event);
    if (cell === null) return;
    past.push(toText());
    grid.setPointerCapture(event.pointerId);
    paint(cell);
  });
  grid.addEventListener("pointermove", (event) => {
    const cell = event.buttons === 1 ? cellAt(grid, event) : null;
    if (cell !== null && cell !== cursor) paint(cell);
  });
  grid.addEventListener("keydown", key);
  byId("grid").replaceChildren(grid);
  byId("rows").value = level.rows;
  byId("cols").value = level.cols;
  refresh();
}

function refresh() {
  drawing.floor.setAttribute("d", floorPath(level));
  const marks = [];
  level.cells.forEach((cell, index) => {
    const [x, y] = center(level, index);
    const at = (mark) => {
      mark.setAttribute("transform", `translate(${x} ${y})`);
      return mark;
    };
    if (".+*".includes(cell)) marks.push(goalMark(x, y));
    if ("$*".includes(cell)) marks.push(at(boxMark()));
    if ("@+".includes(cell)) marks.push(at(manMark()));
  });
  drawing.marks.replaceChildren(...marks);
  const [x, y] = center(level, cursor);
  drawing.cursor.setAttribute("x", x - 0.5);
  drawing.cursor.setAttribute("y", y - 0.5);
  byId("undo").disabled = past.length === 0;
}

function cellAt(grid, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(grid.getScreenCTM().inverse());
  const [col, row] = [Math.floor(point.x), Math.floor(point.y)];
  return row >= 0 && col >= 0 && row < level.rows && col < level.cols ? row * level.cols + col : null;
}

const tell = () => {
  const [row, col] = [Math.floor(cursor / level.cols) + 1, (cursor % level.cols) + 1];
  say(byId("cell"), `Row ${row}, column ${col}: ${NAMES[level.cells[cursor]]}`);
};

// Player, box and goal exist once: drawing one again moves it.
function paint(cell) {
  cursor = cell;
  const { cells } = level;
  const without = (letter, what) => ({ "@": { "@": "-", "+": "." }, "$": { "$": "-", "*": "." }, ".": { ".": "-", "+": "@", "*": "$" } })[what][letter] ?? letter;
  if ("@$.".includes(tool)) {
    level.cells = cells.map((letter) => without(letter, tool));
    const below = level.cells[cell];
    const onGoal = { "@": "+", "$": "*" }[tool];
    if (tool === ".") level.cells[cell] = { "@": "+", "$": "*" }[below] ?? ".";
    else level.cells[cell] = below === "." ? onGoal : tool;
  } else cells[cell] = tool;
  byId("text").value = toText();
  refresh();
  tell();
  link();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { rows, cols } = level;
  const moves = {
    ArrowLeft: cursor % cols > 0 ? -1 : 0,
    ArrowRight: cursor % cols < cols - 1 ? 1 : 0,
    ArrowUp: cursor >= cols ? -cols : 0,
    ArrowDown: cursor < (rows - 1) * cols ? cols : 0,
  };
  if (event.key in moves) {
    cursor += moves[event.key];
    refresh();
    tell();
  } else if (event.key === "Enter" || event.key === " ") {
    past.push(toText());
    paint(cursor);
  } else if (TOOLS.some(([letter]) => letter === event.key)) {
    choose(event.key);
    past.push(toText());
    paint(cursor);
  } else return;
  event.preventDefault();
}

function choose(letter) {
  tool = letter;
  for (const input of byId("tools").querySelectorAll("input")) input.checked = input.value === letter;
}

for (const [letter, name] of TOOLS) {
  const input = el("input", { type: "radio", name: "tool", value: letter, change: () => { tool = letter; } });
  byId("tools").append(el("label", {}, input, name, el("kbd", {}, letter)));
}
choose(tool);

// ---- text, size, link

// Plain boards are shown at once; everything else is left to the coordinator.
function plain(text) {
  const lines = text.replace(/\s+$/, "").split("\n").filter((line) => line !== "");
  const letters = lines.every((line) => /^[-_ #@+$*.]+$/.test(line));
  const width = Math.max(0, ...lines.map((line) => line.length));
  if (!letters || lines.length === 0 || lines.length > MAX || width > MAX) return null;
  return parse(lines.join("\n").replaceAll(/[_ ]/g, "-"));
}

function take(text) {
  const read = plain(text);
  if (!read) return false;
  level = read;
  cursor = 0;
  redraw();
  link();
  return true;
}

function link() {
  history.replaceState(null, "", `#${encodeURIComponent(toText().replaceAll("\n", "/"))}`);
}

function resize() {
  const side = (id) => Math.max(1, Math.min(MAX, Math.floor(Number(byId(id).value)) || 1));
  const [rows, cols] = [side("rows"), side("cols")];
  past.push(toText());
  const old = level;
  const cells = Array.from({ length: rows * cols }, (_, index) => {
    const [row, col] = [Math.floor(index / cols), index % cols];
    return row < old.rows && col < old.cols ? old.cells[row * old.cols + col] : "-";
  });
  level = { ...old, rows, cols, cells };
  cursor = 0;
  redraw();
  byId("text").value = toText();
  link();
}

function undo() {
  const text = past.pop();
  if (text === undefined) return;
  byId("text").value = text;
  take(text);
}

// ---- solving

function message(text, hint, bad) {
  byId("message").hidden = false;
  byId("message").classList.toggle("bad", bad);
  say(byId("message-text"), text);
  say(byId("message-hint"), hint);
}

async function solve() {
  const button = byId("solve");
  button.disabled = true;
  byId("message").hidden = true;
  byId("result").hidden = true;
  try {
    const answer = await fetch("/api/solve", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ level: byId("text").value }),
    });
    const kind = answer.headers.get("content-type") ?? "";
    const body = kind.includes("json") ? await answer.json() : null;
    if (answer.ok) show(body);
    else if (body?.error) message(body.error.message, body.error.hint, true);
    else message(answer.status === 413 ? "The text is too long." : `The coordinator refuses: ${answer.status}.`, "At most 64 KiB are read.", true);
  } catch {
    message("The coordinator does not answer.", "Is it still running?", true);
  } finally {
    button.disabled = false;
  }
}

function show(solved) {
  if (!solved.solvable) {
    message("This level has no solution.", "The box cannot be brought to the goal.", true);
    return;
  }
  const name = solved.title ? `“${solved.title}”: ` : "";
  say(byId("result-title"), `${name}${counted(solved.moves, "move")}`);
  facts(byId("facts"), {
    "Moves": number(solved.moves),
    "Pushes": number(solved.pushes),
    "Counts for": solved.counts_for.replace("x", "×"),
    "Floor": counted(solved.reachable_floor, "cell"),
    "States": number(solved.states),
  });
  const drawn = parse(solved.xsb);
  byId("player").replaceChildren(player(drawn, solved.lurd, `Solution with ${counted(solved.moves, "move")}`));
  byId("texts").replaceChildren(textField("lurd", "Solution in LURD", solved.lurd, 6, true));
  byId("result").hidden = false;
  byId("result-title").focus();
}

byId("text").addEventListener("focus", () => past.push(toText()));
byId("text").addEventListener("input", () => take(byId("text").value));
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) solve();
});
byId("rows").addEventListener("change", resize);
byId("cols").addEventListener("change", resize);
byId("clear").addEventListener("click", () => {
  past.push(toText());
  level.cells.fill("-");
  byId("text").value = toText();
  redraw();
  link();
});
byId("undo").addEventListener("click", undo);
byId("solve").addEventListener("click", solve);
byId("share").append(copyButton("Copy link", () => location.href));

function fromAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1)).replaceAll("/", "\n");
  } catch {
    return "";
  }
}

const given = fromAddress();
byId("text").value = given || START;
if (!take(byId("text").value)) redraw();
