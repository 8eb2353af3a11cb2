// The page: connects the controls, the requests and the display.

import { Connection } from "./connection.js";
import { cameraSliders, colours, lightSliders } from "./controls.js";
import { followKeys, followPointers } from "./gestures.js";
import { Orbit } from "./orbit.js";
import { Player } from "./player.js";
import { DEFAULT_RESOLUTION, RESOLUTIONS, Screen } from "./screen.js";

const element = (id) => document.getElementById(id);

/** Shows a message above the image; an empty text hides it. */
function say(text) {
  const message = element("message");
  if (message.textContent !== text) message.textContent = text;
  message.hidden = !text;
}

function start(description) {
  // null means the light of the scene, until it is moved.
  const state = { title: "", light: null, colouring: null };
  const entitle = (title) => {
    state.title = title;
    document.title = `${title} – Throng`;
    element("title").textContent = title;
  };
  entitle(description.title);
  const orbit = new Orbit(description.camera);

  const ask = () => connection.ask({
    ...screen.size(),
    camera: orbit.camera(),
    light: state.light,
    time: player ? player.value : null,
    colouring: state.colouring,
  });
  const screen = new Screen(element("canvas"), () => connection && ask());
  const player = description.time && new Player(description.time, ask);
  const showCamera = cameraSliders(orbit, ask);
  const showLight = description.light ? lightSliders(description, state, ask) : () => {};
  colours(description, state, ask, entitle);

  const turned = () => {
    showCamera();
    ask();
  };
  const reset = () => {
    orbit.reset();
    state.light = null;
    showLight();
    turned();
  };
  const help = () => element("keys").showModal();
  followPointers(element("canvas"), orbit, turned);
  followKeys(orbit, turned, { " ": () => player?.toggle(), r: reset, h: help });
  element("reset").addEventListener("click", reset);
  element("help").addEventListener("click", help);
  element("close-keys").addEventListener("click", () => element("keys").close());
  element("save").addEventListener("click", () => screen.save(`${state.title}.png`));
  element("controls").addEventListener("submit", (event) => event.preventDefault());

  const resolution = element("resolution");
  resolution.append(...RESOLUTIONS.map(([width, height], i) => new Option(`at most ${width} × ${height}`, i)));
  resolution.value = DEFAULT_RESOLUTION;
  resolution.addEventListener("change", () => {
    screen.limit = RESOLUTIONS[Number(resolution.value)];
    ask();
  });

  const figures = watchFigures();
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  const connection = new Connection(address, {
    open: () => {
      element("state").textContent = "connected";
      ask();
    },
    picture: (frame, view, latency) => {
      // After a rejected request, better images of an earlier one may still arrive.
      if (frame.seq > connection.refused) say("");
      screen.draw(frame, view);
      const time = element("time-text");
      time.hidden = !frame.time;
      if (time.value !== frame.time) time.value = frame.time;
      figures(frame, latency);
    },
    problem: say,
    lost: (reason) => {
      element("state").textContent = "not connected";
      // Keeps the message that the server sent before it closed the connection.
      if (reason !== "no more pages") say(`The connection is lost${reason ? ` (${reason})` : ""}. Trying again …`);
    },
  });
}

/** Returns a function that updates the figures below the image for each new image. */
function watchFigures() {
  let times = [];
  const count = () => {
    const now = performance.now();
    times = times.filter((time) => now - time < 1000);
    element("rate").textContent = times.length;
  };
  setInterval(count, 500);
  return (frame, latency) => {
    times.push(performance.now());
    count();
    element("size").textContent = `${frame.width} × ${frame.height}`;
    element("samples").textContent = frame.samples;
    element("drawn-on").hidden = !frame.device;
    element("device").textContent = frame.device;
    if (latency !== null) element("latency").textContent = Math.round(latency);
  };
}

try {
  const answer = await fetch("description.json");
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  start(await answer.json());
} catch (error) {
  say(`The page cannot be shown: ${error.message}. Is throng view still running?`);
}
