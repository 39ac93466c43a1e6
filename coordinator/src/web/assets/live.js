// The stream of live updates. It rests while nobody looks at the page.

import { byId, say } from "./dom.js";

const STATES = { live: "live", waiting: "connecting …", over: "not live any more" };

// `handlers` maps names of events to functions of their JSON.
export function live(url, handlers) {
  let source = null;
  let pause = 1000;
  let timer = 0;

  const show = (state) => {
    const node = byId("connection");
    node.dataset.state = state;
    say(node, STATES[state]);
  };

  const open = () => {
    clearTimeout(timer);
    if (source || document.hidden) return;
    source = new EventSource(url);
    source.addEventListener("open", () => { pause = 1000; show("live"); });
    source.addEventListener("error", () => {
      show("waiting");
      // Browsers give up when the coordinator is away; this does not.
      if (source && source.readyState === EventSource.CLOSED) {
        close();
        timer = setTimeout(open, pause);
        pause = Math.min(pause * 2, 30000);
      }
    });
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
  };

  const close = () => {
    source?.close();
    source = null;
  };

  show("waiting");
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  open();
}
