// One job: how far it is, how its best rose, what came of it.

import { parse } from "./board.js";
import { stepChart } from "./chart.js";
import { board, byId, counted, duration, el, facts, jobTitle, keyed, number, percent, say, short, svg, textField } from "./dom.js";
import { live } from "./live.js";
import { player } from "./player.js";

const id = decodeURIComponent(location.pathname.split("/").pop());

function head(job) {
  const title = jobTitle(job);
  say(byId("title"), title);
  document.title = `${percent(job.progress)} · ${title} · soko`;
  say(byId("state"), job.state);
  byId("state").dataset.state = job.state;
  const what = job.name ? `${board(job.rows, job.cols)} ${job.mode}, ` : "";
  say(byId("what"), `${what}job ${job.job}`);
  say(byId("reason"), job.reason);
  byId("reason").hidden = !job.reason;
  byId("progress").value = job.progress;
  say(byId("percent"), percent(job.progress));
  facts(byId("facts"), {
    "Best so far": job.best_moves ? counted(job.best_moves, "move") : "–",
    "Rate": job.work_per_second > 0 ? `${short(job.work_per_second)}/s` : null,
    "Time left": job.eta_seconds === null ? null : duration(job.eta_seconds),
    "Time": duration(job.elapsed_seconds),
    "Core time": duration(job.core_seconds),
    "Work done": short(job.work_done),
  });
  const { done, leased, open, poisoned } = job.shards;
  facts(byId("shards"), {
    "Done": number(done),
    "Held by workers": number(leased),
    "Open": number(open),
    "Given up": poisoned ? number(poisoned) : null,
  });
}

// How many batches found how many moves, the longest first.
function found(list, job) {
  const batches = job.mode !== "exhaustive" && job.mode !== "census";
  say(byId("shards-title"), batches ? "Batches" : "Shards");
  byId("found-panel").hidden = list.length === 0;
  const most = Math.max(...list.map(([, count]) => count));
  keyed(
    byId("found"),
    list.slice(-20).reverse(),
    ([moves]) => moves,
    ([moves]) => el("div", {}, el("dt", {}, counted(moves, "move")), el("dd", {}, el("meter", { min: 0, "aria-hidden": "true" }), " ", el("span"))),
    (node, [, count]) => {
      const meter = node.querySelector("meter");
      meter.max = most;
      meter.value = count;
      say(node.querySelector("span"), `${number(count)}×`);
    },
  );
}

let drawn = "";
function trail(steps, job) {
  const has = steps !== null && steps.length > 0;
  byId("no-chart").hidden = has;
  byId("no-log").hidden = has;
  if (!has) return;
  const state = `${steps.length} ${Math.floor(job.elapsed_seconds)}`;
  if (state !== drawn) byId("chart").replaceChildren(stepChart(steps, job.elapsed_seconds));
  drawn = state;
  const newest = steps.slice(-100).reverse();
  keyed(
    byId("log"),
    newest,
    ([, moves]) => moves,
    ([time, moves]) => el("li", {}, el("span", { class: "when" }, duration(time)), el("span", {}, counted(moves, "move"))),
    () => {},
  );
}

function goalRow(goal) {
  return el("tr", {}, el("th", { scope: "row" }, `row ${goal.row}, column ${goal.col}`), ...Array.from({ length: 6 }, () => el("td", { class: "number" })));
}

function goals(list, job) {
  byId("goals-section").hidden = list.length === 0;
  if (list.length === 0) return;
  keyed(byId("goals"), list, (goal) => `${goal.row} ${goal.col}`, goalRow, (row, goal) => {
    const texts = [
      percent(goal.progress), goal.best_moves ? number(goal.best_moves) : "–", short(goal.sets),
      `${number(goal.shards_done)} of ${number(goal.shards_done + goal.shards_leased + goal.shards_open)}`,
      goal.shards_leased ? number(goal.shards_leased) : "–", duration(goal.core_seconds),
    ];
    texts.forEach((text, column) => say(row.children[column + 1], text));
  });
  byId("goalmap").replaceChildren(goalMap(list, job.rows, job.cols));
}

// The images of a cell under the symmetries of the board.
function images(row, col, rows, cols) {
  const flips = [[row, col], [rows + 1 - row, col], [row, cols + 1 - col], [rows + 1 - row, cols + 1 - col]];
  return rows === cols ? [...flips, ...flips.map(([r, c]) => [c, r])] : flips;
}

function goalMap(list, rows, cols) {
  const cells = new Map();
  for (const goal of list) {
    for (const image of images(goal.row, goal.col, rows, cols)) cells.set(image.join(" "), goal);
  }
  const map = svg("svg", { class: "goalmap", viewBox: `-0.1 -0.1 ${cols + 0.2} ${rows + 0.2}`, role: "img", "aria-label": "Progress of each goal cell; the table has the figures" });
  for (const [key, goal] of cells) {
    const [row, col] = key.split(" ").map((it) => Number(it) - 1);
    const square = { x: col, y: row, width: 1, height: 1 };
    const tall = goal.progress;
    map.append(
      svg("rect", { class: "cell", ...square }),
      svg("rect", { class: "cell done", ...square, y: row + 1 - tall, height: tall }),
      goal.shards_leased ? svg("rect", { class: "running", x: col + 0.06, y: row + 0.06, width: 0.88, height: 0.88 }) : "",
    );
  }
  return map;
}

let answered = false;
function result(answer, job) {
  if (!answer || answered || job.state !== "done") return;
  answered = true;
  byId("result").hidden = false;
  const moves = answer.max_moves;
  const size = board(answer.rows, answer.cols);
  say(byId("answer"), moves === null
    ? `No level exists on ${size}.`
    : answer.proven
      ? `${counted(moves, "move")} is the most that a shortest solution needs on ${size}: proven.`
      : `At least ${counted(moves, "move")} on ${size}.`);
  const optimal = answer.optimal_with_player_on_goal;
  facts(byId("counts"), {
    "Optimal levels": optimal.levels ? number(optimal.levels) : null,
    "up to symmetry": optimal.level_classes ? number(optimal.level_classes) : null,
    "Floor sets": answer.effort.floor_sets ? number(answer.effort.floor_sets) : null,
    "Layouts": answer.canonical_layouts ? number(answer.canonical_layouts) : null,
    "Batches": answer.hunt ? number(answer.hunt.batches) : null,
    "Runs at the best": answer.hunt ? number(answer.hunt.runs_at_best) : null,
    "Engine": answer.engine || null,
  });
  const witness = answer.witnesses[0];
  if (!witness) return;
  const level = parse(witness.xsb);
  byId("witness").replaceChildren(
    el("div", { class: "panel" }, player(level, witness.lurd, `An optimal level with ${counted(witness.moves, "move")}`)),
    el("div", {}, textField("xsb", "Level", witness.xsb, level.rows + 1, false), textField("lurd", "Solution", witness.lurd, 4, true)),
  );
}

live(`/live/jobs/${encodeURIComponent(id)}`, {
  job: (page) => {
    head(page.job);
    trail(page.trail, page.job);
    goals(page.goals, page.job);
    found(page.found, page.job);
    result(page.result, page.job);
  },
});
