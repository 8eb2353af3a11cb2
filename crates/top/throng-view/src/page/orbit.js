// A camera that turns around a point. The y axis points up; azimuth 0 looks from the south, which is +z.

const DEGREES = 180 / Math.PI;
// At 90 degrees, the upward direction of the camera would be undefined.
const STEEPEST = 89.9;

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const length = (a) => Math.hypot(...a);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const add = (a, b, factor) => a.map((part, i) => part + factor * b[i]);
const unit = (a) => a.map((part) => part / length(a));

export class Orbit {
  /** `camera` has the format of scene files: `eye`, `target`, `up` and `vfov_deg`. */
  constructor(camera) {
    this.first = camera;
    this.reset();
  }

  reset() {
    const { eye, target, up, vfov_deg } = this.first;
    const back = add(eye, target, -1);
    // From directly above or below, the upward direction of the image determines the azimuth.
    const flat = Math.hypot(back[0], back[2]) > 1e-6 * length(back) ? back : up.map((part) => -part * Math.sign(back[1]));
    this.target = [...target];
    this.distance = length(back);
    this.azimuth = Math.atan2(flat[0], flat[2]) * DEGREES;
    this.elevation = clamp(Math.asin(clamp(back[1] / this.distance, -1, 1)) * DEGREES, -STEEPEST, STEEPEST);
    this.fieldOfView = vfov_deg;
    // Until something changes, the camera is exactly that of the scene.
    this.isFirst = true;
  }

  /** The camera in the format of requests. */
  camera() {
    if (this.isFirst) return this.first;
    const eye = add(this.target, this.back(), this.distance);
    return { eye, target: this.target, up: [0, 1, 0], vfov_deg: this.fieldOfView };
  }

  /** The direction from the target to the camera. */
  back() {
    const [azimuth, elevation] = [this.azimuth / DEGREES, this.elevation / DEGREES];
    const flat = Math.cos(elevation);
    return [flat * Math.sin(azimuth), Math.sin(elevation), flat * Math.cos(azimuth)];
  }

  set(changes) {
    Object.assign(this, changes);
    this.isFirst = false;
  }

  /** Turns by angles to the right and upwards, in degrees. */
  turn(right, up) {
    const azimuth = this.azimuth + right;
    this.set({
      azimuth: ((((azimuth + 180) % 360) + 360) % 360) - 180,
      elevation: clamp(this.elevation + up, -STEEPEST, STEEPEST),
    });
  }

  /** Multiplies the distance by a factor: below 1 moves closer, above 1 away. */
  zoom(factor) {
    const first = length(add(this.first.eye, this.first.target, -1));
    this.set({ distance: clamp(this.distance * factor, first / 100, first * 20) });
  }

  /** Moves camera and target to the right and upwards, by fractions of the height of the image. */
  move(right, up) {
    const height = 2 * this.distance * Math.tan(this.fieldOfView / 2 / DEGREES);
    const back = this.back();
    const across = unit(cross([0, 1, 0], back));
    const upwards = cross(back, across);
    this.set({ target: add(add(this.target, across, right * height), upwards, up * height) });
  }
}
