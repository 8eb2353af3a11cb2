// A slider with a label, a number and a unit.

/** The number with as many digits as it takes to tell steps apart. */
const written = (value, step) => value.toFixed(clampDigits(-Math.floor(Math.log10(step) + 1e-9)));
const clampDigits = (digits) => Math.min(Math.max(digits, 0), 6);

/** A step with one digit of which the range has some hundreds. */
export function stepOf(low, high) {
  return 10 ** Math.floor(Math.log10((high - low) / 200));
}

export class Slider {
  /**
   * Adds a slider to a fieldset. `id`, `label`, `unit`, `low`, `high`, `step`; `isLogarithmic` for a range of several
   * orders of magnitude; `text(value)` instead of a number that can be typed. `change(value)` is called for changes of the
   * user.
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
    // "any" lets a slider stand where a camera happens to be.
    Object.assign(this.range, { min: from, max: to, step: text ? step : "any" });
    this.range.addEventListener("input", () => {
      const place = Number(this.range.value);
      this.show(isLogarithmic ? 10 ** place : place);
      change(this.value);
    });
    if (text) {
      this.number = document.createElement("output");
      this.number.htmlFor = id;
      // Read aloud, a time that plays would never end.
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

  /** Shows a value without calling `change`. */
  show(value) {
    const { step, isLogarithmic, text, unit } = this.options;
    this.value = value;
    this.range.value = isLogarithmic ? Math.log10(value) : value;
    const words = text ? text(value) : written(value, isLogarithmic ? value / 100 : step);
    // An attribute that does not change is left alone, or readers of screens would repeat it.
    if (this.number.value !== words) this.number.value = words;
    this.range.setAttribute("aria-valuetext", unit ? `${words} ${unit.long}` : words);
  }
}
