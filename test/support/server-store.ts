import type { Clock } from '../../lib/runtime/clock.js';
import { openDirectory } from '../../src/open-store.js';
import type { OpenStore } from '../../src/stores.js';

/** Opens what a server of the tests keeps; whoever opens it closes it. */
export type OpenServerStore = (home: string, clock: Clock, trialCredits: number) => Promise<OpenStore>;

let chosen: OpenServerStore = openDirectory;

/** Makes the servers of this test file keep what they keep elsewhere than in a data directory. */
export function keepElsewhere(open: OpenServerStore): void {
  chosen = open;
}

/** Opens what the next server of this test file keeps. */
export const openServerStore: OpenServerStore = (home, clock, trialCredits) =>
  chosen(home, clock, trialCredits);
