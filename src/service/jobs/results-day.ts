import { dayMs } from '../../../lib/runtime/clock.js';

/** Returns the day whose partition has the results of a job created then. */
export const resultsDay = (createdAt: number) => Math.floor(createdAt / dayMs);
