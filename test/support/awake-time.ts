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
 * Milliseconds on a clock that stands still while this process does: a virtual machine that is held for some seconds takes none of
 * the time in which something has to happen. For waits alone: what holds the event loop counts little, too.
 */
export function awakeTime(): number {
  tick();
  return awake;
}

/**
 * Does work that asserts, and does it anew where it failed while this process stood still for a second: programs have limits of a few
 * seconds of their own, which pass while the machine is held. What fails without such a stand fails.
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
