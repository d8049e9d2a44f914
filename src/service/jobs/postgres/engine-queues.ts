import { type Platform, platforms } from '../../../../lib/platforms.js';

/**
 * Slices of inputs, by platform, so that a stalled platform does not delay the others. First slices have their own
 * queue, so that three inputs do not wait for ten thousand.
 */
export type SliceQueue = `first-${Platform}` | `rest-${Platform}`;

export const firstSlices = (platform: Platform): SliceQueue => `first-${platform}`;
export const furtherSlices = (platform: Platform): SliceQueue => `rest-${platform}`;

export const sliceQueues: readonly SliceQueue[] = platforms.flatMap((platform) => [
  firstSlices(platform),
  furtherSlices(platform),
]);
