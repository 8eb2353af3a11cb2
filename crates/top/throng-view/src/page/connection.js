// The connection to the server: one request in flight, one that waits, pictures and messages back.

const HEADER = 32;
const MAGIC = 0x47524854; // "THRG", the lowest byte first
const RGBA8 = 1;
const RETRY_MS = [300, 1000, 2000, 5000];

/** The picture in a binary message, as the module `protocol` of throng-view describes it. */
export function decode(buffer) {
  const view = new DataView(buffer);
  const number = (at) => view.getUint32(at, true);
  if (buffer.byteLength < HEADER || number(0) !== MAGIC || number(20) !== RGBA8) {
    throw new Error("The server sends pictures of another version. Reload the page.");
  }
  const [seq, width, height, samples] = [4, 8, 12, 16].map(number);
  const pixels = HEADER + number(28);
  const time = new TextDecoder().decode(new Uint8Array(buffer, HEADER, number(28)));
  return { seq, width, height, samples, time, rgba: new Uint8ClampedArray(buffer, pixels, width * height * 4) };
}

/**
 * A connection that is made again when it is lost. `on` has functions: `open()`, `picture(frame, view, latency)` with the
 * view that was asked for, and the milliseconds since it was, for the first picture of a request; `problem(text)`; and
 * `lost(reason)`.
 */
export class Connection {
  constructor(address, on) {
    this.address = address;
    this.on = on;
    this.seq = 0;
    this.shown = 0;
    this.refused = 0; // the seq of the newest request that was refused
    this.sent = new Map(); // view and time of each request since the one whose picture is shown
    this.inFlight = null; // the seq of the request that has no picture yet
    this.waiting = null; // the view to ask for next
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

  /** Asks for a picture, in place of what was still to be asked for. */
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
    // The server draws the first picture as large as it can in time, so the next request need not wait for a better one.
    this.answered(frame.seq);
  }

  problem({ seq, error }) {
    this.refused = seq ?? this.seq;
    this.on.problem(error);
    // Without a number it is the only request that can be meant.
    if (seq === null || seq === this.inFlight) this.answered(this.inFlight);
  }

  answered(seq) {
    if (seq !== this.inFlight) return;
    this.inFlight = null;
    this.send();
  }
}
