/** A tick that comes later than this came late because the machine stood still, or this process. */
const longestTick = 60;
/** A tick that comes so late may have cost a program half of a limit of some seconds. */
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
 * uses up none of a deadline. For waits alone: what holds the event loop counts little, too.
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
