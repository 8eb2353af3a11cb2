// A slider with a label, a number and a unit.

/** Formats a number with enough decimals to distinguish steps. */
const written = (value, step) => value.toFixed(clampDigits(-Math.floor(Math.log10(step) + 1e-9)));
const clampDigits = (digits) => Math.min(Math.max(digits, 0), 6);

/** A step size that is a power of ten and divides the range into a few hundred steps. */
export function stepOf(low, high) {
  return 10 ** Math.floor(Math.log10((high - low) / 200));
}

export class Slider {
  /**
   * Adds a slider to a fieldset. `options` has `id`, `label`, `unit`, `low`, `high`, `step`; `isLogarithmic` for a range
   * of several orders of magnitude; and `text(value)` for a text instead of an editable number. `change(value)` is called
   * when the user changes the value.
   */
  constructor(parent, options, change) {
    this.options = options;
    const { id, label, unit, low, high, step, isLogarithmic, text } = options;
    const row = document.createElement("div");
    row.className = "slider";
    const name = document.createElement("label");
    name.htmlFor = id;
    name.textContent = label;
    const shown = document.createElement("span");
    shown.className = "value";
    this.range = document.createElement("input");
    Object.assign(this.range, { type: "range", id });
    const [from, to] = isLogarithmic ? [Math.log10(low), Math.log10(high)] : [low, high];
    // "any" lets the slider take the exact value of the camera.
    Object.assign(this.range, { min: from, max: to, step: text ? step : "any" });
    this.range.addEventListener("input", () => {
      const place = Number(this.range.value);
      this.show(isLogarithmic ? 10 ** place : place);
      change(this.value);
    });
    if (text) {
      this.number = document.createElement("output");
      this.number.htmlFor = id;
      // Otherwise, screen readers would read the time continuously during playback.
      this.number.setAttribute("aria-live", "off");
    } else {
      this.number = document.createElement("input");
      Object.assign(this.number, { type: "number", step: "any", id: `${id}-number` });
      this.number.setAttribute("aria-label", `${label} in ${unit.long}`);
      this.number.addEventListener("change", () => {
        const typed = this.number.valueAsNumber;
        this.show(Number.isFinite(typed) ? Math.min(Math.max(typed, low), high) : this.value);
        change(this.value);
      });
    }
    shown.append(this.number, unit?.short ?? "");
    row.append(name, shown, this.range);
    parent.append(row);
  }

  /** Sets the value without calling `change`. */
  show(value) {
    const { step, isLogarithmic, text, unit } = this.options;
    this.value = value;
    this.range.value = isLogarithmic ? Math.log10(value) : value;
    const words = text ? text(value) : written(value, isLogarithmic ? value / 100 : step);
    // Unchanged attributes are not set again, because screen readers would repeat them.
    if (this.number.value !== words) this.number.value = words;
    this.range.setAttribute("aria-valuetext", unit ? `${words} ${unit.long}` : words);
  }
}
