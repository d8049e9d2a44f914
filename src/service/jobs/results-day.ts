import { dayMs } from '../../../lib/runtime/clock.js';

/** The day whose partition holds the results of a job that was made then. */
export const resultsDay = (createdAt: number) => Math.floor(createdAt / dayMs);
