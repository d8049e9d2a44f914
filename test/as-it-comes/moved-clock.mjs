// Loaded before a program of the tests. Its clock runs MOVED_CLOCK_MS milliseconds ahead of the machine's. Each SIGUSR2
// moves it on by MOVED_CLOCK_STEP_MS, and timers that are due by then fire. `performance.now()` and the browser's own time
// stay as they are, as program and browser wait for each other.

const { MOVED_CLOCK_MS = '0', MOVED_CLOCK_STEP_MS = '0' } = process.env;
let aheadMs = Number(MOVED_CLOCK_MS);

const MachineDate = Date;
globalThis.Date = class extends MachineDate {
  constructor(...parts) {
    if (parts.length === 0) super(MachineDate.now() + aheadMs);
    else super(...parts);
  }
  static now() {
    return MachineDate.now() + aheadMs;
  }
  static [Symbol.hasInstance](value) {
    return value instanceof MachineDate;
  }
};

const { bigint } = process.hrtime;
process.hrtime.bigint = () => bigint() + BigInt(aheadMs) * 1_000_000n;

/** When each timer that was set is due, by the moved clock. */
const dueAt = new Map();
const { setTimeout: startTimer, setInterval: startInterval } = globalThis;

function tracked(start) {
  return Object.assign((callback, ms = 1, ...args) => {
    const delay = ms >= 1 ? Number(ms) : 1;
    const timer = start(
      (...args) => {
        // An interval is due again.
        if (timer._repeat) dueAt.set(timer, Date.now() + delay);
        else dueAt.delete(timer);
        callback(...args);
      },
      delay,
      ...args,
    );
    const { refresh } = timer;
    timer.refresh = () => {
      timer._idleTimeout = delay;
      dueAt.set(timer, Date.now() + delay);
      return refresh.call(timer);
    };
    dueAt.set(timer, Date.now() + delay);
    return timer;
  }, start);
}
globalThis.setTimeout = tracked(startTimer);
globalThis.setInterval = tracked(startInterval);

process.on('SIGUSR2', () => {
  aheadMs += Number(MOVED_CLOCK_STEP_MS);
  for (const [timer, at] of dueAt) {
    if (timer._destroyed) dueAt.delete(timer);
    else {
      // Node.js starts a timer anew for its `_idleTimeout` (24).
      timer._idleTimeout = Math.max(1, at - Date.now());
      Object.getPrototypeOf(timer).refresh.call(timer);
    }
  }
});
