/** A tick later than this means that the machine, or this process, was suspended. */
const longestTick = 60;
/** A tick this late may have used up half of a program's limit of some seconds. */
const standstillMs = 1_000;

let awake = 0;
let standstills = 0;
let last = performance.now();

function tick(): void {
  const now = performance.now();
  awake += Math.min(now - last, longestTick);
  if (now - last > standstillMs) standstills += 1;
  last = now;
}
setInterval(tick, 20).unref();

/**
 * Milliseconds on a clock that stops while this process is suspended: a virtual machine that pauses for some seconds
 * uses up none of a deadline. Only for waits, because a blocked event loop hardly counts, either.
 */
export function awakeTime(): number {
  tick();
  return awake;
}

/**
 * Runs assertions, and runs them again if they failed while this process was suspended for a second: programs have
 * limits of a few seconds, which expire while the machine is paused. A failure without such a pause is final.
 */
export async function againIfHeld(work: () => Promise<void>): Promise<void> {
  for (;;) {
    tick();
    const before = standstills;
    try {
      return await work();
    } catch (error) {
      tick();
      if (standstills === before) throw error;
    }
  }
}
