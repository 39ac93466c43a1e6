// A curve of steps: the best so far over time.

import { counted, duration, number, svg } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 230, 48, 12, 12, 28];

// Round numbers from `low` to `high`, about `count` of them.
function ticks(low, high, count) {
  const raw = Math.max(high - low, 1) / count;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * size >= raw) * size;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}

// `steps` are pairs of seconds and moves, `end` is now in seconds.
export function stepChart(steps, end) {
  const [first, last] = [steps[0], steps[steps.length - 1]];
  const [from, to] = [Math.min(first[0], end), Math.max(end, last[0], first[0] + 1)];
  const low = steps.length > 1 ? Math.max(0, first[1] - (last[1] - first[1]) * 0.1) : 0;
  const high = last[1] + Math.max(1, (last[1] - low) * 0.08);
  const x = (time) => LEFT + ((time - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (moves) => HEIGHT - BOTTOM - ((moves - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const label = `Best so far: ${counted(first[1], "move")} after ${duration(first[0])}, ${counted(last[1], "move")} after ${duration(last[0])}`;
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (const moves of ticks(low, high, 5).filter(Number.isInteger)) {
    chart.append(
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(moves), y2: y(moves) }),
      svg("text", { x: LEFT - 8, y: y(moves) + 4, "text-anchor": "end" }, number(moves)),
    );
  }
  for (const [time, anchor] of [[from, "start"], [(from + to) / 2, "middle"], [to, "end"]]) {
    chart.append(svg("text", { x: x(time), y: HEIGHT - 8, "text-anchor": anchor }, duration(time)));
  }
  let line = `M${x(first[0])} ${y(first[1])}`;
  for (const [time, moves] of steps.slice(1)) line += `H${x(time)}V${y(moves)}`;
  line += `H${x(to)}`;
  const bottom = HEIGHT - BOTTOM;
  chart.append(
    svg("path", { class: "area", d: `${line}V${bottom}H${x(first[0])}z` }),
    svg("path", { class: "step", d: line }),
    svg("circle", { class: "point", cx: x(last[0]), cy: y(last[1]), r: 3.5 }),
  );
  return chart;
}
