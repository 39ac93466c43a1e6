// Building blocks of the pages. Text always becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// An element: attributes by name, functions are listeners, children are nodes or texts.
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

// Changes a text only if it is another one, so that selections and screen readers are left alone.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Keeps one child for each item, in their order. `create(item)` gives a node,
// `update(node, item)` brings it up to date.
export function keyed(parent, items, key, create, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  items.forEach((item, index) => {
    const name = String(key(item));
    let node = old.get(name);
    if (node) old.delete(name);
    else {
      node = create(item);
      node.dataset.key = name;
    }
    update(node, item);
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  for (const node of old.values()) node.remove();
}

// Figures with their names; `facts(list, {name: text})` creates or updates.
export function facts(list, values) {
  const entries = Object.entries(values).filter(([, text]) => text !== null && text !== undefined);
  keyed(
    list,
    entries,
    ([name]) => name,
    ([name]) => el("div", {}, el("dt", {}, name), el("dd")),
    (node, [, text]) => say(node.lastChild, text),
  );
}

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
export const number = (value) => grouped.format(value).replaceAll(",", "\u202f");

// A number of things, named by what one of them is called.
export const counted = (value, one) => `${number(value)} ${one}${grouped.format(value) === "1" ? "" : "s"}`;

export function short(value) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (value >= size) return `${(value / (unit === "k" ? 1e3 : size)).toFixed(unit === "k" ? 0 : 1)} ${unit}`;
  }
  return number(value);
}

// Rounded down: 100 % is for what is done.
export const percent = (share) => `${(Math.floor(share * 1000) / 10).toFixed(share < 1 ? 1 : 0)} %`;

export function duration(seconds) {
  if (seconds < 1) return "under 1 s";
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  const [size, unit] = parts[first];
  const whole = Math.floor(seconds / size);
  const next = parts[first + 1];
  const rest = next ? Math.floor((seconds - whole * size) / next[0]) : 0;
  return rest ? `${whole} ${unit} ${rest} ${next[1]}` : `${whole} ${unit}`;
}

export const board = (rows, cols) => `${rows}×${cols}`;

export const jobTitle = (job) => job.name || `${board(job.rows, job.cols)} ${job.mode}`;

// A button that copies what `text()` gives.
export function copyButton(label, text) {
  const button = el("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      done = copyOldWay(text()) ? done : "Copying is not allowed here";
    }
    button.textContent = done;
    setTimeout(() => { button.textContent = label; }, 1600);
  });
  return button;
}

// Pages that do not come over https from elsewhere have no clipboard.
function copyOldWay(text) {
  const area = el("textarea", { class: "skip", readonly: true });
  area.value = text;
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

// A text to look at and to copy.
export function textField(id, label, text, rows, wrap) {
  const area = el("textarea", { id, rows, readonly: true, class: wrap ? "wrap" : null, spellcheck: "false" });
  area.value = text;
  const head = el("div", { class: "field-head" }, el("label", { for: id }, label), copyButton("Copy", () => area.value));
  return el("div", { class: "field" }, head, area);
}
