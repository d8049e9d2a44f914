import type { Step } from './history.js';

/** Histories that broke a promise, shrunk, with what they broke. `run.ts` prints a new one in this form. */
export const found: readonly {
  readonly broke: string;
  readonly seed: number;
  readonly steps: readonly Step[];
}[] = [];
