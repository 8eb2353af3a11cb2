// The connection to the server: sends at most one request at a time, and receives images and messages.

const HEADER = 36;
const MAGIC = 0x47524854; // "THRG", little-endian
const RGBA8 = 1;
const RETRY_MS = [300, 1000, 2000, 5000];

/** Decodes the image in a binary message, see the module `protocol` of throng-view. */
export function decode(buffer) {
  const view = new DataView(buffer);
  const number = (at) => view.getUint32(at, true);
  if (buffer.byteLength < HEADER || number(0) !== MAGIC || number(20) !== RGBA8) {
    throw new Error("The server sends pictures of another version. Reload the page.");
  }
  const [seq, width, height, samples] = [4, 8, 12, 16].map(number);
  const [afterTime, pixels] = [HEADER + number(28), HEADER + number(28) + number(32)];
  const text = (from, to) => new TextDecoder().decode(new Uint8Array(buffer, from, to - from));
  const [time, device] = [text(HEADER, afterTime), text(afterTime, pixels)];
  return { seq, width, height, samples, time, device, rgba: new Uint8ClampedArray(buffer, pixels, width * height * 4) };
}

/**
 * A connection that reconnects when it is lost. `on` has the callbacks `open()`, `picture(frame, view, latency)`,
 * `problem(text)` and `lost(reason)`. `view` is the requested view, and `latency` the milliseconds since the request,
 * for its first image only.
 */
export class Connection {
  constructor(address, on) {
    this.address = address;
    this.on = on;
    this.seq = 0;
    this.shown = 0;
    this.refused = 0; // seq of the newest rejected request
    this.sent = new Map(); // view and time of the request whose image is shown and of all later ones, by seq
    this.inFlight = null; // seq of the request that has no image yet
    this.waiting = null; // the next view to request
    this.failures = 0;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.inFlight = null;
      this.on.open();
    };
    this.socket.onmessage = (event) => {
      if (typeof event.data === "string") this.problem(JSON.parse(event.data));
      else this.picture(event.data);
    };
    this.socket.onclose = (event) => {
      this.on.lost(event.reason);
      const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
      this.failures += 1;
      setTimeout(() => this.connect(), wait);
    };
  }

  /** Requests an image; replaces a waiting request. */
  ask(view) {
    this.waiting = { view, at: performance.now() };
    this.send();
  }

  send() {
    if (!this.waiting || this.inFlight !== null || this.socket.readyState !== WebSocket.OPEN) return;
    const { view, at } = this.waiting;
    this.waiting = null;
    this.seq += 1;
    this.inFlight = this.seq;
    this.sent.set(this.seq, { view, at });
    this.socket.send(JSON.stringify({ seq: this.seq, view }));
  }

  picture(buffer) {
    let frame;
    try {
      frame = decode(buffer);
    } catch (error) {
      this.on.problem(error.message);
      return;
    }
    const request = this.sent.get(frame.seq);
    if (frame.seq < this.shown || !request) return;
    const isFirst = frame.seq > this.shown;
    this.failures = 0;
    this.shown = frame.seq;
    for (const seq of this.sent.keys()) if (seq < frame.seq) this.sent.delete(seq);
    this.on.picture(frame, request.view, isFirst ? performance.now() - request.at : null);
    // The first image is as large as the server can draw in time, so the next request need not wait for a better one.
    this.answered(frame.seq);
  }

  problem({ seq, error }) {
    this.refused = seq ?? this.seq;
    this.on.problem(error);
    // An error without a seq can only refer to the request in flight.
    if (seq === null || seq === this.inFlight) this.answered(this.inFlight);
  }

  answered(seq) {
    if (seq !== this.inFlight) return;
    this.inFlight = null;
    this.send();
  }
}
