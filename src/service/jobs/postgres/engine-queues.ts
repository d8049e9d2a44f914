import { type Platform, platforms } from '../../../../lib/platforms.js';

/**
 * Slices of inputs, by platform, so that a stalled platform does not delay the others. The first slice of a job has a
 * separate queue, so that three inputs do not wait for ten thousand.
 */
export type SliceQueue = `first-${Platform}` | `rest-${Platform}`;

/** The queue of the first slices of jobs. */
export const firstSlices = (platform: Platform): SliceQueue => `first-${platform}`;
/** The queue of all further slices. */
export const furtherSlices = (platform: Platform): SliceQueue => `rest-${platform}`;

/** All queues. */
export const sliceQueues: readonly SliceQueue[] = platforms.flatMap((platform) => [
  firstSlices(platform),
  furtherSlices(platform),
]);
