// The canvas: its size, and drawing images on it.

/** Choices for the maximum image size; the window size is another limit. */
export const RESOLUTIONS = [[480, 300], [800, 500], [1280, 800], [1920, 1200], [2560, 1600]];
export const DEFAULT_RESOLUTION = 2;

export class Screen {
  /** `resized()` is called when images of a different size must be requested. */
  constructor(canvas, resized) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.coarse = document.createElement("canvas");
    this.limit = RESOLUTIONS[DEFAULT_RESOLUTION];
    this.isEmpty = true;
    new ResizeObserver(resized).observe(canvas);
  }

  /** The image size: that of the canvas in device pixels, or the maximum size with the same aspect ratio. */
  size() {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(clientWidth, 1) * ratio, Math.max(clientHeight, 1) * ratio];
    const scale = Math.min(1, this.limit[0] / width, this.limit[1] / height);
    const whole = (side) => Math.max(1, Math.floor(side * scale));
    return { width: whole(width), height: whole(height) };
  }

  /** Draws an image, scaled to the requested size. */
  draw(frame, { width, height }) {
    // Setting the size clears the canvas, even if the size does not change.
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const image = new ImageData(frame.rgba, frame.width, frame.height);
    if (frame.width === width && frame.height === height) {
      this.context.putImageData(image, 0, 0);
    } else {
      Object.assign(this.coarse, { width: frame.width, height: frame.height });
      this.coarse.getContext("2d").putImageData(image, 0, 0);
      this.context.imageSmoothingEnabled = true;
      this.context.drawImage(this.coarse, 0, 0, width, height);
    }
    this.isEmpty = false;
    // Read by tests.
    Object.assign(this.canvas.dataset, { seq: frame.seq, samples: frame.samples, width: frame.width, height: frame.height });
  }

  /** Downloads the image as a file. */
  save(name) {
    if (this.isEmpty) return;
    this.canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      // Delayed, because the browser reads the URL after this event.
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }, "image/png");
  }
}
