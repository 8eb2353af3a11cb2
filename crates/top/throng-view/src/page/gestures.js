// Mouse, touch and keyboard input.

/** A drag over the height of the image turns the camera by half a circle. */
const DEGREES_PER_HEIGHT = 180;
const KEY_DEGREES = 5;
const KEY_PART = 0.05;
const KEY_ZOOM = 1.1;

/** Handles mouse and touch input on the canvas. `changed()` is called after each change of the orbit. */
export function followPointers(canvas, orbit, changed) {
  const pointers = new Map();
  const spread = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);
  const middle = (all) => ({
    x: all.reduce((sum, one) => sum + one.x, 0) / all.length,
    y: all.reduce((sum, one) => sum + one.y, 0) / all.length,
  });

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true, focusVisible: false });
    const moves = event.shiftKey || event.button !== 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, moves });
  });
  canvas.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    const before = [...pointers.values()].map((one) => ({ ...one }));
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
    const after = [...pointers.values()];
    const height = Math.max(canvas.clientHeight, 1);
    const [from, to] = [middle(before), middle(after)];
    const [right, down] = [(to.x - from.x) / height, (to.y - from.y) / height];
    if (after.length > 1) {
      if (spread(after) > 0) orbit.zoom(spread(before) / spread(after));
      orbit.move(-right, down);
    } else if (pointer.moves) {
      orbit.move(-right, down);
    } else {
      orbit.turn(-right * DEGREES_PER_HEIGHT, down * DEGREES_PER_HEIGHT);
    }
    changed();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    // Some wheels report lines or pages.
    const pixels = event.deltaY * [1, 16, 100][event.deltaMode];
    orbit.zoom(Math.exp(Math.min(Math.max(pixels, -300), 300) * 0.0015));
    changed();
  }, { passive: false });
}

/** Handles the keys of the page. `actions` maps keys, such as `" "`, to functions that do not move the camera. */
export function followKeys(orbit, changed, actions) {
  const camera = {
    ArrowLeft: () => orbit.turn(-KEY_DEGREES, 0),
    ArrowRight: () => orbit.turn(KEY_DEGREES, 0),
    ArrowUp: () => orbit.turn(0, KEY_DEGREES),
    ArrowDown: () => orbit.turn(0, -KEY_DEGREES),
    "+": () => orbit.zoom(1 / KEY_ZOOM),
    "=": () => orbit.zoom(1 / KEY_ZOOM),
    "-": () => orbit.zoom(KEY_ZOOM),
    w: () => orbit.move(0, KEY_PART),
    s: () => orbit.move(0, -KEY_PART),
    a: () => orbit.move(-KEY_PART, 0),
    d: () => orbit.move(KEY_PART, 0),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (belongsTo(event.target, key)) return;
    const act = actions[key];
    const turn = camera[key];
    if (!act && !turn) return;
    event.preventDefault();
    if (act) {
      // Holding a key down triggers its action only once.
      if (!event.repeat) act();
      return;
    }
    turn();
    changed();
  });
}

/** Whether a control handles a key itself. */
function belongsTo(target, key) {
  if (target.matches("select, input[type=number]")) return true;
  if (target.matches("input[type=range]")) return key.startsWith("Arrow") || key === "+" || key === "-";
  return target.matches("button") && key === " ";
}
