"use strict";
// Plays the animation of the figure before this script, with a button, a slider and the text of the frame. The frames
// are PNG files embedded in the page, each drawn over the previous one. If anything fails, the figure keeps its animated
// image.
(async (figure) => {
  const film = JSON.parse(figure.querySelector("script").textContent);
  const last = film.frames.length - 1;
  const element = (name, properties) => Object.assign(document.createElement(name), properties);
  // Frames are composed on a hidden canvas, so that seeking does not show intermediate frames.
  const canvas = element("canvas", { width: film.width, height: film.height });
  const hidden = element("canvas", { width: film.width, height: film.height });
  const [visible, drawing] = [canvas, hidden].map((target) => target.getContext("2d"));
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", film.label);

  // Cached copies of some frames, so that going back does not restart from the first frame.
  const copies = new Map();
  const between = Math.max(1, Math.ceil(film.frames.length / 12));
  let drawn = -1;

  async function drawNext() {
    const frame = film.frames[drawn + 1];
    const image = new Image();
    image.src = "data:image/png;base64," + frame.head + film.palette + frame.rest;
    await image.decode();
    drawing.drawImage(image, frame.x, frame.y);
    drawn += 1;
    if (drawn % between === 0 && !copies.has(drawn)) {
      const copy = element("canvas", { width: film.width, height: film.height });
      copy.getContext("2d").drawImage(hidden, 0, 0);
      copies.set(drawn, copy);
    }
  }

  let wanted = 0;
  let busy = false;

  async function show(number) {
    wanted = number;
    if (busy) return;
    busy = true;
    try {
      while (drawn !== wanted) {
        const copied = wanted - (wanted % between);
        if (copies.has(copied) && (drawn > wanted || drawn < copied)) {
          drawing.drawImage(copies.get(copied), 0, 0);
          drawn = copied;
        } else if (drawn > wanted) {
          drawn = -1;
        } else {
          await drawNext();
        }
      }
      visible.drawImage(hidden, 0, 0);
    } finally {
      busy = false;
    }
  }

  await show(0);

  const button = element("button", { type: "button" });
  const slider = element("input", { type: "range", min: 0, max: last, step: 1, value: 0 });
  slider.setAttribute("aria-label", "Frame");
  const text = element("output", {});
  // The number of the current start, which ends the loops of earlier starts; 0 while the animation is paused.
  let started = 0;
  let starts = 0;

  function describe(number) {
    text.textContent = film.frames[number].text;
    slider.setAttribute("aria-valuetext", `${film.frames[number].text}, frame ${number + 1} of ${last + 1}`);
    figure.dataset.frame = number;
  }

  async function play(start) {
    for (let number = Number(slider.value); start === started; number = number === last ? 0 : number + 1) {
      slider.value = number;
      await show(number);
      describe(number);
      await new Promise((resolve) => setTimeout(resolve, film.frames[number].ms));
    }
  }

  function pause() {
    started = 0;
    button.textContent = "Play";
  }

  button.addEventListener("click", () => {
    if (started !== 0) return pause();
    button.textContent = "Pause";
    started = starts += 1;
    play(started);
  });
  slider.addEventListener("input", async () => {
    pause();
    const number = Number(slider.value);
    await show(number);
    if (Number(slider.value) === number) describe(number);
  });

  // The slider handles the arrow keys, Home and End. The space bar starts and pauses anywhere in the figure; the button
  // handles it itself.
  figure.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target === button) return;
    event.preventDefault();
    button.click();
  });

  const controls = element("div", { className: "controls" });
  controls.append(button, slider, text);
  const shown = figure.querySelector("picture");
  canvas.style.cssText = shown.querySelector("img").style.cssText;
  shown.parentElement.after(controls);
  shown.replaceWith(canvas);
  describe(0);
  pause();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) button.click();
})(document.currentScript.previousElementSibling).catch(() => {});
