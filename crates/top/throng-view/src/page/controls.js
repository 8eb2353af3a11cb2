// The controls next to the image, built from the server's description of the show.

import { Slider, stepOf } from "./slider.js";

const DEGREES = { short: "°", long: "degrees" };
const LENGTH = { short: "", long: "units of length" };
const AXES = ["x", "y", "z"];

const element = (id) => document.getElementById(id);

/** Adds the sliders of the camera. Returns a function that updates them from the orbit. */
export function cameraSliders(orbit, changed) {
  const distance = orbit.distance;
  const rows = [
    ["distance", "Distance", LENGTH, distance / 100, distance * 20, distance / 100, true],
    ["azimuth", "Azimuth", DEGREES, -180, 180, 0.1],
    ["elevation", "Elevation", DEGREES, -89.9, 89.9, 0.1],
    ["fieldOfView", "Field of view", DEGREES, Math.min(5, orbit.fieldOfView), Math.max(120, orbit.fieldOfView), 0.1],
  ];
  const sliders = rows.map(([id, label, unit, low, high, step, isLogarithmic]) => {
    const options = { id, label, unit, low, high, step, isLogarithmic };
    return new Slider(element("camera"), options, (value) => {
      orbit.set({ [id]: value });
      changed();
    });
  });
  const show = () => rows.forEach(([id], i) => sliders[i].show(orbit[id]));
  show();
  return show;
}

/**
 * Adds the sliders of the light, which change `state.light`; null is the light of the description. Returns a function
 * that updates them.
 */
export function lightSliders({ light: first, camera }, state, changed) {
  element("light").hidden = false;
  const current = () => state.light ?? first;
  // The light can be moved to the far side of everything that the camera sees, and beyond.
  const apart = (a, b) => Math.hypot(...a.map((part, i) => part - b[i]));
  const reach = 2 * Math.max(apart(first, camera.target), apart(camera.eye, camera.target));
  const sliders = AXES.map((axis, i) => {
    const [low, high] = [first[i] - reach, first[i] + reach];
    const options = { id: `light-${axis}`, label: `Light ${axis}`, unit: LENGTH, low, high, step: stepOf(low, high) };
    return new Slider(element("light"), options, (value) => {
      state.light = current().with(i, value);
      changed();
    });
  });
  const show = () => sliders.forEach((slider, i) => slider.show(current()[i]));
  show();
  return show;
}

/**
 * Adds the choice of colourings, which changes `state.colouring`, and the legend. `entitle(title)` is called with the
 * title of a newly chosen colouring.
 */
export function colours(description, state, changed, entitle) {
  const { colourings, legend, colouring } = description;
  element("colours").hidden = !colourings.length && !legend.length;
  showLegend(legend);
  if (!colourings.length) return;
  const select = element("colouring");
  const describe = () => {
    state.colouring = select.value;
    element("meaning").textContent = colourings[select.selectedIndex]?.[1] ?? "";
  };
  select.append(...colourings.map(([name]) => new Option(name)));
  if (colouring !== null) select.value = colouring;
  for (const part of [select, element("meaning"), document.querySelector("label[for=colouring]")]) part.hidden = false;
  let asked = 0;
  select.addEventListener("change", async () => {
    describe();
    changed();
    asked += 1;
    const number = asked;
    const answer = await legendOf(state.colouring);
    // Another colouring may have been chosen in the meantime.
    if (number !== asked) return;
    if (answer) entitle(answer.title);
    // No legend is better than that of another colouring.
    showLegend(answer?.rows ?? []);
  });
  describe();
}

/** Title and rows of a colouring; null on errors, which the connection reports when it requests the image. */
async function legendOf(colouring) {
  try {
    const answer = await fetch(`legend.json?colouring=${encodeURIComponent(colouring)}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function showLegend(legend) {
  const rows = legend.map(([rgb, text]) => {
    const [row, swatch] = [document.createElement("li"), document.createElement("span")];
    swatch.className = "swatch";
    swatch.style.backgroundColor = `rgb(${rgb.map(srgb).join(" ")})`;
    row.append(swatch, text);
    return row;
  });
  element("legend").replaceChildren(...rows);
}

/** Converts a component of a linear colour to an sRGB byte. */
function srgb(part) {
  const curved = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(Math.max(curved, 0), 1));
}
