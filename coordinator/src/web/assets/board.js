// Boards as drawings.

import { svg } from "./dom.js";

// A level from XSB rows: `{rows, cols, cells, player, box, goal}`, cells as letters.
export function parse(xsb) {
  const lines = xsb.replace(/\n+$/, "").split("\n");
  const rows = lines.length;
  const cols = Math.max(...lines.map((line) => line.length));
  const cells = lines.flatMap((line) => [...line.padEnd(cols, "#")]);
  const find = (letters) => cells.findIndex((cell) => letters.includes(cell));
  return { rows, cols, cells, player: find("@+"), box: find("$*"), goal: find(".+*") };
}

export const isFloor = (cell) => cell !== "#";

export const center = (level, cell) => [(cell % level.cols) + 0.5, Math.floor(cell / level.cols) + 0.5];

// Floor, one square for each cell, as one path.
export function floorPath(level) {
  let path = "";
  level.cells.forEach((cell, index) => {
    if (isFloor(cell)) path += `M${index % level.cols} ${Math.floor(index / level.cols)}h1v1h-1z`;
  });
  return path;
}

export function canvas(level, attributes, ...children) {
  const edge = 0.35;
  const view = [-edge, -edge, level.cols + 2 * edge, level.rows + 2 * edge];
  const ground = { class: "ground", x: -edge, y: -edge, width: view[2], height: view[3], rx: 0.2 };
  return svg("svg", { viewBox: view.join(" "), ...attributes }, svg("rect", ground), ...children);
}

export const goalMark = (x, y) => svg("circle", { class: "goal", cx: x, cy: y, r: 0.22 });
export const boxMark = () => svg("rect", { class: "box", x: -0.34, y: -0.34, width: 0.68, height: 0.68, rx: 0.09 });
export const manMark = () => svg("circle", { class: "man", r: 0.3 });

// The drawing of a level, with `place(player, box)` in cells (fractions in
// between) and `path(cells)` for the way of the box.
export function draw(level, label) {
  const box = boxMark();
  const man = manMark();
  const path = svg("polyline", { class: "path", points: "" });
  const drawing = canvas(
    level,
    { class: "board", role: "img", "aria-label": label },
    svg("path", { class: "floor", d: floorPath(level) }),
    path,
    goalMark(...center(level, level.goal)),
    box,
    man,
  );
  const put = (node, [x, y]) => node.setAttribute("transform", `translate(${x} ${y})`);
  const place = (player, crate) => {
    put(man, player);
    put(box, crate);
  };
  place(center(level, level.player), center(level, level.box));
  const showPath = (points) => path.setAttribute("points", points.map(([x, y]) => `${x},${y}`).join(" "));
  return { drawing, place, showPath };
}
