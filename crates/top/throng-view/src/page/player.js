// The time of a stored run: slider and playback.

import { Slider } from "./slider.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64];
// Days are so long that they need higher speeds.
const SPEEDS_OF_DAYS = [...SPEEDS, 256, 1024];
/** Maximum duration of a whole run at the initial speed, seconds. */
const WHOLE_RUN_S = 120;

/** Formats a time for the slider as the server does; the image comes with the server's own text. */
export function timeText(value, unit) {
  if (unit === "seconds") return `${Number(value.toFixed(2))} s`;
  if (unit !== "time_of_day") return `${unit} ${Number(value.toFixed(2))}`;
  const seconds = Math.floor(value);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

export class Player {
  /** `axis` is the description's time slider; `change()` is called when the time changes. */
  constructor(axis, change) {
    this.axis = axis;
    this.change = change;
    this.value = axis.low;
    this.isPlaying = false;
    this.button = document.getElementById("play");
    this.speed = document.getElementById("speed");
    const fieldset = document.getElementById("time");
    fieldset.hidden = false;

    const { low, high, step, unit } = axis;
    const speeds = unit === "time_of_day" ? SPEEDS_OF_DAYS : SPEEDS;
    this.speed.append(...speeds.map((speed) => new Option(`${speed}×`, speed)));
    // At speed 1, steps are played at one per second, and times in real time.
    const isCounted = unit !== "seconds" && unit !== "time_of_day";
    this.perSecond = isCounted ? step : 1;
    const needed = (high - low) / this.perSecond / WHOLE_RUN_S;
    this.speed.value = speeds.find((speed) => speed >= Math.max(needed, 1)) ?? speeds.at(-1);
    // There is no data between two steps, but there may be between two seconds.
    this.grain = isCounted ? step : 0.01;

    const options = { id: "time-slider", label: "Time shown", low, high, step, text: (value) => timeText(value, unit) };
    this.slider = new Slider(fieldset, options, (value) => {
      this.value = value;
      change();
    });
    this.slider.show(this.value);
    this.button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (!this.isPlaying && this.value >= this.axis.high) this.set(this.axis.low);
    this.isPlaying = !this.isPlaying;
    this.button.textContent = this.isPlaying ? "Pause" : "Play";
    this.button.setAttribute("aria-pressed", String(this.isPlaying));
    if (!this.isPlaying) return;
    // The exact time; the displayed time is rounded to grains.
    this.exact = this.value;
    let last = performance.now();
    const advance = (now) => {
      if (!this.isPlaying) return;
      // If the slider was moved, playback continues from there.
      if (this.value !== this.played) this.exact = this.value;
      this.exact += (Math.max(now - last, 0) / 1000) * this.perSecond * Number(this.speed.value);
      last = Math.max(now, last);
      this.set(this.grained(this.exact));
      if (this.value >= this.axis.high) this.toggle();
      else requestAnimationFrame(advance);
    };
    this.played = this.value;
    requestAnimationFrame(advance);
  }

  grained(exact) {
    const { low, high } = this.axis;
    const grained = low + Math.floor((exact - low) / this.grain + 1e-6) * this.grain;
    return exact >= high ? high : Number(grained.toFixed(6));
  }

  set(value) {
    this.played = value;
    if (value === this.value) return;
    this.value = value;
    this.slider.show(value);
    this.change();
  }
}
