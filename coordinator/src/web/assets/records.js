// The record table with its plot.

import { board, byId, el, keyed, number, say } from "./dom.js";
import { live } from "./live.js";

const [FIRST, LAST] = [3, 50];

const credit = (record) => {
  const title = record.title || (record.job ? `found by job ${record.job}` : "untitled");
  return record.author ? `${title}, ${record.author}` : title;
};

// What is known for n from 3 on: levels of that size, and in between the
// sizes for which a smaller level with walls around it is the best.
function squares(list) {
  const own = new Map(list.filter((it) => it.rows === it.cols).map((it) => [it.rows, it]));
  const last = Math.max(LAST, ...own.keys());
  const lines = [];
  let best = null;
  for (let n = FIRST; n <= last; n++) {
    const record = own.get(n);
    if (record && record.moves >= (best?.moves ?? 0)) {
      best = record;
      lines.push({ n, to: n, record, padded: false });
    } else if (best) {
      const before = lines[lines.length - 1];
      if (before.padded) before.to = n;
      else lines.push({ n, to: n, record: best, padded: true });
    }
  }
  return lines;
}

function squareRow() {
  const cells = ["number", null, "number", "number", "number", "wide"];
  return el("tr", {}, el("th", { scope: "row", class: "number" }), ...cells.map((kind) => el("td", { class: kind })));
}

function fillSquare(row, { n, to, record, padded }) {
  row.classList.toggle("padded", padded);
  const exact = record.exact && !padded;
  const texts = [
    to > n ? `${n} to ${to}` : String(n),
    `${exact ? "" : "≥ "}${number(record.moves)}`,
    exact ? "exact" : "lower bound",
    padded ? "" : (n ** 4 / record.moves).toFixed(1),
    padded ? "" : number(record.pushes),
    padded ? "" : number(record.floor),
  ];
  texts.forEach((text, column) => say(row.children[column], text));
  row.children[2].classList.toggle("exact", exact);
  const text = padded ? `${board(record.rows, record.cols)} with walls around` : credit(record);
  link(row.children[6], record, text);
}

function link(cell, record, text) {
  const href = `/records/${record.rows}x${record.cols}`;
  const old = cell.firstChild;
  if (old && old.getAttribute("href") === href) say(old, text);
  else cell.replaceChildren(el("a", { href }, text));
}

function otherRow(record) {
  return el("tr", {}, el("th", { scope: "row" }, board(record.rows, record.cols)), el("td", { class: "number" }), el("td"), el("td", { class: "wide" }));
}

function fillOther(row, record) {
  say(row.children[1], number(record.moves));
  say(row.children[2], record.exact ? "exact" : "lower bound");
  link(row.children[3], record, credit(record));
}

let timer = 0;
function replot() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const answer = await fetch("/api/plot.svg");
    if (!answer.ok) return;
    const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", "n to the fourth power divided by M(n), over n; the table has the figures");
    byId("plot").replaceChildren(document.adoptNode(drawing));
  }, 300);
}

live("/live/records", {
  records: (list) => {
    keyed(byId("squares"), squares(list), (line) => `${line.n} ${line.padded}`, squareRow, fillSquare);
    const others = list.filter((it) => it.rows !== it.cols);
    byId("others-section").hidden = others.length === 0;
    keyed(byId("others"), others, (it) => board(it.rows, it.cols), otherRow, fillOther);
    replot();
  },
});
