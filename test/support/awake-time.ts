/** A tick that comes later than this came late because the machine stood still, or this process. */
const longestTick = 60;

let awake = 0;
let last = performance.now();

function tick(): void {
  const now = performance.now();
  awake += Math.min(now - last, longestTick);
  last = now;
}
setInterval(tick, 20).unref();

/**
 * Milliseconds on a clock that stands still while this process does: a virtual machine that is held for some seconds takes none of
 * the time in which something has to happen. For waits alone: what holds the event loop counts little, too.
 */
export function awakeTime(): number {
  tick();
  return awake;
}
