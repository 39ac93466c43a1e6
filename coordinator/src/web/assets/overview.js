// Jobs, workers and records at a glance.

import { board, byId, counted, duration, el, facts, jobTitle, keyed, number, percent, say, short } from "./dom.js";
import { live } from "./live.js";

const jobLink = (job) => el("a", { href: `/jobs/${job.job}` }, jobTitle(job));

function jobCard(job) {
  return el(
    "li",
    { class: "card" },
    el("header", {}, el("h3", {}, jobLink(job)), el("span", { class: "quiet" }), el("span", { class: "state" })),
    el("p", { class: "reason" }),
    el("div", { class: "bar" }, el("progress", { max: 1, "aria-label": `Progress of ${jobTitle(job)}` }), el("output")),
    el("dl", { class: "facts" }),
  );
}

function updateCard(card, job) {
  const [what, state] = [card.querySelector("header .quiet"), card.querySelector(".state")];
  say(what, job.name ? `${board(job.rows, job.cols)} ${job.mode}` : "");
  say(state, job.state);
  state.dataset.state = job.state;
  const reason = card.querySelector(".reason");
  say(reason, job.reason);
  reason.hidden = !job.reason;
  card.querySelector("progress").value = job.progress;
  say(card.querySelector("output"), percent(job.progress));
  facts(card.querySelector("dl"), {
    "Best so far": job.best_moves ? counted(job.best_moves, "move") : "–",
    "Rate": job.work_per_second > 0 ? `${short(job.work_per_second)}/s` : "–",
    "Time left": job.eta_seconds === null ? "–" : duration(job.eta_seconds),
    "Running for": duration(job.elapsed_seconds),
    "Shards": `${number(job.shards.done)} done, ${number(job.shards.leased)} held`,
  });
}

function worker(row, it) {
  const silent = it.silent_seconds;
  const state = it.quarantined ?? (it.state !== "connected" ? it.state : it.leases > 0 ? "working" : "waiting");
  const texts = [null, state, it.threads, it.leases, it.completed, it.failed, silent < 10 ? "now" : `${duration(silent)} ago`];
  texts.forEach((text, column) => {
    if (text !== null) say(row.children[column], typeof text === "number" ? number(text) : text);
  });
}

function workerRow(it) {
  const cells = ["text", "number", "number", "number", "number", null];
  return el("tr", {}, el("th", { scope: "row" }, it.worker), ...cells.map((kind) => el("td", { class: kind })));
}

function active({ jobs, workers }) {
  keyed(byId("active"), jobs, (job) => job.job, jobCard, updateCard);
  byId("no-active").hidden = jobs.length > 0;
  keyed(byId("workers"), workers, (it) => it.worker, workerRow, worker);
  byId("workers-table").hidden = workers.length === 0;
  byId("no-workers").hidden = workers.length > 0;
  const live = workers.filter((it) => it.state === "connected" || it.state === "draining");
  const cores = live.reduce((sum, it) => sum + it.threads, 0);
  const rate = jobs.reduce((sum, job) => sum + job.work_per_second, 0);
  const count = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
  const speed = rate > 0 ? `, ${short(rate)} sets or levels per second` : "";
  say(byId("summary"), `${count(jobs.length, "job")}, ${count(live.length, "worker")} with ${count(cores, "core")}${speed}.`);
}

function ended(jobs) {
  byId("ended-section").hidden = jobs.length === 0;
  keyed(
    byId("ended"),
    jobs,
    (job) => job.job,
    (job) => el("tr", {}, el("th", { scope: "row", class: "wide" }, jobLink(job)), el("td", {}, el("span", { class: "state" })), ...[0, 1, 2].map(() => el("td", { class: "number" }))),
    (row, job) => {
      const state = row.children[1].firstChild;
      say(state, job.state);
      state.dataset.state = job.state;
      say(row.children[2], job.best_moves ? number(job.best_moves) : "–");
      say(row.children[3], duration(job.elapsed_seconds));
      say(row.children[4], duration(job.core_seconds));
    },
  );
}

function records(list) {
  const squares = list.filter((it) => it.rows === it.cols);
  const exact = squares.filter((it) => it.exact);
  const longest = squares.reduce((best, it) => (it.moves > (best?.moves ?? 0) ? it : best), null);
  facts(byId("records"), {
    "Board sizes": number(squares.length),
    "Proven": exact.length ? exact.map((it) => `M(${it.rows}) = ${it.moves}`).join(", ") : "none yet",
    "Longest level": longest ? `${counted(longest.moves, "move")}, ${board(longest.rows, longest.cols)}` : "none yet",
  });
}

live("/live/overview", { active, ended, records });
