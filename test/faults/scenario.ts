import type { Platform } from './platform.js';
import type { Program } from './program.js';

/** The environment of a scenario. */
export interface Surroundings {
  /** A separate folder. */
  readonly folder: string;
  /** Approximate maximum milliseconds. */
  readonly ms: number;
  readonly program: Program;
  readonly platform: Platform;
  /** From 0 to below 1, the same for the same seed. */
  readonly random: () => number;
}

/** The counts of a scenario, worded for the table. */
export type Figures = Readonly<Record<string, number | string>>;

/**
 * One way to break it. A scenario throws when a promise is broken, and returns null with a printed reason if it cannot
 * run here.
 */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** Why it cannot run on this machine; null if it can. */
  skip?(): string | null;
  run(surroundings: Surroundings): Promise<Figures>;
}

/** Mulberry32: numbers from 0 to below 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits, in real time, until a condition holds; throws with `what` after `ms`. */
export async function until(
  what: string,
  ms: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const end = performance.now() + ms; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`It took longer than ${ms} ms until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
