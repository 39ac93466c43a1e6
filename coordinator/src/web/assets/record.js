// One record: its level, its solution, its figures.

import { parse } from "./board.js";
import { board, byId, copyButton, counted, el, facts, number, say, textField } from "./dom.js";
import { live } from "./live.js";
import { player } from "./player.js";

const size = location.pathname.split("/").pop();
let shown = null;

async function load() {
  const answer = await fetch(`/api/records/${size}`);
  if (!answer.ok) return;
  const record = await answer.json();
  const square = record.rows === record.cols;
  const name = board(record.rows, record.cols);
  const level = parse(record.xsb);
  const moves = counted(record.max_moves, "move");
  document.title = `${name}: ${moves} · soko`;
  say(byId("title"), `${name}: ${moves}`);
  const by = record.author ? ` by ${record.author}` : "";
  const title = record.title ? `“${record.title}”${by}. ` : "";
  say(byId("lead"), title + (record.exact
    ? "Proven: no level on this board needs more."
    : "The longest level known here; a lower bound."));
  byId("board").replaceChildren(player(level, record.lurd, `Level ${name} with a solution of ${moves}`));
  facts(byId("facts"), {
    "Moves": number(record.moves),
    "Pushes": number(record.pushes),
    "Floor": counted(record.floor, "cell"),
    "Shortest solutions": long(record.shortest_solutions),
    "n⁴/M(n)": square ? (record.rows ** 4 / record.max_moves).toFixed(1) : null,
  });
  say(byId("source"), `Source: ${record.source}`);
  const editor = `/editor#${encodeURIComponent(record.xsb.trimEnd().replaceAll("\n", "/"))}`;
  byId("share").replaceChildren(
    copyButton("Copy link", () => location.origin + location.pathname),
    el("a", { href: editor }, "Open in the editor"),
    record.job ? el("a", { href: `/jobs/${record.job}` }, "Its job") : "",
  );
  byId("texts").replaceChildren(
    textField("xsb", "Level in XSB", record.xsb, Math.min(record.rows + 1, 12), false),
    textField("lurd", "Solution in LURD", record.lurd, 5, true),
  );
  shown = record;
}

// Numbers of solutions can have hundreds of digits.
const long = (digits) => (digits.length > 15 ? `about 10^${digits.length - 1}` : number(Number(digits)));

await load();
live("/live/records", {
  records: (list) => {
    const now = list.find((it) => `${it.rows}x${it.cols}` === size);
    if (!now || !shown || (now.moves === shown.max_moves && now.exact === shown.exact)) return;
    const better = now.moves > shown.max_moves;
    byId("update").hidden = false;
    say(byId("update"), better ? `A longer level has been found: ${counted(now.moves, "move")}.` : "It has been proven.");
    load();
  },
});
